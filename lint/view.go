package lint

import (
	"time"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/diff"
	"github.com/brennerlint/brennerlint/brenner/merge"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/brenner/state"
)

// ThreadView is a thread as a report shows it.
type ThreadView struct {
	Project, ID string
	Messages    []MessageView // in order of time
	// Versions are its merges; the last one merges the pending deltas. Nil if the
	// thread is not complete.
	Versions []VersionView
}

// MessageView is a message as a report shows it.
type MessageView struct {
	Path    string // that of its findings
	ID      string
	Type    string // KICKOFF, DELTA, …: the intended type, "" if none
	Subject string
	From    string
	Time    time.Time // zero if unknown
	Body    string    // decoded; "" if the export has none
}

// ArtifactView is an artifact file as a report shows it.
type ArtifactView struct {
	Path   string // that of its findings
	Thread string // its session id
	Text   string
}

// AgentView is what became of an agent's contributions, in all threads.
type AgentView struct {
	Name     string
	Messages int
	Deltas   int // of DELTA messages in threads that are replayed
	// What became of these deltas, as merge.Outcome has it.
	Applied, Unchanged, Skipped, Dropped, Rejected int
	// Unpublished counts the deltas that were applied but are missing from a published
	// artifact.
	Unpublished int
}

// Lost returns the number of contributions that should have had an effect and had none.
func (a *AgentView) Lost() int { return a.Rejected + a.Skipped + a.Dropped + a.Unpublished }

// VersionView is a merge of a thread as a report shows it.
type VersionView struct {
	Message int // the index of its COMPILED among the thread's messages; -1 for pending deltas
	Number  int // of the subject; 0 if it has none
	Base    replay.Base
	// Unread reports that a body could not be read, so the merged state is not known.
	Unread bool
	// Matches reports whether the merged state was published; nil if nothing was compared.
	Matches        *bool
	OrderSensitive bool // the result depends on the order of deltas of one instant

	Deltas []DeltaView
	// Rebased are the differences between the state that this merge starts from and the
	// result of the merge before, because something else was published.
	Rebased []ItemView
	Changes []ItemView // what the deltas changed
	// Published are the differences between the merged state and the published artifact:
	// the first items. MorePublished reports that there are others.
	Published     []ItemView
	MorePublished bool
}

// DeltaRef names a delta of a thread.
type DeltaRef struct {
	Message int // the index among the thread's messages
	Delta   int // in the message, from 1
}

// DeltaView is what became of a delta.
type DeltaView struct {
	DeltaRef
	Operation brenner.Operation // 0 if it names none
	Item      string            // the item, for an applied ADD its new id; else the section, "" if it names none
	Outcome   merge.Outcome
	Rule      string // the rule that says why it was rejected, if any
	Reason    string // why it was rejected
	// Quoted are texts of the delta that Reason repeats without quotation marks.
	Quoted []string
	// Kill is set if an EDIT was skipped because its item is killed: how it was killed.
	Kill *state.Kill
}

// ItemView is an item in which two states differ.
type ItemView struct {
	ID, Title string
	Kind      diff.ChangeKind
	Fields    []FieldView
}

// FieldView is a field in which two states of an item differ.
type FieldView struct {
	Key, Part     string
	Before, After string    // as texts, "" if absent
	By            *DeltaRef // the delta that set it last; nil if no delta explains it
}
