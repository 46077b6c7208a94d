package merge

import (
	"maps"
	"slices"
	"time"

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

// Tie is a pair of deltas of one instant, from different messages. If their messages were
// swapped, the window would end in another state.
type Tie struct {
	Kind          TieKind
	First, Second *Delta // in the order of the merge; for TiedKill the EDIT and the KILL
	Item          brenner.ItemID
	Field         string // for TiedValues
	// Other is, for TiedValues, the value that the field would have in the other order;
	// Swapped is, for TiedAdds, the merge in the other order, without its conflicts.
	Other   any
	Swapped *Result

	about *Delta // see tieKey; nil for TiedValues
}

// Time returns the instant of the deltas.
func (t *Tie) Time() time.Time { return t.Second.Time }

// To find ties, this many deltas may be applied again, and this many for each delta of the
// window. Comparing a few pairs of deltas costs as much as applying one.
const (
	swapBudget = 10_000
	swapsEach  = 8
	pairsEach  = 16
)

// swapper finds the ties of a window: it swaps two messages of an instant and merges the
// window again. They are tied if it then ends in another state (decisions.md 55 and 81).
type swapper struct {
	*merger
	base     *state.State
	instants [][]*Delta
	left     int // of the budget
	each     int // what merging the window again takes
	entries  map[*Delta]*Entry
	named    map[tieKey]bool // in this instant
	unnamed  *Tie            // one that shows in nothing that it names
}

// tieKey identifies ties of an instant of which only one is reported: for two ADDs it is the
// later one, for an ADD and an EDIT or KILL of its item the latter, for an ADD and a KILL that
// makes room the ADD, and for two EDITs the field.
type tieKey struct {
	kind  TieKind
	about *Delta
	field fieldKey
}

func (t *Tie) key() tieKey { return tieKey{t.Kind, t.about, fieldKey{t.Item, t.Field}} }

// findTies finds the ties of a window.
func (m *merger) findTies(base *state.State, instants [][]*Delta) {
	if !slices.ContainsFunc(instants, func(ds []*Delta) bool { return !fromOneMessage(ds) }) {
		return
	}
	items := 0
	for _, sec := range brenner.Sections {
		items += m.st.Len(sec)
	}
	s := &swapper{
		merger: m, base: base, instants: instants, entries: m.entries(),
		left: pairsEach * (swapBudget + swapsEach*len(m.res.Log)), each: pairsEach * (len(m.res.Log) + items/64),
	}
	for n, ds := range instants {
		if !fromOneMessage(ds) && !s.instant(n) {
			m.res.Ties = append(m.res.Ties, Tie{Kind: TiedMany, First: ds[0], Second: ds[len(ds)-1]})
			return
		}
	}
	if s.unnamed != nil && len(m.res.Ties) == 0 {
		m.res.Ties = append(m.res.Ties, *s.unnamed)
	}
}

func (m *merger) entries() map[*Delta]*Entry {
	out := make(map[*Delta]*Entry, len(m.res.Log))
	for i := range m.res.Log {
		out[m.res.Log[i].Delta] = &m.res.Log[i]
	}
	return out
}

// instant finds the ties of an instant; false if the budget does not suffice.
func (s *swapper) instant(n int) bool {
	s.named = map[tieKey]bool{}
	ds := s.instants[n]
	parts := s.parts(ds)
	mixed := !slices.Equal(slices.Concat(parts...), ds)
	for j, b := range parts {
		for _, a := range parts[:j] {
			if a[0].message() == b[0].message() {
				continue
			}
			if s.left -= len(a) * len(b); s.left < 0 {
				return false
			}
			possible := s.possible(a, b)
			if len(possible) == 0 && mixed {
				if s.left -= 2 * len(ds); s.left < 0 {
					return false
				}
				possible = s.possibleWith(ds, a, b)
			}
			if len(possible) == 0 {
				continue
			}
			if s.left -= s.each; s.left < 0 {
				return false
			}
			s.swap(n, a, b, possible)
		}
	}
	return true
}

// part is what is swapped as a whole: the deltas of a message of one priority, because
// priorities go before the order in a message (decisions.md 57).
type part struct {
	message  messageKey
	priority int
}

func (s *swapper) partOf(d *Delta) part { return part{d.message(), s.opts.Priority[d.Agent]} }

// parts groups the deltas of an instant, in the order of their first delta.
func (s *swapper) parts(ds []*Delta) (out [][]*Delta) {
	at := map[part]int{}
	for _, d := range ds {
		i, known := at[s.partOf(d)]
		if !known {
			i = len(out)
			at[s.partOf(d)] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], d)
	}
	return out
}

// possible returns the ties of two messages that meet in what they name and are not named
// yet, but as far as priorities decide their order. The values of an EDIT that was rejected
// count only if nothing else does: mostly the ADD of its item is what it is tied with.
func (s *swapper) possible(a, b []*Delta) []Tie {
	var out, ofRejected []Tie
	rejected := func(d *Delta) bool { return s.entries[d].Outcome == Rejected }
	isNamed := func(d *Delta) bool { return s.named[tieKey{TiedItem, d, fieldKey{item: d.Target}}] }
	for _, second := range b {
		for _, first := range a {
			if s.opts.decided(first, second) {
				continue
			}
			for _, tie := range meet(first, second) {
				switch {
				case tie.Kind == TiedAdds:
					tie.Item = s.entries[second].Item
				case tie.Kind == TiedValues && (rejected(first) || rejected(second)):
					if !s.named[tie.key()] && !isNamed(first) && !isNamed(second) {
						ofRejected = append(ofRejected, tie)
					}
					continue
				}
				if !s.named[tie.key()] {
					out = append(out, tie)
				}
			}
		}
	}
	if len(out) == 0 {
		return ofRejected
	}
	return out
}

// possibleWith returns the ties of two messages, which do not meet, with others of the instant:
// where messages are mixed, one of the two may pass some deltas of a third one, but not all.
func (s *swapper) possibleWith(ds, a, b []*Delta) (out []Tie) {
	moved := func(d *Delta) bool { return s.partOf(d) == s.partOf(a[0]) || s.partOf(d) == s.partOf(b[0]) }
	for i, second := range ds {
		for _, first := range ds[:i] {
			if moved(first) != moved(second) && first.message() != second.message() {
				out = append(out, s.possible([]*Delta{first}, []*Delta{second})...)
			}
		}
	}
	return out
}

// meet returns the ties that are possible between two deltas, by what they name.
func meet(first, second *Delta) []Tie {
	if first.Section != second.Section {
		return nil
	}
	add, other := first, second
	if second.Operation == brenner.Add {
		add, other = second, first
	}
	switch {
	case add.Operation == brenner.Add && add.Section == brenner.ResearchThread:
		return nil
	case add.Operation == brenner.Add && other.Operation == brenner.Add:
		if samePayload(first, second) {
			return nil
		}
		return []Tie{{Kind: TiedAdds, First: first, Second: second, about: second}}
	case add.Operation == brenner.Add:
		out := []Tie{{Kind: TiedItem, First: first, Second: second, Item: other.Target, about: other}}
		if add.Section == brenner.HypothesisSlate && other.Operation == brenner.Kill {
			out = append(out, Tie{Kind: TiedLimit, First: first, Second: second, about: add})
		}
		return out
	case first.Target != second.Target || first.Operation != brenner.Edit || second.Operation != brenner.Edit:
		return nil // two KILLs are not a tie, and an EDIT at the instant of a KILL is dropped
	}
	var out []Tie
	for _, key := range slices.Sorted(maps.Keys(second.Payload)) {
		v, both := first.Payload[key]
		if !both || IsUnstored(key) || isScalar(v) && isScalar(second.Payload[key]) {
			continue // in any order two scalars are the same, or a CONFLICT
		}
		out = append(out, Tie{Kind: TiedValues, First: first, Second: second, Item: first.Target, Field: key})
	}
	return out
}

// samePayload reports whether two ADDs add the same.
func samePayload(a, b *Delta) bool {
	has := func(a, b map[string]any) bool {
		for key, v := range a {
			if w, ok := b[key]; !IsUnstored(key) && (!ok || !state.SameValue(v, w)) {
				return false
			}
		}
		return true
	}
	return has(a.Payload, b.Payload) && has(b.Payload, a.Payload)
}

// swap merges the window with two messages of an instant in each other's places, and
// names those of the possible ties in which that shows. One without is kept: something has
// to be named.
func (s *swapper) swap(n int, a, b []*Delta, possible []Tie) {
	for _, order := range s.orders(s.instants[n], a, b) {
		trial := newMerger(s.base, s.opts)
		trial.run(slices.Concat(s.instants[:n], [][]*Delta{order}, s.instants[n+1:]))
		entries := trial.entries()
		if s.endsLike(trial, entries) {
			continue
		}
		shown := false
		for _, tie := range possible {
			if !s.shows(&tie, trial, entries) {
				continue
			}
			shown = true
			if !s.named[tie.key()] {
				s.named[tie.key()] = true
				s.res.Ties = append(s.res.Ties, tie)
			}
		}
		if !shown && s.unnamed == nil {
			s.unnamed = &possible[0]
		}
		return
	}
}

// orders returns the orders of an instant in which two messages are swapped, each whole
// (decisions.md 91). Messages whose deltas are mixed, because they name several agents, are
// also separated in the order in which they begin. Where priorities forbid that both change
// places, because of a third message, one of them goes past the other.
func (s *swapper) orders(ds, a, b []*Delta) (out [][]*Delta) {
	arrange := func(first, second []*Delta) (follows bool) { // in the places where a and b begin
		var order []*Delta
		for _, d := range ds {
			switch {
			case d == a[0]:
				order = append(order, first...)
			case d == b[0]:
				order = append(order, second...)
			case s.partOf(d) != s.partOf(a[0]) && s.partOf(d) != s.partOf(b[0]):
				order = append(order, d)
			}
		}
		follows = s.followsPriorities(order)
		if follows && !slices.Equal(order, ds) {
			out = append(out, order)
		}
		return follows
	}
	if !arrange(b, a) {
		both := slices.Concat(b, a)
		arrange(both, nil)
		arrange(nil, both)
	}
	arrange(a, b)
	return out
}

// followsPriorities reports whether an order keeps the agents' priorities (among agents that
// have one) and the order within each message.
func (s *swapper) followsPriorities(order []*Delta) bool {
	highest, ranked := 0, false
	last := map[messageKey]int{}
	for _, d := range order {
		p, defined := s.opts.rank(d)
		before, again := last[d.message()]
		if again && before > p || defined && ranked && highest > p {
			return false
		}
		last[d.message()] = p
		if defined {
			highest, ranked = p, true
		}
	}
	return true
}

// endsLike reports whether a trial ends in the state of the merge. Two KILLs are no tie
// (decisions.md 21): which of them kills an item makes no difference if the same ones find
// it.
func (s *swapper) endsLike(trial *merger, entries map[*Delta]*Entry) bool {
	same := func(x, y *state.Item) bool {
		switch {
		case x == y:
			return true
		case x.ID != y.ID || x.Active() != y.Active() || !state.SameValue(x.Fields(), y.Fields()):
			return false
		case x.Active() || *x.Killed == *y.Killed:
			return true
		}
		return !slices.ContainsFunc(s.res.Log, func(e Entry) bool {
			return e.Item == x.ID && e.Delta.Operation == brenner.Kill && s.rejectedOnce(e.Delta, entries)
		})
	}
	for _, sec := range brenner.Sections {
		if !slices.EqualFunc(s.st.Items(sec), trial.st.Items(sec), same) {
			return false
		}
	}
	return true
}

// rejectedOnce reports whether a delta is rejected in one of both orders only.
func (s *swapper) rejectedOnce(d *Delta, entries map[*Delta]*Entry) bool {
	return (s.entries[d].Outcome == Rejected) != (entries[d].Outcome == Rejected)
}

// shows reports whether a tie shows in the log or the state of a trial, and records what
// the other order gives.
func (s *swapper) shows(tie *Tie, trial *merger, entries map[*Delta]*Entry) bool {
	differs := func(d *Delta) bool {
		return s.entries[d].Item != entries[d].Item || s.rejectedOnce(d, entries)
	}
	switch tie.Kind {
	case TiedAdds:
		tie.Swapped = trial.res
		return differs(tie.First) || differs(tie.Second)
	case TiedItem:
		add := tie.First
		if add == tie.about {
			add = tie.Second
		}
		return differs(tie.about) && (s.entries[add].Item == tie.Item || entries[add].Item == tie.Item)
	case TiedLimit:
		return differs(tie.about)
	}
	value := func(st *state.State) any {
		if it := st.Find(tie.Item); it != nil {
			return it.Fields()[tie.Field]
		}
		return nil
	}
	tie.Other = value(trial.st)
	return !state.SameValue(tie.Other, value(s.st))
}
