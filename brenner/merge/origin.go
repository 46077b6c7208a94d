package merge

import (
	"maps"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/state"
)

// Origin is which deltas made an item what it is, as far as deltas explain it. It is the
// item's note.
type Origin struct {
	Added, Killed *Delta
	// fields maps each field to the delta that set it after the item was added; nil if none
	// explains its value. For an array that deltas added to, it is the last of them.
	fields map[string]*Delta
}

// OriginOf returns the origin of an item, never nil; the item may be nil.
func OriginOf(it *state.Item) *Origin {
	if it != nil {
		if o, ok := it.Note.(*Origin); ok {
			return o
		}
	}
	return &Origin{}
}

// Field returns the delta that set a field last, or nil.
func (o *Origin) Field(key string) *Delta {
	if d, ok := o.fields[key]; ok {
		return d
	}
	if d := o.Added; d != nil && d.Operation == brenner.Add && !IsUnstored(key) {
		if _, ok := d.Payload[key]; ok {
			return d
		}
	}
	return nil
}

// Fields returns all fields that deltas explain, with the delta that set each last.
func (o *Origin) Fields() map[string]*Delta {
	out := map[string]*Delta{}
	if o.Added != nil {
		for key := range o.Added.Payload {
			out[key] = o.Field(key)
		}
	}
	maps.Copy(out, o.fields)
	maps.DeleteFunc(out, func(_ string, d *Delta) bool { return d == nil })
	return out
}

// Clone returns a copy that may be changed.
func (o *Origin) Clone() *Origin {
	return &Origin{Added: o.Added, Killed: o.Killed, fields: maps.Clone(o.fields)}
}

// Set records which delta set a field; nil if none explains its value.
func (o *Origin) Set(key string, by *Delta) {
	if o.fields == nil {
		o.fields = map[string]*Delta{}
	}
	o.fields[key] = by
}
