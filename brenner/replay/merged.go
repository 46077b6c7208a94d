package replay

import (
	"maps"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner/merge"
	"github.com/brennerlint/brennerlint/brenner/state"
	"github.com/brennerlint/brennerlint/internal/text"
)

// checkMerge finds the facts about the merge of a window.
func (r *Thread) checkMerge(w *openWindow, p *publication) {
	for _, d := range w.Deltas {
		if r.unknownAgent(d) {
			r.addUnknownAgent(d)
		}
	}
	r.checkRefusals(w.Window, p)
	for i := range w.strict.Conflicts {
		r.addConflict(&w.strict.Conflicts[i])
	}
	r.recordWritten(w.Window)
	for i := range w.strict.Ties {
		r.addTie(&w.strict.Ties[i])
	}
	r.checkOrder(w)
	r.checkPostConditions(w)
}

func (r *Thread) addUnknownAgent(d *Delta) {
	u := UnknownAgent{Delta: d, At: d.MemberPlace("agent"), Nearest: r.nearestAgent(d.Agent)}
	if !d.namesAgent() && d.In.From != nil {
		u.At = d.In.From.WholePos()
	}
	r.Facts.UnknownAgents = append(r.Facts.UnknownAgents, u)
}

// nearestAgent returns the registered agent that a name most likely means; "" if none.
func (r *Thread) nearestAgent(name string) string {
	near, known := r.nearest[name]
	if !known {
		near = text.Nearest(name, slices.Sorted(maps.Keys(r.registry)))
		if r.nearest == nil {
			r.nearest = map[string]string{}
		}
		r.nearest[name] = near
	}
	return near
}

// checkRefusals finds the deltas that only the state rejects, and EDITs of killed
// items.
func (r *Thread) checkRefusals(w *Window, p *publication) {
	followUp := p.refusals(w)
	for i := range w.strict.Log {
		e := &w.strict.Log[i]
		if e.Refusal == nil || e.Refusal.Reason == merge.SecondThread || followUp(e.Delta) { // the second is DL-009
			continue
		}
		f := Refusal{Refusal: e.Refusal, Delta: of(e.Delta)}
		switch from := w.origin(e.Delta.Target); e.Refusal.Reason {
		case merge.TargetKilled:
			f.Cause = of(from.Killed)
		case merge.NoTarget:
			f.Cause = of(from.Added)
		}
		f.Tied = f.Cause != nil && f.Cause.merge.Time.Equal(e.Delta.Time)
		r.Facts.Refusals = append(r.Facts.Refusals, f)
	}
}

// recordWritten records the items that deltas give a text that looks like a conflict, which is
// none of the merge.
func (r *Thread) recordWritten(w *Window) {
	isConflict := func(v any) bool { text, ok := v.(string); return ok && state.IsConflict(text) }
	for i := range w.strict.Log {
		e := &w.strict.Log[i]
		for _, v := range e.Delta.Payload {
			if list, _ := v.([]any); e.Outcome == merge.Applied && (isConflict(v) || slices.ContainsFunc(list, isConflict)) {
				r.record(ConflictWritten, e.Item)
			}
		}
	}
}

func (r *Thread) addConflict(c *merge.Conflict) {
	r.record(ConflictedField, c.Item)
	r.Facts.Conflicts = append(r.Facts.Conflicts, conflictOf(c))
}

// conflictOf returns a conflict of the merge with the deltas of the thread.
func conflictOf(c *merge.Conflict) Conflict {
	f := Conflict{Item: c.Item, Field: c.Field, Time: c.Deltas[0].Time, Deltas: all(c.Deltas)}
	f.Last = f.Deltas[0]
	for _, d := range f.Deltas[1:] {
		f.Last = later(f.Last, d)
	}
	return f
}

func (r *Thread) addTie(t *merge.Tie) {
	f := Tie{Kind: t.Kind, First: of(t.First), Second: of(t.Second), Item: t.Item, Field: t.Field, Time: t.Second.Time}
	if t.Kind != merge.TiedKill && later(f.First, f.Second) == f.First {
		f.First, f.Second = f.Second, f.First
	}
	r.Facts.Ties = append(r.Facts.Ties, f)
}

// checkOrder finds times that sort differently as text and as instants. A draft has
// no time yet.
func (r *Thread) checkOrder(w *openWindow) {
	ds := make([]*Delta, 0, len(w.strict.Log))
	for i := range w.strict.Log {
		if d := of(w.strict.Log[i].Delta); d.Text != "" {
			ds = append(ds, d)
		}
	}
	slices.SortStableFunc(ds, func(a, b *Delta) int {
		if c := a.merge.Time.Compare(b.merge.Time); c != 0 {
			return c
		}
		return strings.Compare(a.Text, b.Text)
	})
	for i := 1; i < len(ds); i++ {
		if a, b := ds[i-1], ds[i]; a.Text > b.Text {
			r.Facts.OrderHazards = append(r.Facts.OrderHazards, OrderHazard{In: w.last, Earlier: a, Later: b})
			return
		}
	}
}
