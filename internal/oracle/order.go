package oracle

import (
	"fmt"
	"slices"
)

// orderShows tries every pair of deltas of one instant, from different messages, whose
// order priorities do not decide: a tie counts if swapping the two produces another
// final state (decisions.md 55), ignoring who killed what. It returns one such pair, as
// `message.position`.
func (m *merger) orderShows(base state, instants [][]*delta) string {
	for n, instant := range instants {
		for j, b := range instant {
			for i, a := range instant[:j] {
				if a.in == b.in || m.settled(a, b) {
					continue
				}
				for _, order := range m.swaps(instant, i, j) {
					other := &merger{priority: m.priority}
					changed := slices.Clone(instants)
					changed[n] = order
					other.run(base, changed)
					if withoutKills(other.state) != withoutKills(m.state) {
						return fmt.Sprintf("%d.%d %d.%d", a.in.Index, a.position, b.in.Index, b.position)
					}
				}
			}
		}
	}
	return ""
}

// withoutKills returns a state without who killed what, when and why.
func withoutKills(s state) string {
	s = s.clone()
	for _, items := range s {
		for _, it := range items {
			delete(it, "killed_by")
			delete(it, "killed_at")
			delete(it, "kill_reason")
		}
	}
	return canonical(s)
}

// swaps returns the orders in which two deltas are swapped while the deltas of each
// message stay in order: the second goes before the first, the first behind the second,
// or one of the messages goes as a whole before the other. None of them may violate
// priorities.
func (m *merger) swaps(instant []*delta, i, j int) [][]*delta {
	first, second := instant[i].in, instant[j].in
	var out [][]*delta
	for _, way := range []struct {
		moves  func(k int) bool
		before func(d *delta) bool
	}{
		{func(k int) bool { return i <= k && k <= j }, func(d *delta) bool { return d.in == second }},
		{func(k int) bool { return i <= k && k <= j }, func(d *delta) bool { return d.in != first }},
		{func(k int) bool { return instant[k].in == first || instant[k].in == second }, func(d *delta) bool { return d.in == second }},
		{func(k int) bool { return instant[k].in == first || instant[k].in == second }, func(d *delta) bool { return d.in == first }},
	} {
		var moved []*delta
		for _, before := range []bool{true, false} {
			for k, d := range instant {
				if way.moves(k) && way.before(d) == before {
					moved = append(moved, d)
				}
			}
		}
		order := slices.Clone(instant)
		for k := range order {
			if way.moves(k) {
				order[k], moved = moved[0], moved[1:]
			}
		}
		if m.allowed(instant, order) {
			out = append(out, order)
		}
	}
	return out
}

// allowed reports whether an order of an instant respects what priorities decide.
func (m *merger) allowed(instant, order []*delta) bool {
	for i, a := range instant {
		for _, b := range instant[i+1:] {
			if m.settled(a, b) && slices.Index(order, a) > slices.Index(order, b) {
				return false
			}
		}
	}
	return true
}
