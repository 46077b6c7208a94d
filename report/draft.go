package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/merge"
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
	about := "the draft"
	if d.Subject != "" {
		about = text.Quote(d.Subject)
	}
	return writeValidationError(w, d, about, counts)
}

// ValidationReply is ValidationError for a message that was sent, which has an id, so
// that the reply names it. It is "" if no finding is at or above the level.
func ValidationReply(id string, findings []*lint.Finding, level lint.Severity) string {
	counts := func(f *lint.Finding) bool { return f.Severity <= level }
	if !slices.ContainsFunc(findings, counts) {
		return ""
	}
	var b strings.Builder
	d := &lint.Draft{Report: &lint.Report{Findings: findings}}
	_ = writeValidationError(&b, d, id, counts) // a Builder takes all
	return b.String()
}

// writeValidationError writes a message of type Validation Error about the draft, with the
// findings that counts accepts.
func writeValidationError(w io.Writer, d *lint.Draft, about string, counts func(*lint.Finding) bool) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "# Validation Error\n\n## Message\n%s\n\n## Errors\n", clean(about))
	for _, line := range failureLines(d.Report) {
		fmt.Fprintf(b, "- %s\n", line)
	}
	var refused, later []*lint.Finding
	for _, f := range d.Findings {
		if counts(f) {
			refused = append(refused, f)
			fmt.Fprintf(b, "- %s %s: %s%s\n", f.Rule, f.Name, clean(f.Message), placeInDraft(f))
		}
	}
	b.WriteString("\n## Suggestion\n")
	writeSuggestions(b, refused, d.Failures)
	for _, f := range d.AfterFixes {
		if counts(f) {
			later = append(later, f)
		}
	}
	writeAfterFixes(b, later)
	return b.Flush()
}

// Warnings describes the warnings of a draft that do not refuse it, as they are below a
// level; a line each.
func Warnings(d *lint.Draft, level lint.Severity) []string {
	var lines []string
	for _, f := range d.Findings {
		if f.Severity == lint.Warning && f.Severity > level {
			lines = append(lines, fmt.Sprintf("warning: %s %s: %s%s; %s", f.Rule, f.Name, clean(f.Message), placeInDraft(f), advice(f)))
		}
	}
	return lines
}

// HookWarnings returns what an agent program shows of a message that is sent: the
// warnings, and notes of the check. It is "" if there are none.
func HookWarnings(d *lint.Draft, notes []string) string {
	var lines []string
	for _, f := range d.Findings {
		if f.Severity == lint.Warning {
			lines = append(lines, fmt.Sprintf("- %s %s: %s%s; %s", f.Rule, f.Name, clean(f.Message), placeInDraft(f), advice(f)))
		}
	}
	if len(lines) > 0 {
		lines = slices.Insert(lines, 0, "brennerlint has "+text.Count(len(lines), "warning", "warnings")+" about this message, which is sent all the same:")
	}
	for _, note := range notes {
		lines = append(lines, "brennerlint: "+Message(note))
	}
	return strings.Join(lines, "\n")
}

// writeSuggestions says what to do about errors, once for all of one kind.
func writeSuggestions(b *bufio.Writer, findings []*lint.Finding, failures []lint.Failure) {
	said := map[string]map[string]bool{}
	for _, f := range findings {
		if said[f.Rule] == nil {
			said[f.Rule] = map[string]bool{}
		}
		said[f.Rule][f.Suggestion+f.Block] = true
	}
	shown := map[string]bool{}
	for _, f := range findings {
		s := f.Rule
		if len(said[f.Rule]) > 1 && f.Delta > 0 {
			s += fmt.Sprintf(" (delta %d)", f.Delta)
		}
		s += ": " + advice(f)
		if !shown[s+f.Block] {
			fmt.Fprintf(b, "- %s\n%s", s, blockLines("  ", f.Block))
		}
		shown[s+f.Block] = true
	}
	internal, stopped := countFailures(failures)
	if internal > 0 {
		fmt.Fprintf(b, "- %s\n", failureSuggestion)
	}
	if stopped > 0 {
		fmt.Fprintf(b, "- %s\n", stopSuggestion)
	}
}

// writeAfterFixes says what else will be refused once all of that is fixed: to fix it
// in the same step saves a round.
func writeAfterFixes(b *bufio.Writer, findings []*lint.Finding) {
	if len(findings) == 0 {
		return
	}
	b.WriteString("\n## After these fixes\nThe errors above hide these; fix them too:\n")
	for _, f := range findings {
		fmt.Fprintf(b, "- %s %s: %s%s\n  %s\n%s", f.Rule, f.Name, clean(f.Message), placeInDraft(f), advice(f), blockLines("  ", f.Block))
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

// stopSuggestion is what an agent can do about a rule that was stopped.
const stopSuggestion = "the check is incomplete: ask your operator to correct the rule in the configuration"

// MergePreview says what the merge would make of each delta of a draft, a line
// each.
func MergePreview(r *lint.Report) []string {
	out := make([]string, len(r.MergePreview))
	for i := range r.MergePreview {
		d := &r.MergePreview[i]
		out[i] = fmt.Sprintf("delta %d: %s", d.Delta, previewLine(d))
	}
	return out
}

func previewLine(d *lint.DeltaPreview) string {
	switch {
	case d.Outcome == merge.Rejected && d.RejectedBy == "":
		return "would be rejected"
	case d.RejectedBy != "":
		return "would be rejected (" + d.RejectedBy + ")"
	case d.Outcome == 0:
		return "would not be read"
	case d.Outcome == merge.Skipped:
		return "would be skipped: " + d.Item.String() + " is killed"
	case d.Outcome == merge.Dropped:
		return "would be dropped: " + d.Item.String() + " is killed at the same instant"
	case d.Outcome == merge.Unchanged:
		return "would change nothing"
	}
	switch d.Operation {
	case brenner.Add:
		return "this ADD becomes " + d.Item.String()
	case brenner.Kill:
		return "kills " + d.Item.String()
	default:
		return "edits " + d.Item.String()
	}
}
