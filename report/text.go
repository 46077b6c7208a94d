package report

import (
	"bufio"
	"bytes"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/result"
)

// textWriter writes the text format: it appends to a text, which its user takes from
// time to time.
type textWriter struct {
	text []byte
	paint
	columns int // what lines are fitted to; 0: not at all
	links   links
	pages   map[string]string // of rules, by id
	path    string            // of the last finding
	name    string            // that path as it is shown
	line    layout            // of a frame
}

func writeText(w *bufio.Writer, r *result.Report, o *Options) {
	if o.Quiet && len(r.Findings)+len(r.Hidden)+len(r.Failures) == 0 {
		return
	}
	t := newTextWriter(r, o)
	if o.Statistics != "" {
		t.statistics(r, o.Statistics)
	} else {
		t.findings(w, r.Findings, o.MaxFindings)
	}
	t.failures(r)
	t.afterFixes(r.AfterFixes)
	t.close(r, o)
	w.Write(t.text)
}

func newTextWriter(r *result.Report, o *Options) *textWriter {
	return &textWriter{paint: paint(o.Color), columns: o.Width, links: linksOf(o), pages: rulePages(r)}
}

// newline ends a line, or writes an empty one.
func (t *textWriter) newline() { t.text = append(t.text, '\n') }

// afterFixes writes what would be left of a draft once its findings are fixed.
func (t *textWriter) afterFixes(findings []*result.Finding) {
	if len(findings) == 0 {
		return
	}
	t.writeLine(t.in(bold, "After these fixes"))
	for _, f := range findings {
		t.newline()
		t.place([]*result.Finding{f})
	}
	t.newline()
}

// findings writes the findings grouped by file, message and place; if there are
// more than the limit, the most severe first.
func (t *textWriter) findings(w *bufio.Writer, findings []*result.Finding, limit int) {
	shown, rest := mostSevere(findings, limit)
	t.parts(w, shown)
	if len(shown) > 0 {
		t.newline()
	}
	if rest != "" {
		t.writeLine(rest)
		t.newline()
	}
}

// places writes the findings from an index on up to another, which each begin a place,
// with what the headers of the others leave to say.
func (t *textWriter) places(findings []*result.Finding, from, to int) {
	for i := from; i < to; {
		var last *result.Finding
		if i > 0 {
			last = findings[i-1]
		}
		n := atOnePlace(findings[i:])
		t.header(findings[i:], last)
		t.newline()
		t.place(findings[i : i+n])
		i += n
	}
}

// place writes the findings at one place, which share a frame.
func (t *textWriter) place(findings []*result.Finding) {
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
		if f.Block != "" {
			t.text = append(t.text, blockLines("       ", f.Block)...)
		}
		for i := range f.Related {
			t.related(&f.Related[i])
		}
	}
}

// finding writes the heading of a finding, rule and place, and its message. The
// place is at the right, or below where there is no room.
func (t *textWriter) finding(f *result.Finding) {
	severity := f.Severity.String()
	out := t.appendIn(append(t.text, "  "...), severityStyle(f.Severity), severity)
	out = append(out, ' ')
	if t.links.on {
		out = append(out, t.links.to(t.pages[f.Rule], t.in(bold, f.Rule))...)
	} else {
		out = t.appendIn(out, bold, f.Rule)
	}
	t.text = append(append(out, ' '), f.Name...)
	if f.Range != nil || t.columns == 0 && f.Path != "" {
		t.placeAtRight(f, len("    ")+len(severity)+len(f.Rule)+len(f.Name))
	}
	t.newline()
	t.wrapped("  ", "", "  ", f.Message)
}

// placeAtRight goes on with where a finding is, behind some columns of its heading.
func (t *textWriter) placeAtRight(f *result.Finding, used int) {
	if t.columns == 0 && !t.links.on {
		t.text = t.end(t.where(t.begin(append(t.text, "  "...), dim), f.Path, f.Range))
		return
	}
	where := string(t.where(nil, f.Path, f.Range))
	width, linked := textWidth(where), t.links.to(t.links.file(f.Path, f.Range), t.in(dim, where))
	room := 2
	if t.columns > 0 {
		room = t.columns - used - width
	}
	if room >= 2 {
		t.text = append(repeated(t.text, spaces, room), linked...)
		return
	}
	t.newline()
	start := len(t.text)
	t.text = append(repeated(t.text, spaces, max(2, t.columns-width)), linked...)
	t.guard(start)
}

// frame writes the source around the fault with a mark below.
func (t *textWriter) frame(fr *result.Frame, st style) {
	last := fr.Line + len(fr.Lines) - 1
	gutter := max(5, digits(last))
	columns := t.columns
	if columns <= 0 {
		columns = pipeColumns
	}
	columns = max(leastSource, columns-gutter-5)
	for i, l := range fr.Lines[:len(fr.Lines)-1] {
		at := t.gutter(gutter, fr.Line+i)
		t.text = t.line.above(t.text, l, columns)
		t.endSource(at)
	}
	at := t.gutter(gutter, last)
	var m mark
	t.text, m = t.line.cut(t.text, fr, columns)
	t.endSource(at)
	out := t.appendIn(repeated(append(t.text, "  "...), spaces, gutter), dim, " │ ")
	out = t.begin(repeated(out, spaces, m.column), st)
	t.text = append(t.end(repeated(out, carets, m.width)), '\n')
}

// gutter begins a line of source by its number, in some columns. What follows is no
// workflow command behind it. It returns where the text ends, but for a space.
func (t *textWriter) gutter(columns, number int) int {
	out := t.begin(append(t.text, "  "...), dim)
	out = append(appendNumber(out, columns, number), " │"...)
	t.text = append(t.end(out), ' ')
	return len(t.text) - 1
}

// appendNumber appends a positive number at the right of some columns, which it fits in.
func appendNumber(dst []byte, columns, number int) []byte {
	dst = repeated(dst, spaces, columns)
	left := uint(number)
	for i := len(dst) - 1; ; i-- {
		dst[i] = byte('0' + left%10)
		if left /= 10; left == 0 {
			return dst
		}
	}
}

// endSource ends a line of source, which begins at an offset, without the spaces at its
// end.
func (t *textWriter) endSource(at int) {
	if c := t.text[len(t.text)-1]; c <= ' ' || c >= utf8.RuneSelf {
		t.text = t.text[:at+len(bytes.TrimRightFunc(t.text[at:], unicode.IsSpace))]
	}
	t.text = append(t.text, '\n')
}

// digits returns how many digits a positive number has.
func digits(n int) int {
	d := 1
	for ; n >= 10; n /= 10 {
		d++
	}
	return d
}

const (
	spaces = "                                                                                                                        "
	carets = "^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
)

// repeated appends the first n bytes of a text of one character, which may be shorter.
func repeated(dst []byte, of string, n int) []byte {
	for ; n > len(of); n -= len(of) {
		dst = append(dst, of...)
	}
	return append(dst, of[:n]...)
}

func (t *textWriter) related(r *result.RelatedLocation) {
	where := string(t.where(nil, r.Path, r.Range))
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
func (t *textWriter) close(r *result.Report, o *Options) {
	line := summaryLine(r)
	if o.Elapsed > 0 {
		line += " · " + o.Elapsed.Round(time.Millisecond).String()
	}
	first, rest := line, ""
	if t.columns >= leastSource {
		first, rest = splitAt(line, t.columns)
	}
	head := verdict(r)
	t.writeLine(t.in(verdictStyle(r), head), strings.TrimPrefix(first, head))
	if rest != "" {
		t.wrapped("  ", "", "  ", rest)
	}
	if hint := nextStep(r); hint != "" {
		t.writeLine(t.in(dim, hint))
	}
	if o.Exit != "" {
		t.wrapped("", "", "  ", o.Exit)
	}
}

// nextStep returns what a reader may want to do after a report; "" for nothing.
func nextStep(r *result.Report) string {
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

// topRule returns the rule of the first of the most severe findings.
func topRule(findings []*result.Finding) string {
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
	start := len(t.text)
	t.text = append(append(t.text, lead...), mark...)
	part, rest := clean(text), ""
	room := t.columns - len(hang)
	if room >= leastSource {
		part, rest = splitAt(part, room)
	}
	t.endLine(start, part)
	for rest != "" {
		start = len(t.text)
		t.text = append(t.text, hang...)
		part, rest = splitAt(rest, room)
		t.endLine(start, part)
	}
}

// splitAt cuts a text at the last space that lets the first part fit in some
// columns; a word that is longer than that stays whole.
func splitAt(text string, columns int) (part, rest string) {
	if fits(text, columns) {
		return text, ""
	}
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

// writeLine writes a line, given in parts, that can be no workflow command.
func (t *textWriter) writeLine(parts ...string) {
	start := len(t.text)
	for _, p := range parts {
		t.text = append(t.text, p...)
	}
	t.endLine(start, "")
}

// endLine ends the line that begins at an offset by a text. It can be no workflow command.
func (t *textWriter) endLine(start int, text string) {
	t.text = append(t.text, text...)
	t.guard(start)
	t.newline()
}

// guard keeps the line that begins at an offset from being a workflow command.
func (t *textWriter) guard(start int) {
	i := start
	for i < len(t.text) && t.text[i] == ' ' {
		i++
	}
	if first, _ := utf8.DecodeRune(t.text[i:]); first == ':' || unicode.IsSpace(first) { // perhaps
		t.text = append(t.text[:start], guard(string(t.text[start:]))...)
	}
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

func verdictStyle(r *result.Report) style {
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
