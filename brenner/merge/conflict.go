package merge

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/brennerlint/brennerlint/brenner"
)

// Conflict is a field that deltas of one instant set to different values and that no later delta
// set.
type Conflict struct {
	Item   brenner.ItemID
	Field  string
	Deltas []*Delta // one per message, in the order of the merge
	Marker string   // CONFLICT: "a" | "b"
}

// Time returns the instant of the deltas.
func (c *Conflict) Time() time.Time { return c.Deltas[0].Time }

// write is the value that a delta gives to a field at an instant of several messages.
type write struct {
	delta *Delta
	value any
	form  string // the value's canonical form; "" if it is not a scalar
}

// writes are those of one field at one instant that count: the last of each message, and of
// those with a priority only the ones with the highest.
type writes struct {
	last  map[messageKey]write
	forms map[string]int // how many of them have each form
	top   int            // the highest priority; math.MinInt if none has one
}

// conflicting reports whether several messages leave the field at different scalars
// (decisions.md 21).
func (w *writes) conflicting() bool { return w.forms[""] == 0 && len(w.forms) > 1 }

// enter records a write. It reports whether there is, or was, a conflict, and whether it is
// another one now. Writes come in the order of their priorities.
func (w *writes) enter(now write, opts *Options) (conflict, changed bool) {
	if isScalar(now.value) {
		now.form = brenner.Canonical(now.value)
	}
	was, forms, known := w.conflicting(), len(w.forms), w.forms[now.form] > 0
	if p, ranked := opts.Priority[now.delta.Agent]; ranked && p > w.top {
		for message, other := range w.last {
			if _, beaten := opts.Priority[other.delta.Agent]; beaten {
				w.drop(message)
			}
		}
		w.top = p
	}
	w.drop(now.delta.message())
	w.last[now.delta.message()] = now
	w.forms[now.form]++
	return was || w.conflicting(), !known || len(w.forms) != forms
}

// drop drops what a message has written.
func (w *writes) drop(message messageKey) {
	was, wrote := w.last[message]
	if !wrote {
		return
	}
	delete(w.last, message)
	if w.forms[was.form]--; w.forms[was.form] == 0 {
		delete(w.forms, was.form)
	}
}

func isScalar(v any) bool {
	switch v.(type) {
	case []any, map[string]any:
		return false
	}
	return true
}

// members returns the number of members of an array or an object, 0 for a scalar.
func members(v any) int {
	switch v := v.(type) {
	case []any:
		return len(v)
	case map[string]any:
		return len(v)
	}
	return 0
}

// resolve puts a CONFLICT marker into a field that messages leave at different scalars
// (artifact_delta_spec, Resolution Hierarchy 4).
func (m *merger) resolve(k fieldKey, w *writes) {
	if !w.conflicting() {
		return
	}
	found := &Conflict{Item: k.item, Field: k.field}
	last := slices.SortedFunc(maps.Values(w.last), func(a, b write) int { return m.place[a.delta] - m.place[b.delta] })
	for _, one := range last {
		found.Deltas = append(found.Deltas, one.delta)
	}
	slices.SortFunc(last, func(a, b write) int { return compareScalars(a.value, b.value) })
	var texts []string
	for _, one := range last {
		texts = append(texts, one.form)
	}
	found.Marker = "CONFLICT: " + strings.Join(slices.Compact(texts), " | ")
	m.set(k, found.Marker, found.Deltas[len(found.Deltas)-1])
	m.open[k] = found
}

// compareScalars orders scalars by kind (null, false, true, numbers, texts), then as values
// (decisions.md 55).
func compareScalars(a, b any) int {
	kind := func(v any) int {
		switch v.(type) {
		case float64:
			return 3
		case string:
			return 4
		}
		return slices.Index([]any{nil, false, true}, v)
	}
	x, _ := a.(float64)
	y, _ := b.(float64)
	s, _ := a.(string)
	t, _ := b.(string)
	return cmp.Or(kind(a)-kind(b), cmp.Compare(x, y), strings.Compare(s, t))
}
