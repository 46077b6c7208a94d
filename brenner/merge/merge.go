// Package merge merges deltas into an artifact as artifact_delta_spec and
// decisions.md 18 to 29 say. It is the protocol's executable specification.
//
// It is a pure function: a base and deltas in, a state and a log out. It knows nothing
// of mail, Markdown or places, reads no clock, and its result never depends on the
// order of its input. What a delta must look like is checked before (package delta);
// what depends on the state is checked here.
//
// These are all concepts of the merge:
//   - state: the items of seven sections, into which deltas are merged ([brenner.State]);
//   - item: its fields, its KILL, and its origin (the deltas that set these);
//   - delta: a well-formed block with its payload as data, its message and its time;
//   - instant: all deltas of one time, perhaps of several messages;
//   - write: the value that an EDIT gives to a field, if several messages have deltas of that instant;
//   - conflict: a field for which the writes of an instant disagree, left at a marker;
//   - tie: two deltas of one instant for which the order of their messages changes the state;
//   - log: the outcome of each delta, with the refusal if it was not applied.
//
// apply.go applies instant by instant, order.go says in which order, conflict.go settles
// writes, and ties.go swaps messages and merges again.
package merge

import (
	"cmp"
	"slices"
	"time"

	"github.com/brennerlint/brennerlint/brenner"
)

// Delta is one well-formed delta with the data of its message.
type Delta struct {
	Operation brenner.Operation
	Section   brenner.Section
	Target    brenner.ItemID // for EDIT and KILL; RT for the research thread
	Reason    string         // for KILL
	// Payload is that of an ADD or EDIT, plain JSON data; nil for a KILL. Items share it.
	Payload map[string]any

	Agent   string    // the delta's, else the sender
	Time    time.Time // the delta's, else the message's
	Message string    // id of the message
	// Nth numbers the messages that have the same id, or none.
	Nth      int
	Position int // in the message

	// Source is the caller's own reference to the delta; the merge does not use it.
	Source any
}

// Killing returns how a KILL kills an item.
func (d *Delta) Killing() *brenner.Killing {
	return &brenner.Killing{By: d.Agent, At: d.Time.UTC(), Reason: d.Reason}
}

// Options are what the merge needs in addition to base and deltas.
type Options struct {
	// Priority gives agents a rank; a higher one is applied later. It orders agents without one
	// as with 0 (decisions.md 19).
	Priority map[string]int
	// Unlimited are ADDs that are applied even if a section is full.
	Unlimited map[*Delta]bool
}

// Outcome is what became of a delta, as reports write it.
type Outcome string

// The outcomes. Only Applied ones changed or created something (decisions.md 29).
const (
	Applied   Outcome = "applied"
	Unchanged Outcome = "unchanged" // it changed nothing
	Skipped   Outcome = "skipped"   // an EDIT of a killed item
	Dropped   Outcome = "dropped"   // an EDIT that has the same instant as a KILL of the item
	Rejected  Outcome = "rejected"  // it cannot be applied: see Refusal
)

// Entry is the outcome of one delta.
type Entry struct {
	Delta   *Delta
	Outcome Outcome
	// Item is the item concerned; for an ADD the id it was given, the zero id if it was
	// rejected.
	Item brenner.ItemID
	// Refusal is why a delta was rejected or skipped; else nil.
	Refusal *Refusal
}

// Reason is why a delta was not applied.
type Reason uint8

// The reasons.
const (
	NoTarget     Reason = iota + 1 // EDIT or KILL of an item that is not there
	TargetKilled                   // EDIT of a killed item
	SectionFull                    // ADD to a section at its maximum, or EDIT of an array at MaxMembers
	SecondThread                   // ADD to research_thread
)

// Refusal is why a delta was not applied, with counts of the state at that point.
type Refusal struct {
	Reason Reason
	// For NoTarget and SectionFull, the delta's section: the number of its items, of
	// its active items, and its first and last item.
	Items, Active int
	First, Last   brenner.ItemID
	// Some are some of the ids, if numbers between the first and the last are missing.
	Some []brenner.ItemID
	// Members is, for SectionFull of an EDIT, the number of members of the array.
	Members int
	// Kill is, for TargetKilled, how the item was killed.
	Kill *brenner.Killing
}

// Result is the outcome of a merge.
type Result struct {
	// State is the merged state; OriginOf names the deltas that set its items.
	State *brenner.State
	// Log has an entry for each delta, in the order in which they were applied.
	Log []Entry
	// Conflicts are the fields left at a CONFLICT marker, Ties what depends on the order
	// of deltas that have none; both in the order of the deltas.
	Conflicts []Conflict
	Ties      []Tie
	// Resolved are the items of conflicts that a later delta has overwritten.
	Resolved []brenner.ItemID
	// Copied counts the fields, and the members of arrays and objects in them, of the base's items that
	// the state has in another form.
	Copied int
}

// Merge applies the deltas to the base, which does not change. The base may be nil for
// the empty artifact. Origins recorded in it are carried on. Message, Nth and Position
// identify a delta.
func Merge(base *brenner.State, deltas []*Delta, opts Options) *Result {
	instants := opts.instants(deltas)
	m := newMerger(cmp.Or(base, new(brenner.State)), opts).run(instants)
	m.findTies(instants)

	for _, c := range m.open {
		m.res.Conflicts = append(m.res.Conflicts, *c)
	}
	slices.SortFunc(m.res.Conflicts, func(a, b Conflict) int {
		return cmp.Or(cmp.Compare(m.place[a.Deltas[1]], m.place[b.Deltas[1]]), a.Item.Compare(b.Item), cmp.Compare(a.Field, b.Field))
	})
	slices.SortFunc(m.res.Ties, func(a, b Tie) int {
		return cmp.Or(cmp.Compare(m.place[a.Second], m.place[b.Second]), cmp.Compare(m.place[a.First], m.place[b.First]),
			cmp.Compare(a.Kind, b.Kind), a.Item.Compare(b.Item), cmp.Compare(a.Field, b.Field))
	})
	return m.res
}
