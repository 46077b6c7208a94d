package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
)

// How much Markdown a code host takes.
const (
	maxComment = 60_000    // of a comment, which may have 65,536 characters
	maxSummary = 1_000_000 // of a job summary
	maxStep    = 1 << 20   // of the job summaries of one step
)

// writeMarkdown writes a summary that fits in a comment on a pull request.
func writeMarkdown(w *bufio.Writer, r *lint.Report, o *Options) {
	writeSummary(w, r, o, maxComment)
}

// JobSummary writes what a GitHub Actions job shows of a run, in Markdown, where
// used bytes are taken by what the same step has written before. A step that has
// too much shows nothing at all, so what does not fit is left out.
func JobSummary(w io.Writer, r *lint.Report, opts Options, used int64) error {
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
func writeSummary(w *bufio.Writer, r *lint.Report, o *Options, limit int) {
	var head strings.Builder
	quote := func(line string) {
		if head.Len() < limit/4 {
			fmt.Fprintf(&head, "\n> %s\n", markdownLine(line))
		}
	}
	fmt.Fprintf(&head, "### brennerlint: %s\n\n%s.\n", verdict(r), MarkdownText(Summary(r)))
	for _, line := range failureLines(r) {
		quote(text.Shorten(line, maxCell))
	}
	if len(r.Failures) > 0 {
		fmt.Fprintf(&head, "\n> %s\n", meaning(r.Failures...))
	}
	for _, n := range r.Notices {
		quote(n)
	}
	w.WriteString(head.String())
	if len(r.Findings) == 0 {
		return
	}
	w.WriteString("\n| | Rule | Where | What |\n| --- | --- | --- | --- |\n")
	room := limit - head.Len() - 1000
	rules := rulesByID(r)
	for i, f := range bySeverity(r.Findings) {
		row := markdownRow(f, rules[f.Rule].URL, o)
		if room -= len(row); room < 0 {
			fmt.Fprintf(w, "\n… and %s.\n", count(len(r.Findings)-i, "more finding"))
			break
		}
		w.WriteString(row)
	}
	explain := "Run `brennerlint explain " + firstMostSevere(r.Findings).Rule + "` for more"
	fmt.Fprintf(w, "\n%s.\n", strings.Join(given(explain, ifAny(fixable(r.Findings), "fixable with `--fix`")), "; "))
}

// markdownRow is one finding as a row of the table. Its rule links to the page
// that documents it.
func markdownRow(f *lint.Finding, page string, o *Options) string {
	what := MarkdownText(text.Shorten(f.Message, maxCell)) + withLead("<br>", MarkdownText(text.Shorten(f.Suggestion, maxCell)))
	where := "<code>" + MarkdownText(place(o.fromRoot(f.Path), f.Range)) + "</code>"
	if f.MessageID != "" {
		where += "<br>message " + MarkdownText(text.Shorten(f.MessageID, maxCell))
		if f.Delta > 0 {
			where += fmt.Sprintf(", delta %d", f.Delta)
		}
	}
	rule := f.Rule
	if page != "" {
		rule = "[" + rule + "](" + page + ")"
	}
	return fmt.Sprintf("| %s | %s&nbsp;%s | %s | %s |\n", f.Severity, rule, MarkdownText(f.Name), where, what)
}

// maxCell is how many bytes of a text a cell shows.
const maxCell = 1000

// MarkdownText returns a foreign text in Markdown: no markup, table cell, HTML,
// mention, issue number or link can come of it.
func MarkdownText(s string) string {
	return markdownEscapes.Replace(unlink(clean(s)))
}

// markdownLine returns a foreign text as a paragraph of Markdown: no list or quotation.
func markdownLine(s string) string {
	s = strings.TrimLeft(s, " ")
	if listMarker(s) >= 0 {
		return "&#8203;" + MarkdownText(s)
	}
	return MarkdownText(s)
}

// Entities are where a backslash would not do: a table is cut at its bars before
// anything else is read.
var markdownEscapes = strings.NewReplacer(
	"&", "&amp;", "<", "&lt;", ">", "&gt;", "|", "&#124;", "\\", "&#92;",
	"`", "\\`", "*", "\\*", "_", "\\_", "[", "\\[", "]", "\\]", "~", "\\~", "$", "\\$", "!", "\\!",
	unlinked, "&#8203;",
)

// unlinked breaks a reference without being seen. Clean text has none of its own.
const unlinked = "\u200b"

// unlink breaks what code hosts make links, mentions or pictures of wherever it is
// in a rendered text, escaped or not: @someone, #1, GH-1, !1 and the like of GitLab,
// addresses, ids of commits, :emoji:.
func unlink(s string) string {
	var b strings.Builder
	b.Grow(len(s) + 16)
	for s != "" {
		n := 0
		for n < len(s) && isAlphanumeric(s[n]) {
			n++
		}
		part := s[:max(1, n)] // a word, or a sign
		isHeading := b.Len() == 0 && s[0] == '#'
		refers := isHeading || len(part) <= len("www") && s[0] != ' ' && reference().MatchString(s)
		s = s[len(part):]
		for isCommit(part) {
			b.WriteString(part[:commitPart] + unlinked)
			part = part[commitPart:]
		}
		b.WriteString(part)
		if refers {
			b.WriteString(unlinked)
		}
	}
	return b.String()
}

// unlinkLines breaks the references in Markdown of ours, whose foreign texts are escaped and
// never begin a line: a # that begins one is our heading.
func unlinkLines(s string) string {
	return strings.ReplaceAll(eachLine(s, func(line string) string {
		rest := strings.TrimLeft(line, "#")
		return line[:len(line)-len(rest)] + unlink(rest)
	}), unlinked, "&#8203;")
}

// reference is what a text begins with that is broken after its first word or sign. A number
// between colons is a line, and no shortcode.
var reference = text.Pattern(`^(?:@|#(?:[^# ]|$)|[!$%~^&][\w"]|://|:[\w+-]*[A-Za-z_+-][\w+-]*:|(?i:www)\.|(?i:gh)-[0-9A-Za-z])`)

func isAlphanumeric(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// commitPart is how much of the id of a commit no code host takes for one.
const commitPart = 6

// isCommit reports whether a word may be the id of a commit. A number is not one.
func isCommit(word string) bool {
	const longest = 40
	return commitPart < len(word) && len(word) <= longest && strings.Trim(word, "0123456789abcdefABCDEF") == "" &&
		strings.Trim(word, "0123456789") != ""
}

// markdownProse returns a foreign text as Markdown of one paragraph that people may read
// unrendered too, as in a terminal: no markup, HTML, link or mention can come of it,
// and it has no more escapes than that takes.
func markdownProse(s string) string {
	s = unlink(strings.TrimSpace(clean(s)))
	var b strings.Builder
	b.Grow(len(s) + 16)
	start := listMarker(s)
	for i := range len(s) {
		c := s[i]
		if i == start || strings.IndexByte("\\`*<[]~$|", c) >= 0 || c == '_' && !within(s, i) || c == '&' && beginsEntity(s[i+1:]) {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	}
	return b.String()
}

// within reports whether the byte at i is between letters or digits: an underscore
// there is no markup.
func within(s string, i int) bool {
	return i > 0 && i+1 < len(s) && isAlphanumeric(s[i-1]) && isAlphanumeric(s[i+1])
}

// beginsEntity reports whether an & before s would begin an entity.
func beginsEntity(s string) bool {
	s = strings.TrimPrefix(s, unlinked)
	return s != "" && (s[0] == '#' || isAlphanumeric(s[0]))
}

// listMarker returns where the sign is that would make a text a list, quotation or
// heading; -1 if it has none.
func listMarker(s string) int {
	digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
	if digits < len(s) && (digits > 0 && (s[digits] == '.' || s[digits] == ')') || digits == 0 && strings.IndexByte("-+>=", s[0]) >= 0) {
		return digits
	}
	return -1
}
