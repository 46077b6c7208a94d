package merge

import (
	"maps"
	"slices"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/state"
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
	TiedMany                      // so many messages of one instant that not all orders were tried
)

// Tie is a pair of deltas of one instant, from different messages, that would produce
// another state at the end of the window if their messages were swapped.
type Tie struct {
	Kind          TieKind
	First, Second *Delta // in the order of the merge; for TiedKill the EDIT and the KILL
	Item          brenner.ItemID
	Field         string // for TiedValues
	// Other is, for TiedValues, the value that the field would have in the other order;
	// Swapped is, for TiedAdds, the merge in the other order, without reasons of refusals.
	Other   any
	Swapped *Result
}

// To find ties, this many deltas may be applied again, and this many for each delta of the
// window. Comparing a few pairs of deltas costs as much as applying one.
const (
	swapBudget = 10_000
	swapsEach  = 8
	pairsEach  = 16
)

// ties finds the ties of a window.
type ties struct {
	*merger
	base     *state.State
	instants [][]*Delta
	left     int // of the budget
	reported map[tieKey]bool
	entries  map[*Delta]*Entry
	unnamed  *Tie // one that shows in nothing that it names
}

// tieKey identifies ties of which one is reported, for the first delta that is tied.
type tieKey struct {
	kind  TieKind
	delta *Delta
	field fieldKey
	at    int // the instant, for TiedValues
}

// findTies swaps the messages of each instant, two at a time. They are tied if the window
// then ends in another state (decisions.md 55 and 81).
func (m *merger) findTies(base *state.State, instants [][]*Delta) {
	var t *ties
	for n, ds := range instants {
		if fromOneMessage(ds) {
			continue
		}
		if t == nil {
			t = &ties{merger: m, base: base, instants: instants, left: pairsEach * (swapBudget + swapsEach*len(m.res.Log)), reported: map[tieKey]bool{}, entries: m.entriesOf()}
		}
		if !t.instant(n) {
			m.res.Ties = append(m.res.Ties, Tie{Kind: TiedMany, First: ds[0], Second: ds[len(ds)-1]})
			return
		}
	}
	if t != nil && t.unnamed != nil && len(m.res.Ties) == 0 {
		m.res.Ties = append(m.res.Ties, *t.unnamed)
	}
}

func (m *merger) entriesOf() map[*Delta]*Entry {
	out := make(map[*Delta]*Entry, len(m.res.Log))
	for i := range m.res.Log {
		out[m.res.Log[i].Delta] = &m.res.Log[i]
	}
	return out
}

// instant finds the ties of an instant; false if the budget does not suffice.
func (t *ties) instant(n int) bool {
	parts := t.parts(t.instants[n])
	for j, b := range parts {
		for _, a := range parts[:j] {
			if a[0].message() == b[0].message() {
				continue
			}
			if t.left -= len(a) * len(b); t.left < 0 {
				return false
			}
			possible := t.possible(n, a, b)
			if len(possible) == 0 {
				continue
			}
			if t.left -= pairsEach * t.cost(); t.left < 0 {
				return false
			}
			t.swap(n, a, b, possible)
		}
	}
	return true
}

// cost is what merging the window again takes.
func (t *ties) cost() int {
	items := 0
	for _, sec := range brenner.Sections {
		items += t.st.Len(sec)
	}
	return len(t.res.Log) + items/64
}

// part is what is swapped as a whole: the deltas of a message of one priority, because
// priorities go before the order in a message (decisions.md 57).
type part struct {
	message  messageKey
	priority int
}

func (t *ties) partOf(d *Delta) part { return part{d.message(), t.opts.Priority[d.Agent]} }

// parts groups the deltas of an instant, in the order of their first delta.
func (t *ties) parts(ds []*Delta) (out [][]*Delta) {
	at := map[part]int{}
	for _, d := range ds {
		i, known := at[t.partOf(d)]
		if !known {
			i = len(out)
			at[t.partOf(d)] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], d)
	}
	return out
}

// possible returns the ties of two messages that meet in what they name and are not
// reported yet, but as far as priorities decide their order.
func (t *ties) possible(n int, a, b []*Delta) []Tie {
	var out []Tie
	for _, second := range b {
		for _, first := range a {
			if t.opts.decided(first, second) {
				continue
			}
			for _, tie := range meet(first, second) {
				switch {
				case tie.Kind == TiedAdds:
					tie.Item = t.entries[second].Item
				case tie.Kind == TiedValues && (t.entries[first].Outcome == Rejected || t.entries[second].Outcome == Rejected || bothScalars(tie)):
					continue
				}
				if !t.reported[t.key(n, tie)] {
					out = append(out, tie)
				}
			}
		}
	}
	return out
}

func (t *ties) key(n int, tie Tie) tieKey {
	switch tie.Kind {
	case TiedValues:
		return tieKey{kind: tie.Kind, field: fieldKey{tie.Item, tie.Field}, at: n}
	case TiedItem:
		return tieKey{kind: tie.Kind, delta: other(tie, brenner.Add)}
	case TiedLimit:
		return tieKey{kind: tie.Kind, delta: other(tie, brenner.Kill)}
	}
	return tieKey{kind: tie.Kind, delta: tie.Second}
}

// other returns the delta of a tie that has another operation.
func other(tie Tie, not brenner.Operation) *Delta {
	if tie.First.Operation != not {
		return tie.First
	}
	return tie.Second
}

// meet returns the ties that are possible between two deltas, by what they name.
func meet(first, second *Delta) []Tie {
	if first.Section != second.Section {
		return nil
	}
	tie := Tie{First: first, Second: second}
	adds := first.Operation == brenner.Add
	switch {
	case first.Section == brenner.ResearchThread && (adds || second.Operation == brenner.Add):
		return nil
	case adds && second.Operation == brenner.Add:
		if tie.Kind = TiedAdds; samePayload(first, second) {
			return nil
		}
		return []Tie{tie}
	case adds || second.Operation == brenner.Add:
		var out []Tie
		tie.Kind, tie.Item = TiedItem, other(tie, brenner.Add).Target
		if out = append(out, tie); first.Section == brenner.HypothesisSlate && other(tie, brenner.Add).Operation == brenner.Kill {
			tie.Kind, tie.Item = TiedLimit, brenner.ItemID{}
			out = append(out, tie)
		}
		return out
	case first.Target != second.Target || first.Operation != brenner.Edit || second.Operation != brenner.Edit:
		return nil // two KILLs are no tie, and an EDIT beside a KILL is dropped
	}
	var out []Tie
	for _, key := range slices.Sorted(maps.Keys(second.Payload)) {
		if _, both := first.Payload[key]; both && !IsUnstored(key) {
			tie.Kind, tie.Item, tie.Field = TiedValues, first.Target, key
			out = append(out, tie)
		}
	}
	return out
}

// samePayload reports whether two ADDs add the same.
func samePayload(a, b *Delta) bool {
	same := func(a, b map[string]any) bool {
		for key, v := range a {
			if w, ok := b[key]; !IsUnstored(key) && (!ok || !state.SameValue(v, w)) {
				return false
			}
		}
		return true
	}
	return same(a.Payload, b.Payload) && same(b.Payload, a.Payload)
}

// swap merges the window with two messages of an instant in each other's places, and
// reports those of the possible ties in which that shows.
func (t *ties) swap(n int, a, b []*Delta, possible []Tie) {
	for _, order := range t.orders(t.instants[n], a, b) {
		instants := slices.Clone(t.instants)
		instants[n] = order
		trial := newMerger(t.base, t.opts)
		trial.trial, trial.res.Log = true, make([]Entry, 0, len(t.res.Log))
		trial.run(instants)
		if entries := trial.entriesOf(); !t.endsLike(trial, entries) {
			t.report(n, possible, trial, entries)
			return
		}
	}
}

// orders returns the orders of an instant in which two messages are swapped, each whole
// (decisions.md 91). Messages whose deltas are mixed, because they name several agents, are
// also separated in the order in which they begin. Where priorities forbid that both change
// places, because of a third message, one of them goes past the other.
func (t *ties) orders(ds, a, b []*Delta) (out [][]*Delta) {
	try := func(order []*Delta) bool {
		if t.breaks(order, ds) {
			return false
		}
		if !slices.Equal(order, ds) {
			out = append(out, order)
		}
		return true
	}
	if !try(t.arranged(ds, a, b, b, a)) {
		swapped := slices.Concat(b, a)
		try(t.arranged(ds, a, b, swapped, nil))
		try(t.arranged(ds, a, b, nil, swapped))
	}
	try(t.arranged(ds, a, b, a, b))
	return out
}

// report reports those of the possible ties in which a trial shows. One without is kept:
// something has to be named.
func (t *ties) report(n int, possible []Tie, trial *merger, entries map[*Delta]*Entry) {
	shown := 0
	for _, tie := range possible {
		switch tie.Kind {
		case TiedValues:
			tie.Other = value(trial.st, tie)
		case TiedAdds:
			trial.res.State, tie.Swapped = trial.st, trial.res
		}
		if !t.showsIn(tie, entries) {
			continue
		}
		shown++
		if key := t.key(n, tie); !t.reported[key] {
			t.reported[key] = true
			t.res.Ties = append(t.res.Ties, tie)
		}
	}
	if shown == 0 && t.unnamed == nil {
		t.unnamed = &possible[0]
	}
}

// arranged returns the deltas of an instant with others in place of two messages, where
// these begin.
func (t *ties) arranged(ds, a, b, first, second []*Delta) []*Delta {
	out := make([]*Delta, 0, len(ds))
	for _, d := range ds {
		switch {
		case d == a[0]:
			out = append(out, first...)
		case d == b[0]:
			out = append(out, second...)
		case t.partOf(d) != t.partOf(a[0]) && t.partOf(d) != t.partOf(b[0]):
			out = append(out, d)
		}
	}
	return out
}

// breaks reports whether an order is not that of the agents' priorities, or changes that of
// the deltas of one message.
func (t *ties) breaks(order, ds []*Delta) bool {
	if len(t.opts.Priority) == 0 {
		return false
	}
	place := make(map[*Delta]int, len(ds))
	for i, d := range ds {
		place[d] = i
	}
	var highest *Delta
	last := map[messageKey]*Delta{}
	for _, d := range order {
		if before := last[d.message()]; before != nil && place[before] > place[d] {
			return true
		}
		last[d.message()] = d
		if _, ranked := t.opts.Priority[d.Agent]; !ranked {
			continue
		}
		if highest != nil && t.opts.comparePriority(highest, d) > 0 {
			return true
		}
		highest = d
	}
	return false
}

// endsLike reports whether a trial ends in the state of the merge. Two KILLs are no tie
// (decisions.md 21): which of them kills an item makes no difference if the same ones find
// it.
func (t *ties) endsLike(trial *merger, entries map[*Delta]*Entry) bool {
	same := func(x, y *state.Item) bool {
		switch {
		case x == y:
			return true
		case x.ID != y.ID || x.Active() != y.Active() || !state.SameValue(x.Fields(), y.Fields()):
			return false
		case x.Active() || *x.Killed == *y.Killed:
			return true
		}
		return !slices.ContainsFunc(t.res.Log, func(e Entry) bool {
			return e.Item == x.ID && e.Delta.Operation == brenner.Kill && t.found(e.Delta, entries)
		})
	}
	for _, sec := range brenner.Sections {
		if !slices.EqualFunc(t.st.Items(sec), trial.st.Items(sec), same) {
			return false
		}
	}
	return true
}

// found reports whether a delta is rejected in one of both orders only.
func (t *ties) found(d *Delta, entries map[*Delta]*Entry) bool {
	return (t.entries[d].Outcome == Rejected) != (entries[d].Outcome == Rejected)
}

// showsIn reports whether a tie shows in the log or the state of a trial.
func (t *ties) showsIn(tie Tie, entries map[*Delta]*Entry) bool {
	differs := func(d *Delta) bool {
		return t.entries[d].Item != entries[d].Item || t.found(d, entries)
	}
	switch tie.Kind {
	case TiedAdds:
		return differs(tie.First) || differs(tie.Second)
	case TiedItem:
		d := other(tie, brenner.Add)
		add := tie.First
		if add == d {
			add = tie.Second
		}
		return differs(d) && (t.entries[add].Item == d.Target || entries[add].Item == d.Target)
	case TiedLimit:
		return differs(other(tie, brenner.Kill))
	}
	return !state.SameValue(tie.Other, value(t.st, tie))
}

// value returns the value of the field of a tie.
func value(st *state.State, tie Tie) any {
	if it := st.Find(tie.Item); it != nil {
		return it.Fields()[tie.Field]
	}
	return nil
}

// bothScalars reports whether two deltas set a field to scalars: in any order they are the
// same, or a CONFLICT.
func bothScalars(tie Tie) bool {
	_, first := scalar(tie.First.Payload[tie.Field])
	_, second := scalar(tie.Second.Payload[tie.Field])
	return first && second
}
