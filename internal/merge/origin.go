package merge

import (
	"maps"

	"github.com/brennerlint/brennerlint/internal/protocol"
)

// Origins tell of each item which deltas made it what it is.
type Origins map[protocol.ItemID]*Origin

// Origin is where an item comes from. What no delta explains is nil or absent.
type Origin struct {
	Added, Killed *Delta
	// Fields has for each field the delta that set it last; of an array that
	// deltas added to, the last of them.
	Fields map[string]*Delta

	owner *merger // of the merge that may change it
}

// Field is the delta that set a field of an item last, or nil.
func (o Origins) Field(id protocol.ItemID, key string) *Delta {
	if from := o[id]; from != nil {
		return from.Fields[key]
	}
	return nil
}

func (o Origins) clone() Origins {
	if o == nil {
		return Origins{}
	}
	return maps.Clone(o)
}

// origin is an item's origin for changing.
func (m *merger) origin(id protocol.ItemID) *Origin {
	o := m.origins[id]
	switch {
	case o == nil:
		o = &Origin{Fields: map[string]*Delta{}, owner: m}
	case o.owner != m:
		o = &Origin{Added: o.Added, Killed: o.Killed, Fields: maps.Clone(o.Fields), owner: m}
	default:
		return o
	}
	m.origins[id] = o
	return o
}
