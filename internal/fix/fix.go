// Package fix applies the edits that findings offer to the bytes they speak of.
//
// Like commits in a merge, a fix is applied whole or not at all: one that
// overlaps another is left for the next run. It does no I/O.
package fix

import (
	"cmp"
	"slices"

	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// Apply applies fixes to a file's content and returns which were applied. Give fixes in the
// order of the report: if two overlap, the earlier one wins. A fix with an edit outside the
// content or with edits that overlap is not applied.
func Apply(data []byte, fixes []*lint.Fix) (out []byte, applied []bool) {
	edits, applied := merged(data, fixes)
	return source.Apply(data, edits), applied
}

// merged returns the edits of Apply, in order.
func merged(data []byte, fixes []*lint.Fix) (edits []source.Edit, applied []bool) {
	applied = make([]bool, len(fixes))
	for i, f := range fixes {
		if fits(f, len(data)) {
			edits, applied[i] = add(edits, f.Edits)
		}
	}
	return edits, applied
}

func fits(f *lint.Fix, size int) bool {
	return len(f.Edits) > 0 && !slices.ContainsFunc(f.Edits, func(e lint.Edit) bool {
		return e.Range.Start.Offset < 0 || e.Range.End.Offset < e.Range.Start.Offset || e.Range.End.Offset > size
	})
}

// add puts the edits of a fix among sorted ones, unless one of them touches another. An edit
// that is there is not put there again: two faults may have one fix.
func add(sorted []source.Edit, edits []lint.Edit) ([]source.Edit, bool) {
	var added []source.Edit
	for _, edit := range edits {
		e := source.Edit{Span: source.Span{Start: edit.Range.Start.Offset, End: edit.Range.End.Offset}, Text: edit.Text}
		i, known := slices.BinarySearchFunc(sorted, e, byPlace)
		switch {
		case known:
			continue
		case i < len(sorted) && conflict(e, sorted[i]), i > 0 && conflict(sorted[i-1], e):
			return slices.DeleteFunc(sorted, func(e source.Edit) bool { return slices.Contains(added, e) }), false
		}
		added = append(added, e)
		sorted = slices.Insert(sorted, i, e)
	}
	return sorted, true
}

func byPlace(a, b source.Edit) int {
	return cmp.Or(cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(a.Span.End, b.Span.End), cmp.Compare(a.Text, b.Text))
}

// conflict reports whether b, which does not begin before a, touches it. Two
// insertions at one place conflict: their order is not defined.
func conflict(a, b source.Edit) bool {
	return b.Span.Start < a.Span.End || b.Span.Start == a.Span.Start
}
