package report

import (
	"bufio"
	"fmt"

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
	line := findingLine(f)
	if f.Suggestion != "" {
		line += " help: " + clean(f.Suggestion)
	}
	if canFix(f) {
		line += " (fixable with --fix)"
	}
	return line
}

// findingLine says where a finding is and what is wrong.
func findingLine(f *result.Finding) string {
	line := place(f.Path, f.Range) + ": " + f.Severity.String() + " " + f.Rule + " " + f.Name
	if about := subject(f); about != "" {
		line += " (" + clean(about) + ")"
	}
	return line + ": " + clean(f.Message)
}

// subject returns what a finding is about, as far as its message need not say so:
// "message 17, delta 2, line 13 of the body".
func subject(f *result.Finding) string {
	about := ""
	add := func(s string) {
		if about != "" {
			about += ", "
		}
		about += s
	}
	if f.MessageID != "" {
		add("message " + f.MessageID)
	}
	if f.Delta > 0 {
		add(fmt.Sprintf("delta %d", f.Delta))
	}
	switch {
	case f.Item != "" && f.Field != "":
		add(f.Item + " " + f.Field)
	case f.Item != "":
		add(f.Item)
	case f.Field != "":
		add(f.Field)
	}
	if f.Body != nil {
		add(fmt.Sprintf("line %d of the body", f.Body.Line))
	}
	return about
}
