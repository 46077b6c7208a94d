package compile

import (
	"maps"
	"slices"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/brenner/state"
)

// UnresolvedField is a field that an earlier version has left in conflict, and that no
// delta has set since.
type UnresolvedField struct {
	Item  brenner.ItemID
	Field string
	Value string // CONFLICT: "a" | "b"
}

// unresolved lists the fields of active items that are in conflict, but for those of the
// window's own conflicts, and those of which a delta gives just that text, in order of item
// and field.
func unresolved(r *replay.Thread, w *replay.Window, own []replay.Conflict) []UnresolvedField {
	var out []UnresolvedField
	for _, sec := range brenner.Sections {
		for _, it := range w.State.Items(sec) {
			if !it.Active() {
				continue
			}
			for _, key := range slices.Sorted(maps.Keys(it.Fields())) {
				value, _ := it.Fields()[key].(string)
				isOwn := func(c replay.Conflict) bool { return c.Item == it.ID && c.Field == key }
				if state.IsConflict(value) && !slices.ContainsFunc(own, isOwn) && lastValue(r, w, it.ID, key) != value {
					out = append(out, UnresolvedField{Item: it.ID, Field: key, Value: value})
				}
			}
		}
	}
	return out
}

// lastValue returns the value that the last delta up to a window gives to a field, nil if
// none does.
func lastValue(r *replay.Thread, w *replay.Window, id brenner.ItemID, key string) any {
	windows := slices.Concat(r.Windows, []*replay.Window{r.Pending})
	for _, each := range slices.Backward(windows[:slices.Index(windows, w)+1]) {
		if d := each.SetBy(id, key); d != nil {
			return d.Value(key)
		}
	}
	return nil
}
