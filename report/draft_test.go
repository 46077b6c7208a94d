package report_test

import (
	"slices"
	"testing"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/merge"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/report"
)

// Each outcome of a delta of a draft has its words.
func TestMergePreview(t *testing.T) {
	r := &lint.Report{MergePreview: []lint.DeltaView{
		{Delta: 1, Outcome: merge.Applied, Operation: brenner.Add, Item: "A3"},
		{Delta: 2, Outcome: merge.Applied, Operation: brenner.Edit, Item: "A3"},
		{Delta: 3, Outcome: merge.Applied, Operation: brenner.Kill, Item: "A3"},
		{Delta: 4, Outcome: merge.Unchanged, Operation: brenner.Edit, Item: "A3"},
		{Delta: 5, Outcome: merge.Skipped, Operation: brenner.Edit, Item: "A3"},
		{Delta: 6, Outcome: merge.Dropped, Operation: brenner.Edit, Item: "A3"},
		{Delta: 7, Outcome: merge.Rejected, Rule: "MR-001"},
		{Delta: 8, Outcome: merge.Rejected},
		{Delta: 9},
	}}
	want := []string{
		"delta 1: this ADD becomes A3", "delta 2: edits A3", "delta 3: kills A3", "delta 4: would change nothing", "delta 5: would be skipped: A3 is killed",
		"delta 6: would be dropped: A3 is killed at the same instant", "delta 7: would be rejected (MR-001)", "delta 8: would be rejected", "delta 9: would not be read",
	}
	if got := report.MergePreview(r); !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}
