package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/merge"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
)

// ValidationError returns the findings of a draft at or above a level as a Validation Error
// message (message_body_schema, Error Responses) for the agent; "" if there are none.
func ValidationError(d *lint.Draft, level lint.Severity) string {
	about := "the draft"
	if d.Subject != "" {
		about = text.Quote(d.Subject)
	}
	return validationError(about, d.Report, level)
}

// ValidationReply is ValidationError for a sent message, whose id the reply names. It is "" if
// no finding is at or above the level.
func ValidationReply(id string, findings []*lint.Finding, level lint.Severity) string {
	return validationError(id, &lint.Report{Findings: findings}, level)
}

// validationError returns a message of type Validation Error; "" if nothing is wrong.
func validationError(about string, r *lint.Report, level lint.Severity) string {
	refused, later := atLevel(r.Findings, level), atLevel(r.AfterFixes, level)
	if len(r.Failures)+len(refused) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# Validation Error\n\n## Message\n%s\n\n## Errors\n", clean(about))
	for _, line := range failureLines(r) {
		fmt.Fprintf(&b, "- %s\n", line)
	}
	for _, f := range refused {
		fmt.Fprintf(&b, "- %s\n", inDraft(f))
	}
	b.WriteString("\n## Suggestion\n")
	writeSuggestions(&b, refused, r.Failures)
	if len(later) > 0 { // to fix them in the same step saves a round
		b.WriteString("\n## After these fixes\nThe errors above hide these; fix them too:\n")
	}
	for _, f := range later {
		fmt.Fprintf(&b, "- %s\n  %s\n%s", inDraft(f), advice(f), blockLines("  ", f.Block))
	}
	return b.String()
}

// Warnings describes the warnings of a draft below a level, one line each: they do not refuse
// it.
func Warnings(d *lint.Draft, level lint.Severity) []string {
	if level >= lint.Warning {
		return nil
	}
	return warnings("warning: ", d)
}

// warnings returns a line for each warning of a draft.
func warnings(lead string, d *lint.Draft) []string {
	var lines []string
	for _, f := range d.Findings {
		if f.Severity == lint.Warning {
			lines = append(lines, lead+inDraft(f)+"; "+advice(f))
		}
	}
	return lines
}

// HookWarnings returns what an agent program shows of a message that is sent: the
// warnings, and notes of the check. It is "" if there are none.
func HookWarnings(d *lint.Draft, notes []string) string {
	lines := warnings("- ", d)
	if len(lines) > 0 {
		lines = slices.Insert(lines, 0, "brennerlint has "+count(len(lines), "warning")+" about this message, which is sent all the same:")
	}
	for _, note := range notes {
		lines = append(lines, "brennerlint: "+Message(note))
	}
	return strings.Join(lines, "\n")
}

// writeSuggestions says what to do about errors, once for all of one kind.
func writeSuggestions(b *strings.Builder, findings []*lint.Finding, failures []lint.Failure) {
	said, differ := map[string]string{}, map[string]bool{} // by rule
	for _, f := range findings {
		what := f.Suggestion + f.Block
		if before, ok := said[f.Rule]; ok && before != what {
			differ[f.Rule] = true
		}
		said[f.Rule] = what
	}
	shown := map[string]bool{}
	for _, f := range findings {
		s := f.Rule
		if differ[f.Rule] && f.Delta > 0 {
			s += fmt.Sprintf(" (delta %d)", f.Delta)
		}
		s = fmt.Sprintf("- %s: %s\n%s", s, advice(f), blockLines("  ", f.Block))
		if !shown[s] {
			b.WriteString(s)
		}
		shown[s] = true
	}
	internal, stopped := countFailures(failures)
	if internal > 0 {
		b.WriteString("- the check is incomplete: change the part of the draft on which it fails, or ask your operator to report the error\n")
	}
	if stopped > 0 {
		b.WriteString("- the check is incomplete: ask your operator to correct the rule in the configuration\n")
	}
}

// advice returns what to do about a finding.
func advice(f *lint.Finding) string {
	if f.Suggestion == "" {
		return "see `brennerlint explain " + f.Rule + "`"
	}
	return clean(f.Suggestion) + notApplied(f)
}

// notApplied says that a run with --fix left the fix of a finding, and why; "" if it did not.
func notApplied(f *lint.Finding) string {
	if f.Fix == nil || f.Fix.NotApplied == "" {
		return ""
	}
	return " (not applied: " + clean(f.Fix.NotApplied) + ")"
}

// blockLines returns a delta block as reports show it, line by line; "" if there is none.
func blockLines(indent, block string) string {
	var b strings.Builder
	for line := range strings.Lines(block) {
		b.WriteString(indent + clean(strings.TrimRight(line, "\r\n")) + "\n")
	}
	return b.String()
}

// inDraft says what is wrong, and where in the draft, in the writer's terms.
func inDraft(f *lint.Finding) string {
	place := subject(&lint.Finding{Delta: f.Delta, Body: f.Body})
	return f.Rule + " " + f.Name + ": " + clean(f.Message) + inBrackets(place)
}

// MergePreview says what the merge would make of each delta of a draft, a line
// each.
func MergePreview(r *lint.Report) []string {
	out := make([]string, len(r.MergePreview))
	for i, d := range r.MergePreview {
		out[i] = fmt.Sprintf("delta %d: %s", d.Delta, previewLine(d))
	}
	return out
}

func previewLine(d lint.DeltaView) string {
	switch d.Outcome {
	case merge.Rejected:
		return "would be rejected" + inBrackets(d.Rule)
	case "":
		return "would not be read"
	case merge.Skipped:
		return "would be skipped: " + d.Item + " is killed"
	case merge.Dropped:
		return "would be dropped: " + d.Item + " is killed at the same instant"
	case merge.Unchanged:
		return "would change nothing"
	}
	switch d.Operation {
	case brenner.Add:
		return "this ADD becomes " + d.Item
	case brenner.Kill:
		return "kills " + d.Item
	default:
		return "edits " + d.Item
	}
}
