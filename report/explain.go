package report

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/brennerlint/brennerlint/lint"
)

// Explain documents a rule for people at a terminal, from the rule's archive:
// what it wants and why, a bad example with what is reported, and a good one.
func Explain(w io.Writer, r *lint.Rule) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%s %s\n", r.ID, r.Name)
	fmt.Fprintf(b, "%s · %s", r.Severities(), r.Scope)
	if r.Code != "" {
		fmt.Fprintf(b, " · %s", r.Code)
	}
	if r.Fixable {
		b.WriteString(" · " + fixedBy(r.Scope))
	}
	fmt.Fprintf(b, "\n%s\n\n%s\n", r.SpecRef, r.Summary)
	var a txtar.Archive
	if r.Archive != nil {
		a = *txtar.Parse(r.Archive())
	}
	if text := bytes.TrimSpace(a.Comment); len(text) > 0 {
		fmt.Fprintf(b, "\n%s\n", text)
	}
	explainExample(b, &a, "bad", "Bad")
	explainExample(b, &a, "fixed", "Fixed")
	explainExample(b, &a, "good", "Good")
	if r.URL != "" {
		fmt.Fprintf(b, "\nAll examples: %s\n", r.URL)
	}
	return b.Flush()
}

// fixedBy says how a rule's fixes are applied: mail that was sent is a record and never
// changed.
func fixedBy(s lint.Scope) string {
	if s == lint.ArtifactScope || s == lint.ItemScope || s == lint.InputScope {
		return "fixable with --fix or --unsafe-fixes"
	}
	return "fixable in drafts with presend --fix or --unsafe-fixes"
}

// explainExample shows the first example of a kind, of a bad one with what is
// reported.
func explainExample(b *bufio.Writer, a *txtar.Archive, kind, title string) {
	name := ""
	for _, f := range a.Files {
		parts := strings.SplitN(f.Name, "/", 3)
		if len(parts) != 3 || parts[0] != kind || name != "" && parts[1] != name {
			continue
		}
		heading := parts[2]
		if heading == "want" {
			heading = "reported"
		}
		if name == "" {
			name = parts[1]
			fmt.Fprintf(b, "\n%s\n", title)
		}
		fmt.Fprintf(b, "\n  %s\n", heading)
		for _, line := range strings.Split(strings.TrimRight(string(f.Data), "\n"), "\n") {
			fmt.Fprintf(b, "    %s\n", line)
		}
	}
}
