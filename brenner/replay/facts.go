package replay

import (
	"iter"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/delta"
	"github.com/brennerlint/brennerlint/brenner/diff"
	"github.com/brennerlint/brennerlint/brenner/merge"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/source"
)

// found adds a fact.
func (r *Thread) found(fact any) { r.Facts = append(r.Facts, fact) }

// FactsOf yields the facts of one type, in the order of the thread; none if there is no replay.
func FactsOf[F any](r *Thread) iter.Seq[F] {
	return func(yield func(F) bool) {
		if r == nil {
			return
		}
		for _, fact := range r.Facts {
			if f, ok := fact.(F); ok && !yield(f) {
				return
			}
		}
	}
}

// Rejection is why a delta is rejected: it is malformed (Fault), the state does not allow it
// (Refusal), or else its agent is not registered.
type Rejection struct {
	Delta   *Delta
	Fault   delta.Kind // "" if it is not malformed; see Delta.Rejected
	Refusal *merge.Refusal
}

// Quoted returns the texts of the delta that the reason may repeat without quotation
// marks; usually nil.
func (r *Rejection) Quoted() []string {
	if r == nil || r.Delta == nil || r.Delta.Syntax == nil {
		return nil
	}
	return r.Delta.Syntax.Quoted
}

// UnknownAgent is a delta of an agent who is not registered.
type UnknownAgent struct {
	Delta *Delta
	// At is the name of the agent: the delta's own, else the message's.
	At source.Place
	// Nearest is the registered agent that is most likely meant; "" if none.
	Nearest string
}

// Refusal is a delta that the state of the merge does not allow.
type Refusal struct {
	*merge.Refusal
	Delta *Delta
	// Cause is the KILL of a killed target, or the ADD of a target that is added later; nil if
	// there is neither.
	Cause *Delta
	// Lost is an earlier ADD that is not applied, whose item the target may be.
	Lost *Delta
	// Tied reports that the cause has the same time as the delta, so that only the order of
	// messages decides.
	Tied bool
}

// Conflict is a field left at a CONFLICT marker.
type Conflict struct {
	*merge.Conflict
	Deltas []*Delta // one per message, in the order of the merge
	// Last is the one that comes last in the thread.
	Last *Delta
}

// Tie is a pair of deltas of one instant whose order affects the merged state.
type Tie struct {
	*merge.Tie
	// First and Second are in the order of the thread; for TiedKill they are the EDIT and the KILL.
	First, Second *Delta
}

// OrderHazard is a pair of deltas whose times sort differently as text and as instants. At most
// one is reported for a window.
type OrderHazard struct {
	In             *session.Message // the last of the window
	Earlier, Later *Delta           // by their instants
}

// LostMark is a window that had or added third alternatives (hypotheses) or scale checks
// (assumptions), and ends without an active one.
type LostMark struct {
	In   *session.Message // the last of the window
	Last brenner.ItemID   // the last such item
	Kill *Delta           // of it; nil if it lost its mark otherwise
}

// Shortage is a merged state that has too few active items at a COMPILED.
type Shortage struct {
	In       *session.Message
	Sections []SectionShortage
}

// SectionShortage is a section with too few active items.
type SectionShortage struct {
	Section brenner.Section
	Active  int
	// RejectedAdds are the rejected ADDs of the window to the section, at most eight (decisions.md 43).
	RejectedAdds []*Delta
}

// Site is a place in a COMPILED, in its artifact, or in an artifact file.
type Site struct {
	At   source.Place
	In   *session.Message // nil for a file
	Path string           // of the file
}

// AppliedReject is a delta that should have been rejected, but shows in the published artifact.
type AppliedReject struct {
	Site
	Delta     *Delta
	Operation brenner.Operation // as a lenient compiler reads it
	Item      brenner.ItemID    // the item that shows it; the zero id if it has none
}

// OmittedItem is an item of the merged state that is not published.
type OmittedItem struct {
	Site                   // the heading of its section
	Item     *brenner.Item // as merged
	Added    *Delta        // the ADD; nil if the item is from an earlier version
	Headless bool          // only its heading is lost; the site is its first field
}

// StillOmitted are the items that a version leaves out as an earlier one did (decisions.md 82).
type StillOmitted struct {
	Site  // the heading of the section of the first
	Items []brenner.ItemID
	More  int // items that are not listed
}

// UnexplainedItem is a published item that comes from no delta.
type UnexplainedItem struct {
	Site
	Item   *brenner.Item // as published
	Before *Window       // the previous window, which lacks it; nil if none
}

// RenumberedItem is an item that is published under another id.
type RenumberedItem struct {
	Site
	Item  brenner.ItemID // as published
	Title string
	Own   brenner.ItemID // its own id
	Added *Delta         // the ADD; nil if the item is from an earlier version
}

// ReusedID is a published item with the id of another item.
type ReusedID struct {
	Site
	Item  brenner.ItemID
	Title string
	Owner *brenner.Item  // the item whose id it is
	Added *Delta         // the ADD; nil if the owner is from an earlier version
	Free  brenner.ItemID // the next free id
}

// FieldDiff is a field of a published item that differs from the merged one.
type FieldDiff struct {
	Site
	Item  brenner.ItemID
	Field diff.FieldChange // from the merged value to the published one; Site has the place of its span
	By    *Delta           // the last to set it; nil if from an earlier version, or never set
}

// KillDiff is an item whose KILL is not published as it was merged.
type KillDiff struct {
	Site
	Item      brenner.ItemID
	Field     string           // killed_by, kill_reason or killed_at; "" if only one side is killed
	Want, Got *brenner.Killing // as merged, and as published; nil if active
	GotAt     string           // the time as published
	Kill      *Delta           // nil if not killed, or killed in an earlier version
}

// StaleOutcome is an outcome that is published for a killed hypothesis.
type StaleOutcome struct {
	Site
	Item       brenner.ItemID // the prediction
	Hypothesis string
	Text       string
	Kill       *Delta // nil if killed in an earlier version
}

// OmittedContributors are agents whose deltas were applied, but whom a COMPILED does not list.
type OmittedContributors struct {
	Site
	Agents []Contributor // without their items
}

// UnknownContributor is a listed contributor without applied deltas.
type UnknownContributor struct {
	Site
	Agent   string
	Nearest string // the contributor most likely meant; "" if none
}

// ContributorCount is a listed contributor with a wrong number of deltas.
type ContributorCount struct {
	Site
	Agent           string
	Listed, Applied int
}

// StatisticsCount is a number of items that differs from the published artifact's.
type StatisticsCount struct {
	Site
	Section             brenner.Section
	Stated, Active, All int
}

// VersionDiff is an inline artifact whose front matter gives another version than its COMPILED.
type VersionDiff struct {
	Site
	Stated, Published int
}

// UnpublishedFile is a file of a version that was never published.
type UnpublishedFile struct {
	Site
	Thread  string
	Version int
	Latest  int  // the latest version that was published, 0 if its subject states none
	None    bool // nothing was published at all
}

// MisnumberedFile is a file that contains another version than it states.
type MisnumberedFile struct {
	Site
	Version int
	Holds   *session.Message // the COMPILED whose artifact it contains
}

// FileDiff is an item of a file that differs from the COMPILED of its version.
type FileDiff struct {
	Site
	Diff     diff.Change
	Compiled *session.Message
}

// StaleFile is a file of a version that is no longer the latest.
type StaleFile struct {
	Site
	Version, Latest int
}

// FileMessage is a file that names a message that did not publish its version.
type FileMessage struct {
	Site
	Named    string
	Version  int
	Compiled *session.Message // that published the version
}
