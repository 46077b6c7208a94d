package report

import (
	"strings"

	"github.com/brennerlint/brennerlint/lint"
)

// Internal errors are in every format: a rule that failed must not look like one that
// found nothing.

// maxFailures is how many failures a format for people shows.
const maxFailures = 10

// shownFailures returns the first failures of a report.
func shownFailures(r *lint.Report) []lint.Failure {
	return r.Failures[:min(len(r.Failures), maxFailures)]
}

// failureLines returns the internal errors for people, cleaned: a line each, and how
// many more there are.
func failureLines(r *lint.Report) []string {
	var lines []string
	for _, f := range shownFailures(r) {
		lines = append(lines, clean(f.Error()))
	}
	if len(r.Failures) > maxFailures {
		lines = append(lines, "… and "+moreFailures(r))
	}
	return lines
}

// failureTitle returns what a failure is.
func failureTitle(f *lint.Failure) string {
	if f.Stopped {
		return "stopped rule"
	}
	return failurePrefix
}

// countFailures counts the internal errors and the stopped rules.
func countFailures(failures []lint.Failure) (internal, stopped int) {
	for i := range failures {
		if failures[i].Stopped {
			stopped++
		}
	}
	return len(failures) - stopped, stopped
}

// meaning says what failures mean for a report.
func meaning(failures ...lint.Failure) string {
	const missing, correct, issues = "findings may be missing; ", "correct the rule in the configuration", homepage + "/issues"
	switch internal, stopped := countFailures(failures); {
	case stopped == 0:
		return missing + "please report this at " + issues
	case internal == 0:
		return missing + correct
	}
	return missing + correct + ", and report the internal errors at " + issues
}

// moreFailures counts the failures that are not shown.
func moreFailures(r *lint.Report) string {
	internal, stopped := countFailures(r.Failures[maxFailures:])
	if stopped > 0 {
		return count(internal+stopped, "more failure")
	}
	return count(internal, "more "+failurePrefix)
}

// FailureCount counts the failures of a report: "1 internal error, 2 stopped rules".
func FailureCount(r *lint.Report) string {
	internal, stopped := countFailures(r.Failures)
	return strings.Join(counts(counted{internal, failurePrefix}, counted{stopped, "stopped rule"}), ", ")
}

// failures writes the internal errors of the text format.
func (t *textWriter) failures(r *lint.Report) {
	lines := failureLines(r)
	for _, line := range lines {
		if rest, ok := strings.CutPrefix(line, failurePrefix); ok {
			t.wrapped("", t.in(red, failurePrefix), "  ", rest)
		} else {
			t.wrapped("  ", "", "  ", line)
		}
	}
	if len(lines) > 0 {
		t.wrapped("  ", "", "  ", meaning(r.Failures...))
		t.write("\n")
	}
}

// failurePrefix begins what lint.Failure.Error says.
const failurePrefix = "internal error"

// withFailures returns the findings after the internal errors, as findings, for formats that
// know nothing else.
func withFailures(r *lint.Report) []*lint.Finding {
	var out []*lint.Finding
	for i := range r.Failures {
		f := &r.Failures[i]
		out = append(out, &lint.Finding{
			Rule: strings.ReplaceAll(failureTitle(f), " ", "-"), Name: f.Rule, Severity: lint.Error,
			Message: strings.TrimPrefix(f.Error(), failurePrefix+": "), Suggestion: meaning(*f), Path: f.Path,
		})
	}
	return append(out, r.Findings...)
}
