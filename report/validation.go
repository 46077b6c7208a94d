package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"

	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
)

// ValidationError writes the findings of a draft at or above a level as the
// message that message_body_schema defines (Error Responses), ready to be shown
// to the agent that wrote it. Without such findings it writes nothing.
func ValidationError(w io.Writer, d *lint.Draft, level lint.Severity) error {
	counts := func(f *lint.Finding) bool { return f.Severity <= level }
	if len(d.Failures) == 0 && !slices.ContainsFunc(d.Findings, counts) {
		return nil
	}
	b := bufio.NewWriter(w)
	b.WriteString("# Validation Error\n\n## Message\n")
	if d.Subject != "" {
		fmt.Fprintf(b, "%s\n", clean(text.Quote(d.Subject)))
	} else {
		b.WriteString("the draft\n")
	}
	b.WriteString("\n## Errors\n")
	for _, line := range failureLines(d.Report) {
		fmt.Fprintf(b, "- %s\n", line)
	}
	var suggestions []string
	for _, f := range d.Findings {
		if !counts(f) {
			continue
		}
		fmt.Fprintf(b, "- %s %s: %s%s\n", f.Rule, f.Name, clean(f.Message), placeInDraft(f))
		if f.Suggestion != "" {
			suggestions = append(suggestions, fmt.Sprintf("%s: %s", f.Rule, clean(f.Suggestion)))
		} else {
			suggestions = append(suggestions, fmt.Sprintf("%s: see `brennerlint explain %s`", f.Rule, f.Rule))
		}
	}
	if len(d.Failures) > 0 {
		suggestions = append(suggestions, failureSuggestion)
	}
	b.WriteString("\n## Suggestion\n")
	shown := map[string]bool{}
	for _, s := range suggestions {
		if !shown[s] { // said once for all errors of one kind
			fmt.Fprintf(b, "- %s\n", s)
		}
		shown[s] = true
	}
	return b.Flush()
}

// placeInDraft says where in the draft a fault is, in the writer's terms.
func placeInDraft(f *lint.Finding) string {
	switch {
	case f.Body != nil && f.Delta > 0:
		return fmt.Sprintf(" (delta %d, line %d of the body)", f.Delta, f.Body.Line)
	case f.Body != nil:
		return fmt.Sprintf(" (line %d of the body)", f.Body.Line)
	case f.Delta > 0:
		return fmt.Sprintf(" (delta %d)", f.Delta)
	}
	return ""
}

// failureSuggestion is what an agent can do about an internal error.
const failureSuggestion = "the check is incomplete: change the part of the draft on which it fails, or ask your operator to report the error"
