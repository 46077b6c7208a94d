package report

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"strings"

	"github.com/brennerlint/brennerlint/lint"
)

// writeJUnit writes JUnit XML as CI systems read it: a suite per file, a failed
// test per finding. A run without findings is one test that passed, because an
// empty report counts as a lost one.
func writeJUnit(w *bufio.Writer, r *lint.Report, o *Options) {
	w.WriteString(xml.Header)
	n, broken := len(r.Findings), len(r.Failures)
	fmt.Fprintf(w, "<testsuites name=\"brennerlint\" tests=\"%d\" failures=\"%d\" errors=\"%d\">\n", max(1, n+broken), n, broken)
	junitFailures(w, r)
	if n+broken == 0 {
		w.WriteString("  <testsuite name=\"brennerlint\" tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"0\">\n")
		fmt.Fprintf(w, "    <testcase name=\"%s\" classname=\"brennerlint\"></testcase>\n  </testsuite>\n", xmlText(summaryLine(r)))
	}
	for start := 0; start < n; {
		end := start + 1
		for end < n && r.Findings[end].Path == r.Findings[start].Path {
			end++
		}
		writeSuite(w, r.Findings[start:end])
		start = end
	}
	w.WriteString("</testsuites>\n")
}

// writeSuite writes the findings of one file.
func writeSuite(w *bufio.Writer, findings []*lint.Finding) {
	path := xmlText(cleanName(findings[0].Path))
	fmt.Fprintf(w, "  <testsuite name=\"%s\" tests=\"%d\" failures=\"%[2]d\" errors=\"0\" skipped=\"0\">\n", path, len(findings))
	for _, f := range findings {
		where, about := place("", f.Range), xmlText(subject(f))
		if about != "" {
			about = " (" + about + ")"
		}
		fmt.Fprintf(w, "    <testcase name=\"%s %s%s%s\" classname=\"%s\">\n", f.Rule, f.Name, strings.Replace(where, ":", " ", 1), about, path)
		fmt.Fprintf(w, "      <failure message=\"%s\" type=\"%s\">", xmlText(f.Message), f.Severity)
		fmt.Fprintf(w, "%s%s: %s %s%s: %s", path, where, f.Severity, f.Rule, about, xmlText(f.Message))
		if f.Suggestion != "" {
			w.WriteString("\n= " + xmlText(f.Suggestion))
		}
		w.WriteString("</failure>\n    </testcase>\n")
	}
	w.WriteString("  </testsuite>\n")
}

// xmlText is a foreign text for character data and attributes. Clean text has no
// character that XML forbids.
func xmlText(s string) string {
	s = clean(s)
	if !strings.ContainsAny(s, `&<>"'`) {
		return s
	}
	return xmlEscapes.Replace(s)
}

var xmlEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;")
