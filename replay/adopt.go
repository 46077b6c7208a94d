package replay

import (
	"cmp"

	"github.com/brennerlint/brennerlint/merge"
	"github.com/brennerlint/brennerlint/protocol"
	"github.com/brennerlint/brennerlint/state"
)

// adopt is the state that was published, from which the next window starts
// (decisions.md 24), and what is known of its items. Where the artifact agrees
// with the replay, or cannot show what the replay has, it is the replayed value.
func (c *comparer) adopt() *state.State {
	out := &state.State{}
	for _, sec := range protocol.Sections {
		out.ReserveID(sec, c.ref.Highest(sec))
		if !c.present(sec) {
			for _, it := range c.ref.Items(sec) {
				out.AddShared(it)
			}
		}
		for i := range c.matches[sec] {
			m := &c.matches[sec][i]
			switch v, differs := c.verdicts[m]; {
			case m.ref != nil && m.val == nil:
				if m.pub != nil || !visible(m.ref) { // not left out, only not to be read
					out.AddShared(m.ref)
				}
			case m.val == nil:
			case m.ref == nil || v.reused:
				out.AddShared(m.val)
			case out.AddShared(m.published()) && differs:
				out.Change(m.pub.ID, func(it *state.Item) { v.adopt(m, it) })
			}
		}
	}
	return out
}

// withOmitted is a published state with the items that the publisher left out, as
// they were merged: deltas that name them are applied (decisions.md 48).
func (c *comparer) withOmitted(published *state.State) *state.State {
	out := published
	for _, sec := range protocol.Sections {
		for i := range c.matches[sec] {
			m := &c.matches[sec][i]
			if m.pub != nil || !visible(m.ref) || published.Find(m.ref.ID) != nil {
				continue
			}
			if out == published {
				out, c.w.left = published.Clone(), map[protocol.ItemID]bool{}
			}
			out.AddShared(m.ref)
			c.w.left[m.ref.ID] = true
		}
	}
	return out
}

// touches reports whether a delta of the window changed an item.
func (w *Window) touches(id protocol.ItemID) bool {
	if w.touched == nil {
		w.touched = map[protocol.ItemID]bool{}
		for i := range w.result.Log {
			if e := &w.result.Log[i]; e.Outcome == merge.Applied {
				w.touched[e.Item] = true
			}
		}
	}
	return w.touched[id]
}

// published is the replayed item under the id with which it was published.
func (m *match) published() *state.Item {
	if m.ref.ID == m.pub.ID {
		return m.ref
	}
	return &state.Item{ID: m.pub.ID, Fields: m.ref.Fields, Killed: m.ref.Killed, Note: m.ref.Note}
}

// adopt makes an item what was published of it, and its origin what deltas still
// explain.
func (v *verdict) adopt(m *match, it *state.Item) {
	if k := m.val.Killed; v.kill && k != nil && it.Killed != nil {
		at := it.Killed.At
		if killedAtDiffers(m) {
			at = k.At
		}
		it.Killed = &state.Kill{By: cmp.Or(k.By, it.Killed.By), At: at, Reason: cmp.Or(k.Reason, it.Killed.Reason)}
	} else if v.kill {
		it.Killed = k
	}
	origin := merge.OriginOf(m.ref).Clone()
	if it.Active() {
		origin.Killed = nil
	}
	it.Note = origin
	adopt := func(key string) {
		origin.Set(key, nil)
		if value, ok := m.val.Fields[key]; ok {
			it.Fields[key] = value
		} else {
			delete(it.Fields, key)
		}
	}
	for _, d := range v.diffs {
		adopt(d.key)
	}
	if v.cells {
		adopt("predictions")
	}
}
