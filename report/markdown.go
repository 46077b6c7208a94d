package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/brennerlint/brennerlint/result"
)

// How much Markdown a code host takes.
const (
	maxComment = 60_000    // of a comment, which may have 65,536 characters
	maxSummary = 1_000_000 // of a job summary
	maxStep    = 1 << 20   // of the job summaries of one step
)

// writeMarkdown writes a summary that fits in a comment on a pull request.
func writeMarkdown(w *bufio.Writer, r *result.Report, o *Options) { writeSummary(w, r, o, maxComment) }

// JobSummary writes what a GitHub Actions job shows of a run, in Markdown, where
// used bytes are taken by what the same step has written before. A step that has
// too much shows nothing at all, so what does not fit is left out.
func JobSummary(w io.Writer, r *result.Report, opts Options, used int64) error {
	b := bufio.NewWriter(w)
	switch room := maxSummary - used; {
	case used > 0 && room < maxComment:
		if line := "\n### brennerlint: " + verdict(r) + "\n\nThe summary of this step is full; the log has the findings.\n"; used+int64(len(line)) <= maxStep {
			b.WriteString(line)
		}
	default:
		if used > 0 {
			b.WriteString("\n")
		}
		writeSummary(b, r, &opts, int(room)-1)
	}
	return b.Flush()
}

// writeSummary writes the verdict and a table of the findings, the most severe
// first, as many as fit in a number of bytes.
func writeSummary(w *bufio.Writer, r *result.Report, o *Options, limit int) {
	var head strings.Builder
	fmt.Fprintf(&head, "### brennerlint: %s\n\n%s.\n", verdict(r), markdownText(summaryLine(r)))
	for _, line := range failureLines(r) {
		if head.Len() < limit/4 {
			fmt.Fprintf(&head, "\n> %s\n", markdownLine(truncate(line, maxCell)))
		}
	}
	if len(r.Failures) > 0 {
		fmt.Fprintf(&head, "\n> %s\n", meanings(r))
	}
	for _, n := range r.Notices {
		if head.Len() < limit/4 {
			fmt.Fprintf(&head, "\n> %s\n", markdownLine(n))
		}
	}
	w.WriteString(head.String())
	if len(r.Findings) == 0 {
		return
	}
	w.WriteString("\n| | Rule | Where | What |\n| --- | --- | --- | --- |\n")
	room := limit - head.Len() - 1000
	written := 0
	pages := rulePages(r)
	for _, f := range bySeverity(r.Findings) {
		row := markdownRow(f, pages[f.Rule], o)
		if room -= len(row); room < 0 {
			break
		}
		w.WriteString(row)
		written++
	}
	if rest := len(r.Findings) - written; rest > 0 {
		fmt.Fprintf(w, "\n… and %s.\n", count(rest, "more finding"))
	}
	fmt.Fprintf(w, "\nRun `brennerlint explain %s` for more", topRule(r.Findings))
	if n := fixable(r.Findings); n > 0 {
		fmt.Fprintf(w, "; %d fixable with `--fix`", n)
	}
	w.WriteString(".\n")
}

// markdownRow is one finding as a row of the table. Its rule links to the page
// that documents it.
func markdownRow(f *result.Finding, page string, o *Options) string {
	what := markdownText(truncate(f.Message, maxCell))
	if f.Suggestion != "" {
		what += "<br>" + markdownText(truncate(f.Suggestion, maxCell))
	}
	where := "<code>" + markdownText(place(o.fromRoot(f.Path), f.Range)) + "</code>"
	if f.MessageID != "" {
		where += "<br>message " + markdownText(truncate(f.MessageID, maxCell))
		if f.Delta > 0 {
			where += fmt.Sprintf(", delta %d", f.Delta)
		}
	}
	rule := f.Rule
	if page != "" {
		rule = "[" + rule + "](" + page + ")"
	}
	return fmt.Sprintf("| %s | %s&nbsp;%s | %s | %s |\n", f.Severity, rule, markdownText(f.Name), where, what)
}

// maxCell is how many bytes of a text a cell shows.
const maxCell = 1000

// markdownText returns a foreign text in Markdown: no markup, table cell, HTML,
// mention, issue number or link can come of it.
func markdownText(s string) string {
	return markdownEscapes.Replace(unlink(clean(s)))
}

// markdownLine returns a foreign text as a paragraph of Markdown: no list or quotation.
func markdownLine(s string) string {
	s = strings.TrimLeft(s, " ")
	if listMarker(s) >= 0 {
		return "&#8203;" + markdownText(s)
	}
	return markdownText(s)
}

// Entities are where a backslash would not do: a table is cut at its bars before
// anything else is read.
var markdownEscapes = strings.NewReplacer(
	"&", "&amp;", "<", "&lt;", ">", "&gt;", "|", "&#124;", "\\", "&#92;",
	"`", "\\`", "*", "\\*", "_", "\\_", "[", "\\[", "]", "\\]", "~", "\\~", "$", "\\$", "!", "\\!",
	unlinked, "&#8203;",
)
