package report

import (
	"slices"

	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/result"
)

// OnlyAccepted returns a report that shows the findings that the baseline accepts, instead
// of the new ones. The summary counts the new ones.
func OnlyAccepted(r *result.Report) *result.Report {
	out := *r
	out.Findings, out.Hidden = r.Accepted, r.Findings
	return &out
}

// AtLevel returns a report that shows findings of a severity or above. The others are
// hidden: the summary counts all.
func AtLevel(r *result.Report, level lint.Severity) *result.Report {
	out := *r
	out.Findings, out.Hidden = nil, slices.Clone(r.Hidden)
	for _, f := range r.Findings {
		if f.Severity <= level {
			out.Findings = append(out.Findings, f)
		} else {
			out.Hidden = append(out.Hidden, f)
		}
	}
	for s, n := range map[lint.Severity]int{lint.Warning: r.Summary.Warnings, lint.Info: r.Summary.Info} {
		if s > level {
			out.Summary.Hidden += n
		}
	}
	return &out
}
