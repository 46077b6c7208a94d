package lint

import (
	"encoding/json"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/diff"
	"github.com/brennerlint/brennerlint/brenner/merge"
	"github.com/brennerlint/brennerlint/brenner/replay"
)

// ThreadView is a thread as a report shows it. The views that have JSON have it for the script
// of a page, which reads them as they are.
type ThreadView struct {
	ID       string        `json:"id"`
	Project  string        `json:"project,omitempty"`
	Messages []MessageView `json:"messages"` // in order of time
	// Versions are its merges; the last one merges the pending deltas. Nil if the
	// thread is not complete.
	Versions []VersionView `json:"versions,omitempty"`
}

// MessageView is a message as a report shows it.
type MessageView struct {
	Path    string `json:"path"` // that of its findings
	ID      string `json:"id,omitempty"`
	Type    string `json:"type"` // KICKOFF, DELTA, …: the intended type, "" if none
	Subject string `json:"title,omitempty"`
	From    string `json:"from"`
	Time    string `json:"time,omitempty"` // to the minute (brenner.FormatMinute)
	Body    string `json:"body,omitempty"` // decoded; "" if the export has none
}

// ArtifactView is an artifact file as a report shows it.
type ArtifactView struct {
	Path   string `json:"path"`             // that of its findings
	Thread string `json:"thread,omitempty"` // its session id
	Text   string `json:"text"`
}

// AgentView is what became of an agent's contributions, in all threads.
type AgentView struct {
	Name     string
	Messages int
	Deltas   int // of DELTA messages in threads that are replayed
	// What became of these deltas, if they had an effect or should have had one. Dropped are those
	// in favour of a KILL, before or at its instant.
	Applied, Dropped, Rejected int
	// Unpublished counts the deltas that were applied but are missing from a published
	// artifact.
	Unpublished int
}

// Lost returns the number of contributions that should have had an effect and had none.
func (a *AgentView) Lost() int { return a.Rejected + a.Dropped + a.Unpublished }

// VersionView is a merge of a thread as a report shows it.
type VersionView struct {
	Message int         `json:"message"`          // the index of its COMPILED among the thread's messages; -1 for pending deltas
	Number  int         `json:"number,omitempty"` // of the subject; 0 if it has none
	Base    replay.Base `json:"base"`
	// Unread reports that a body could not be read, so the merged state is not known.
	Unread bool `json:"unread,omitempty"`
	// Matches reports whether the merged state was published; nil if nothing was compared.
	Matches        *bool `json:"matches,omitempty"`
	OrderSensitive bool  `json:"tied,omitempty"` // the result depends on the order of deltas of one instant

	Deltas []DeltaView `json:"deltas,omitempty"`
	// Rebased are the differences between the state that this merge starts from and the
	// result of the merge before, because something else was published.
	Rebased []ItemView `json:"rebased,omitempty"`
	Changes []ItemView `json:"changes,omitempty"` // what the deltas changed
	// Published are the differences between the merged state and the published artifact:
	// the first items. MorePublished reports that there are others.
	Published     []ItemView `json:"published,omitempty"`
	MorePublished bool       `json:"more,omitempty"`
}

// DeltaView is what became of a delta.
type DeltaView struct {
	Message   int               `json:"message"` // the index among the thread's messages
	Delta     int               `json:"delta"`   // in the message, from 1
	Operation brenner.Operation `json:"operation,omitempty"`
	// Item is what the delta is about: for an applied ADD the new id; else its target, or the
	// section if it names none; "" if it names neither.
	Item    string        `json:"item,omitempty"`
	Outcome merge.Outcome `json:"outcome"`
	Rule    string        `json:"rule,omitempty"`   // that says why it was rejected, if any
	Reason  string        `json:"reason,omitempty"` // why it was rejected
	// Quoted are texts of the delta that Reason repeats without quotation marks.
	Quoted []string `json:"-"`
	// Kill is set if an EDIT was skipped because its item is killed: how it was killed.
	Kill *brenner.Killing `json:"-"`
}

// ItemView is an item in which two states differ.
type ItemView struct {
	ID     string          `json:"id"`
	Title  string          `json:"title,omitempty"`
	Kind   diff.ChangeKind `json:"kind"`
	Fields []FieldView     `json:"fields,omitempty"`
}

// FieldView is a field in which two states of an item differ.
type FieldView struct {
	Key    string    `json:"key"`
	Part   string    `json:"part,omitempty"`
	Before string    `json:"before,omitempty"` // as text, "" if absent
	After  string    `json:"after,omitempty"`
	By     *DeltaRef `json:"by,omitempty"` // the delta that set it last; nil if no delta explains it
}

// DeltaRef names a delta of a thread: the index of its message among those of the thread, and
// its number there, from 1.
type DeltaRef struct{ Message, Delta int }

// MarshalJSON writes the two numbers as an array.
func (r DeltaRef) MarshalJSON() ([]byte, error) { return json.Marshal([2]int{r.Message, r.Delta}) }
