package merge

import (
	"maps"

	"github.com/brennerlint/brennerlint/brenner"
)

// Origin names the deltas that made an item and its values, if deltas did. It is the item's
// note.
type Origin struct {
	Added, Killed *Delta
	// Fields has the delta that set each field last, as far as one explains its value. For an
	// array that deltas added to, it is the last of them.
	Fields map[string]*Delta
}

// OriginOf returns the origin of an item, never nil; the item may be nil.
func OriginOf(it *brenner.Item) *Origin {
	if it != nil {
		if o, ok := it.Note.(*Origin); ok {
			return o
		}
	}
	return &Origin{}
}

// Clone returns a copy that may be changed.
func (o *Origin) Clone() *Origin {
	c := &Origin{Added: o.Added, Killed: o.Killed, Fields: map[string]*Delta{}}
	maps.Copy(c.Fields, o.Fields)
	return c
}
