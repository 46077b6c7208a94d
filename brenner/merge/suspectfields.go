package merge

import (
	"slices"

	"github.com/brennerlint/brennerlint/brenner/state"
)

// maxPairs bounds how many pairs are kept for one field, and maxSwaps how many are
// examined where unions and replacements meet on it.
const (
	maxPairs = 8
	maxSwaps = 32
)

// suspectField finds the messages of an instant whose order may matter for a field.
// Different scalars are a conflict.
func (m *merger) suspectField(c *contest, at *instant) {
	if len(c.writes) < 2 || c.others == 0 {
		return
	}
	var pairs []pair
	if writes := m.relevant(c.writes); onlyUnions(writes) {
		pairs = m.unionPairs(c, writes)
	} else {
		pairs = m.writePairs(c, writes)
	}
	if len(pairs) > 0 {
		m.leaveOpen(c.key, issue{suspect: &suspect{kind: TiedValues, item: c.key.item, field: c.key.field, pairs: pairs, at: at}})
	}
}

func last(ws []write) write { return ws[len(ws)-1] }

// relevant leaves out the messages whose writes another one overwrites because of its
// agent's priority.
func (m *merger) relevant(writes [][]write) [][]write {
	top, found := 0, false
	for _, ws := range writes {
		p, ok := m.opts.Priority[last(ws).delta.Agent]
		if ok && !onlyUnions([][]write{ws}) && (!found || p > top) {
			top, found = p, true
		}
	}
	if !found {
		return writes
	}
	var out [][]write
	for _, ws := range writes {
		if p, ok := m.opts.Priority[last(ws).delta.Agent]; !ok || p >= top {
			out = append(out, ws)
		}
	}
	return out
}

func onlyUnions(writes [][]write) bool {
	for _, ws := range writes {
		for _, w := range ws {
			if !w.union {
				return false
			}
		}
	}
	return true
}

// writePairs finds messages whose writes produce another value in the other order. Both
// orders are run.
func (m *merger) writePairs(c *contest, writes [][]write) (out []pair) {
	swaps, seen := 0, 0
	for j, later := range writes {
		for _, earlier := range writes[:j] {
			if seen++; seen > maxSwaps*len(writes) {
				return out // priorities decide nearly all
			}
			if m.decided(last(earlier).delta, last(later).delta) {
				continue
			}
			if swaps++; swaps > maxSwaps || len(out) == maxPairs {
				return out
			}
			other := run(run(c.before, later), earlier)
			if !state.SameValue(run(run(c.before, earlier), later), other) {
				out = append(out, pair{last(earlier).delta, last(later).delta, func() any { return other }})
			}
		}
	}
	return out
}

// brings is the message that adds most to an array.
type brings struct {
	by   *Delta
	list []any
}

// unionPairs runs the unions of two messages in both orders. The results are equal
// exactly if one message's new values begin with the other's, because each result
// begins with what was united first; so as long as all are equal, comparing with the
// message that adds most is comparing with all.
func (m *merger) unionPairs(c *contest, writes [][]write) (out []pair) {
	old, _ := c.before.([]any)
	base := m.membersBefore(c, old)
	most := tiersOf[brings](&m.opts)
	for _, ws := range writes {
		news := newMemberSet(nil)
		for _, w := range ws {
			for _, v := range w.list {
				if !base.has(v, len(old)) {
					news.add([]any{v})
				}
			}
		}
		d := last(ws).delta
		for _, o := range most.open(d) {
			n := min(len(o.list), len(news.list))
			if !slices.EqualFunc(o.list[:n], news.list[:n], state.SameValue) {
				out = append(out, pair{o.by, d, func() any {
					swapped := newMemberSet(slices.Concat(old, news.list))
					swapped.add(o.list)
					return swapped.list
				}})
			}
		}
		if len(out) >= maxPairs {
			return out
		}
		if own := most.own(d); len(news.list) > len(own.list) {
			*own = brings{d, news.list}
		}
	}
	return out
}

// membersBefore returns an index of the array that a field had before the instant. If
// the instant only united, the array that it has now begins with that one, and its
// index can be used: a list may be long, and there may be many instants.
func (m *merger) membersBefore(c *contest, old []any) *memberSet {
	if set := m.sets[c.key]; set != nil && onlyUnions(c.writes) {
		return set
	}
	return newMemberSet(old)
}

// run returns a field's value after the writes of one message.
func run(v any, ws []write) any {
	for _, w := range ws {
		old, isList := v.([]any)
		if !w.union {
			v = w.value
			continue
		}
		if !isList {
			old = nil
		}
		set := newMemberSet(old)
		set.add(w.list)
		v = set.list
	}
	return v
}
