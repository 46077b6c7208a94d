package rules

import (
	"bytes"
	"slices"
	"sort"

	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// reorder returns the edits that bring items or sections into an order: order[i] is the
// index of the span that moves to the place of span i. What separates them (blank
// lines, rules) stays in place; a suppression comment moves with the span that it
// precedes.
func reorder(a *artifact.Artifact, stretches []source.Span, order []int) []lint.TextEdit {
	for i := range stretches {
		floor := 0
		if i > 0 {
			floor = stretches[i-1].End
		}
		stretches[i].Start = leadStart(a, stretches[i].Start, floor)
	}
	var edits []lint.TextEdit
	for i, from := range order {
		if from != i {
			edits = append(edits, lint.TextEdit{At: a.Text.Place(stretches[i]), Text: a.Text.Slice(stretches[from])})
		}
	}
	return edits
}

// leadStart returns start, or where the suppression comments right before it begin.
func leadStart(a *artifact.Artifact, start, floor int) int {
	n := sort.Search(len(a.Comments), func(i int) bool { return a.Comments[i].End > start })
	for _, c := range slices.Backward(a.Comments[:n]) {
		between := a.Text.Bytes(source.Span{Start: c.End, End: start})
		if c.Start < floor || len(bytes.TrimSpace(between)) > 0 || !bytes.HasPrefix(a.Text.Bytes(c), []byte("<!-- brennerlint:ignore ")) {
			break
		}
		start = c.Start
	}
	return start
}
