package report

import (
	"bufio"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/lint"
)

// textWriter writes the text format.
type textWriter struct {
	w *bufio.Writer
	paint
	columns int // what lines are fitted to; 0: not at all
	links   links
	pages   map[string]string // of rules, by id
	path    string            // of the last finding
	name    string            // that path as it is shown
	carets  string            // as many as the longest mark had
	spaces  string            // as many as were needed
	buf     []byte            // the line that is written
}

func writeText(w *bufio.Writer, r *lint.Report, o *Options) {
	if o.Quiet && len(r.Findings)+len(r.Hidden)+len(r.Failures) == 0 {
		return
	}
	t := &textWriter{w: w, paint: paint(o.Color), columns: o.Width, links: linksOf(o), pages: rulePages(r)}
	if o.Statistics != "" {
		t.statistics(r, o.Statistics)
	} else {
		t.findings(r.Findings, o.MaxFindings)
	}
	t.failures(r)
	t.afterFixes(r.AfterFixes)
	t.close(r, o)
}

// afterFixes writes what would be left of a draft once its findings are fixed.
func (t *textWriter) afterFixes(findings []*lint.Finding) {
	if len(findings) == 0 {
		return
	}
	t.line(t.in(bold, "After these fixes"))
	for _, f := range findings {
		t.w.WriteByte('\n')
		t.place([]*lint.Finding{f})
	}
	t.w.WriteByte('\n')
}

// findings writes the findings grouped by file, message and place; if there are
// more than the limit, the most severe first.
func (t *textWriter) findings(findings []*lint.Finding, limit int) {
	shown, rest := mostSevere(findings, limit)
	t.parts(shown)
	if len(shown) > 0 {
		t.w.WriteByte('\n')
	}
	if rest != "" {
		t.line(rest)
		t.w.WriteByte('\n')
	}
}

// places writes the findings from an index on up to another, which each begin a place,
// with what the headers of the others leave to say.
func (t *textWriter) places(findings []*lint.Finding, from, to int) {
	for i := from; i < to; {
		var last *lint.Finding
		if i > 0 {
			last = findings[i-1]
		}
		n := atOnePlace(findings[i:])
		t.header(findings[i:], last)
		t.w.WriteByte('\n')
		t.place(findings[i : i+n])
		i += n
	}
}

// place writes the findings at one place, which share a frame.
func (t *textWriter) place(findings []*lint.Finding) {
	worst := findings[0].Severity
	for _, f := range findings {
		worst = min(worst, f.Severity)
	}
	for i, f := range findings {
		t.finding(f)
		if i == 0 && f.Frame != nil && len(f.Frame.Lines) > 0 {
			t.frame(f.Frame, severityStyle(worst))
		}
		if f.Suggestion != "" {
			t.wrapped("     ", t.in(green, "= "), "       ", f.Suggestion)
		}
		t.w.WriteString(blockLines("       ", f.Block))
		for i := range f.Related {
			t.related(&f.Related[i])
		}
	}
}

// finding writes the heading of a finding, rule and place, and its message. The
// place is at the right, or below where there is no room.
func (t *textWriter) finding(f *lint.Finding) {
	severity := f.Severity.String()
	colored, rule := t.in(severityStyle(f.Severity), severity), t.links.to(t.pages[f.Rule], t.in(bold, f.Rule))
	where, gap, below := "", "", false
	if f.Range != nil || t.columns == 0 {
		where = t.where(f.Path, f.Range)
	}
	if where != "" {
		gap = "  "
		if t.columns > 0 {
			room := t.columns - 4 - len(severity) - len(f.Rule) - len(f.Name) - textWidth(where)
			if below = room < 2; below {
				room = t.columns - textWidth(where)
			}
			gap = repeat(&t.spaces, " ", max(2, room))
		}
		where = t.links.to(t.links.file(f.Path, f.Range), t.in(dim, where))
	}
	if below {
		t.line("  ", colored, " ", rule, " ", f.Name)
		t.line(gap, where)
	} else {
		t.line("  ", colored, " ", rule, " ", f.Name, gap, where)
	}
	t.wrapped("  ", "", "  ", f.Message)
}

// frame writes the source around the fault with a mark below.
func (t *textWriter) frame(fr *lint.Frame, mark style) {
	last := fr.Line + len(fr.Lines) - 1
	gutter := max(5, len(strconv.Itoa(last)))
	columns := t.columns
	if columns <= 0 {
		columns = pipeColumns
	}
	columns = max(leastSource, columns-gutter-5)
	for i, l := range fr.Lines[:len(fr.Lines)-1] {
		t.source(gutter, fr.Line+i, above(l, columns))
	}
	e := cut(fr, columns)
	t.source(gutter, last, e.text)
	t.numbered("  ", repeat(&t.spaces, " ", gutter), t.in(dim, " │ "), repeat(&t.spaces, " ", e.mark), t.in(mark, repeat(&t.carets, "^", e.marked)))
}

// repeat is n times a character, of a text of as many as were needed.
func repeat(of *string, c string, n int) string {
	if len(*of) < n {
		*of = strings.Repeat(c, n)
	}
	return (*of)[:n]
}

func (t *textWriter) source(gutter, number int, text string) {
	digits := strconv.Itoa(number)
	on, off := t.around(dim)
	pad := repeat(&t.spaces, " ", max(0, gutter-len(digits)))
	if text = strings.TrimRightFunc(text, unicode.IsSpace); text == "" {
		t.numbered("  ", on, pad, digits, " │", off)
	} else {
		t.numbered("  ", on, pad, digits, " │", off, " ", text)
	}
}

func (t *textWriter) related(r *lint.RelatedLocation) {
	where := t.where(r.Path, r.Range)
	if r.Mail != nil && r.Mail.ID != "" && !namesMessage(r.Message, r.Mail.ID) {
		who := "message " + r.Mail.ID
		if r.Mail.From != "" {
			who += ", " + r.Mail.From
		}
		where = clean(who) + " · " + where
	}
	text := where
	if r.Message != "" {
		text = r.Message + " (" + where + ")"
	}
	t.wrapped("     ", t.in(cyan, "· "), "       ", text)
}

// namesMessage reports whether a text speaks of the message already.
func namesMessage(text, id string) bool {
	_, after, found := strings.Cut(text, "message "+id)
	return found && (after == "" || !unicode.IsLetter(rune(after[0])) && !unicode.IsDigit(rune(after[0])))
}

// close writes the summary and what to do next.
func (t *textWriter) close(r *lint.Report, o *Options) {
	line := summaryLine(r)
	if o.Elapsed > 0 {
		line += " · " + o.Elapsed.Round(time.Millisecond).String()
	}
	first, rest := line, ""
	if t.columns >= leastSource {
		first, rest = splitAt(line, t.columns)
	}
	head := verdict(r)
	t.line(t.in(verdictStyle(r), head), strings.TrimPrefix(first, head))
	if rest != "" {
		t.wrapped("  ", "", "  ", rest)
	}
	if hint := nextStep(r); hint != "" {
		t.line(t.in(dim, hint))
	}
	if o.Exit != "" {
		t.wrapped("", "", "  ", o.Exit)
	}
}

// nextStep is what a reader may want to do after a report; "" for nothing.
func nextStep(r *lint.Report) string {
	switch s := &r.Summary; {
	case len(r.Findings) > 0:
		hint := "run `brennerlint explain " + topRule(r.Findings) + "` for more"
		if n := fixable(r.Findings); n > 0 {
			hint += fmt.Sprintf("; %d fixable with --fix", n)
		}
		return hint
	case s.SkippedMessages > 0 && s.Messages+s.Artifacts == 0:
		return "run with --scope all to check mail outside the protocol too"
	}
	return ""
}

// topRule is the rule of the first of the most severe findings.
func topRule(findings []*lint.Finding) string {
	first := findings[0]
	for _, f := range findings {
		if f.Severity < first.Severity {
			first = f
		}
	}
	return first.Rule
}

// wrapped writes a text behind lead and mark, wrapped between words to the
// terminal; further lines begin with hang.
func (t *textWriter) wrapped(lead, mark, hang, text string) {
	text = clean(text)
	room := t.columns - len(hang)
	if room < leastSource {
		t.line(lead, mark, text)
		return
	}
	for first := true; text != "" || first; first = false {
		var part string
		part, text = splitAt(text, room)
		if first {
			t.line(lead, mark, part)
		} else {
			t.line(hang, part)
		}
	}
}

// splitAt cuts a text at the last space that lets the first part fit in some
// columns; a word that is longer than that stays whole.
func splitAt(text string, columns int) (part, rest string) {
	at, column, space := 0, 0, -1
	for cluster, width := range graphemes(text) {
		if cluster == " " && column <= columns {
			space = at
		}
		column += width
		if column > columns && space >= 0 {
			return text[:space], strings.TrimLeft(text[space:], " ")
		}
		if column > columns && cluster == " " {
			return text[:at], strings.TrimLeft(text[at:], " ")
		}
		at += len(cluster)
	}
	return text, ""
}

// line writes a line, given in parts, that can be no workflow command.
func (t *textWriter) line(parts ...string) {
	line := join(t.buf[:0], parts)
	start := 0
	for start < len(line) && line[start] == ' ' {
		start++
	}
	if first, _ := utf8.DecodeRune(line[start:]); first == ':' || unicode.IsSpace(first) { // perhaps
		line = append(line[:0], guard(string(line))...)
	}
	t.end(line)
}

// numbered writes a line of a frame, given in parts: the gutter before it keeps it from
// being a workflow command.
func (t *textWriter) numbered(parts ...string) { t.end(join(t.buf[:0], parts)) }

func join(line []byte, parts []string) []byte {
	for _, p := range parts {
		line = append(line, p...)
	}
	return line
}

// end writes a line that is complete.
func (t *textWriter) end(line []byte) {
	line = append(line, '\n')
	t.w.Write(line)
	t.buf = line
}

func severityStyle(s lint.Severity) style {
	switch s {
	case lint.Error:
		return red
	case lint.Warning:
		return yellow
	default:
		return blue
	}
}

func verdictStyle(r *lint.Report) style {
	switch s := &r.Summary; {
	case s.Errors > 0 || len(r.Failures) > 0:
		return red
	case s.Warnings > 0:
		return yellow
	case s.Info > 0:
		return blue
	default:
		return green
	}
}
