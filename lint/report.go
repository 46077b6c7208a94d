package lint

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
	// Hidden counts findings that --level hides: they are counted above, but are not in
	// Report.Findings.
	Hidden int `json:"hidden,omitempty"`
	// Unchanged counts findings left out because they are older than a revision.
	Unchanged int `json:"unchanged,omitempty"`
}

// Data selects what a report holds besides its findings.
type Data struct {
	Threads    bool // Report.Threads and Report.Artifacts
	LineHashes bool // Finding.LineHash
}

// Report is the outcome of a run: findings ordered by path, position, rule.
type Report struct {
	Summary  Summary
	Findings []*Finding
	// Hidden are the findings that are not shown but count.
	Hidden []*Finding
	// Accepted are the findings that the baseline accepts; they do not count. Baseline says what
	// its entries matched; it is nil without a baseline.
	Accepted []*Finding
	Baseline *BaselineUse
	// Notices are facts for the reader that are not findings: an export
	// whose acknowledgement flags were cleared, a folder without inputs.
	Notices []string
	// Quoted are texts of the inputs that Notices repeat without quotation marks.
	Quoted []string
	// Rules are the rules that ran, in catalogue order.
	Rules []*Rule
	// Failures are internal errors, at most one for each rule and input. Nobody knows
	// what those rules would have found, so a report with failures is never valid.
	Failures []Failure
	// Unreadable reports that an input could not be read or parsed: exit status
	// 2, whatever else was found.
	Unreadable bool

	// MergePreview has what the merge would make of each delta of a draft, if the draft was
	// checked with its thread. The outcome is "" if the merge would not read it.
	MergePreview []DeltaView

	// AfterFixes are the findings that would be left in a draft once the others are fixed:
	// faults that the others hide, with their places in the draft as it is now.
	AfterFixes []*Finding

	// Agents are all senders of mail, by name.
	Agents []AgentView
	// Threads and Artifacts are what was checked, for the html format (Data.Threads): those
	// with findings first, then others, as many as the limits of their size allow.
	Threads   []ThreadView
	Artifacts []ArtifactView
}

// Failure is an internal error: a panic in a rule, or in a stage of the check such as the
// replay. It may also be a custom rule that was stopped. The rest of the check goes on.
type Failure struct {
	Rule   string `json:"rule"` // its id, or the name of the stage
	Path   string `json:"path"`
	Thread string `json:"thread,omitempty"`
	Reason string `json:"reason"` // what it panicked with, or why it was stopped
	// Stopped reports a custom rule that could not be evaluated or took too long: an error
	// of the configuration, not of the program.
	Stopped bool   `json:"stopped,omitempty"`
	Stack   string `json:"-"` // differs between runs
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
	// Sends reports that the input sends mail. It is false for calls of other tools, which are
	// not checked.
	Sends bool
	// Hook reports that the input came from an agent's pre-tool hook.
	Hook bool
	// OfProtocol reports that the message belongs to the protocol, by its subject, thread or
	// deltas (decisions.md 36: scope of the hook).
	OfProtocol bool
	// InScope reports that a hook may refuse the message: it belongs to the protocol, and a tool
	// that sends mail is called.
	InScope bool
	// Subject is that of the draft, "" for a reply.
	Subject string
}
