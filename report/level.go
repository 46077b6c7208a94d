package report

import "github.com/brennerlint/brennerlint/lint"

// AtLevel is a report that shows findings of a severity or above. The others are
// hidden: the summary counts all.
func AtLevel(r *lint.Report, level lint.Severity) *lint.Report {
	out := *r
	out.Findings, out.Hidden = nil, nil
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
