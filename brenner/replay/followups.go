package replay

import (
	"iter"
	"slices"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/diff"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/brenner/merge"
)

// What follows from a fact is not a separate fact (decisions.md 1 and 25). A replay
// decides that here; AlreadyReported is for the rules on artifacts.

// refusals reports whether the only reason why the state does not allow a delta is an
// earlier rejected delta that was published anyway: with that one applied, it is
// allowed.
func (p *publication) refusals(w *Window) func(*merge.Delta) bool {
	var allowed map[*merge.Delta]bool
	if w.result != w.strict {
		for i := range w.result.Log {
			e := &w.result.Log[i]
			put(&allowed, e.Delta, e.Outcome != merge.Rejected && e.Outcome != merge.Skipped && !p.applied[e.Delta])
		}
	}
	return func(d *merge.Delta) bool { return allowed[d] }
}

// leavesPostConditions reports whether the post-conditions of a window are left to the
// rules on its published artifact, or nothing is known of it.
func (w *Window) leavesPostConditions() bool {
	return w.Published != nil || w.Compiled != nil && w.Compiled.BodyState != mail.BodyPresent
}

// expectedID reports whether the id that an item was published with follows from other
// facts: a rejected ADD was applied, or an ADD was left out.
func (c *publicationChecker) expectedID(p *diff.Pair) bool {
	if c.applied[merge.OriginOf(p.Want).Added] {
		return true
	}
	if c.ids == nil {
		c.ids = newExpectedIDs(c.w.strict, c.w.result)
		for _, pairs := range c.pairs {
			c.ids.count(pairs)
		}
	}
	return c.ids.expect(p)
}

// ambiguous reports whether a published value differs because of another fact: it is
// what the other order of tied deltas produces, or fills in what a published rejected
// ADD lacks.
func (c *publicationChecker) ambiguous(p *diff.Pair, key string) bool {
	sec := p.Want.ID.Section
	f := sec.Field(key)
	if f == nil {
		return false
	}
	if f.Required && p.Want.Fields()[key] == nil && c.applied[merge.OriginOf(p.Want).Added] {
		return true
	}
	if c.ambiguities == nil {
		c.ambiguities = newAmbiguities(c.w.result)
	}
	return c.ambiguities.allow(p.Want.ID, f, p.Got().Fields()[key])
}

// explainedKill reports whether a published rejected KILL explains how an item is published
// as killed: the publisher gave the reason that it lacks, or merged it with the right one.
func (c *publicationChecker) explainedKill(p *diff.Pair) bool {
	want, got, by := p.Want.Killed, p.Got().Killed, merge.OriginOf(p.Want).Killed
	if want == nil || got == nil || !c.applied[by] {
		return false
	}
	if it := c.w.State.Find(p.Want.ID); it != nil && it.Killed != nil {
		if fits, _ := killParts(p, it.Killed, by); fits {
			return true
		}
	}
	return want.Reason == "" && !diff.TextDiffers(want.By, got.By) && !p.KilledAtDiffers(want.At)
}

// ambiguities are the conflicts and ties of a merge by item: what the order of its
// deltas leaves open.
type ambiguities struct {
	conflicts map[brenner.ItemID][]*merge.Conflict
	ties      map[brenner.ItemID][]*merge.Tie
}

func newAmbiguities(res *merge.Result) *ambiguities {
	a := &ambiguities{map[brenner.ItemID][]*merge.Conflict{}, map[brenner.ItemID][]*merge.Tie{}}
	for i := range res.Conflicts {
		k := &res.Conflicts[i]
		a.conflicts[k.Item] = append(a.conflicts[k.Item], k)
	}
	for i := range res.Ties {
		t := &res.Ties[i]
		a.ties[t.Item] = append(a.ties[t.Item], t)
	}
	return a
}

// allow reports whether a field of an item may have a value in another order.
func (a *ambiguities) allow(id brenner.ItemID, f *brenner.Field, got any) bool {
	sec := id.Section
	for _, k := range a.conflicts[id] {
		if k.Field == f.Key && slices.ContainsFunc(k.Deltas, func(d *merge.Delta) bool { return diff.Same(sec, f, d.Payload[f.Key], got) }) {
			return true
		}
	}
	for _, t := range a.ties[id] {
		switch {
		case t.Kind == merge.TiedValues && t.Field == f.Key && diff.Same(sec, f, t.Other, got):
			return true
		case t.Kind == merge.TiedKill && diff.Same(sec, f, t.First.Payload[f.Key], got):
			return true
		}
	}
	return false
}

// reused reports whether a published item has only its id in common with the one that
// the previous version had under it: its fields are then not differences. Items
// without names cannot be distinguished.
func (c *publicationChecker) reused(p *diff.Pair) bool {
	sec := p.Want.ID.Section
	base := c.w.base.Find(p.Want.ID)
	if base == nil || p.Shows("name") || p.Shows(sec.MainField()) {
		return false
	}
	got, want := diff.Identify(sec, p.Got().Fields()), diff.Identify(sec, p.Want.Fields())
	if got.Name == "" || got.Main == "" || got.Name == want.Name || got.Main == want.Main {
		return false
	}
	known := []map[string]any{base.Fields()}
	for _, d := range c.editsOf(p.Want.ID) {
		known = append(known, d.Payload)
	}
	return !slices.ContainsFunc(known, func(values map[string]any) bool {
		was := diff.Identify(sec, values)
		return was.Name == got.Name || was.Main == got.Main
	})
}

// editsOf returns the window's EDITs of an item.
func (c *publicationChecker) editsOf(id brenner.ItemID) []*merge.Delta {
	if c.edits == nil {
		c.edits = map[brenner.ItemID][]*merge.Delta{}
		for _, d := range c.w.Deltas {
			if m := d.merge; m != nil && m.Operation == brenner.Edit {
				c.edits[m.Target] = append(c.edits[m.Target], m)
			}
		}
	}
	return c.edits[id]
}

// deltaCount has the numbers of applied deltas of an agent: of those that should have been
// applied, and the fewest and the most that the publisher did apply, by what was published.
type deltaCount struct{ due, fewest, most int }

// deltaCounts are those of a window by agent.
type deltaCounts map[string]deltaCount

// counts counts the applied deltas of a window.
func (p *publication) counts(w *Window) deltaCounts {
	out := deltaCounts{}
	for i := range w.strict.Log {
		if e := &w.strict.Log[i]; e.Outcome == merge.Applied {
			n := out[e.Delta.Agent]
			n.due++
			out[e.Delta.Agent] = n
		}
	}
	for i := range w.result.Log {
		e := &w.result.Log[i]
		if e.Outcome != merge.Applied {
			continue
		}
		n := out[e.Delta.Agent]
		n.most++
		if !p.ignored[e.Delta] && !p.omitted[e.Item] {
			n.fewest++
		}
		out[e.Delta.Agent] = n
	}
	return out
}

// due yields the agents with deltas that should have been applied.
func (c deltaCounts) due() iter.Seq[string] {
	return func(yield func(string) bool) {
		for agent, n := range c {
			if n.due > 0 && !yield(agent) {
				return
			}
		}
	}
}

// published returns the fewest and the most deltas that an agent may be listed with: one
// that was published in part may be counted or not.
func (n deltaCount) published() (low, high int) {
	return min(n.due, n.fewest), max(n.due, n.most)
}
