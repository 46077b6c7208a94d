package lint

import (
	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/merge"
)

// Summary counts what was checked and found (contract.md, JSON report).
type Summary struct {
	Files           int  `json:"files"`
	Artifacts       int  `json:"artifacts"`
	Threads         int  `json:"threads"`
	Messages        int  `json:"messages"`
	SkippedMessages int  `json:"skipped_messages"`
	Errors          int  `json:"errors"`
	Warnings        int  `json:"warnings"`
	Info            int  `json:"info"`
	Suppressed      int  `json:"suppressed"`
	Baselined       int  `json:"baselined"`
	Valid           bool `json:"valid"`
	// Hidden counts findings that are counted above and not in Report.Findings,
	// because they are less severe than what is shown.
	Hidden int `json:"hidden,omitempty"`
	// Unchanged counts findings left out because they are older than a revision.
	Unchanged int `json:"unchanged,omitempty"`
}

// Data selects what some formats need of a report in addition to findings.
type Data struct {
	Threads    bool // Report.Threads and Report.Artifacts
	LineHashes bool // Finding.LineHash
}

// Report is the outcome of a run: findings ordered by path, position, rule.
type Report struct {
	Summary  Summary
	Findings []*Finding
	// Hidden are findings that are not shown; they count.
	Hidden []*Finding
	// Accepted are the findings that the baseline accepts; they do not count. Baseline is what
	// became of its entries, nil without one.
	Accepted []*Finding
	Baseline *BaselineUse
	// Notices are facts for the reader that are not findings: an export
	// whose acknowledgement flags were cleared, a folder without inputs.
	Notices []string
	// Quoted are texts of the inputs that Notices repeat without quotation marks.
	Quoted []string
	// Rules are the rules that ran, in catalogue order.
	Rules []*Rule
	// Failures are rules that broke, at most one of each rule and input: faults of
	// the program, not of the inputs. What these rules would have found is not known,
	// so a report with failures is never valid.
	Failures []Failure
	// Unreadable reports that an input could not be read or parsed: exit status
	// 2, whatever else was found.
	Unreadable bool

	// MergePreview is what the merge would make of each delta of a draft that was
	// checked with its thread.
	MergePreview []DeltaPreview

	// AfterFixes are what would be left of a draft once its findings are fixed: faults
	// that they hide, placed where the draft is now. No fault is in both.
	AfterFixes []*Finding

	// Agents are all who wrote, by name.
	Agents []AgentView
	// Threads and Artifacts are what was checked, for the html format (Data.Threads): those
	// with findings first, then others, as many as the limits of their size allow.
	Threads   []ThreadView
	Artifacts []ArtifactView
}

// DeltaPreview is what the merge would make of a delta of a draft.
type DeltaPreview struct {
	Delta      int               // in the draft, from 1
	Outcome    merge.Outcome     // 0 if it would not be read
	RejectedBy string            // the rule for which it would be rejected, if one says so
	Operation  brenner.Operation // 0 if it would be rejected, or not be read
	Item       brenner.ItemID    // that it is about; of an ADD the id that the item would get
}

// Failure is an internal error: a rule that panicked, or a stage of the check such
// as the replay; or else a rule that was stopped. It is reported, and everything else goes on.
type Failure struct {
	Rule   string `json:"rule"` // its id; of a stage the name
	Path   string `json:"path"`
	Thread string `json:"thread,omitempty"`
	Reason string `json:"reason"` // what it panicked with, or why it was stopped
	// Stopped reports a rule of the configuration that could not be evaluated, or took
	// too long: a fault of the configuration, not of the program.
	Stopped bool   `json:"stopped,omitempty"`
	Stack   string `json:"-"` // where; not the same in every run
}

// Error says what failed, on what, and why.
func (f *Failure) Error() string {
	what := f.Rule
	if IsRuleID(f.Rule) {
		what = "rule " + f.Rule
	}
	on := f.Path
	if f.Thread != "" {
		on += " (thread " + f.Thread + ")"
	}
	if f.Stopped {
		return what + " was stopped on " + on + ": " + f.Reason
	}
	return "internal error: " + what + " failed on " + on + ": " + f.Reason
}

// Draft is the outcome of a check of a message that is not sent yet.
type Draft struct {
	*Report
	// Sends reports that the input would send mail. It is false for the call of
	// another tool, about which there is nothing to say.
	Sends bool
	// Hook reports that the input is what an agent's pre-tool hook hands over.
	Hook bool
	// OfProtocol reports that the message is of the protocol by its subject, thread or
	// deltas (decisions.md 36).
	OfProtocol bool
	// InScope reports that a hook may refuse the message: it is of the protocol, and
	// the call of a tool that sends mail.
	InScope bool
	// Subject is that of the draft, "" for a reply.
	Subject string
}
