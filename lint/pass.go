package lint

import (
	"cmp"

	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/delta"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/source"
)

// Diagnostic is what a check reports: a fault at a place, in byte spans. Most rules need no more
// than the first seven members.
type Diagnostic struct {
	At         source.Place // where; if it is zero, the header of message In, else only a path
	Message    string       // what is wrong, then what is expected
	Suggestion string       // the most likely fix; may be ""
	Item       string       // H2, P1, RT; "" if none
	Field      string       // the JSON key; "" if none
	Fix        *SuggestedFix
	Related    []RelatedLocation

	// In is the message concerned, and Delta the number of a delta in it, from 1. The Report
	// method of a pass on one message or delta fills them in, and Item.
	In    *session.Message
	Delta int
	// Path, Thread and MessageID, if set, name what is concerned; otherwise At and In do.
	Path, Thread, MessageID string
	// Quoted are the texts of the input that Message or Suggestion repeats without quotation
	// marks. A redacted report leaves them out, like quotations.
	Quoted []string

	// Assume is an edit that lets the check find the faults that this one hides. It is set only
	// if no fix is certain, and is never offered as a fix.
	Assume *SuggestedFix
	// Block is the delta block that a draft must have instead, with its fence; "" if the
	// suggestion is shorter.
	Block string

	// Unreadable reports that an input could not be read or parsed: exit status 2. Sensitive
	// keeps the text at the place out of reports (see source.Fault).
	Unreadable, Sensitive bool
}

// SuggestedFix is a change that clears a fault. Its edits are made together or not at all.
// An unsafe fix may change what the writer meant.
type SuggestedFix struct {
	Description string
	Edits       []TextEdit
	Unsafe      bool
}

// TextEdit replaces a part of a text. The new text is not escaped: the engine escapes it
// for the file that holds the text.
type TextEdit struct {
	At   source.Place
	Text string
}

// RelatedLocation is another place that explains a fault. It is At, or Path for an input
// without text. In is the message that holds it, if any.
type RelatedLocation struct {
	At      source.Place
	In      *session.Message
	Path    string
	Message string
}

// RuleConfig is the part of the configuration that rules see.
type RuleConfig struct {
	// Roster are the known agents; empty if not configured.
	Roster []string
	// Priority gives agents a rank. The deltas of a higher rank are applied later
	// (decisions.md 19: order of deltas).
	Priority map[string]int
	// Roles are further tags of DELTA subjects.
	Roles []string
	// CorpusSize is the number of the last transcript section, 236 by default.
	CorpusSize int
	// ArtifactsDir is the folder of persisted artifacts, "artifacts" by default.
	ArtifactsDir string
}

// DefaultRuleConfig is the configuration of rules if engine.Options have none.
var DefaultRuleConfig = RuleConfig{CorpusSize: 236, ArtifactsDir: "artifacts"}

// SetDefaults sets each setting that is not set to its default.
func (s *RuleConfig) SetDefaults() {
	s.CorpusSize = cmp.Or(s.CorpusSize, DefaultRuleConfig.CorpusSize)
	s.ArtifactsDir = cmp.Or(s.ArtifactsDir, DefaultRuleConfig.ArtifactsDir)
}

// Pass is what every check gets: the rule that runs and its settings. To report, a check calls the
// Report method of its own pass, which adds the message, the item and so on.
type Pass struct {
	Rule       *Rule
	RuleConfig *RuleConfig

	record func(*Rule, Diagnostic)
	stop   func(r *Rule, reason string)
	shared *[]any
}

// NewPass returns the pass of a task, such as the check of one thread or file: the engine makes
// it. What rules report goes to record, and what Stop is told goes to stop.
func NewPass(config *RuleConfig, record func(*Rule, Diagnostic), stop func(r *Rule, reason string)) Pass {
	return Pass{RuleConfig: config, record: record, stop: stop, shared: new([]any)}
}

// Recording returns a pass of the same task that reports to record.
func (p Pass) Recording(record func(*Rule, Diagnostic)) Pass {
	p.record = record
	return p
}

// Shared returns the value of type T that the rules of one task share. It is zero at first, and
// passes of one task never use it at the same time. Declare an unexported type, so that no other
// rule gets your value.
func Shared[T any](p *Pass) *T {
	for _, v := range *p.shared {
		if found, ok := v.(*T); ok {
			return found
		}
	}
	made := new(T)
	*p.shared = append(*p.shared, made)
	return made
}

// Report reports a fault. Passes that know what it is about add that.
func (p *Pass) Report(d Diagnostic) { p.record(p.Rule, d) }

// Stop gives up on a rule that cannot be evaluated or takes too long. The rule is reported
// once, as a failure, and not called again for the rest of the thread or file.
func (p *Pass) Stop(reason string) { p.stop(p.Rule, reason) }

// MessagePass shows a check one message.
type MessagePass struct {
	Pass
	Message *session.Message
	// Thread is the message's thread; nil if the message is checked alone (a draft).
	Thread *session.Thread
	// Roster are the agents that the exports list for the project of the message; nil if
	// they list none.
	Roster []mail.Agent
}

// Agents returns the registered agents: the roster of the configuration, or else the Roster.
// It returns nil if there is neither.
func (p *MessagePass) Agents() []string {
	return (&mail.Thread{Roster: p.Roster}).Agents(p.RuleConfig.Roster)
}

// Report reports a fault of the message.
func (p *MessagePass) Report(d Diagnostic) {
	d.In = p.Message
	p.record(p.Rule, d)
}

// DeltaPass shows a check one delta block.
type DeltaPass struct {
	Pass
	Message *session.Message
	Thread  *session.Thread // nil for a draft that is checked alone
	Delta   *delta.Delta
}

// Report reports a fault of the delta. If d names no item, it is about the delta's target.
func (p *DeltaPass) Report(d Diagnostic) {
	d.In, d.Delta = p.Message, p.Delta.Index
	if d.Item == "" && p.Delta.Target.Section != 0 {
		d.Item = p.Delta.Target.String()
	}
	p.record(p.Rule, d)
}

// ThreadPass shows a check one thread.
type ThreadPass struct {
	Pass
	Thread *session.Thread
	// Replay is the thread's replay, made once for all rules; nil unless the thread is there as a
	// whole. A MessageVisitor sees it up to the current message.
	Replay *replay.Thread
	// InlineFindings counts the findings of the protocol's artifact rules in the inline artifact
	// of a COMPILED, also of rules that the configuration ignores. least leaves out the findings
	// that the replay reports already, most includes them.
	InlineFindings func(m *session.Message) (least, most Counts)
	// RejectedBy returns the rule that rejects a delta, and why.
	RejectedBy func(*replay.Rejection) (rule, reason string)
	// HasMessage reports whether a message id exists in the thread's export.
	HasMessage func(id string) bool
}

// Counts is a number of errors and warnings.
type Counts struct{ Errors, Warnings int }

// ArtifactPass shows a check one artifact.
type ArtifactPass struct {
	Pass
	Artifact *artifact.Artifact
	// Message is the COMPILED that holds the artifact inline; nil for a file.
	Message *session.Message
	// Path is the path of the file, as given on the command line. RealPath is absolute,
	// with all links resolved.
	Path, RealPath string
	// HasThread reports that the thread of the file is among the inputs: rules on the thread
	// report what is wrong with its id.
	HasThread bool
	// Reported is what the replay has found in an inline artifact: rules on the artifact
	// do not report it again (decisions.md 1: one finding, 47: published items). It is nil
	// if nothing was replayed.
	Reported *replay.AlreadyReported
}

// Report reports a fault of the artifact.
func (p *ArtifactPass) Report(d Diagnostic) {
	d.In = p.Message
	p.record(p.Rule, d)
}

// WorkspacePass shows a check all inputs together.
type WorkspacePass struct {
	Pass
	Workspace *session.Workspace
}

// InputPass shows a check the faults of the inputs themselves.
type InputPass struct {
	Pass
	// Faults are inputs, or parts of them, that could not be read.
	Faults []source.Fault
	// Incomplete are messages that lack a part that every message needs.
	Incomplete []mail.Incomplete
	// Mismatches are messages whose copies differ.
	Mismatches []mail.CopyMismatch
	// Suppressions are the suppressions that have no effect.
	Suppressions []UnusedSuppression
}
