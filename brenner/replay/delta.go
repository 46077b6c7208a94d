package replay

import (
	"cmp"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/delta"
	"github.com/brennerlint/brennerlint/brenner/mail"
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
	// Allowed reports that it would not be rejected if what the publisher applied had been valid: no
	// finding says that it is (decisions.md 91).
	Allowed bool
	// Entry is its outcome in the correct merge; nil if it was rejected before, or is not merged.
	Entry *merge.Entry

	// reads has the delta as data; of a rejected block the deltas that a lenient compiler finds in
	// it (decisions.md 49). One that cannot be read is nil.
	reads []*merge.Delta
}

// deltasOf reads the delta blocks of a message.
func deltasOf(m *session.Message) []*Delta {
	out := make([]*Delta, len(m.Deltas))
	for i, block := range m.Deltas {
		d := &Delta{Delta: block, In: m, Agent: block.Agent, Text: m.Created.String()}
		out[i] = d
		if m.Form == mail.SQLite && m.HasTime { // nobody but the server reads the column: compilers get what its JSON has
			d.Text = m.Time.UTC().Format("2006-01-02T15:04:05.999999-07:00")
		}
		if !d.namesAgent() {
			d.Agent = m.From.String()
		}
		reads := []*delta.Delta{block}
		if block.Rejected() != nil {
			reads = block.Lenient()
		}
		for n, read := range reads {
			d.reads = append(d.reads, d.read(read, n))
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

// data returns the delta as data; nil if its block is not one, or cannot be read.
func (d *Delta) data() *merge.Delta {
	if len(d.reads) != 1 {
		return nil
	}
	return d.reads[0]
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
	if m := d.data(); m != nil {
		return m.Payload[field]
	}
	return nil
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

// compareTimes orders deltas by time and then by place in the thread.
func compareTimes(a, b *merge.Delta) int {
	return cmp.Or(a.Time.Compare(b.Time), comparePlaces(deltaOf(a), deltaOf(b)))
}

// follows reports whether a delta comes after another.
func follows(late, early *merge.Delta) bool { return compareTimes(late, early) > 0 }
