package engine

import (
	"cmp"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/result"
)

// fewFindings are sorted as they are.
const fewFindings = 64

// sortFindings puts findings in the order of the report (path, position, rule)
// and drops repetitions. It may change the list.
func sortFindings(findings []*result.Finding) []*result.Finding {
	if len(findings) > fewFindings {
		findings = mergeRuns(ascendingRuns(findings), len(findings))
	} else {
		slices.SortStableFunc(findings, compareFindings)
	}
	return slices.CompactFunc(findings, func(a, b *result.Finding) bool { return compareFindings(a, b) == 0 })
}

// ascendingRuns parts findings into as few parts as possible that are in order. What one
// task has found is in one of them.
func ascendingRuns(findings []*result.Finding) [][]*result.Finding {
	var runs [][]*result.Finding
	start := 0
	for i := 1; i <= len(findings); i++ {
		if i == len(findings) || compareFindings(findings[i-1], findings[i]) > 0 {
			runs = append(runs, findings[start:i])
			start = i
		}
	}
	return runs
}

// mergeRuns returns the findings of runs, so many, in order. Most runs come one after the
// other, since tasks are about different files and threads; only those that overlap are
// sorted finding by finding.
func mergeRuns(runs [][]*result.Finding, n int) []*result.Finding {
	slices.SortStableFunc(runs, func(a, b []*result.Finding) int { return compareFindings(a[0], b[0]) })
	sorted := make([]*result.Finding, 0, n)
	group, last := 0, runs[0][0] // where the runs begin that overlap, and which finding of them is last
	overlap := false
	closeGroup := func() {
		if overlap {
			slices.SortStableFunc(sorted[group:], compareFindings)
		}
		group, overlap = len(sorted), false
	}
	for _, run := range runs {
		if compareFindings(last, run[0]) <= 0 {
			closeGroup()
		} else {
			overlap = true
		}
		sorted = append(sorted, run...)
		if end := run[len(run)-1]; compareFindings(last, end) < 0 {
			last = end
		}
	}
	closeGroup()
	return sorted
}

// compareFindings compares step by step: most findings differ in the first of all
// that is compared.
func compareFindings(a, b *result.Finding) int {
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
func offsetOf(f *result.Finding) int {
	if f.Range == nil {
		return -1
	}
	return f.Range.Start.Offset
}

// bodyPlaceOf returns a number that orders places in one body by line, then by column; -1
// if the finding has none.
func bodyPlaceOf(f *result.Finding) int {
	if f.Body == nil {
		return -1
	}
	const columns = 1 << 30
	return f.Body.Line*columns + min(f.Body.Column, columns-1)
}
