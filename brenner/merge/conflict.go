package merge

import (
	"cmp"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/state"
)

// Conflict is a field that deltas of one instant set to different values, and that no
// later delta overwrote.
type Conflict struct {
	Item   brenner.ItemID
	Field  string
	Deltas []*Delta // one per message, in the order of the merge
	Marker string   // CONFLICT: "a" | "b"
}

// contest is a field written by EDITs of one instant. The values of the messages that
// no other one overwrites by its priority are compared as they arrive, so that it is
// known of each whether it changes the outcome.
type contest struct {
	priority map[string]int
	messages []messageKey // in the order of their first write
	known    map[messageKey]bool

	// last are the last writes of the messages that count: those of the highest priority,
	// top, and those without one.
	last   map[messageKey]write
	ranked bool
	top    int
	// values counts how many of them set each scalar, others those that set something
	// else.
	values map[string]int
	others int
}

// write is one delta's value for one field.
type write struct {
	delta *Delta
	value any
}

func newContest(priority map[string]int) *contest {
	return &contest{priority: priority, known: map[messageKey]bool{}, last: map[messageKey]write{}, values: map[string]int{}}
}

// conflicting reports whether several messages leave the field at different
// scalars (decisions.md 21).
func (c *contest) conflicting() bool { return c.others == 0 && len(c.values) > 1 }

// enter records a write, and reports whether there is a conflict on one side of it only,
// or between other values.
func (c *contest) enter(d *Delta, v any) bool {
	by := d.message()
	if !c.known[by] {
		c.known[by] = true
		c.messages = append(c.messages, by)
	}
	was := c.conflicting()
	var gone []string // values that no message sets any more
	if p, ok := c.priority[d.Agent]; ok && (!c.ranked || p > c.top) {
		for message, other := range c.last { // they are overwritten; each is removed once
			if _, ok := c.priority[other.delta.Agent]; ok {
				gone = c.leave(message, gone)
			}
		}
		c.ranked, c.top = true, p
	}
	gone = c.leave(by, gone)
	c.last[by] = write{d, v}
	form, isScalar := scalar(v)
	if !isScalar {
		c.others++
		return was
	}
	isNew := c.values[form] == 0 && !slices.Contains(gone, form)
	c.values[form]++
	return isNew || was != c.conflicting() || slices.ContainsFunc(gone, func(g string) bool { return g != form })
}

// leave removes the last write of a message, and adds to gone the value that no message
// sets any more.
func (c *contest) leave(message messageKey, gone []string) []string {
	w, ok := c.last[message]
	if !ok {
		return gone
	}
	delete(c.last, message)
	form, isScalar := scalar(w.value)
	if !isScalar {
		c.others--
		return gone
	}
	if c.values[form]--; c.values[form] == 0 {
		delete(c.values, form)
		gone = append(gone, form)
	}
	return gone
}

// scalar returns the canonical form of a text, number, truth value or null.
func scalar(v any) (form string, ok bool) {
	switch v.(type) {
	case []any, map[string]any:
		return "", false
	}
	return state.Canonical(v), true
}

// resolve puts a CONFLICT marker into a field that messages leave at different scalars
// (artifact_delta_spec, Resolution Hierarchy 4).
func (m *merger) resolve(k fieldKey, c *contest) {
	if !c.conflicting() {
		return
	}
	found := &Conflict{Item: k.item, Field: k.field}
	var values []any
	for _, message := range c.messages {
		if w, counts := c.last[message]; counts {
			found.Deltas = append(found.Deltas, w.delta)
			values = append(values, w.value)
		}
	}
	slices.SortFunc(values, compareScalars)
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = state.Canonical(v)
	}
	found.Marker = "CONFLICT: " + strings.Join(slices.Compact(texts), " | ")
	last := found.Deltas[len(found.Deltas)-1]
	it, origin := m.own(k.item, last)
	it.Fields()[k.field] = found.Marker
	origin.Set(k.field, last)
	m.open[k] = found
}

// compareScalars orders scalars by kind (null, truth values, numbers, texts),
// then as values (decisions.md 55).
func compareScalars(a, b any) int {
	if c := cmp.Compare(rank(a), rank(b)); c != 0 {
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

func rank(v any) int {
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
