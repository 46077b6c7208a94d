package merge

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/state"
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
	form  string // its canonical form; "" if it is not a scalar
	place int    // among the writes of the field
}

// writes are those of one field at one instant that count: the last of each message, and of
// those with a priority only the ones with the highest.
type writes struct {
	last   map[messageKey]write
	forms  map[string]int // how many of those that count have each form
	made   int            // how many there were
	ranked bool           // one has a priority; the highest is top
	top    int
}

// conflicting reports whether several messages leave the field at different scalars
// (decisions.md 21).
func (w *writes) conflicting() bool { return w.forms[""] == 0 && len(w.forms) > 1 }

// enter records what a delta writes. It reports whether there is, or was, a conflict, and
// whether it is another one now. The deltas come in the order of their priorities.
func (w *writes) enter(d *Delta, v any, opts *Options) (conflict, changed bool) {
	was := w.conflicting()
	counted := map[string]bool{} // of the forms that this write touches, whether they counted before
	count := func(form string, by int) {
		if _, touched := counted[form]; !touched {
			counted[form] = w.forms[form] > 0
		}
		if w.forms[form] += by; w.forms[form] == 0 {
			delete(w.forms, form)
		}
	}
	if p, ranked := opts.rank(d); ranked && (!w.ranked || p > w.top) {
		for message, other := range w.last {
			if _, beaten := opts.rank(other.delta); beaten {
				count(other.form, -1)
				delete(w.last, message)
			}
		}
		w.ranked, w.top = true, p
	}
	if before, again := w.last[d.message()]; again {
		count(before.form, -1)
	}
	w.made++
	now := write{delta: d, value: v, place: w.made}
	if isScalar(v) {
		now.form = state.Canonical(v)
	}
	w.last[d.message()] = now
	count(now.form, 1)
	changed = was != w.conflicting()
	for form, before := range counted {
		changed = changed || before != (w.forms[form] > 0)
	}
	return was || w.conflicting(), changed
}

func isScalar(v any) bool {
	switch v.(type) {
	case []any, map[string]any:
		return false
	}
	return true
}

// resolve puts a CONFLICT marker into a field that messages leave at different scalars
// (artifact_delta_spec, Resolution Hierarchy 4).
func (m *merger) resolve(k fieldKey, w *writes) {
	if !w.conflicting() {
		return
	}
	found := &Conflict{Item: k.item, Field: k.field}
	last := slices.SortedFunc(maps.Values(w.last), func(a, b write) int { return cmp.Compare(a.place, b.place) })
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
	if c := cmp.Compare(kindOf(a), kindOf(b)); c != 0 {
		return c
	}
	switch a := a.(type) {
	case float64:
		return cmp.Compare(a, b.(float64))
	case string:
		return strings.Compare(a, b.(string))
	}
	return 0
}

func kindOf(v any) int {
	switch v := v.(type) {
	case bool:
		if v {
			return 2
		}
		return 1
	case float64:
		return 3
	case string:
		return 4
	}
	return 0 // null
}
