package conformance

import "encoding/json"

// SubjectInput is the input of a subject case.
type SubjectInput struct {
	Subject string `json:"subject"`
}

// SubjectResult is what a subject line says.
type SubjectResult struct {
	// Type is the intended type, in whatever way it is written; nil for a reply and
	// for other mail.
	Type *string `json:"type"`
	// Role is the tag of a DELTA as written; nil without one.
	Role *string `json:"role"`
	// Version is the N of a COMPILED; nil where the subject gives none.
	Version *int `json:"version"`
	// Codes are the faults of the subject by the codes of thread_subject_conventions,
	// Subject Validation.
	Codes []string `json:"codes"`
}

// ThreadIDInput is the input of a thread-id case.
type ThreadIDInput struct {
	ThreadID string `json:"thread_id" yaml:"thread_id"`
}

// ThreadIDResult is what a thread id is.
type ThreadIDResult struct {
	Kind string  `json:"kind" yaml:"is"` // engineering, research or coordination
	Code *string `json:"code"`           // the code of its fault; nil if it is valid
}

// DeltaInput is the input of a delta case: the body of a DELTA message.
type DeltaInput struct {
	Body string `json:"body_md"`
}

// DeltaResult is the delta blocks of a body, in order.
type DeltaResult struct {
	Blocks []Block `json:"blocks"`
}

// Block is a delta block. A rejected block has Code, the rule for which it is rejected; an
// accepted one has the other members.
type Block struct {
	Accepted  bool    `json:"accepted"`
	Code      string  `json:"code,omitempty"`
	Operation string  `json:"operation,omitempty"`
	Section   string  `json:"section,omitempty"`
	TargetID  *string `json:"target_id,omitempty"` // of EDIT and KILL
}

// Message is a message of a thread.
type Message struct {
	ID      string `json:"id,omitempty"` // absent for none
	From    string `json:"from"`
	Created string `json:"created_ts"`
	Subject string `json:"subject"`
	Body    string `json:"body_md"`
}

// MergeInput is the input of merge and publish cases: a thread in no order.
type MergeInput struct {
	ThreadID string         `json:"thread_id"`
	Messages []Message      `json:"messages"`
	Roster   []string       `json:"roster,omitempty"`   // the registered agents; all if absent
	Priority map[string]int `json:"priority,omitempty"` // of agents; none if absent
}

// MergeResult is the windows of a thread, one for each COMPILED and the last for what
// is pending.
type MergeResult struct {
	Windows []Window `json:"windows"`
}

// Window is what the deltas before a COMPILED give.
type Window struct {
	Version   *int            `json:"version"` // nil if pending, or if the subject gives none
	State     json.RawMessage `json:"state"`
	Hash      string          `json:"hash"`
	Applied   int             `json:"applied"`
	Rejected  []Rejected      `json:"rejected"`
	Conflicts []Conflict      `json:"conflicts"`
}

// Rejected is a delta that the merge does not apply.
type Rejected struct {
	MessageID string `json:"message_id"`
	Delta     int    `json:"delta"` // from 1, in the message
	Code      string `json:"code"`
}

// Conflict is a field left at a CONFLICT marker.
type Conflict struct {
	Item  string `json:"item"`
	Field string `json:"field"`
}

// PublishResult is how what was published differs from the merges.
type PublishResult struct {
	Differences []Difference `json:"differences"`
}

// The kinds of differences.
const (
	ItemMissing      = "item-missing"
	ItemUnexplained  = "item-unexplained"
	FieldDiffers     = "field-differs"
	KillDiffers      = "kill-differs"
	IDChanged        = "id-changed"
	OutcomeOfKilled  = "outcome-of-killed"
	RejectionApplied = "rejection-applied"
)

// DifferenceKinds are all kinds of differences.
var DifferenceKinds = []string{ItemMissing, ItemUnexplained, FieldDiffers, KillDiffers, IDChanged, OutcomeOfKilled, RejectionApplied}

// Difference is one difference between a published artifact and the merge.
type Difference struct {
	Version *int   `json:"version"` // that was published
	Kind    string `json:"kind"`
	Item    string `json:"item,omitempty"`  // its published id
	Field   string `json:"field,omitempty"` // the JSON key, of field-differs
}

// ArtifactInput is the input of an artifact case.
type ArtifactInput struct {
	Markdown string `json:"markdown"`
}

// ArtifactResult is the state that an artifact holds.
type ArtifactResult struct {
	State json.RawMessage `json:"state"`
}

// RenderInput is the input of a render case.
type RenderInput struct {
	SessionID string          `json:"session_id"`
	State     json.RawMessage `json:"state"`
}

// RenderResult is the answer to a render case.
type RenderResult struct {
	Markdown string `json:"markdown"`
}

// RenderExpected says what the answer to a render case must be: Markdown that reads back to the
// state, with these lines in this order.
type RenderExpected struct {
	State json.RawMessage `json:"state"`
	Lines []string        `json:"lines,omitempty"`
}

// LintInput is the input of a lint case: files, and the rules to run; all if Select is empty.
type LintInput struct {
	Files  []LintFile `json:"files"`
	Select []string   `json:"select,omitempty"`
	Roster []string   `json:"roster,omitempty"` // the registered agents; those of the files if absent
}

// LintFile is a file: an artifact, a part of a mail export, or a draft. Base64 holds
// one that is not UTF-8.
type LintFile struct {
	Path   string `json:"path"`
	Text   string `json:"text,omitempty"`
	Base64 []byte `json:"base64,omitempty"`
}

// LintResult is the rules that the files break, each once, and where.
type LintResult struct {
	Rules []string `json:"rules"`
	// Findings are compared only where an implementation gives them.
	Findings []Finding `json:"findings"`
}

// Finding is a place at which a rule is broken.
type Finding struct {
	Rule   string `json:"rule"`
	Path   string `json:"path"`
	Line   int    `json:"line,omitempty"`   // from 1; absent where no file holds the text
	Column int    `json:"column,omitempty"` // in code points, from 1
}
