package replay

import (
	"cmp"
	"maps"

	"github.com/brennerlint/brennerlint/internal/merge"
	"github.com/brennerlint/brennerlint/internal/protocol"
	"github.com/brennerlint/brennerlint/internal/state"
)

// adopt is the state that was published, from which the next window starts
// (decisions.md 24), and what is known of it. Where the artifact agrees with the
// replay, or cannot show what the replay has, it is the replayed value.
func (c *comparer) adopt() (*state.State, merge.Origins) {
	out, origins := &state.State{}, merge.Origins{}
	keep := func(it *state.Item, id protocol.ItemID) *state.Item {
		kept := &state.Item{ID: id, Fields: maps.Clone(it.Fields), Killed: it.Killed}
		if from := c.w.result.Origins[it.ID]; from != nil {
			origins[id] = from
		}
		out.Add(kept)
		return kept
	}
	for _, sec := range protocol.Sections {
		out.Reserve(sec, c.ref.Highest(sec))
		if !c.present(sec) {
			for _, it := range c.ref.Items(sec) {
				keep(it, it.ID)
			}
		}
		for i := range c.matches[sec] {
			m := &c.matches[sec][i]
			v, differs := c.verdicts[m]
			switch {
			case m.ref != nil && m.val == nil:
				if m.pub != nil || !visible(m.ref) { // not left out, only not to be read
					keep(m.ref, m.ref.ID)
				}
			case m.val == nil:
			case m.ref == nil || v.reused:
				out.Add(&state.Item{ID: m.val.ID, Fields: m.val.Fields, Killed: m.val.Killed})
			case differs:
				it := keep(m.ref, m.pub.ID)
				origins[it.ID] = v.adopt(m, it, origins[it.ID])
			default:
				keep(m.ref, m.pub.ID)
			}
		}
	}
	return out, origins
}

// adopt makes an item what was published of it, and tells what deltas still
// explain.
func (v *verdict) adopt(m *match, it *state.Item, from *merge.Origin) *merge.Origin {
	if k := m.val.Killed; v.kill && k != nil && it.Killed != nil {
		at := it.Killed.At
		if killedAtDiffers(m) {
			at = k.At
		}
		it.Killed = &state.Kill{By: cmp.Or(k.By, it.Killed.By), At: at, Reason: cmp.Or(k.Reason, it.Killed.Reason)}
	} else if v.kill {
		it.Killed = k
	}
	out := &merge.Origin{Fields: map[string]*merge.Delta{}}
	if from != nil {
		out.Added, out.Killed = from.Added, from.Killed
		maps.Copy(out.Fields, from.Fields)
	}
	if it.Active() {
		out.Killed = nil
	}
	adopt := func(key string) {
		delete(out.Fields, key)
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
	return out
}
