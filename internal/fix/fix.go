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
	applied = make([]bool, len(fixes))
	var edits []lint.Edit
	for i, f := range fixes {
		if fits(f, len(data)) {
			edits, applied[i] = add(edits, f.Edits)
		}
	}
	plain := make([]source.Edit, len(edits))
	for i, e := range edits {
		plain[i] = source.Edit{Span: source.Span{Start: e.Range.Start.Offset, End: e.Range.End.Offset}, Text: e.Text}
	}
	return source.Apply(data, plain), applied
}

func fits(f *lint.Fix, size int) bool {
	for _, e := range f.Edits {
		if e.Range.Start.Offset < 0 || e.Range.End.Offset < e.Range.Start.Offset || e.Range.End.Offset > size {
			return false
		}
	}
	return len(f.Edits) > 0
}

// add puts the edits of a fix among sorted ones, unless one of them touches another. An edit
// that is there is not put there again: two faults may have one fix.
func add(sorted, edits []lint.Edit) ([]lint.Edit, bool) {
	var added []lint.Edit
	for _, e := range edits {
		i, _ := slices.BinarySearchFunc(sorted, e, byPlace)
		switch {
		case i < len(sorted) && same(sorted[i], e):
			continue
		case i < len(sorted) && conflict(e, sorted[i]), i > 0 && conflict(sorted[i-1], e):
			return slices.DeleteFunc(sorted, func(e lint.Edit) bool { return slices.Contains(added, e) }), false
		}
		added = append(added, e)
		sorted = slices.Insert(sorted, i, e)
	}
	return sorted, true
}

func byPlace(a, b lint.Edit) int {
	return cmp.Or(
		cmp.Compare(a.Range.Start.Offset, b.Range.Start.Offset),
		cmp.Compare(a.Range.End.Offset, b.Range.End.Offset),
		cmp.Compare(a.Text, b.Text),
	)
}

func same(a, b lint.Edit) bool { return byPlace(a, b) == 0 }

// conflict reports whether b, which does not begin before a, touches it. Two
// insertions at one place conflict: their order is not defined.
func conflict(a, b lint.Edit) bool {
	return b.Range.Start.Offset < a.Range.End.Offset || b.Range.Start.Offset == a.Range.Start.Offset
}
