package replay

import (
	"strings"
	"sync/atomic"

	"github.com/brennerlint/brennerlint/artifact"
	"github.com/brennerlint/brennerlint/delta"
	"github.com/brennerlint/brennerlint/jsontree"
	"github.com/brennerlint/brennerlint/merge"
	"github.com/brennerlint/brennerlint/protocol"
	"github.com/brennerlint/brennerlint/session"
	"github.com/brennerlint/brennerlint/source"
	"github.com/brennerlint/brennerlint/state"
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
	// unnamed is the position of a message without an id among those without one.
	unnamed int32
	// large reports that the thread is large: the payload is then not kept once loaded.
	large bool
	// payload is that of a delta of a thread that is not large, once it is needed as data: maybe
	// by readers of a state in several goroutines.
	payload atomic.Pointer[map[string]any]
}

// appendDeltas appends the blocks of a message to a list, ready for the merge if well formed.
func (r *Thread) appendDeltas(list []*Delta, w *openWindow, m *session.Message) []*Delta {
	from, created := m.From.String(), m.Created.String() // copies
	deltas := make([]Delta, len(m.Deltas))
	for i, block := range m.Deltas {
		d := &deltas[i]
		*d = Delta{Delta: block, In: m, Agent: block.Agent, Text: created, large: r.opts.Large}
		if !d.namesAgent() {
			d.Agent = from
		}
		if block.Rejected() == nil {
			d.enter(block)
			if r.opts.Large { // else the payload is in memory, and data once it is needed
				if d.detach(); r.keeps(w, d) {
					d.merge.Payload = payload(block, (*jsontree.Node).Owned)
				}
			}
		}
		list = append(list, d)
	}
	return list
}

// keeps reports whether the payload of a delta of a large thread is in memory from the
// beginning: if all states are needed, that of an ADD that an item will share; else the first
// ones of a window.
func (r *Thread) keeps(w *openWindow, d *Delta) bool {
	if r.needsStates() && isShared(d.merge) {
		return true
	}
	w.payloadSize += int64(d.Size())
	return w.payloadSize <= r.opts.MaxPayloads
}

// needsStates reports whether all states are needed, and not little of the last only.
func (r *Thread) needsStates() bool { return !r.opts.LatestState || len(r.opts.Files) > 0 }

// isShared reports whether an item will have the payload of a delta as its fields.
func isShared(d *merge.Delta) bool {
	return d.Operation == protocol.Add && d.Section.Maximum() == 0
}

// loadItems loads the payloads that the items of a window of a large thread will share, if
// they are compared with others. Without that, each look at an item loads its fields.
func (r *Thread) loadItems(w *openWindow, accepted []*merge.Delta) {
	if !r.opts.Large || w.Compiled == nil && !r.needsStates() {
		return
	}
	for _, d := range accepted {
		if isShared(d) {
			d.Payload = d.Fields()
		}
	}
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

// enter makes the merge delta of a block, without the payload; read is the block, or its
// repaired form.
func (d *Delta) enter(read *delta.Delta) {
	m := d.In
	out := &d.own
	*out = merge.Delta{
		Operation: read.Operation, Section: read.Section, Target: read.Target, Reason: read.Reason,
		Agent: d.Agent, Time: m.Time, Message: m.ID, Unnamed: int(d.unnamed), Position: d.Index, Source: d,
	}
	if out.Section == protocol.ResearchThread {
		out.Target = protocol.ItemID{Section: protocol.ResearchThread} // whatever names it: there is one
	}
	if read.HasTime {
		out.Time, d.Text = read.Time, read.Whole().Root.Get("timestamp").StringOr("")
	}
	d.merge = out
}

// detach copies the texts of a block, so that it is not kept in memory.
func (d *Delta) detach() {
	d.merge.Reason = strings.Clone(d.merge.Reason)
	if d.HasTime {
		d.Text = strings.Clone(d.Text)
	}
	if d.namesAgent() {
		d.Agent = strings.Clone(d.Agent)
		d.merge.Agent = d.Agent
	}
}

// payload returns the payload of an ADD or EDIT, as a function reads values.
func payload(read *delta.Delta, value func(*jsontree.Node) any) map[string]any {
	if read.Operation == protocol.Kill {
		return nil
	}
	fields, _ := value(read.Whole().Payload).(map[string]any)
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
	return d.merge.Values().Value(field)
}

// LoadPayload reads the payload of a delta that is well formed: see [merge.Loader]. That of
// a large thread is not kept.
func (d *Delta) LoadPayload() map[string]any {
	if d.large {
		return d.readPayload((*jsontree.Node).Owned)
	}
	if loaded := d.payload.Load(); loaded != nil {
		return *loaded
	}
	fields := d.readPayload((*jsontree.Node).Value)
	d.payload.Store(&fields)
	return fields
}

func (d *Delta) readPayload(value func(*jsontree.Node) any) map[string]any {
	if fields := payload(d.Delta, value); fields != nil {
		return fields
	}
	return map[string]any{} // the file has changed since
}

// LoadValues returns the values of the payload as they are in the JSON, unless that may be
// released: see [merge.Loader].
func (d *Delta) LoadValues() state.Values {
	if d.large || d.Delta.Payload == nil {
		return state.ValuesOf(d.LoadPayload())
	}
	return state.ValuesFrom(artifact.JSONValues{Object: d.Delta.Payload})
}

// release drops the payload; it is loaded again if it is needed.
func (d *Delta) release() {
	if d.merge != nil && d.Rejected() == nil { // else it was read in repaired form
		d.merge.Payload = nil
	}
}

// references are those that the delta sets or adds.
func (d *Delta) references() []any {
	if !d.Refers && d.Rejected() == nil {
		return nil
	}
	refs, _ := d.merge.Values().Value("references").([]any)
	return refs
}

// MemberPlace returns the place of a member of the delta's object; without it that of
// the delta.
func (d *Delta) MemberPlace(name string) source.Place {
	whole := d.Whole()
	return whole.Pos(whole.Root.Get(name))
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
	whole := d.Whole()
	value := whole.Payload.Get(field)
	if n := value.Get(part); part != "" && n != nil {
		return whole.Pos(n)
	}
	return whole.Pos(value)
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
