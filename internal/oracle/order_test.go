package oracle

import "slices"

// orderShows reports whether the order of deltas of one instant matters: an EDIT was dropped
// beside a KILL, or two messages are a tie. Then applying the other one first, each whole and
// the others in their places, gives another final state of the window (decisions.md 81 and 91).
func (m *merger) orderShows() bool {
	if m.dropped > 0 {
		return true
	}
	for _, swapped := range m.swaps(m.order) {
		if other := m.try(swapped, nil); m.ending(other) != other.ending(m) {
			return true
		}
	}
	return false
}

// ending returns the final state as canonical JSON, but without who killed an item that the
// same KILLs find in both orders: two KILLs are no tie (decisions.md 21).
func (m *merger) ending(other *merger) string {
	found := map[any]bool{} // by item, whether a KILL finds it in one order only
	for _, d := range m.order {
		if d.operation == "KILL" && m.rejected[d] != other.rejected[d] {
			found[d.target] = true
		}
	}
	end := m.state.clone()
	for _, items := range end {
		for _, it := range items {
			if !found[it["id"]] {
				delete(it, "killed_by")
				delete(it, "kill_reason")
			}
		}
	}
	return end.canonical()
}

// swaps returns the orders in which two messages of one instant are swapped: each stands,
// whole, where the other began, and third ones keep their places. Messages that are mixed
// are also tried whole where they begin. If a priority, or the order in a message,
// forbids the exchange, one of the two alone goes past the other.
func (m *merger) swaps(order []*delta) (out [][]*delta) {
	var parts []part // in the order in which they begin
	whole := map[part][]*delta{}
	place := map[*delta]int{}
	for i, d := range order {
		p := m.partOf(d)
		if whole[p] == nil {
			parts = append(parts, p)
		}
		whole[p], place[d] = append(whole[p], d), i
	}
	forbidden := func(x, y *delta) bool { // to have x before y
		px, hasX := m.priority[x.agent]
		py, hasY := m.priority[y.agent]
		return x.at.Equal(y.at) && (hasX && hasY && px > py || x.in == y.in && place[x] > place[y])
	}
	// with adds the order that has other deltas where the parts a and b begin.
	with := func(a, b part, first, second []*delta) bool {
		var changed []*delta
		for _, d := range order {
			switch {
			case d == whole[a][0]:
				changed = append(changed, first...)
			case d == whole[b][0]:
				changed = append(changed, second...)
			case m.partOf(d) != a && m.partOf(d) != b:
				changed = append(changed, d)
			}
		}
		for i, x := range changed {
			for _, y := range changed[i+1:] {
				if forbidden(x, y) {
					return false
				}
			}
		}
		out = append(out, changed)
		return true
	}
	for j, b := range parts {
		for _, a := range parts[:j] {
			if a.in == b.in || a.at != b.at {
				continue
			}
			with(a, b, whole[a], whole[b])
			if !with(a, b, whole[b], whole[a]) {
				both := slices.Concat(whole[b], whole[a])
				with(a, b, both, nil)
				with(a, b, nil, both)
			}
		}
	}
	return out
}
