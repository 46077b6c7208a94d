package engine

import (
	"cmp"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/lint"
)

// sortFindings puts findings in the order of the report (path, position, rule)
// and drops repetitions. It changes the list.
func sortFindings(findings []*lint.Finding) []*lint.Finding {
	slices.SortStableFunc(findings, compareFindings)
	return slices.CompactFunc(findings, func(a, b *lint.Finding) bool { return compareFindings(a, b) == 0 })
}

// compareFindings compares step by step: most findings differ in the first of all
// that is compared.
func compareFindings(a, b *lint.Finding) int {
	if a.Path != b.Path { // seldom, and this is known sooner than their order
		return strings.Compare(a.Path, b.Path)
	}
	if c := cmp.Compare(offsetOf(a), offsetOf(b)); c != 0 {
		return c
	}
	if a.Thread != b.Thread {
		return strings.Compare(a.Thread, b.Thread)
	}
	if c := cmp.Or(
		cmp.Compare(len(a.MessageID), len(b.MessageID)), // numeric ids in numeric order
		strings.Compare(a.MessageID, b.MessageID),
		cmp.Compare(bodyPlaceOf(a), bodyPlaceOf(b)),
	); c != 0 {
		return c
	}
	return cmp.Or(
		strings.Compare(a.Rule, b.Rule),
		strings.Compare(a.Message, b.Message),
		cmp.Compare(a.Delta, b.Delta),
		strings.Compare(a.Item, b.Item),
		strings.Compare(a.Field, b.Field),
	)
}

// offsetOf returns the offset by which the findings of a file are ordered; -1, which is
// first, if the finding has no place.
func offsetOf(f *lint.Finding) int {
	if f.Range == nil {
		return -1
	}
	return f.Range.Start.Offset
}

// bodyPlaceOf returns a number that orders places in one body by line, then by column; -1
// if the finding has none.
func bodyPlaceOf(f *lint.Finding) int {
	if f.Body == nil {
		return -1
	}
	const columns = 1 << 30
	return f.Body.Line*columns + min(f.Body.Column, columns-1)
}
