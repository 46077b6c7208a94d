package replay

import (
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/delta"
	"github.com/brennerlint/brennerlint/brenner/merge"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/source"
)

// Delta is a delta block of a DELTA message.
type Delta struct {
	*delta.Delta
	In    *session.Message
	Agent string // the delta's own, else the sender
	Text  string // the time that orders it, as written

	// Rejection is why it was rejected; nil if it was not.
	Rejection *Rejection

	merge *merge.Delta // nil until it can be read, then own
	own   merge.Delta
	nth   int32 // which of the messages of one id, or without one, In is
}

// appendDeltas appends the blocks of a message to a list, ready for the merge if well formed.
func (r *Thread) appendDeltas(list []*Delta, m *session.Message) []*Delta {
	from, created := m.From.String(), m.Created.String() // copies
	deltas := make([]Delta, len(m.Deltas))
	for i, block := range m.Deltas {
		d := &deltas[i]
		*d = Delta{Delta: block, In: m, Agent: block.Agent, Text: created}
		if !d.namesAgent() {
			d.Agent = from
		}
		if block.Rejected() == nil {
			d.enter(block)
		}
		list = append(list, d)
	}
	return list
}

// of returns the delta of a merge delta; nil for nil.
func of(d *merge.Delta) *Delta {
	if d == nil {
		return nil
	}
	return d.Source.(*Delta)
}

// all returns the deltas of merge deltas.
func all(ds []*merge.Delta) []*Delta {
	out := make([]*Delta, len(ds))
	for i, d := range ds {
		out[i] = of(d)
	}
	return out
}

// enter makes the merge delta of a block; read is the block, or its repaired form.
func (d *Delta) enter(read *delta.Delta) {
	m := d.In
	out := &d.own
	*out = merge.Delta{
		Operation: read.Operation, Section: read.Section, Target: read.Target, Reason: read.Reason,
		Payload: payload(read), Agent: d.Agent, Time: m.Time, Message: m.ID, Nth: int(d.nth), Position: d.Index, Source: d,
	}
	if out.Section == brenner.ResearchThread {
		out.Target = brenner.ItemID{Section: brenner.ResearchThread} // whatever names it: there is one
	}
	if read.HasTime {
		out.Time, d.Text = read.Time, read.Root.Get("timestamp").StringOr("")
	}
	d.merge = out
}

// payload returns the payload of an ADD or EDIT as data; nil for a KILL.
func payload(read *delta.Delta) map[string]any {
	if read.Operation == brenner.Kill {
		return nil
	}
	fields, _ := read.Payload.Value().(map[string]any)
	return fields
}

// namesAgent reports whether the delta itself names its contributor; a blank name does
// not count (decisions.md 54).
func (d *Delta) namesAgent() bool { return strings.TrimSpace(d.Delta.Agent) != "" }

// Value returns what the delta sets a field to, nil if it does not.
func (d *Delta) Value(field string) any {
	if d.merge == nil {
		return nil
	}
	return d.merge.Payload[field]
}

// references are those that the delta sets or adds.
func (d *Delta) references() []any {
	if !d.Refers && d.Rejected() == nil {
		return nil
	}
	refs, _ := d.merge.Payload["references"].([]any)
	return refs
}

// MemberPlace returns the place of a member of the delta's object; without it that of
// the delta.
func (d *Delta) MemberPlace(name string) source.Place {
	return d.Pos(d.Root.Get(name))
}

// TimePlace returns the place of the time that orders the delta.
func (d *Delta) TimePlace() source.Place {
	if d.HasTime {
		return d.MemberPlace("timestamp")
	}
	return d.In.Created.WholePos()
}

// WholePlace returns the place of the delta as a whole: its opening brace, or where its
// JSON breaks.
func (d *Delta) WholePlace() source.Place { return d.ObjectStart() }

// FieldPlace returns the place of a field in the payload, or of a part of it, such as
// an outcome; if there is none, that of what contains it.
func (d *Delta) FieldPlace(field, part string) source.Place {
	value := d.Payload.Get(field)
	if n := value.Get(part); part != "" && n != nil {
		return d.Pos(n)
	}
	return d.Pos(value)
}

// later returns the delta that comes later in the thread.
func later(a, b *Delta) *Delta {
	if a.In.Index > b.In.Index || a.In == b.In && a.Index > b.Index {
		return a
	}
	return b
}

// follows reports whether a delta comes after another, by time and then by place in the
// thread.
func follows(late, early *merge.Delta) bool {
	a, b := of(late), of(early)
	return late.Time.After(early.Time) || late.Time.Equal(early.Time) && a != b && later(a, b) == a
}
