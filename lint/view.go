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
	// Versions are its merges, the last one what is pending; nil where the thread
	// is not there as a whole.
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
	Body    string    // decoded; "" where the export has none
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
	// Unpublished counts the deltas that were applied and that a published artifact
	// does not show.
	Unpublished int
}

// Lost returns the number of contributions that had no effect although they should have
// had one.
func (a *AgentView) Lost() int { return a.Rejected + a.Skipped + a.Dropped + a.Unpublished }

// VersionView is a merge of a thread as a report shows it.
type VersionView struct {
	Message int // the place of its COMPILED among the thread's messages; -1 of what is pending
	Number  int // as the subject says; 0 where it gives none
	Base    replay.Base
	// Unread reports that a body was not to be read: the merged state is not known.
	Unread bool
	// Matches reports whether the merged state was published; nil where nothing was
	// compared.
	Matches        *bool
	OrderSensitive bool // the order of deltas of one instant shows

	Deltas []DeltaView
	// Rebased is in what the state that this merge starts from differs from that of
	// the merge before, because something else was published.
	Rebased []ItemView
	Changes []ItemView // what the deltas changed
	// Published is in what the published artifact differs from the merged state: the first
	// items, and MorePublished reports that there are others.
	Published     []ItemView
	MorePublished bool
}

// DeltaRef names a delta of a thread.
type DeltaRef struct {
	Message int // its place among the thread's messages
	Delta   int // in the message, from 1
}

// DeltaView is what became of a delta.
type DeltaView struct {
	DeltaRef
	Operation brenner.Operation // 0 if it names none
	Item      string            // that it is about, of an applied ADD the id that it got; else its section, "" if it names none
	Outcome   merge.Outcome
	Rule      string // for which it was rejected, if one says so
	Reason    string // why it was rejected
	// Quoted are texts of the delta that Reason repeats without quotation marks.
	Quoted []string
	// Kill is how the item was killed of which an EDIT was skipped; else nil.
	Kill *state.Kill
}

// ItemView is an item in which two states differ.
type ItemView struct {
	ID, Title string
	Kind      diff.ChangeKind
	Fields    []FieldView
}

// FieldView is a field in which two items differ.
type FieldView struct {
	Key, Part     string
	Before, After string    // as texts, "" where absent
	By            *DeltaRef // that set it last; nil if no delta explains it
}
