// Package fix applies the edits that findings offer to the bytes they speak of.
//
// Like commits in a merge, a fix is applied whole or not at all: one that
// overlaps another is left for the next run. It does no I/O.
package fix

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/brennerlint/brennerlint/lint"
)

// Apply applies fixes to a file's content and returns which were applied. Fixes
// must be given in the order of the report; of two that overlap the earlier one
// wins. A fix with an edit outside the content or with edits that overlap is not
// applied.
func Apply(data []byte, fixes []*lint.Fix) (out []byte, applied []bool) {
	applied = make([]bool, len(fixes))
	var edits []lint.Edit
	for i, f := range fixes {
		if fits(f, len(data)) && !overlaps(f.Edits, edits) {
			applied[i] = true
			edits = merge(edits, f.Edits)
		}
	}
	var b bytes.Buffer
	at := 0
	for _, e := range edits {
		b.Write(data[at:e.Range.Start.Offset])
		b.WriteString(e.Text)
		at = e.Range.End.Offset
	}
	b.Write(data[at:])
	return b.Bytes(), applied
}

func fits(f *lint.Fix, size int) bool {
	for _, e := range f.Edits {
		if e.Range.Start.Offset < 0 || e.Range.End.Offset < e.Range.Start.Offset || e.Range.End.Offset > size {
			return false
		}
	}
	return len(f.Edits) > 0 && !overlapsItself(f.Edits)
}

// merge puts new edits among sorted ones, the same edit only once.
func merge(sorted, edits []lint.Edit) []lint.Edit {
	for _, e := range edits {
		i, _ := slices.BinarySearchFunc(sorted, e, byPlace)
		if i < len(sorted) && same(sorted[i], e) {
			continue
		}
		sorted = slices.Insert(sorted, i, e)
	}
	return sorted
}

func byPlace(a, b lint.Edit) int {
	return cmp.Or(
		cmp.Compare(a.Range.Start.Offset, b.Range.Start.Offset),
		cmp.Compare(a.Range.End.Offset, b.Range.End.Offset),
		cmp.Compare(a.Text, b.Text),
	)
}

func same(a, b lint.Edit) bool { return byPlace(a, b) == 0 }

// overlaps reports whether an edit touches one of the sorted edits. The same
// edit is not an overlap: two faults may have one fix.
func overlaps(edits, sorted []lint.Edit) bool {
	for _, e := range edits {
		i, _ := slices.BinarySearchFunc(sorted, e, byPlace)
		if i < len(sorted) && !same(sorted[i], e) && conflict(e, sorted[i]) {
			return true
		}
		if i > 0 && conflict(sorted[i-1], e) {
			return true
		}
	}
	return false
}

func overlapsItself(edits []lint.Edit) bool {
	sorted := slices.SortedFunc(slices.Values(edits), byPlace)
	for i := 1; i < len(sorted); i++ {
		if conflict(sorted[i-1], sorted[i]) {
			return true
		}
	}
	return false
}

// conflict reports whether b, which does not begin before a, touches it. Two
// insertions at one place conflict: their order is not defined.
func conflict(a, b lint.Edit) bool {
	return b.Range.Start.Offset < a.Range.End.Offset || b.Range.Start.Offset == a.Range.Start.Offset
}
