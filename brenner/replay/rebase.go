package replay

import (
	"cmp"
	"slices"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/diff"
	"github.com/brennerlint/brennerlint/brenner/merge"
	"github.com/brennerlint/brennerlint/brenner/state"
)

// rebase returns the published state, from which the next window starts
// (decisions.md 24), and records what is known of its items. Where the artifact
// agrees with the replay, or cannot show its value, it is the replayed value.
func (c *publicationChecker) rebase() *state.State {
	out := &state.State{}
	for _, sec := range brenner.Sections {
		if !c.Compares(sec) {
			out.Replace(sec, c.Want)
			continue
		}
		out.ReserveID(sec, c.Want.Highest(sec))
		for i := range c.pairs[sec] {
			p := &c.pairs[sec][i]
			switch d, differs := c.itemDiffs[p]; {
			case p.Want != nil && !p.Published():
				if p.Item != nil || !diff.Visible(p.Want) { // not omitted, only unreadable
					out.Add(p.Want)
				}
			case !p.Published():
			case p.Want == nil || d.reused:
				out.Add(p.Got())
			case out.Add(published(p)) && differs:
				out.Change(p.Item.ID, func(it *state.Item) { d.rebase(p, it) })
			}
		}
	}
	return out
}

// withoutLost returns a published state without the sections that the artifact lacks, or in
// which nothing can be read: they are not what the deltas produce. The next window has them
// all the same, since it is not known that the publisher left their items out.
func (c *publicationChecker) withoutLost(published *state.State) *state.State {
	if !slices.ContainsFunc(brenner.Sections[:], c.lost) {
		return published
	}
	out := &state.State{}
	for _, sec := range brenner.Sections {
		if !c.lost(sec) {
			out.Replace(sec, published)
		}
	}
	return out
}

// lost reports whether the items of a section are not published because the section is not.
func (c *publicationChecker) lost(sec brenner.Section) bool {
	if c.Compares(sec) {
		return false
	}
	first, _ := c.Want.Bounds(sec)
	return first != nil && diff.Visible(first) // only the research thread, which is one item, may not be
}

// withOmitted returns a published state with the items that the publisher left out, as
// they were merged: deltas that name them are applied (decisions.md 48).
func (c *publicationChecker) withOmitted(published *state.State) *state.State {
	if len(c.Omitted) == 0 {
		return published
	}
	out := c.Want.Clone()
	for _, sec := range brenner.Sections {
		for i := range c.pairs[sec] {
			if p := &c.pairs[sec][i]; p.Item != nil && p.Want != nil && published.Find(p.Want.ID) == nil {
				out.Remove(p.Want.ID)
			}
		}
		for _, it := range published.Items(sec) {
			out.Put(it)
		}
	}
	return out
}

// published returns the replayed item under the id with which it was published.
func published(p *diff.Pair) *state.Item {
	if p.Want.ID == p.Item.ID {
		return p.Want
	}
	it := state.NewItem(p.Item.ID, p.Want.Fields())
	it.Killed, it.Note = p.Want.Killed, p.Want.Note
	return it
}

// rebase makes an item what was published of it, and its origin what deltas still
// explain.
func (d *itemDiff) rebase(p *diff.Pair, it *state.Item) {
	if k := p.Got().Killed; d.kill && k != nil && it.Killed != nil {
		at := it.Killed.At
		if p.KilledAtDiffers(it.Killed.At) {
			at = k.At
		}
		it.Killed = &state.Kill{By: cmp.Or(k.By, it.Killed.By), At: at, Reason: cmp.Or(k.Reason, it.Killed.Reason)}
	} else if d.kill {
		it.Killed = k
	}
	origin := merge.OriginOf(p.Want).Clone()
	if it.Active() {
		origin.Killed = nil
	}
	it.Note = origin
	publish := func(key string) {
		if value, ok := p.Got().Fields()[key]; ok {
			it.Fields()[key] = value
		} else {
			delete(it.Fields(), key)
		}
	}
	for _, key := range d.renumbered {
		publish(key)
	}
	for _, f := range d.fields {
		origin.Set(f.Key, nil)
		publish(f.Key)
	}
	if d.stale {
		origin.Set("predictions", nil)
		publish("predictions")
	}
}

// rebaseUnread makes what was published the next window's base although the deltas
// that led to it could not be read.
func (w *Window) rebaseUnread(a *artifact.Artifact, p *publication) {
	w.Published = a.State()
	for _, sec := range brenner.Sections {
		w.Published.ReserveID(sec, w.State.Highest(sec))
	}
	p.next = w.Published
}
