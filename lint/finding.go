package lint

import (
	"time"

	"github.com/brennerlint/brennerlint/merge"
	"github.com/brennerlint/brennerlint/protocol"
	"github.com/brennerlint/brennerlint/session"
	"github.com/brennerlint/brennerlint/source"
)

// Range is a place in a file: lines and columns from 1, columns in code points,
// offsets in bytes; the end is exclusive.
type Range = source.Range

// Position is one end of a Range.
type Position = source.Position

// Finding is one fault, ready to be reported. Its JSON form is fixed by
// contract.md.
type Finding struct {
	Rule     string   `json:"rule"`
	Name     string   `json:"name"`
	Severity Severity `json:"severity"`
	Code     string   `json:"code"`
	Message  string   `json:"message"`
	Path     string   `json:"path"`
	// Range is nil where no file holds the text: in a database.
	Range     *Range `json:"range,omitempty"`
	Thread    string `json:"thread,omitempty"`
	MessageID string `json:"message_id,omitempty"`
	Delta     int    `json:"delta,omitempty"` // from 1, in the message
	Item      string `json:"item,omitempty"`
	Field     string `json:"field,omitempty"`
	// Body is the place in the decoded message body, where there is one.
	Body       *BodyPosition     `json:"body,omitempty"`
	Suggestion string            `json:"suggestion,omitempty"`
	Fix        *SuggestedFix     `json:"fix,omitempty"`
	Related    []RelatedLocation `json:"related,omitempty"`
	// Block is the delta block that a draft must have in place of the fault, fence
	// and all; "" where the suggestion says it shorter.
	Block       string `json:"block,omitempty"`
	Fingerprint string `json:"fingerprint"`

	// Assume is, where no fix is certain or possible, an edit after which the check
	// can go on to what the fault hides (fix.Ahead). It is never offered as a fix.
	Assume *SuggestedFix `json:"-"`

	// Mail describes the message concerned, for reports that people read.
	Mail *MailInfo `json:"-"`
	// Frame is the source around the fault, for reports that people read.
	Frame *Frame `json:"-"`
	// Quoted are texts of the input that Message or Suggestion repeats without
	// quotation marks; redaction leaves them out.
	Quoted []string `json:"-"`
	// Artifact reports that Path is an artifact and the finding is about it.
	Artifact bool `json:"-"`
	// Unreadable reports that the finding is why an input could not be read or parsed.
	Unreadable bool `json:"-"`
	// Session is the thread of an artifact file, for reports that people read.
	Session string `json:"-"`
	// LineHash identifies the line of the file at the start of Range as GitHub
	// does (package linehash). Only the sarif format needs it; else "".
	LineHash string `json:"-"`
}

// BodyPosition is a place in a decoded body.
type BodyPosition struct {
	Line   int `json:"line"`
	Column int `json:"column"`
}

// SuggestedFix is a change that clears a finding: edits that are made all or none.
// An unsafe one may change what the writer meant.
type SuggestedFix struct {
	Description string     `json:"description"`
	Edits       []TextEdit `json:"edits"`
	Unsafe      bool       `json:"unsafe,omitempty"`
}

// TextEdit replaces a part of a text. A rule says At; in a finding there is Range
// instead, in the file that holds the fault, and Text is as the file writes it.
type TextEdit struct {
	At    source.Place `json:"-"`
	Range Range        `json:"range"`
	Text  string       `json:"text"`
}

// RelatedLocation is another place that explains a finding. A rule says At and In,
// or Path for an input without text; in a finding there are Path, Range and Mail
// instead.
type RelatedLocation struct {
	Path    string `json:"path"`
	Range   *Range `json:"range,omitempty"`
	Message string `json:"message"`

	At source.Place     `json:"-"`
	In *session.Message `json:"-"`
	// Mail describes the message that holds the place, if one does.
	Mail *MailInfo `json:"-"`
}

// MailInfo describes a message to people.
type MailInfo struct {
	ID, Subject, From string
	// Type is the intended type (KICKOFF, DELTA, …), "" if none.
	Type string
	Time time.Time // zero if unknown
}

// Frame is the lines around a fault as people read them: of a body held in JSON
// or a database the decoded lines, with the body's own line numbers.
type Frame struct {
	Line  int      // number of the first line
	Lines []string // the last one holds the fault's first character
	// Start and End are byte offsets of the fault in the last line; End is at
	// most its length.
	Start, End int
	// Before and After report that the last line was cut: it goes on to that side.
	Before, After bool
}

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

// Data selects what a report has in addition to its findings.
type Data struct {
	Threads    bool // Report.Threads, Report.Artifacts and Report.Agents
	LineHashes bool // Finding.LineHash
	// Fingerprints is Finding.Fingerprint, which is there unless
	// engine.Options.SkipFingerprints leaves it out.
	Fingerprints bool
}

// Union returns what either of the two has.
func (d Data) Union(e Data) Data {
	return Data{
		Threads:      d.Threads || e.Threads,
		LineHashes:   d.LineHashes || e.LineHashes,
		Fingerprints: d.Fingerprints || e.Fingerprints,
	}
}

// Report is the outcome of a run: findings ordered by path, position, rule.
type Report struct {
	Summary  Summary
	Findings []*Finding
	// Hidden are findings that are not shown; they count.
	Hidden []*Finding
	// Accepted are the findings that the baseline accepts, if engine.Options.KeepAccepted
	// is set; they do not count.
	Accepted []*Finding
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

	// Threads and Artifacts are what was checked, for the html format: those with
	// findings first, then others, as many as the limits of their size allow. Agents
	// are all who wrote. Nil for all other formats.
	Threads   []ThreadView
	Artifacts []ArtifactView
	Agents    []AgentView // by name
}

// DeltaPreview is what the merge would make of a delta of a draft.
type DeltaPreview struct {
	Delta      int                // in the draft, from 1
	Outcome    merge.Outcome      // 0 if it would not be read
	RejectedBy string             // the rule for which it would be rejected, if one says so
	Operation  protocol.Operation // 0 if it would be rejected, or not be read
	Item       protocol.ItemID    // that it is about; of an ADD the id that the item would get
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
	if ruleID().MatchString(f.Rule) {
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
