// Package merge merges deltas into an artifact as artifact_delta_spec and
// decisions.md 18 to 29 say. It is the protocol's executable specification.
//
// It is a pure function: a base and deltas in, a state and a log out. It knows
// nothing of mail, Markdown or places, reads no clock, and its result never
// depends on the order of its input. What a delta must look like is checked
// before (package delta); what only the state can tell is checked here.
package merge

import (
	"cmp"
	"slices"
	"strings"
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

	Agent    string    // the delta's own, else the sender
	Time     time.Time // the delta's own, else the message's
	Message  string    // id of the message
	Position int       // in the message

	// Source is what the caller knows the delta by; the merge does not look at it.
	Source any
}

// Options are what the merge needs besides base and deltas.
type Options struct {
	// Priority gives agents a rank; a higher one is applied later (decisions.md 19).
	Priority map[string]int
	// Unlimited are ADDs that are applied although a section is full.
	Unlimited map[*Delta]bool
}

// Outcome is what became of a delta.
type Outcome uint8

// The outcomes. Only Applied ones changed or created something (decisions.md 29).
const (
	Applied   Outcome = iota + 1
	Unchanged         // it set what was set already, or killed what was killed
	Skipped           // an EDIT of a killed item: MR-002
	Dropped           // an EDIT beside a KILL of the item at the same instant: MR-009
	Rejected          // it cannot be applied: Rule tells why
)

// Entry tells what became of one delta.
type Entry struct {
	Delta   *Delta
	Outcome Outcome
	// Item is the item concerned; of an ADD the id it was given, the zero id if
	// it was rejected.
	Item protocol.ItemID
	// Rule is MR-001, MR-002 or MR-003 where that is why it was not applied, and
	// Message says so.
	Rule, Message string
}

// Result is the outcome of a merge.
type Result struct {
	// State is the merged state; OriginOf tells of its items which delta set what.
	State *state.State
	// Log has an entry for each delta, in the order in which they were applied.
	Log []Entry
	// Conflicts are the fields left at a CONFLICT marker (MR-008), Ties what
	// depends on the order of deltas that have none (MR-009); both in the order
	// of the deltas.
	Conflicts []Conflict
	Ties      []Tie
}

// Merge applies the deltas to the base, which stays as it is. The base may be
// nil for the empty artifact. Origins noted in it are carried on.
func Merge(base *state.State, deltas []*Delta, opts Options) *Result {
	m := &merger{
		opts: opts, st: new(state.State), res: new(Result), ownOutcomes: map[protocol.ItemID]bool{},
		sets: map[fieldKey]*memberSet{}, open: map[fieldKey]*issue{},
	}
	if base != nil {
		m.st = base.Clone()
	}
	order := slices.Clone(deltas)
	slices.SortFunc(order, m.compare)
	m.res.Log = make([]Entry, 0, len(order))
	for len(order) > 0 {
		n := 1
		for n < len(order) && order[n].Time.Equal(order[0].Time) {
			n++
		}
		m.instant(order[:n])
		order = order[n:]
	}
	m.res.State = m.st
	m.closeIssues()
	return m.res
}

// compare is the total order of decisions.md 19. What comes after the position
// only matters for messages without ids.
func (m *merger) compare(a, b *Delta) int {
	if c := cmp.Or(
		a.Time.Compare(b.Time),
		cmp.Compare(m.opts.Priority[a.Agent], m.opts.Priority[b.Agent]),
		strings.Compare(a.Agent, b.Agent),
		protocol.CompareMessageIDs(a.Message, b.Message),
		cmp.Compare(a.Position, b.Position),
	); c != 0 {
		return c
	}
	return compareContent(a, b)
}

// compareContent compares what deltas say. It is slow.
func compareContent(a, b *Delta) int {
	if c := cmp.Or(cmp.Compare(a.Operation, b.Operation), cmp.Compare(a.Section, b.Section),
		a.Target.Compare(b.Target), strings.Compare(a.Reason, b.Reason)); c != 0 || a == b {
		return c
	}
	return strings.Compare(state.Canonical(a.Payload), state.Canonical(b.Payload))
}

// instant applies the deltas of one instant, which are in total order.
func (m *merger) instant(ds []*Delta) {
	one := true
	for _, d := range ds[1:] {
		one = one && d.Message == ds[0].Message
	}
	if len(ds) > 1 {
		settlePositions(ds)
	}
	if !one {
		m.tied(ds)
		return
	}
	for _, d := range ds {
		m.apply(d)
	}
}

// settlePositions puts the deltas of each message into the order of their
// positions, whatever agents they name (decisions.md 21); the places that a
// message has in the total order stay its own.
func settlePositions(ds []*Delta) {
	if slices.IsSortedFunc(ds, func(a, b *Delta) int {
		return cmp.Or(strings.Compare(a.Message, b.Message), cmp.Compare(a.Position, b.Position))
	}) {
		return // of one message, mostly
	}
	places := map[string][]int{}
	for i, d := range ds {
		places[d.Message] = append(places[d.Message], i)
	}
	for _, at := range places {
		own := make([]*Delta, len(at))
		for i, p := range at {
			own[i] = ds[p]
		}
		slices.SortStableFunc(own, func(a, b *Delta) int { return cmp.Compare(a.Position, b.Position) })
		for i, p := range at {
			ds[p] = own[i]
		}
	}
}

// decided reports whether the agents' priorities settle the order of two deltas
// of one instant: both are defined and differ (artifact_delta_spec, Resolution
// Hierarchy 2).
func (m *merger) decided(a, b *Delta) bool {
	pa, aok := m.opts.Priority[a.Agent]
	pb, bok := m.opts.Priority[b.Agent]
	return aok && bok && pa != pb
}
