package merge

import (
	"maps"
	"math"
	"slices"
	"time"

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

	// about is the later of two ADDs, the EDIT or KILL of an added item, or the ADD that fits; nil
	// for TiedValues.
	about *Delta
}

// Time returns the instant of the deltas.
func (t *Tie) Time() time.Time { return t.Second.Time }

// key returns what a tie is about: of several ties about one thing only the first counts.
func (t *Tie) key() Tie { return Tie{Kind: t.Kind, Item: t.Item, Field: t.Field, about: t.about} }

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
	left int // of the budget
	each int // what merging the window again takes

	seen       int                       // of the log, before the instant
	highest    map[brenner.Section]int32 // numbers of items, by section, before the instant
	hypotheses int                       // that are active before the instant, at most

	// What follows is of the instant.

	parts   [][]*Delta   // in order
	mixed   bool         // whether the deltas of one part stand between those of another
	crowded bool         // whether a hypothesis may be refused in some order
	named   map[Tie]bool // keys of ties
	// ordered are the fields that are set to an array or an object: scalars are the same in any
	// order, or a CONFLICT.
	ordered map[fieldKey]bool
}

// findTies finds the ties of a window.
func (m *merger) findTies(instants [][]*Delta) {
	s := &swapper{
		merger: m, highest: map[brenner.Section]int32{},
		left: pairsEach * (swapBudget + swapsEach*len(m.res.Log)), each: pairsEach*len(m.res.Log) + m.work + m.res.Copied,
	}
	for _, sec := range brenner.Sections {
		s.highest[sec] = m.base.Highest(sec)
		s.each += m.st.Len(sec) / 4 // an item that no delta changes takes little
	}
	s.hypotheses = m.base.Active(brenner.HypothesisSlate)
	for n, ds := range instants {
		if fromOneMessage(ds) {
			continue
		}
		s.begin(ds)
		for j, b := range s.parts {
			for i, a := range s.parts[:j] {
				if a[0].message() != b[0].message() {
					s.compare(instants, n, i, j)
				}
				if s.left < 0 {
					m.res.Ties = append(m.res.Ties, Tie{Kind: TiedMany, First: ds[0], Second: ds[len(ds)-1]})
					return
				}
			}
		}
	}
}

// begin prepares the search in an instant.
func (s *swapper) begin(ds []*Delta) {
	for ; s.seen < s.place[ds[0]]; s.seen++ {
		if e := s.res.Log[s.seen]; e.Delta.Operation == brenner.Add {
			s.highest[e.Item.Section] = max(s.highest[e.Item.Section], e.Item.Number)
			s.hypotheses += len(contending(e.Delta))
		}
	}
	added := slices.DeleteFunc(contending(ds...), func(d *Delta) bool { return d.Operation != brenner.Add })
	s.crowded = s.hypotheses+len(added) > brenner.HypothesisSlate.Maximum()
	s.named, s.ordered = map[Tie]bool{}, map[fieldKey]bool{}
	for _, d := range ds {
		for key, v := range d.Payload {
			if !isScalar(v) {
				s.ordered[fieldKey{d.Target, key}] = true
			}
		}
	}
	s.parts = slices.SortedFunc(maps.Values(s.opts.parts(ds)), func(a, b []*Delta) int { return s.place[a[0]] - s.place[b[0]] })
	s.mixed = !slices.Equal(slices.Concat(s.parts...), ds)
}

// compare swaps two messages of an instant if their deltas meet, or meet those of a third
// message that they may pass, and names the ties in which that shows: those of the two, else
// those with the third. Something has to be named.
func (s *swapper) compare(instants [][]*Delta, n, i, j int) {
	a, b := s.parts[i], s.parts[j]
	ds, moved := instants[n], slices.Concat(a, b)
	tiesWithOthers := func(moved, all []*Delta) []Tie {
		s.left -= len(all) * len(moved)
		return s.possible(moved, slices.DeleteFunc(slices.Clone(all), func(d *Delta) bool { return slices.Contains(moved, d) }))
	}
	s.left -= len(a) * len(b)
	possible := s.possible(a, b)
	switch {
	case len(possible) > 0:
	case s.mixed:
		possible = tiesWithOthers(moved, ds)
	case s.crowded:
		possible = tiesWithOthers(contending(moved...), contending(ds...))
	}
	if len(possible) == 0 {
		return
	}
	for _, order := range s.orders(ds, a, b) {
		if s.left -= s.each; s.left < 0 {
			return
		}
		trial := newMerger(s.base, s.opts).run(slices.Concat(instants[:n], [][]*Delta{order}, instants[n+1:]))
		if s.endsLike(trial) {
			continue
		}
		if !s.name(possible, trial) && !s.name(tiesWithOthers(moved, ds), trial) && len(s.res.Ties) == 0 {
			s.res.Ties = append(s.res.Ties, possible[0])
		}
		return
	}
}

// contending returns the deltas that take or give a place among the hypotheses.
func contending(ds ...*Delta) (out []*Delta) {
	for _, d := range ds {
		if d.Section == brenner.HypothesisSlate && d.Operation != brenner.Edit {
			out = append(out, d)
		}
	}
	return out
}

// name names the ties that show in a trial, and reports whether one does.
func (s *swapper) name(possible []Tie, trial *merger) (shown bool) {
	for _, tie := range possible {
		if !s.shows(&tie, trial) {
			continue
		}
		if shown = true; !s.named[tie.key()] {
			s.named[tie.key()] = true
			s.res.Ties = append(s.res.Ties, tie)
		}
	}
	return shown
}

// possible returns the ties between deltas that meet in what they name, as far as priorities
// do not decide their order, and as far as nothing is named yet.
func (s *swapper) possible(a, b []*Delta) (out []Tie) {
	for _, y := range b {
		for _, x := range a {
			if x.message() == y.message() || s.opts.decided(x, y) {
				continue
			}
			early, late := x, y
			if s.place[x] > s.place[y] {
				early, late = y, x
			}
			for _, tie := range s.meet(early, late) {
				if !s.named[tie.key()] {
					out = append(out, tie)
				}
			}
		}
	}
	return out
}

// meet returns the ties that are possible between two deltas, by what they name.
func (s *swapper) meet(first, second *Delta) []Tie {
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
		if maps.EqualFunc(first.stored(), second.stored(), brenner.SameValue) {
			return nil
		}
		return []Tie{{Kind: TiedAdds, First: first, Second: second, Item: s.entry(second).Item, about: second}}
	case add.Operation == brenner.Add:
		var out []Tie
		if other.Target.Number > s.highest[add.Section] {
			out = append(out, Tie{Kind: TiedItem, First: first, Second: second, Item: other.Target, about: other})
		}
		if s.crowded && add.Section == brenner.HypothesisSlate && other.Operation == brenner.Kill {
			out = append(out, Tie{Kind: TiedLimit, First: first, Second: second, about: add})
		}
		return out
	case first.Target != second.Target || first.Operation != brenner.Edit || second.Operation != brenner.Edit:
		return nil // two KILLs are not a tie, and an EDIT at the instant of a KILL is dropped
	}
	var out []Tie
	stored := second.stored()
	for _, key := range slices.Sorted(maps.Keys(stored)) {
		if _, both := first.Payload[key]; both && s.ordered[fieldKey{first.Target, key}] {
			out = append(out, Tie{Kind: TiedValues, First: first, Second: second, Item: first.Target, Field: key})
		}
	}
	return out
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
			case s.opts.partOf(d) != s.opts.partOf(a[0]) && s.opts.partOf(d) != s.opts.partOf(b[0]):
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
	top, last := math.MinInt, map[messageKey]int{}
	for _, d := range order {
		p, ranked := s.opts.Priority[d.Agent]
		if before, known := last[d.message()]; known && p < before || ranked && p < top {
			return false
		}
		if last[d.message()] = p; ranked {
			top = p
		}
	}
	return true
}

// endsLike reports whether a trial ends in the state of the merge. Two KILLs are no tie
// (decisions.md 21): which of them kills an item makes no difference if the same ones find
// it.
func (s *swapper) endsLike(trial *merger) bool {
	found := map[brenner.ItemID]bool{} // by KILLs that find them in one of both orders only
	for _, e := range s.res.Log {
		if e.Delta.Operation == brenner.Kill && s.rejectedOnce(e.Delta, trial) {
			found[e.Item] = true
		}
	}
	same := func(x, y *brenner.Item) bool {
		return x == y || x.ID == y.ID && x.Active() == y.Active() && brenner.SameValue(x.Fields(), y.Fields()) &&
			(x.Active() || *x.Killed == *y.Killed || !found[x.ID])
	}
	for _, sec := range brenner.Sections {
		if !slices.EqualFunc(s.st.Items(sec), trial.st.Items(sec), same) {
			return false
		}
	}
	return true
}

// rejectedOnce reports whether a delta is rejected in one of both orders only.
func (s *swapper) rejectedOnce(d *Delta, trial *merger) bool {
	return (s.entry(d).Outcome == Rejected) != (trial.entry(d).Outcome == Rejected)
}

// shows reports whether a tie shows in the log or the state of a trial, and records what
// the other order gives.
func (s *swapper) shows(tie *Tie, trial *merger) bool {
	if trial.place[tie.First] < trial.place[tie.Second] {
		return false // neither has passed the other
	}
	differs := func(d *Delta) bool {
		return s.entry(d).Item != trial.entry(d).Item || s.rejectedOnce(d, trial)
	}
	switch tie.Kind {
	case TiedAdds:
		tie.Swapped = trial.res
		return differs(tie.First) || differs(tie.Second)
	case TiedItem:
		has := func(d *Delta) bool { return s.entry(d).Item == tie.Item || trial.entry(d).Item == tie.Item }
		return differs(tie.about) && has(tie.First) && has(tie.Second)
	case TiedLimit:
		return s.rejectedOnce(tie.about, trial)
	}
	value := func(st *brenner.State) any {
		if it := st.Find(tie.Item); it != nil {
			return it.Fields()[tie.Field]
		}
		return nil
	}
	tie.Other = value(trial.st)
	return !brenner.SameValue(tie.Other, value(s.st))
}
