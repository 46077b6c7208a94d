package rules_test

import (
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/brenner/delta"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/rules"
	"github.com/brennerlint/brennerlint/source"
)

// TestStructureOfDeltas checks that each structural fault of the deltas in all examples is the
// finding of one rule, and that one of these rules says why the merge rejects a delta.
func TestStructureOfDeltas(t *testing.T) {
	var structural []*lint.Rule
	for _, r := range rules.All() {
		if _, ok := r.Check.(lint.DeltaCheck); ok && r.Rejects != nil {
			structural = append(structural, r)
		}
	}
	for _, r := range rules.All() {
		for _, ex := range examplesOf(t, r) {
			for _, f := range ex.Files {
				if !strings.HasSuffix(f.Name, ".md") {
					continue
				}
				for _, d := range delta.Extract(markdown.Parse(source.NewText(f.Data)), jsontree.Options{}) {
					found, rejected := 0, 0
					for _, r := range structural {
						record := func(*lint.Rule, lint.Diagnostic) { found++ }
						r.Check.(lint.DeltaCheck)(&lint.DeltaPass{Pass: lint.NewPass(&lint.DefaultRuleConfig, record, nil), Message: &session.Message{}, Delta: d})
						if why := d.Rejected(); why != nil && r.Rejects(&replay.Rejection{Delta: &replay.Delta{Delta: d}, Fault: why.Kind}) != "" {
							rejected++
						}
					}
					if found != len(d.Faults) || (rejected == 1) != (d.Rejected() != nil) {
						t.Errorf("%s, %s, delta %d: %d findings of %d faults, rejected by %d rules", r.ID, ex.Title, d.Index, found, len(d.Faults), rejected)
					}
				}
			}
		}
	}
}
