package report

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/brennerlint/brennerlint/lint"
)

// Internal errors are in every format: who reads a report must not take the
// silence of a rule that broke for its consent.

// maxFailures is how many failures a format for people shows.
const maxFailures = 10

// shownFailures are the first failures of a report, and how many there are
// besides.
func shownFailures(r *lint.Report) (shown []lint.Failure, rest int) {
	shown = r.Failures[:min(len(r.Failures), maxFailures)]
	return shown, len(r.Failures) - len(shown)
}

// failureLines are the internal errors for people, cleaned: a line each, and how
// many more there are.
func failureLines(r *lint.Report) []string {
	shown, rest := shownFailures(r)
	lines := make([]string, 0, len(shown)+1)
	for i := range shown {
		lines = append(lines, clean(shown[i].Error()))
	}
	if rest > 0 {
		lines = append(lines, "… and "+count(rest, "more internal error"))
	}
	return lines
}

// failureMeaning says what an internal error means for a report.
const failureMeaning = "findings may be missing; please report this at " + homepage + "/issues"

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
		t.wrapped("  ", "", "  ", failureMeaning)
		t.w.WriteByte('\n')
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
		w.WriteString("… and " + count(rest, "more internal error") + "\n")
	}
}

// githubFailures writes an annotation for each internal error, as many as a step
// may make, and returns how many.
func githubFailures(w *bufio.Writer, r *lint.Report, o *Options) int {
	shown, _ := shownFailures(r)
	for i := range shown {
		f := &shown[i]
		fmt.Fprintf(w, "::error file=%s,title=%s::%s\n", githubFile(o.fromRoot(f.Path)), failurePrefix,
			githubMessage(truncate(clean(f.Error())+"\n"+failureMeaning, maxAnnotation)))
	}
	return len(shown)
}

// failedFinding is an internal error as a finding, for formats that know nothing
// else.
func failedFinding(f *lint.Failure) *lint.Finding {
	return &lint.Finding{
		Rule: strings.ReplaceAll(failurePrefix, " ", "-"), Name: f.Rule, Severity: lint.Error,
		Message: strings.TrimPrefix(f.Error(), failurePrefix+": "), Suggestion: failureMeaning, Path: f.Path,
	}
}

// withFailures are the findings after the internal errors, as findings.
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
