package oracle

import "slices"

// orderShows tries every pair of messages of one instant: they are a tie if applying the
// other one first, each whole and the others in their places, gives another final state
// of the window (decisions.md 81 and 91).
func (m *merger) orderShows(base state, instants [][]*delta) bool {
	for n, instant := range instants {
		parts := m.partsOf(instant)
		for j, b := range parts {
			for _, a := range parts[:j] {
				if a.in == b.in {
					continue
				}
				for _, order := range m.swaps(instant, a, b) {
					other := &merger{priority: m.priority, floor: m.floor}
					changed := slices.Clone(instants)
					changed[n] = order
					other.run(base, changed)
					if ending(other.state, m.rejected, other.rejected) != ending(m.state, m.rejected, other.rejected) {
						return true
					}
				}
			}
		}
	}
	return false
}

// part is what is swapped: the deltas of a message of one priority, because priorities go
// before the order in a message (decisions.md 57).
type part struct {
	in   *Message
	rank int
}

func (m *merger) partOf(d *delta) part { return part{d.in, m.rank(d)} }

// partsOf returns the parts of an instant in the order in which they begin.
func (m *merger) partsOf(instant []*delta) (out []part) {
	for _, d := range instant {
		if !slices.Contains(out, m.partOf(d)) {
			out = append(out, m.partOf(d))
		}
	}
	return out
}

// ending returns a state as canonical JSON, but without who killed an item that the same
// KILLs find in both orders: two KILLs are no tie (decisions.md 21).
func ending(s state, one, other map[*delta]string) string {
	found := map[string]bool{} // by item, whether a KILL finds it in one order only
	for _, rejected := range []map[*delta]string{one, other} {
		for d := range rejected {
			found[d.target] = found[d.target] || d.operation == "KILL" && one[d] != other[d]
		}
	}
	s = s.clone()
	for _, items := range s {
		for _, it := range items {
			if !found[it["id"].(string)] {
				delete(it, "killed_by")
				delete(it, "kill_reason")
			}
		}
	}
	return s.canonical()
}

// swaps returns the orders of an instant in which two messages are swapped: each stands,
// whole, where the other began, and third ones keep their places. Messages that are mixed
// are also tried whole where they begin. If a priority, or the order in a message,
// forbids the exchange, one of the two alone goes past the other.
func (m *merger) swaps(instant []*delta, a, b part) (out [][]*delta) {
	whole := map[part][]*delta{}
	for _, d := range instant {
		whole[m.partOf(d)] = append(whole[m.partOf(d)], d)
	}
	with := func(first, second []*delta) bool {
		var order []*delta
		for _, d := range instant {
			switch {
			case m.partOf(d) != a && m.partOf(d) != b:
				order = append(order, d)
			case d == whole[a][0]:
				order = append(order, first...)
			case d == whole[b][0]:
				order = append(order, second...)
			}
		}
		for i, x := range order {
			for _, y := range order[i+1:] {
				if m.settled(x, y) && m.rank(x) > m.rank(y) || x.in == y.in && slices.Index(instant, x) > slices.Index(instant, y) {
					return false
				}
			}
		}
		out = append(out, order)
		return true
	}
	with(whole[a], whole[b])
	if !with(whole[b], whole[a]) {
		both := slices.Concat(whole[b], whole[a])
		with(both, nil)
		with(nil, both)
	}
	return out
}
