package report

import (
	"bufio"
	"fmt"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/lint"
)

// Internal errors are in every format: a rule that failed must not look like one that
// found nothing.

// maxFailures is how many failures a format for people shows.
const maxFailures = 10

// shownFailures returns the first failures of a report, and how many more there are.
func shownFailures(r *lint.Report) (shown []lint.Failure, rest int) {
	shown = r.Failures[:min(len(r.Failures), maxFailures)]
	return shown, len(r.Failures) - len(shown)
}

// failureLines returns the internal errors for people, cleaned: a line each, and how
// many more there are.
func failureLines(r *lint.Report) []string {
	shown, rest := shownFailures(r)
	lines := make([]string, 0, len(shown)+1)
	for i := range shown {
		lines = append(lines, clean(shown[i].Error()))
	}
	if rest > 0 {
		lines = append(lines, "… and "+moreFailures(r, rest))
	}
	return lines
}

// failureMeaning says what an internal error means for a report.
const failureMeaning = "findings may be missing; please report this at " + homepage + "/issues"

// stopMeaning says what a rule that was stopped means for a report.
const stopMeaning = "findings may be missing; correct the rule in the configuration"

// failureTitle returns what a failure is.
func failureTitle(f *lint.Failure) string {
	if f.Stopped {
		return "stopped rule"
	}
	return failurePrefix
}

// meaning says what a failure means for a report.
func meaning(f *lint.Failure) string {
	if f.Stopped {
		return stopMeaning
	}
	return failureMeaning
}

// meanings returns what the failures of a report mean for it.
func meanings(r *lint.Report) string {
	stopped := slices.ContainsFunc(r.Failures, func(f lint.Failure) bool { return f.Stopped })
	broken := slices.ContainsFunc(r.Failures, func(f lint.Failure) bool { return !f.Stopped })
	switch {
	case stopped && broken:
		return stopMeaning + ", and report the internal errors at " + homepage + "/issues"
	case stopped:
		return stopMeaning
	}
	return failureMeaning
}

// moreFailures counts the failures that are not shown.
func moreFailures(r *lint.Report, n int) string {
	if slices.ContainsFunc(r.Failures[maxFailures:], func(f lint.Failure) bool { return f.Stopped }) {
		return count(n, "more failure")
	}
	return count(n, "more "+failurePrefix)
}

// FailureCount counts the failures of a report: "1 internal error, 2 stopped rules".
func FailureCount(r *lint.Report) string {
	stopped := 0
	for i := range r.Failures {
		if r.Failures[i].Stopped {
			stopped++
		}
	}
	var parts []string
	if n := len(r.Failures) - stopped; n > 0 {
		parts = append(parts, count(n, failurePrefix))
	}
	if stopped > 0 {
		parts = append(parts, count(stopped, "stopped rule"))
	}
	return strings.Join(parts, ", ")
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
		t.wrapped("  ", "", "  ", meanings(r))
		t.newline()
	}
}

// failurePrefix begins what lint.Failure.Error says.
const failurePrefix = "internal error"

// agentFailures writes a line for each internal error of the agent format.
func agentFailures(w *bufio.Writer, r *lint.Report) {
	shown, rest := shownFailures(r)
	for i := range shown {
		f := &shown[i]
		w.WriteString(guard(cleanName(f.Path)+": error "+clean(f.Error())+"; findings may be missing") + "\n")
	}
	if rest > 0 {
		w.WriteString("… and " + moreFailures(r, rest) + "\n")
	}
}

// githubFailures writes an annotation for each internal error, as many as a step
// may make, and returns how many.
func githubFailures(w *bufio.Writer, r *lint.Report, o *Options) int {
	shown, _ := shownFailures(r)
	for i := range shown {
		f := &shown[i]
		fmt.Fprintf(w, "::error file=%s,title=%s::%s\n", githubFile(o.fromRoot(f.Path)), failureTitle(f),
			githubMessage(truncate(clean(f.Error())+"\n"+meaning(f), maxAnnotation)))
	}
	return len(shown)
}

// failedFinding returns an internal error as a finding, for formats that know nothing
// else.
func failedFinding(f *lint.Failure) *lint.Finding {
	return &lint.Finding{
		Rule: strings.ReplaceAll(failureTitle(f), " ", "-"), Name: f.Rule, Severity: lint.Error,
		Message: strings.TrimPrefix(f.Error(), failurePrefix+": "), Suggestion: meaning(f), Path: f.Path,
	}
}

// withFailures returns the findings after the internal errors, as findings.
func withFailures(r *lint.Report) []*lint.Finding {
	if len(r.Failures) == 0 {
		return r.Findings
	}
	out := make([]*lint.Finding, 0, len(r.Failures)+len(r.Findings))
	for i := range r.Failures {
		out = append(out, failedFinding(&r.Failures[i]))
	}
	return append(out, r.Findings...)
}
