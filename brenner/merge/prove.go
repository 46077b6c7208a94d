package merge

import (
	"slices"

	"github.com/brennerlint/brennerlint/brenner/state"
)

// To find out whether orders matter, this many deltas may be applied again, and this
// many for each delta of the window. What is not proved within these bounds counts as
// order-sensitive.
const (
	proofs    = 10_000
	proofsPer = 2
)

// prove makes ties of the suspects: a tie counts if swapping two deltas produces another
// state at the end of the window (decisions.md 55). So they are swapped, and the window
// is merged again from there.
func (m *merger) prove() {
	left := proofs + proofsPer*len(m.res.Log)
	for i := range m.suspects {
		s := &m.suspects[i]
		shown := slices.IndexFunc(s.pairs, func(p pair) bool { return m.shows(s.at, p, &left) })
		if shown < 0 {
			continue
		}
		p := s.pairs[shown]
		t := Tie{Kind: s.kind, First: p.first, Second: p.second, Item: s.item, Field: s.field}
		if p.other != nil {
			t.Other = p.other()
		}
		m.res.Ties = append(m.res.Ties, t)
	}
}

// shows reports whether swapping a pair changes the result.
func (m *merger) shows(at *instant, p pair, left *int) bool {
	cost := len(m.res.Log) - at.start
	if *left -= cost; *left < 0 {
		return true
	}
	for _, order := range m.swapped(at.deltas, p) {
		if *left -= cost; *left < 0 {
			return true
		}
		t := newMerger(at.before, m.opts)
		t.trial, t.opts.Arrays = true, nil
		t.applyInstant(order, nil)
		for _, ds := range at.rest {
			t.applyInstant(ds, nil)
		}
		if !m.endsLike(t, at) {
			return true
		}
	}
	return false
}

// swapped returns the orders of an instant in which a pair is swapped: the second delta
// goes before the first, the first goes behind the second, or one of the messages goes
// as a whole before the other. The deltas of a message keep their order, and so do
// those that priorities decide.
func (m *merger) swapped(ds []*Delta, p pair) [][]*Delta {
	i, j := slices.Index(ds, p.first), slices.Index(ds, p.second)
	first, second := p.first.message(), p.second.message()
	var out [][]*Delta
	try := func(places []int, goesFirst func(*Delta) bool) {
		if order := m.rearranged(ds, places, goesFirst); order != nil && !slices.Equal(order, ds) {
			out = append(out, order)
		}
	}
	var between, both []int
	for k, d := range ds {
		if i <= k && k <= j {
			between = append(between, k)
		}
		if d.message() == first || d.message() == second {
			both = append(both, k)
		}
	}
	try(between, func(d *Delta) bool { return d.message() == second })
	try(between, func(d *Delta) bool { return d.message() != first })
	try(both, func(d *Delta) bool { return d.message() == second })
	try(both, func(d *Delta) bool { return d.message() == first }) // they may be interleaved
	return out
}

// rearranged puts the deltas at some places into another order: those for which
// goesFirst is true, then the others. It returns nil if priorities forbid that.
func (m *merger) rearranged(ds []*Delta, places []int, goesFirst func(*Delta) bool) []*Delta {
	var front, back []*Delta
	for _, k := range places {
		if goesFirst(ds[k]) {
			front = append(front, ds[k])
		} else {
			back = append(back, ds[k])
		}
	}
	out := slices.Clone(ds)
	for n, d := range append(front, back...) {
		out[places[n]] = d
	}
	var highest *Delta // of those with a priority, which must not decrease
	for _, d := range out {
		if _, ranked := m.opts.Priority[d.Agent]; !ranked {
			continue
		}
		if highest != nil && m.comparePriority(highest, d) > 0 {
			return nil
		}
		highest = d
	}
	return out
}

// endsLike reports whether a trial from an instant on ends in the state of the merge,
// ignoring who killed an item, when and why: two KILLs are not a tie. Only what deltas
// name can differ, and predictions of a hypothesis that does.
func (m *merger) endsLike(t *merger, at *instant) bool {
	same := func(e Entry) bool {
		x, y := m.st.Find(e.Item), t.st.Find(e.Item)
		return x == y || x != nil && y != nil && x.Active() == y.Active() && state.SameValue(x.Fields(), y.Fields())
	}
	for _, log := range [...][]Entry{m.res.Log[at.start:], t.res.Log} {
		for _, e := range log {
			if !same(e) {
				return false
			}
		}
	}
	return true
}
