package engine

import (
	"cmp"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/result"
)

// fewFindings is how long a list is that is sorted directly.
const fewFindings = 64

// sortFindings puts findings in the order of the report (path, position, rule)
// and drops repetitions. It may change the list.
func sortFindings(findings []*result.Finding) []*result.Finding {
	if len(findings) <= fewFindings {
		return sortDirectly(findings)
	}
	return mergeRuns(ascendingRuns(findings), len(findings))
}

// sortDirectly sorts findings in place and drops repetitions.
func sortDirectly(findings []*result.Finding) []*result.Finding {
	slices.SortStableFunc(findings, compareFindings)
	return slices.CompactFunc(findings, func(a, b *result.Finding) bool { return compareFindings(a, b) == 0 })
}

// findingsRun is a part of a list that is in order and repeats nothing.
type findingsRun struct {
	at       int // in the list
	findings []*result.Finding
}

func (r findingsRun) first() *result.Finding { return r.findings[0] }
func (r findingsRun) last() *result.Finding  { return r.findings[len(r.findings)-1] }

// ascendingRuns splits a list into runs, each of one file and thread. The findings of a
// merged task are mostly one: so runs seldom overlap, in whatever order tasks end.
func ascendingRuns(findings []*result.Finding) []findingsRun {
	var runs []findingsRun
	start := 0
	for i := 1; i <= len(findings); i++ {
		if i == len(findings) || findings[i-1].Path != findings[i].Path || findings[i-1].Thread != findings[i].Thread || compareFindings(findings[i-1], findings[i]) >= 0 {
			runs = append(runs, findingsRun{start, findings[start:i]})
			start = i
		}
	}
	return runs
}

// mergeRuns returns the findings of runs in order, n with repetitions; of these the first
// is kept. Most runs come one after the other, since tasks are about different files and
// threads; only the findings of runs that overlap are sorted one by one.
func mergeRuns(runs []findingsRun, n int) []*result.Finding {
	slices.SortFunc(runs, func(a, b findingsRun) int {
		return cmp.Or(compareFindings(a.first(), b.first()), cmp.Compare(a.at, b.at))
	})
	sorted := make([]*result.Finding, 0, n)
	var end int
	for start := 0; start < len(runs); start = end {
		last := runs[start].last()
		for end = start + 1; end < len(runs) && compareFindings(last, runs[end].first()) >= 0; end++ {
			if l := runs[end].last(); compareFindings(last, l) < 0 {
				last = l
			}
		}
		group, from := runs[start:end], len(sorted)
		slices.SortFunc(group, func(a, b findingsRun) int { return cmp.Compare(a.at, b.at) })
		for _, r := range group {
			sorted = append(sorted, r.findings...)
		}
		if len(group) > 1 {
			sorted = sorted[:from+len(sortDirectly(sorted[from:]))]
		}
	}
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
