package replay

import (
	"maps"
	"slices"

	"github.com/brennerlint/brennerlint/merge"
	"github.com/brennerlint/brennerlint/protocol"
	"github.com/brennerlint/brennerlint/source"
	"github.com/brennerlint/brennerlint/state"
)

// maxConcessions bounds how often a window is merged again because another
// rejected delta shows in what was published.
const maxConcessions = 3

// concession is a rejected delta that was published all the same (MR-022).
type concession struct {
	delta *Delta
	at    source.Span // of what shows it
	item  protocol.ItemID
}

// concede finds the rejected deltas that the publisher applied, applies them
// too, and goes on comparing (decisions.md 25). It matches the items.
func (c *comparer) concede() {
	rejected := c.concedeShifting(readable(slices.Concat(c.w.Rejected, c.w.hidden)))
	c.match(newRejectedAdds(rejected))
	for range maxConcessions {
		found := c.conceded(rejected)
		if len(found) == 0 {
			return
		}
		c.concessions = append(c.concessions, found...)
		rejected = c.mergeConceded(rejected)
		c.match(newRejectedAdds(rejected))
	}
	c.match(nil)
}

// mergeConceded merges the window with what is conceded; it returns the rejected
// deltas that are not.
func (c *comparer) mergeConceded(rejected []*Delta) []*Delta {
	opts := c.r.mergeOptions()
	opts.Unlimited = map[*merge.Delta]bool{}
	deltas := make([]*merge.Delta, 0, len(c.w.strict.Log)+len(c.concessions))
	for _, f := range c.concessions {
		opts.Unlimited[f.delta.merge] = true
		deltas = append(deltas, c.late(f.delta))
	}
	for i := range c.w.strict.Log {
		if d := c.w.strict.Log[i].Delta; !opts.Unlimited[d] {
			deltas = append(deltas, d)
		}
	}
	c.w.result = merge.Merge(c.w.base, deltas, opts)
	c.ref = c.w.result.State
	return slices.DeleteFunc(slices.Clone(rejected), func(d *Delta) bool { return opts.Unlimited[d.merge] })
}

// late is a conceded delta as the publisher must have applied it: one that named
// an item before it was added, after all others.
func (c *comparer) late(d *Delta) *merge.Delta {
	log := c.w.strict.Log
	if d.RejectedBy != "MR-001" || len(log) == 0 {
		return d.merge
	}
	out := *d.merge
	out.Time = log[len(log)-1].Delta.Time.Add(1)
	return &out
}

// readable are the rejected deltas that a lenient compiler can read.
func readable(rejected []*Delta) []*Delta {
	var out []*Delta
	for _, d := range rejected {
		if d.merge == nil {
			read := d.Lenient()
			if read == nil || read.Operation == 0 || read.Section == 0 {
				continue
			}
			d.enter(read)
		}
		if d.merge.Payload != nil || d.merge.Operation == protocol.Kill {
			out = append(out, d)
		}
	}
	return out
}

// conceded are the rejected deltas that show in what was published.
func (c *comparer) conceded(rejected []*Delta) []concession {
	if len(rejected) == 0 {
		return nil
	}
	var out []concession
	byID := map[protocol.ItemID]*match{}
	for sec := range c.matches {
		for i := range c.matches[sec] {
			m := &c.matches[sec][i]
			switch {
			case m.by != nil:
				out = append(out, concession{m.by, m.pub.Heading, m.pub.ID})
			case m.val == nil:
			case m.ref != nil:
				byID[m.ref.ID] = m
			default:
				byID[m.pub.ID] = m
			}
		}
	}
	killed := map[*match]bool{} // one KILL explains that an item is killed
	for _, d := range rejected {
		kills := d.merge.Operation == protocol.Kill
		m := byID[d.merge.Target]
		if m == nil || d.merge.Operation == protocol.Add || kills && killed[m] {
			continue
		}
		if at, ok := c.shows(m, d.merge); ok {
			killed[m] = killed[m] || kills
			out = append(out, concession{d, at, m.pub.ID})
		}
	}
	return out
}

// shows reports whether a rejected EDIT or KILL explains what is published of
// an item and the replay does not, and where.
func (c *comparer) shows(m *match, d *merge.Delta) (source.Span, bool) {
	if m.ref == nil {
		if d.Operation != protocol.Edit || !holds(m.val, d.Payload) {
			return source.Span{}, false
		}
		c.made[m.pub.ID] = true
		return m.pub.Heading, true
	}
	if kill := merge.OriginOf(m.ref).Killed; !m.ref.Active() && (kill == nil || !follows(kill, d)) {
		return source.Span{}, false
	}
	if d.Operation == protocol.Kill {
		return m.pub.Heading, m.ref.Active() && !m.val.Active() && !differ(d.Agent, m.val.Killed.By)
	}
	base := &state.State{}
	base.Add(&state.Item{ID: m.ref.ID, Fields: maps.Clone(m.ref.Fields)})
	after := merge.Merge(base, []*merge.Delta{d}, merge.Options{}).State.Find(m.ref.ID)
	at, changed := source.Span{}, false
	for i := range m.ref.ID.Section.Fields() {
		f := &m.ref.ID.Section.Fields()[i]
		v := after.Fields[f.Key]
		if same(m.ref.ID.Section, f, m.ref.Fields[f.Key], v) || c.overwritten(m.ref, f.Key, d) {
			continue
		}
		if m.pub.Killed && state.NormalValue(m.ref.ID.Section, f, m.val.Fields[f.Key]) == nil {
			continue // a killed item may be shown with less
		}
		if !same(m.ref.ID.Section, f, v, m.val.Fields[f.Key]) {
			return source.Span{}, false
		}
		if pf := m.pub.Field(f.Key); !changed && pf != nil {
			at = pf.Value
		}
		changed = true
	}
	if at.Empty() {
		at = m.pub.Heading
	}
	return at, changed
}

// overwritten reports whether a later delta of the window sets a field that a
// rejected one sets, too: then it does not show in that field (decisions.md 49).
func (c *comparer) overwritten(it *state.Item, key string, d *merge.Delta) bool {
	last := merge.OriginOf(it).Field(key)
	return last != nil && of(d).RejectedBy != "MR-001" && follows(last, d)
}

// follows reports whether a delta comes after another, by time and then by place
// in the thread.
func follows(late, early *merge.Delta) bool {
	a, b := of(late), of(early)
	return late.Time.After(early.Time) || late.Time.Equal(early.Time) && a != b && later(a, b) == a
}

// holds reports whether an item holds all that a payload gives.
func holds(it *state.Item, payload map[string]any) bool {
	n := 0
	for key, v := range payload {
		if f := it.ID.Section.Field(key); f != nil && f.Kind != protocol.ReferenceField {
			if !same(it.ID.Section, f, v, it.Fields[key]) {
				return false
			}
			if state.NormalValue(it.ID.Section, f, v) != nil {
				n++
			}
		}
	}
	return n > 0
}
