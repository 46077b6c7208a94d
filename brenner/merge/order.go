package merge

import (
	"cmp"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/state"
)

// messageKey identifies messages.
type messageKey struct {
	id  string
	nth int
}

func (d *Delta) message() messageKey { return messageKey{d.Message, d.Nth} }

// compareMessages orders messages by id, and those without one after the others
// (decisions.md 57).
func compareMessages(a, b *Delta) int {
	return cmp.Or(
		cmp.Compare(len(b.Message), 0)-cmp.Compare(len(a.Message), 0),
		brenner.CompareMessageIDs(a.Message, b.Message),
		strings.Compare(a.Message, b.Message),
		cmp.Compare(a.Nth, b.Nth),
	)
}

// compare returns the total order of decisions.md 19, except within one message, which
// instants puts in order. What comes after the position only matters for deltas that
// nothing else distinguishes.
func (o *Options) compare(a, b *Delta) int {
	if c := cmp.Or(
		a.Time.Compare(b.Time),
		o.comparePriority(a, b),
		strings.Compare(a.Agent, b.Agent),
		compareMessages(a, b),
		cmp.Compare(a.Position, b.Position),
	); c != 0 {
		return c
	}
	return compareContent(a, b)
}

func (o *Options) comparePriority(a, b *Delta) int {
	return cmp.Compare(o.Priority[a.Agent], o.Priority[b.Agent])
}

// compareContent compares the content of deltas. It is slow.
func compareContent(a, b *Delta) int {
	if c := cmp.Or(cmp.Compare(a.Operation, b.Operation), cmp.Compare(a.Section, b.Section),
		a.Target.Compare(b.Target), strings.Compare(a.Reason, b.Reason)); c != 0 || a == b {
		return c
	}
	return strings.Compare(state.Canonical(a.Payload), state.Canonical(b.Payload))
}

// instants orders deltas and splits them by instant.
func (o *Options) instants(deltas []*Delta) [][]*Delta {
	order := slices.Clone(deltas)
	slices.SortFunc(order, o.compare)
	var out [][]*Delta
	for len(order) > 0 {
		n, ranked := 1, 0
		for n < len(order) && order[n].Time.Equal(order[0].Time) {
			if o.comparePriority(order[ranked], order[n]) != 0 {
				settlePositions(order[ranked:n])
				ranked = n
			}
			n++
		}
		settlePositions(order[ranked:n])
		out = append(out, order[:n:n])
		order = order[n:]
	}
	return out
}

// settlePositions puts the deltas of each message into the order of their positions,
// whichever agents they name (decisions.md 19 and 57), within the places that the
// message has in the total order. The deltas have one instant and one priority.
func settlePositions(ds []*Delta) {
	if slices.IsSortedFunc(ds, func(a, b *Delta) int {
		return cmp.Or(compareMessages(a, b), cmp.Compare(a.Position, b.Position))
	}) {
		return // usually from one message
	}
	places := map[messageKey][]int{}
	for i, d := range ds {
		places[d.message()] = append(places[d.message()], i)
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

// decided reports whether the agents' priorities decide the order of two deltas of one
// instant: both are defined and differ (artifact_delta_spec, Resolution Hierarchy 2).
func (o *Options) decided(a, b *Delta) bool {
	pa, aok := o.Priority[a.Agent]
	pb, bok := o.Priority[b.Agent]
	return aok && bok && pa != pb
}
