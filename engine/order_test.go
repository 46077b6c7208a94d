package engine

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/brennerlint/brennerlint/internal/rapidseed"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// Findings of tasks, which overlap or not, are sorted like any list.
func TestSortFindings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var list []*lint.Finding
		for range rapid.IntRange(0, 40).Draw(t, "tasks") {
			path := fmt.Sprintf("%02d.md", rapid.IntRange(0, 30).Draw(t, "path"))
			var task []*lint.Finding
			for range rapid.IntRange(1, 12).Draw(t, "findings") {
				f := &lint.Finding{Path: path, Rule: rapid.SampledFrom([]string{"WH-001", "WH-002"}).Draw(t, "rule")}
				if at := rapid.IntRange(-1, 50).Draw(t, "at"); at >= 0 {
					f.Range = &source.Range{Start: source.Position{Offset: at}}
				}
				task = append(task, f)
			}
			if rapid.Bool().Draw(t, "sorted") {
				task = sortFindings(task)
			}
			list = append(list, task...)
		}
		want := slices.Clone(list)
		slices.SortStableFunc(want, compareFindings)
		want = slices.CompactFunc(want, func(a, b *lint.Finding) bool { return compareFindings(a, b) == 0 })
		if got := sortFindings(list); !slices.Equal(got, want) { // the same findings: of equal ones the first
			t.Fatalf("%d findings are not in order; expected %d", len(got), len(want))
		}
	})
}
