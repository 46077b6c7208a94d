package cli

import (
	"encoding/json"
	"testing"

	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/internal/testenv"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/report"
)

// TestStatisticsOfJSON checks that whatever findings are counted by, the counts are those
// of the summary, as far as they are shown, and the report has the promised form.
func TestStatisticsOfJSON(t *testing.T) {
	for _, by := range report.StatisticsBy {
		for i, level := range []string{"error", "warning", "info"} {
			if !testenv.Sampled(i, 2) {
				continue
			}
			out := sameOnAnyProcessors(t, "--no-config", "--format", "json", "--statistics="+by, "--level", level, "../testdata/corpus")
			var rep struct {
				Summary    lint.Summary
				Statistics struct {
					Groups []struct{ Errors, Warnings, Info, Messages, Files int }
				}
				Findings []struct{ Severity string }
			}
			must.OK(t, json.Unmarshal([]byte(out), &rep))
			errors, all := 0, 0
			for _, g := range rep.Statistics.Groups {
				errors += g.Errors
				all += g.Errors + g.Warnings + g.Info
				if g.Files == 0 || g.Errors+g.Warnings+g.Info == 0 || g.Messages > g.Errors+g.Warnings+g.Info {
					t.Errorf("by %s: %+v", by, g)
				}
			}
			s := rep.Summary
			if errors != s.Errors || errors == 0 || all != len(rep.Findings) || all != s.Errors+s.Warnings+s.Info-s.Hidden || (s.Hidden == 0) != (level == "info") {
				t.Errorf("by %s, level %s: %d errors of %d findings, but the summary is %+v", by, level, errors, all, s)
			}
		}
	}
}
