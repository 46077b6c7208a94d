package merge

import (
	"maps"

	"github.com/brennerlint/brennerlint/internal/state"
)

// Origin tells of an item which deltas made it what it is. What no delta
// explains is nil or absent. It is the item's note.
type Origin struct {
	Added, Killed *Delta
	// Fields has for each field the delta that set it last; of an array that
	// deltas added to, the last of them.
	Fields map[string]*Delta

	owner *merger // of the merge that may change it
}

// OriginOf is where an item comes from, never nil; the item may be nil.
func OriginOf(it *state.Item) *Origin {
	if it != nil {
		if o, ok := it.Note.(*Origin); ok {
			return o
		}
	}
	return &Origin{}
}

// origin is the origin of an item that is being changed, for changing too.
func (m *merger) origin(it *state.Item) *Origin {
	o := OriginOf(it)
	if o.owner != m {
		o = &Origin{Added: o.Added, Killed: o.Killed, Fields: maps.Clone(o.Fields), owner: m}
		if o.Fields == nil {
			o.Fields = map[string]*Delta{}
		}
		it.Note = o
	}
	return o
}
