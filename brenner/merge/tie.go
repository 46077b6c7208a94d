package merge

import (
	"cmp"
	"slices"

	"github.com/brennerlint/brennerlint/brenner"
)

// TieKind is why the order of two deltas of one instant matters.
type TieKind uint8

// The kinds of ties.
const (
	TiedAdds   TieKind = iota + 1 // the ids depend on the order
	TiedKill                      // an EDIT at the instant of a KILL, dropped
	TiedValues                    // a field whose value depends on the order
	TiedItem                      // an EDIT or KILL of an item that is added at the same instant
	TiedLimit                     // an ADD that fits only if a hypothesis is killed before
)

// Tie is a pair of deltas of one instant, from different messages, that would produce
// another state at the end of the window if their order were swapped.
type Tie struct {
	Kind          TieKind
	First, Second *Delta // in the order of the merge; for TiedKill the EDIT and the KILL
	Item          brenner.ItemID
	Field         string // for TiedValues
	// Other is, for TiedValues, the value that the field would have in the other order.
	Other any
}

// suspect is something that may depend on the order of deltas of one instant. Whether
// it does is only known at the end of the window.
type suspect struct {
	kind  TieKind
	item  brenner.ItemID
	field string
	pairs []pair // whose order may matter, at least one
	at    *instant
}

// pair is two deltas in the order of the merge, and what makes the value that a field
// would have in the other order.
type pair struct {
	first, second *Delta
	other         func() any
}

// issue is a conflict or suspect of a field, until a later delta overwrites it.
type issue struct {
	conflict *Conflict
	suspect  *suspect
}

// leaveOpen records an issue of a field.
func (m *merger) leaveOpen(k fieldKey, is issue) {
	if m.open == nil {
		m.open = map[fieldKey]issue{}
	}
	m.open[k] = is
}

// suspect records that the order of some pairs may matter.
func (m *merger) suspect(kind TieKind, item brenner.ItemID, pairs []pair, at *instant) {
	if len(pairs) > 0 {
		m.suspects = append(m.suspects, suspect{kind: kind, item: item, pairs: pairs, at: at})
	}
}

// maxTiers bounds how many priorities a delta without one is compared with.
const maxTiers = 32

// tiers has one value per priority, and one for deltas of agents without a priority.
type tiers[T any] struct {
	opts     *Options
	unranked *T
	ranked   map[int]*T
	order    []*T // of ranked
}

func tiersOf[T any](opts *Options) *tiers[T] {
	return &tiers[T]{opts: opts, unranked: new(T), ranked: map[int]*T{}}
}

// own returns the value for the priority of a delta.
func (t *tiers[T]) own(d *Delta) *T {
	p, ok := t.opts.Priority[d.Agent]
	if !ok {
		return t.unranked
	}
	if t.ranked[p] == nil {
		t.ranked[p] = new(T)
		t.order = append(t.order, t.ranked[p])
	}
	return t.ranked[p]
}

// open returns the values for the priorities that do not decide the order with a delta.
func (t *tiers[T]) open(d *Delta) []*T {
	if own := t.own(d); own != t.unranked {
		return []*T{own, t.unranked}
	}
	return append([]*T{t.unranked}, t.order[:min(len(t.order), maxTiers)]...)
}

// rivals returns the recorded deltas of other messages whose order with d is open.
func rivals(t *tiers[lastPerMessage], d *Delta) (out []*Delta) {
	for _, r := range t.open(d) {
		if o := r.of(d); o != nil {
			out = append(out, o)
		}
	}
	return out
}

// closeIssues lists what is still open, in the order of the merge.
func (m *merger) closeIssues() {
	if len(m.open)+len(m.suspects)+len(m.res.Ties) == 0 {
		return
	}
	place := make(map[*Delta]int, len(m.res.Log))
	for i := range m.res.Log {
		place[m.res.Log[i].Delta] = i
	}
	for _, is := range m.open {
		if is.conflict != nil {
			m.res.Conflicts = append(m.res.Conflicts, *is.conflict)
		} else {
			m.suspects = append(m.suspects, *is.suspect)
		}
	}
	for i := range m.suspects { // agents' names may interleave messages
		for j, p := range m.suspects[i].pairs {
			if place[p.first] > place[p.second] {
				m.suspects[i].pairs[j].first, m.suspects[i].pairs[j].second = p.second, p.first
			}
		}
	}
	slices.SortFunc(m.suspects, func(a, b suspect) int {
		return cmp.Or(cmp.Compare(place[a.pairs[0].second], place[b.pairs[0].second]), cmp.Compare(a.kind, b.kind), cmp.Compare(a.field, b.field), a.item.Compare(b.item))
	})
	m.prove()
	slices.SortFunc(m.res.Conflicts, func(a, b Conflict) int {
		return cmp.Or(cmp.Compare(place[a.Deltas[1]], place[b.Deltas[1]]), a.Item.Compare(b.Item), cmp.Compare(a.Field, b.Field))
	})
	slices.SortFunc(m.res.Ties, func(a, b Tie) int {
		return cmp.Or(cmp.Compare(place[a.Second], place[b.Second]), cmp.Compare(place[a.First], place[b.First]),
			cmp.Compare(a.Kind, b.Kind), a.Item.Compare(b.Item), cmp.Compare(a.Field, b.Field))
	})
}
