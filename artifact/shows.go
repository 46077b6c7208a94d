package artifact

import (
	"iter"
	"slices"

	"github.com/brennerlint/brennerlint/jsontree"
	"github.com/brennerlint/brennerlint/protocol"
	"github.com/brennerlint/brennerlint/state"
)

// Most published items are what the state has. They are compared where they stand,
// without making data of them.

// Value returns the value that State gives to a field of the item's section, nil if it is
// absent.
func (it *Item) Value(known *protocol.Field) any {
	if known.Key == "name" && it.Name != "" {
		return it.Name
	}
	if f := it.valued(known); f != nil {
		return f.value()
	}
	return nil
}

// Shows reports whether Value returns v.
func (it *Item) Shows(known *protocol.Field, v any) bool {
	if known.Key == "name" && it.Name != "" {
		return sameText(it.Name, v)
	}
	if f := it.valued(known); f != nil {
		return f.shows(v)
	}
	return v == nil
}

// valued returns the field of the item that has the value of a known one, or nil.
func (it *Item) valued(known *protocol.Field) *Field {
	for _, f := range it.Fields {
		if f.Known == known && !f.isAbsent() {
			return f
		}
	}
	return nil
}

// isAbsent reports whether a field has no value; unknown ones of Markdown have none.
func (f *Field) isAbsent() bool {
	switch {
	case f.Node != nil:
		return f.Node.Absent() || f.Node.Kind == jsontree.String && f.Text == ""
	case f.Known == nil:
		return true
	}
	switch f.Known.Kind {
	case protocol.TextField, protocol.FlagField:
		return f.Text == ""
	case protocol.ListField:
		return len(f.Entries) == 0
	case protocol.OutcomesField, protocol.ScoreField:
		return !slices.ContainsFunc(f.Entries, func(e Entry) bool { return e.hasValue() })
	case protocol.RecordField:
		if len(f.Entries) > 0 {
			return f.record() == nil
		}
		return f.Text == ""
	}
	return true
}

// maxCompared bounds the entries that are compared with each other.
const maxCompared = 16

// shows reports whether v is the value of a field that has one.
func (f *Field) shows(v any) bool {
	if f.Node != nil || len(f.Entries) > maxCompared {
		return state.SameValue(f.value(), v)
	}
	switch f.Known.Kind {
	case protocol.TextField:
		text, ok := v.(string)
		return ok && text == f.Text
	case protocol.ListField:
		list, ok := v.([]any)
		return ok && slices.EqualFunc(f.Entries, list, func(e Entry, v any) bool { return sameText(e.Text, v) })
	case protocol.OutcomesField:
		return f.sameObject(v, sameText)
	case protocol.ScoreField:
		return f.sameObject(v, sameNumber)
	}
	return state.SameValue(f.value(), v)
}

// sameObject reports whether v is what object returns.
func (f *Field) sameObject(v any, same func(text string, v any) bool) bool {
	object, ok := v.(map[string]any)
	n := 0
	for e := range f.counted() {
		if !same(e.Text, object[e.Key]) {
			return false
		}
		n++
	}
	return ok && n == len(object)
}

// counted yields the entries that object returns: of a key that is given twice the first value
// counts.
func (f *Field) counted() iter.Seq[*Entry] {
	return func(yield func(*Entry) bool) {
		for i := range f.Entries {
			e := &f.Entries[i]
			if !e.hasValue() || slices.ContainsFunc(f.Entries[:i], func(o Entry) bool { return o.Key == e.Key && o.Text != "" }) {
				continue
			}
			if !yield(e) {
				return
			}
		}
	}
}

func sameText(text string, v any) bool {
	s, ok := v.(string)
	return ok && s == text
}

// sameNumber reports whether v is what state.Number returns.
func sameNumber(text string, v any) bool {
	if n, ok := v.(float64); ok {
		is, number := state.ParseNumber(text)
		return number && is == n
	}
	return state.SameValue(state.Number(text), v)
}
