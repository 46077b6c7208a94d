package diff

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/source"
)

// ChangeKind is how an item of a state differs from that of another state, or from what an
// artifact shows of it.
type ChangeKind string

// The kinds of changes.
const (
	ItemAdded    ChangeKind = "added"    // only the second one has it
	ItemRemoved  ChangeKind = "removed"  // only the first one has it
	ItemKilled   ChangeKind = "killed"   // it is killed in the second one only
	ItemRestored ChangeKind = "restored" // it is killed in the first one only
	ItemEdited   ChangeKind = "edited"   // its fields or its KILL differ
)

// Change is an item in which two states differ, or a state and an artifact: Before is then the
// item that should be published, and After the published one.
type Change struct {
	Kind          ChangeKind
	ID            brenner.ItemID
	Before, After *brenner.Item // nil if absent
	// Fields are the fields that differ, or all if only one state has the item. Its KILL is in
	// the fields killed_by, killed_at and kill_reason. Of an artifact, only an edited item has
	// fields.
	Fields []FieldChange
	// At is, in an artifact, the item's heading, the section's if the item is missing, or the
	// value of the first field that differs.
	At source.Span
}

// Item returns the item as it is after the change, else as it was before.
func (c *Change) Item() *brenner.Item { return cmp.Or(c.After, c.Before) }

// Title returns the name of an item, else its main field.
func Title(it *brenner.Item) string {
	return cmp.Or(brenner.Fold(it.Text("name")), Identify(it.ID.Section, it.Fields()).Main)
}

// FieldChange is a field in which two items differ.
type FieldChange struct {
	Key string `json:"field"`
	// Part is the outcome, or the part of a score or record, that differs; else "".
	Part string `json:"part,omitempty"`
	// Before and After are the values, nil if absent.
	Before any `json:"before"`
	After  any `json:"after"`
	// At is, in an artifact, the published value or the part of it that differs, its label or the name; the heading where it
	// is missing.
	At source.Span `json:"-"`
	// As is the name under which an artifact has the value instead, At its place; "" if it has not.
	As string `json:"-"`
}

// States compares two states, item by item and by id, in the order of the sections and ids.
func States(before, after *brenner.State) iter.Seq[Change] {
	return (&stateComparison{before: before, after: after, all: true}).changes
}

// Contents compares states of which an artifact in JSON shows one: values as Renderings does.
func Contents(before, after *brenner.State) iter.Seq[Change] {
	return (&stateComparison{before: before, after: after, all: true, shown: true}).changes
}

// Renderings compares what Markdown shows of two states (decisions.md 26): texts ignoring line
// breaks, no references, no fields that the section does not have.
func Renderings(before, after *brenner.State) iter.Seq[Change] {
	return (&stateComparison{before: before, after: after, shown: true}).changes
}

// stateComparison compares two states, or what artifacts show of them.
type stateComparison struct {
	before, after *brenner.State
	shown         bool // values are the same that a rendering shows alike, or may leave out
	all           bool // what Markdown does not show counts, too
}

func (c *stateComparison) changes(yield func(Change) bool) {
	all := c.before.Clone()
	for _, sec := range brenner.Sections {
		for _, it := range c.after.Items(sec) {
			all.Put(it)
		}
		for _, it := range all.Items(sec) {
			a, b := c.before.Find(it.ID), c.after.Find(it.ID)
			if a == b { // states share what no delta changed
				continue
			}
			if d, differs := c.item(a, b); differs && !yield(d) {
				return
			}
		}
	}
}

// item compares an item of both states, nil where one has none. A rendering does not show
// an empty research thread.
func (c *stateComparison) item(a, b *brenner.Item) (d Change, differs bool) {
	d = Change{Kind: kindOf(a, b), Before: a, After: b}
	d.ID = d.Item().ID
	none := &brenner.Item{ID: d.ID}
	d.Fields = c.fields(cmp.Or(a, none), cmp.Or(b, none))
	switch d.Kind {
	case ItemEdited:
		return d, len(d.Fields) > 0
	case ItemAdded, ItemRemoved:
		return d, c.all || Visible(d.Item())
	}
	return d, true
}

// kindOf returns how the second of two items differs from the first, ItemEdited if at most in
// its fields and its KILL. One of them may be nil.
func kindOf(a, b *brenner.Item) ChangeKind {
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
func (c *stateComparison) fields(a, b *brenner.Item) (out []FieldChange) {
	sec := a.ID.Section
	for _, f := range sec.Fields() {
		if v, w := a.Fields()[f.Key], b.Fields()[f.Key]; !brenner.SameValue(v, w) && !(c.shown && c.alike(a, b, f)) {
			out = append(out, c.parts(f, v, w)...)
		}
	}
	if c.all {
		for _, key := range Differing(a.Fields(), b.Fields()) {
			if sec.Field(key) == nil {
				out = append(out, FieldChange{Key: key, Before: a.Fields()[key], After: b.Fields()[key]})
			}
		}
	}
	return append(out, c.kill(a, b)...)
}

// alike reports whether artifacts may show a field of two items alike. What is rendered of a killed item may
// lack fields (decisions.md 83).
func (c *stateComparison) alike(a, b *brenner.Item, f *brenner.Field) bool {
	sec, v, w := a.ID.Section, a.Fields()[f.Key], b.Fields()[f.Key]
	if f.Kind == brenner.ReferenceField {
		return !c.all
	}
	leftOut := brenner.NormalValue(sec, f, v) == nil || brenner.NormalValue(sec, f, w) == nil
	return leftOut && !a.Active() && !b.Active() || Same(sec, f, v, w)
}

// kill returns the differences in how two items were killed. A table of predictions does not
// show it, and a rendering may leave parts of it out.
func (c *stateComparison) kill(a, b *brenner.Item) (out []FieldChange) {
	before, after := killing(a), killing(b)
	for _, key := range brenner.SystemFields {
		x, y := before[key], after[key]
		leftOut := a.ID.Section == brenner.PredictionsTable || !a.Active() && !b.Active() && (x == nil || y == nil)
		sameTime := key == "killed_at" && !a.Active() && !b.Active() && !timesDiffer(a.Killed.At, b.Killed.At, unit(b.Killed.At))
		if x != y && !(c.shown && (leftOut || sameText(x, y) || sameTime)) {
			out = append(out, FieldChange{Key: key, Before: x, After: y})
		}
	}
	return out
}

// killing returns how an item was killed, as far as it is known.
func killing(it *brenner.Item) map[string]any {
	out := map[string]any{}
	if k := it.Killed; k != nil {
		out["killed_by"], out["killed_at"], out["kill_reason"] = k.By, brenner.FormatTime(k.At), k.Reason
	}
	maps.DeleteFunc(out, func(_ string, v any) bool { return v == "" })
	return out
}

// parts returns the parts in which two values differ; the whole if they have no parts.
func (c *stateComparison) parts(f *brenner.Field, v, w any) []FieldChange {
	before, isBefore := v.(map[string]any)
	after, isAfter := w.(map[string]any)
	if !isBefore && v != nil || !isAfter && w != nil || !isBefore && !isAfter {
		return []FieldChange{{Key: f.Key, Before: v, After: w}}
	}
	var out []FieldChange
	for _, key := range slices.SortedFunc(slices.Values(Differing(before, after)), comparePart) {
		x, y := before[key], after[key]
		if f.Key == "predictions" && c.shown {
			h, _ := brenner.ParseItemID(key)
			x, y = outcome(x, c.before.IsKilled(h)), outcome(y, c.after.IsKilled(h))
		}
		if c.shown && sameText(x, y) {
			continue
		}
		if c.all {
			x, y = before[key], after[key]
		}
		out = append(out, FieldChange{Key: f.Key, Part: key, Before: x, After: y})
	}
	return out
}

// Differing returns the sorted keys under which two objects have different values.
func Differing(a, b map[string]any) []string {
	all := map[string]any{}
	maps.Copy(all, a)
	maps.Copy(all, b)
	return slices.DeleteFunc(slices.Sorted(maps.Keys(all)), func(k string) bool { return brenner.SameValue(a[k], b[k]) })
}

// comparePart orders the parts of a value: hypotheses by number, then the rest.
func comparePart(a, b string) int {
	x, _ := brenner.ParseItemID(a)
	y, _ := brenner.ParseItemID(b)
	return cmp.Or(int(y.Section)-int(x.Section), x.Compare(y), strings.Compare(a, b))
}
