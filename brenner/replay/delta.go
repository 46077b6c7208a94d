package replay

import (
	"cmp"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/delta"
	"github.com/brennerlint/brennerlint/brenner/merge"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/source"
)

// Delta is a delta block of a message.
type Delta struct {
	*delta.Delta
	In    *session.Message
	Agent string // the delta's own, else the sender
	Text  string // the time that orders it, as written

	// Rejection is why it was rejected; nil if it was not.
	Rejection *Rejection
	// Entry is its outcome in the correct merge; nil if it was rejected before, or is not merged.
	Entry *merge.Entry

	// merge is the delta as data, a rejected one as a lenient compiler reads it
	// (decisions.md 49); nil if that cannot be done.
	merge *merge.Delta
	// several are the deltas that a lenient compiler finds in a rejected block with several
	// objects; then merge is nil.
	several []*Delta
}

// deltasOf reads the delta blocks of a message.
func deltasOf(m *session.Message) []*Delta {
	out := make([]*Delta, len(m.Deltas))
	for i, block := range m.Deltas {
		d := &Delta{Delta: block, In: m, Agent: block.Agent, Text: m.Created.String()}
		out[i] = d
		if !d.namesAgent() {
			d.Agent = m.From.String()
		}
		reads := []*delta.Delta{block}
		if block.Rejected() != nil {
			reads = block.Lenient()
		}
		if len(reads) == 1 {
			d.merge = d.read(reads[0], 0)
			continue
		}
		for n, read := range reads {
			one := *d
			if one.merge = one.read(read, n); one.merge != nil {
				d.several = append(d.several, &one)
			}
		}
	}
	return out
}

// read returns a delta as data, nil if that cannot be done; n is its number among several of one
// block.
func (d *Delta) read(read *delta.Delta, n int) *merge.Delta {
	if read.Operation == "" || read.Section == 0 {
		return nil
	}
	var payload map[string]any
	if read.Operation != brenner.Kill {
		payload, _ = read.Payload.Value().(map[string]any)
	}
	out := &merge.Delta{
		Operation: read.Operation, Section: read.Section, Target: read.Target, Reason: read.Reason, Payload: payload,
		Agent: d.Agent, Time: d.In.Time, Message: d.In.ID, Position: d.Index<<16 + n, Source: d,
	}
	if read.Section == brenner.ResearchThread {
		out.Target = brenner.ItemID{Section: brenner.ResearchThread} // whatever names it: there is one
	}
	if read.HasTime {
		out.Time, d.Text = read.Time, read.Root.Get("timestamp").StringOr("")
	}
	return out
}

// deltaOf returns the delta of a merge delta; nil for nil.
func deltaOf(d *merge.Delta) *Delta {
	if d == nil {
		return nil
	}
	return d.Source.(*Delta)
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

// MemberPlace returns the place of a member of the delta's object; without it that of the delta.
func (d *Delta) MemberPlace(name string) source.Place { return d.Pos(d.Root.Get(name)) }

// TimePlace returns the place of the time that orders the delta.
func (d *Delta) TimePlace() source.Place {
	if d.HasTime {
		return d.MemberPlace("timestamp")
	}
	return d.In.Created.WholePlace()
}

// FieldPlace returns the place of a field in the payload, or of a part of it such as an outcome.
// If it is not there, it returns the place of what should contain it.
func (d *Delta) FieldPlace(field, part string) source.Place {
	value := d.Payload.Get(field)
	if n := value.Get(part); part != "" && n != nil {
		return d.Pos(n)
	}
	return d.Pos(value)
}

// comparePlaces orders deltas by their places in the thread.
func comparePlaces(a, b *Delta) int {
	return cmp.Or(cmp.Compare(a.In.Index, b.In.Index), cmp.Compare(a.Index, b.Index))
}

// follows reports whether a delta comes after another, by time and then by place in the thread.
func follows(late, early *merge.Delta) bool {
	return cmp.Or(late.Time.Compare(early.Time), comparePlaces(deltaOf(late), deltaOf(early))) > 0
}
