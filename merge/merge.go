// Package merge merges deltas into an artifact as artifact_delta_spec and
// decisions.md 18 to 29 say. It is the protocol's executable specification.
//
// It is a pure function: a base and deltas in, a state and a log out. It knows
// nothing of mail, Markdown or places, reads no clock, and its result never
// depends on the order of its input. What a delta must look like is checked
// before (package delta); what only the state can tell is checked here.
package merge

import (
	"slices"
	"time"

	"github.com/brennerlint/brennerlint/protocol"
	"github.com/brennerlint/brennerlint/state"
)

// Delta is one well-formed delta with what its message says of it.
type Delta struct {
	Operation protocol.Operation
	Section   protocol.Section
	Target    protocol.ItemID // of EDIT and KILL
	Payload   map[string]any  // of ADD and EDIT, plain JSON data
	Reason    string          // of KILL

	Agent   string    // the delta's own, else the sender
	Time    time.Time // the delta's own, else the message's
	Message string    // id of the message
	// Unnamed is, of a message without an id, its place among those that have
	// none, from 1; else 0.
	Unnamed  int
	Position int // in the message

	// Source is what the caller knows the delta by; the merge does not look at it.
	Source any
}

// Options are what the merge needs besides base and deltas.
type Options struct {
	// Priority gives agents a rank; a higher one is applied later (decisions.md 19).
	Priority map[string]int
	// Unlimited are ADDs that are applied although a section is full.
	Unlimited map[*Delta]bool
	// Arrays, if given, are those of the merge that made the base.
	Arrays *Arrays
}

// Outcome is what became of a delta.
type Outcome uint8

// The outcomes. Only Applied ones changed or created something (decisions.md 29).
const (
	Applied   Outcome = iota + 1
	Unchanged         // it set what was set already, or killed what was killed
	Skipped           // an EDIT of a killed item
	Dropped           // an EDIT that has the same instant as a KILL of the item
	Rejected          // it cannot be applied: Refusal tells why
)

// Entry tells what became of one delta.
type Entry struct {
	Delta   *Delta
	Outcome Outcome
	// Item is the item concerned; of an ADD the id it was given, the zero id if
	// it was rejected.
	Item protocol.ItemID
	// Refusal tells why a delta was rejected or skipped; else nil.
	Refusal *Refusal
}

// Reason is why a delta was not applied.
type Reason uint8

// The reasons.
const (
	NoTarget     Reason = iota + 1 // EDIT or KILL of an item that is not there
	TargetKilled                   // EDIT of a killed item
	SectionFull                    // ADD to a section at its maximum
	SecondThread                   // ADD to research_thread
)

// Refusal is why a delta was not applied, and what the state held at that point.
type Refusal struct {
	Reason Reason
	// Of NoTarget and SectionFull, the delta's section: how many items it held,
	// how many of them active, and which were the first and the last.
	Items, Active int
	First, Last   protocol.ItemID
	// Kill is, of TargetKilled, how the item was killed.
	Kill *state.Kill
}

// Result is the outcome of a merge.
type Result struct {
	// State is the merged state; OriginOf tells of its items which delta set what.
	State *state.State
	// Log has an entry for each delta, in the order in which they were applied.
	Log []Entry
	// Conflicts are the fields left at a CONFLICT marker, Ties what depends on
	// the order of deltas that have none; both in the order of the deltas.
	Conflicts []Conflict
	Ties      []Tie
}

// Merge applies the deltas to the base, which stays as it is. The base may be
// nil for the empty artifact. Origins noted in it are carried on.
func Merge(base *state.State, deltas []*Delta, opts Options) *Result {
	m := newMerger(base, opts)
	order := slices.Clone(deltas)
	slices.SortFunc(order, m.compare)
	m.res.Log = make([]Entry, 0, len(order))
	instants := m.instants(order)
	for i, ds := range instants {
		m.applyInstant(ds, instants[i+1:])
	}
	m.res.State = m.st
	m.closeIssues()
	opts.Arrays.keep(m.sets)
	return m.res
}

func newMerger(base *state.State, opts Options) *merger {
	m := &merger{
		opts: opts, st: new(state.State), res: new(Result), ownOutcomes: map[protocol.ItemID]bool{},
		sets: map[fieldKey]*memberSet{}, open: map[fieldKey]*issue{},
	}
	if base != nil {
		m.st = base.Clone()
	}
	return m
}
