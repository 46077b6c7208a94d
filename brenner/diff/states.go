package diff

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/state"
	"github.com/brennerlint/brennerlint/source"
)

// ChangeKind is how an item of a state differs from that of another state, or from what an
// artifact shows of it.
type ChangeKind uint8

// The kinds of changes.
const (
	ItemAdded    ChangeKind = iota + 1 // only the second one has it
	ItemRemoved                        // only the first one has it
	ItemKilled                         // it is killed in the second one only
	ItemRestored                       // it is killed in the first one only
	ItemEdited                         // its fields or its KILL differ
)

var changeNames = [...]string{ItemAdded: "added", ItemRemoved: "removed", ItemKilled: "killed", ItemRestored: "restored", ItemEdited: "edited"}

// String returns the kind as reports write it.
func (k ChangeKind) String() string { return changeNames[k] }

// MarshalText is String.
func (k ChangeKind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// Change is an item in which two states differ, or a state and an artifact: Before is then the
// item that should be published, and After the published one.
type Change struct {
	Kind          ChangeKind
	ID            brenner.ItemID
	Before, After *state.Item // nil if absent
	// Fields are the fields that differ, or all if only one state has the item. Its KILL is in
	// the fields killed_by, killed_at and kill_reason. Of an artifact, only an edited item has
	// fields.
	Fields []FieldChange
	// At is, in an artifact, the item's heading, the section's if the item is missing, or the
	// value of the first field that differs.
	At source.Span
}

// Item returns the item as it is after the change, else as it was before.
func (c *Change) Item() *state.Item {
	if c.After != nil {
		return c.After
	}
	return c.Before
}

// Title returns the name of an item, else its main field.
func Title(it *state.Item) string {
	id := Identify(it.ID.Section, it.Fields())
	if name := state.Fold(it.Text("name")); name != "" {
		return name
	}
	return id.Main
}

// FieldChange is a field in which two items differ.
type FieldChange struct {
	Key string `json:"field"`
	// Part is the outcome, or the part of a score or record, that differs; "" for other
	// fields.
	Part string `json:"part,omitempty"`
	// Before and After are the values, nil if absent.
	Before any `json:"before"`
	After  any `json:"after"`
	// At is, in an artifact, the published value, or the heading where it is missing.
	At source.Span `json:"-"`
}

// Extent is how much of two states is compared.
type Extent uint8

// The extents.
const (
	// Stored compares everything in the states.
	Stored Extent = iota
	// Rendered compares what Markdown shows (decisions.md 26): texts ignoring line
	// breaks, no references, no fields that the section does not have.
	Rendered
)

// States compares two states, item by item and by id, in the order of the sections
// and ids.
func States(before, after *state.State, extent Extent) []Change {
	return slices.Collect(Changes(before, after, extent))
}

// Changes is States, one change after the other: whoever needs the first ones only does not
// wait for the rest.
func Changes(before, after *state.State, extent Extent) iter.Seq[Change] {
	c := &stateComparison{before, after, extent}
	return func(yield func(Change) bool) {
		for _, sec := range brenner.Sections {
			if slices.Equal(before.Items(sec), after.Items(sec)) { // states share what no delta changed
				continue
			}
			var ids []brenner.ItemID
			for _, it := range slices.Concat(before.Items(sec), after.Items(sec)) {
				ids = append(ids, it.ID)
			}
			slices.SortFunc(ids, brenner.ItemID.Compare)
			for _, id := range slices.Compact(ids) {
				a, b := before.Find(id), after.Find(id)
				if a == b {
					continue
				}
				if d, differs := c.item(a, b); differs && !yield(d) {
					return
				}
			}
		}
	}
}

// stateComparison compares two states.
type stateComparison struct {
	before, after *state.State
	extent        Extent
}

// item compares an item of both states, nil where one has none. A rendering does not show
// an empty research thread.
func (c *stateComparison) item(a, b *state.Item) (d Change, differs bool) {
	d = Change{Before: a, After: b}
	d.ID = d.Item().ID
	none := &state.Item{ID: d.ID}
	d.Fields = c.fields(cmp.Or(a, none), cmp.Or(b, none))
	switch d.Kind = kindOf(a, b); d.Kind {
	case ItemEdited:
		return d, len(d.Fields) > 0
	case ItemAdded, ItemRemoved:
		return d, c.extent == Stored || Visible(d.Item())
	}
	return d, true
}

// kindOf returns how the second of two items differs from the first, ItemEdited if at most in
// its fields and its KILL. One of them may be nil.
func kindOf(a, b *state.Item) ChangeKind {
	switch {
	case a == nil:
		return ItemAdded
	case b == nil:
		return ItemRemoved
	case a.Active() && !b.Active():
		return ItemKilled
	case !a.Active() && b.Active():
		return ItemRestored
	}
	return ItemEdited
}

// fields returns the fields in which two items differ: those of the section in its order,
// then others, then how they were killed.
func (c *stateComparison) fields(a, b *state.Item) []FieldChange {
	sec := a.ID.Section
	var out []FieldChange
	for i := range sec.Fields() {
		f := &sec.Fields()[i]
		if v, w := a.Fields()[f.Key], b.Fields()[f.Key]; !c.same(sec, f, v, w) {
			out = append(out, c.parts(f, v, w)...)
		}
	}
	if c.extent == Stored {
		for _, key := range unknownKeys(a, b) {
			if v, w := a.Fields()[key], b.Fields()[key]; !state.SameValue(v, w) {
				out = append(out, FieldChange{Key: key, Before: v, After: w})
			}
		}
	}
	return append(out, c.kill(a, b)...)
}

// unknownKeys returns the keys of two items that are not fields of their section.
func unknownKeys(a, b *state.Item) []string {
	keys := map[string]bool{}
	for _, it := range [...]*state.Item{a, b} {
		for key := range it.Fields() {
			if it.ID.Section.Field(key) == nil {
				keys[key] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(keys))
}

func (c *stateComparison) same(sec brenner.Section, f *brenner.Field, v, w any) bool {
	switch {
	case c.extent == Stored:
		return state.SameValue(v, w)
	case f.Kind == brenner.ReferenceField:
		return true
	}
	return Same(sec, f, v, w)
}

// parts returns the parts in which two values differ; the whole if they have no parts.
func (c *stateComparison) parts(f *brenner.Field, v, w any) []FieldChange {
	before, isBefore := v.(map[string]any)
	after, isAfter := w.(map[string]any)
	if !isBefore && v != nil || !isAfter && w != nil || !isBefore && !isAfter {
		return []FieldChange{{Key: f.Key, Before: v, After: w}}
	}
	keys := maps.Clone(before)
	if keys == nil {
		keys = map[string]any{}
	}
	maps.Copy(keys, after)
	var out []FieldChange
	for _, key := range slices.SortedFunc(maps.Keys(keys), comparePart) {
		x, y := before[key], after[key]
		if f.Key == "predictions" && c.extent == Rendered {
			h, _ := brenner.ParseItemID(key)
			x, y = outcome(before, key, isKilled(c.before, h)), outcome(after, key, isKilled(c.after, h))
		}
		if c.extent == Rendered && state.Fold(state.Plain(x)) == state.Fold(state.Plain(y)) || state.SameValue(x, y) {
			continue
		}
		out = append(out, FieldChange{Key: f.Key, Part: key, Before: x, After: y})
	}
	return out
}

// Shows reports whether shown is a rendering of stored: both are the same, or shown lacks a
// part, or has N/A for a hypothesis that was killed later.
func Shows(sec brenner.Section, f *brenner.Field, stored, shown any) bool {
	if Same(sec, f, stored, shown) || f.Kind == brenner.RecordField && sameRecord(sec, f, stored, shown) {
		return true
	}
	want, isObject := stored.(map[string]any)
	got, ok := shown.(map[string]any)
	if !isObject || !ok {
		return !showable(f, stored) || f.Kind == brenner.TextField && Same(sec, f, normalizeBullets(stored), normalizeBullets(shown))
	}
	for key, v := range got {
		if x := outcome(got, key, true); x != nil && state.Fold(state.Plain(want[key])) != state.Fold(state.Plain(v)) {
			return false
		}
	}
	return true
}

// comparePart orders the parts of a value: hypotheses by number, then the rest.
func comparePart(a, b string) int {
	x, okX := brenner.ParseItemID(a)
	y, okY := brenner.ParseItemID(b)
	switch {
	case okX && okY && x.Section == y.Section && x != y:
		return x.Compare(y)
	case okX != okY && okX:
		return -1
	case okX != okY:
		return 1
	}
	return strings.Compare(a, b)
}

// kill returns the differences in how two items were killed.
func (c *stateComparison) kill(a, b *state.Item) []FieldChange {
	before, after := killFields(a), killFields(b)
	var out []FieldChange
	for i, key := range [...]string{"killed_by", "killed_at", "kill_reason"} {
		v, w := before[i], after[i]
		if v == w || c.extent == Rendered && (a.ID.Section == brenner.PredictionsTable || !a.Active() && !b.Active() && (v == "" || w == "") || state.Fold(v) == state.Fold(w)) {
			continue // a table does not show it, and a rendering may leave it out
		}
		out = append(out, FieldChange{Key: key, Before: orNil(v), After: orNil(w)})
	}
	return out
}

func killFields(it *state.Item) [3]string {
	if it.Killed == nil {
		return [3]string{}
	}
	return [3]string{it.Killed.By, brenner.FormatTime(it.Killed.At), it.Killed.Reason}
}

func orNil(s string) any {
	if s == "" {
		return nil
	}
	return s
}
