package replay

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/delta"
	"github.com/brennerlint/brennerlint/brenner/diff"
	"github.com/brennerlint/brennerlint/brenner/merge"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/text"
)

// NotApplied is a delta that the merge does not apply.
type NotApplied struct {
	Delta *Delta
	// Rule and Reason say why it is rejected; both are "" for a delta that is skipped.
	Rule, Reason string
	// Skipped is merge.Skipped for an EDIT of an item that is killed, and merge.Dropped
	// for one at the same instant as a KILL; else zero.
	Skipped merge.Outcome
	Item    brenner.ItemID // for a skipped delta
}

// notApplied returns the deltas of a window that are rejected or skipped, in the order of
// the thread.
func notApplied(w *Window, rejectedBy func(*Rejection) (rule, reason string)) []NotApplied {
	var out []NotApplied
	for _, d := range w.Rejected {
		n := NotApplied{Delta: d}
		if rejectedBy != nil {
			n.Rule, n.Reason = rejectedBy(d.Rejection)
		}
		out = append(out, n)
	}
	for _, d := range w.Merged() {
		if e := d.Entry; e.Outcome == merge.Skipped || e.Outcome == merge.Dropped {
			out = append(out, NotApplied{Delta: d, Skipped: e.Outcome, Item: e.Item})
		}
	}
	slices.SortStableFunc(out, func(a, b NotApplied) int { return comparePlaces(a.Delta, b.Delta) })
	return out
}

// UnreadDeltas is a message with deltas that no merge reads.
type UnreadDeltas struct {
	Message *session.Message
	Deltas  int
	// Unfenced reports that they are not in delta fences; else the subject does not
	// make the message a DELTA.
	Unfenced bool
}

// unreadDeltas returns the messages of a window with deltas that no merge reads.
func unreadDeltas(r *Thread, w *Window) []UnreadDeltas {
	var out []UnreadDeltas
	for _, m := range r.Thread.Messages {
		if w.previous != nil && m.Index <= w.previous.Compiled.Index || w.Compiled != nil && m.Index >= w.Compiled.Index {
			continue
		}
		if m.Intended != brenner.Delta {
			if n := len(m.Deltas); n > 0 && m.Intended != brenner.Compiled {
				out = append(out, UnreadDeltas{Message: m, Deltas: n})
			}
			continue
		}
		n := 0
		for _, x := range m.UnfencedDeltas {
			if x.Form != delta.InlineLine {
				n += max(1, x.Count)
			}
		}
		if n > 0 {
			out = append(out, UnreadDeltas{Message: m, Deltas: n, Unfenced: true})
		}
	}
	return out
}

// UnresolvedField is a field that an earlier version left in conflict and that no delta has set
// since.
type UnresolvedField struct {
	Item  brenner.ItemID
	Field string
	Value string // CONFLICT: "a" | "b"
}

// unresolved lists the fields of active items that are in conflict, in order of item and field.
// It leaves out the window's own conflicts, and texts that look like conflicts but were given by
// a delta.
func unresolved(w *Window, own []Conflict) []UnresolvedField {
	isOwn := map[fieldPart]bool{}
	for _, c := range own {
		isOwn[fieldPart{item: c.Item, key: c.Field}] = true
	}
	var out []UnresolvedField
	for _, sec := range brenner.Sections {
		for _, it := range w.State.Items(sec) {
			for _, key := range slices.Sorted(maps.Keys(it.Fields())) {
				value := it.Text(key)
				if !brenner.IsConflict(value) || !it.Active() || isOwn[fieldPart{item: it.ID, key: key}] {
					continue
				}
				if by := w.SetBy(it.ID, key); by == nil || by.Value(key) != value {
					out = append(out, UnresolvedField{Item: it.ID, Field: key, Value: value})
				}
			}
		}
	}
	return out
}

// keptDifferences returns the fields that the previous version published with other values than
// its deltas give (MR-013), in the order of its artifact, if no delta has set them since and they
// are not in conflict. A version starts from what was published (decisions.md 24), so it has the
// published values.
func keptDifferences(r *Thread, w *Window) (out []FieldDiff) {
	for f := range FactsOf[FieldDiff](r) {
		it := w.State.Find(f.Item)
		if w.previous != nil && f.In == w.previous.Compiled && it != nil && it.Active() &&
			w.SetBy(f.Item, f.Field.Key) == nil && !brenner.IsConflict(it.Text(f.Field.Key)) {
			out = append(out, f)
		}
	}
	return out
}

// keptValues says what was published and what the deltas give.
func keptValues(f *diff.FieldChange) (published, merged string) {
	show := func(v any) string {
		if v == nil {
			return "nothing"
		}
		return text.Quote(brenner.OneLine(v))
	}
	if f.After == nil || f.Before == nil {
		return show(f.After), show(f.Before)
	}
	return text.QuoteBoth(brenner.OneLine(f.After), brenner.OneLine(f.Before))
}

// Notes say which published values the version keeps although the deltas give others.
func (c *Compiled) Notes() []string {
	var out []string
	for i := range c.Kept {
		f := &c.Kept[i].Field
		published, merged := keptValues(f)
		out = append(out, fmt.Sprintf("kept from v%d: %s %s is published as %s, but the deltas give %s; send one EDIT with the correct value",
			c.Version-1, c.Kept[i].Item, strings.TrimSpace(f.Key+" "+f.Part), published, merged))
	}
	return out
}
