package report

import (
	"bufio"
	"strconv"
	"strings"

	"github.com/brennerlint/brennerlint/result"
)

// writeAgent writes one line per finding: what a language-model agent needs to
// fix it, and no more.
//
//	mail/x.json:41:330: error MB-005 delta-json (message 17, delta 2, line 13 of the body): … help: …
func writeAgent(w *bufio.Writer, r *result.Report, o *Options) {
	agentFailures(w, r)
	if len(r.Findings) == 0 && !o.Quiet {
		w.WriteString(summaryLine(r) + "\n")
	}
	shown, rest := mostSevere(r.Findings, o.MaxFindings)
	for _, f := range shown {
		w.WriteString(guard(agentLine(f)))
		w.WriteByte('\n')
	}
	if rest != "" {
		w.WriteString(rest + "\n")
	}
}

// agentLine returns a finding in one line.
func agentLine(f *result.Finding) string {
	help, fixable := "", ""
	if f.Suggestion != "" {
		help = " help: " + clean(f.Suggestion)
	}
	if canFix(f) {
		fixable = " (fixable with --fix)"
	}
	return findingLine(f) + help + fixable
}

// findingLine says where a finding is and what is wrong.
func findingLine(f *result.Finding) string {
	about := subject(f)
	if about != "" {
		about = " (" + clean(about) + ")"
	}
	return place(f.Path, f.Range) + ": " + f.Severity.String() + " " + f.Rule + " " + f.Name + about + ": " + clean(f.Message)
}

// subject returns what a finding is about, as far as its message need not say so:
// "message 17, delta 2, line 13 of the body".
func subject(f *result.Finding) string {
	about := make([]string, 0, 4)
	if f.MessageID != "" {
		about = append(about, "message "+f.MessageID)
	}
	if f.Delta > 0 {
		about = append(about, "delta "+strconv.Itoa(f.Delta))
	}
	switch {
	case f.Item != "" && f.Field != "":
		about = append(about, f.Item+" "+f.Field)
	case f.Item != "":
		about = append(about, f.Item)
	case f.Field != "":
		about = append(about, f.Field)
	}
	if f.Body != nil {
		about = append(about, "line "+strconv.Itoa(f.Body.Line)+" of the body")
	}
	return strings.Join(about, ", ")
}
