package report

import (
	"bufio"
	"cmp"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// textWriter writes the text format.
type textWriter struct {
	w *bufio.Writer
	o *Options
	paint
	columns int               // what lines are fitted to; 0: not at all
	pages   map[string]string // of rules, by id
}

func writeText(w *bufio.Writer, r *lint.Report, o *Options) {
	if o.Quiet && len(r.Findings)+len(r.Hidden)+len(r.Failures) == 0 {
		return
	}
	t := &textWriter{w, o, paint(o.Color), o.Width, rulePages(r)}
	if o.Statistics != "" {
		t.statistics(r)
	} else {
		t.findings(r.Findings, o.MaxFindings)
	}
	t.failures(r)
	t.afterFixes(r.AfterFixes)
	t.close(r)
}

// write writes texts as they are.
func (t *textWriter) write(texts ...string) {
	for _, s := range texts {
		t.w.WriteString(s)
	}
}

// line writes a line that can be no workflow command.
func (t *textWriter) line(text string) { t.write(guard(text), "\n") }

// newline ends a line.
func (t *textWriter) newline() { t.w.WriteByte('\n') }

// afterFixes writes what would be left of a draft once its findings are fixed.
func (t *textWriter) afterFixes(findings []*lint.Finding) {
	if len(findings) == 0 {
		return
	}
	t.line(t.in(bold, "After these fixes"))
	for _, f := range findings {
		t.newline()
		t.place([]*lint.Finding{f})
	}
	t.newline()
}

// findings writes the findings grouped by file, message and place; if there are
// more than the limit, the most severe first.
func (t *textWriter) findings(findings []*lint.Finding, limit int) {
	shown, rest := mostSevere(findings, limit)
	var last *lint.Finding
	for len(shown) > 0 {
		n := 1
		for n < len(shown) && samePlace(shown[0], shown[n]) {
			n++
		}
		t.header(shown, last)
		t.newline()
		t.place(shown[:n])
		last, shown = shown[n-1], shown[n:]
	}
	if last != nil {
		t.newline()
	}
	if rest != "" {
		t.line(rest)
		t.newline()
	}
}

// place writes the findings at one place, which share a frame.
func (t *textWriter) place(findings []*lint.Finding) {
	for i, f := range findings {
		t.finding(f)
		if i == 0 && f.Frame != nil && len(f.Frame.Lines) > 0 {
			t.frame(f.Frame, severityStyle(worst(findings).Severity))
		}
		if f.Suggestion != "" {
			t.wrapped("     ", t.in(green, "= "), "       ", f.Suggestion+notApplied(f))
		}
		t.write(blockLines("       ", f.Block))
		for i := range f.Related {
			t.related(&f.Related[i])
		}
	}
}

// finding writes the heading of a finding, rule and place, and its message. The
// place is at the right, or below where there is no room.
func (t *textWriter) finding(f *lint.Finding) {
	severity := f.Severity.String()
	t.write("  ", t.in(severityStyle(f.Severity), severity), " ", t.link(t.pages[f.Rule], t.in(bold, f.Rule)), " ", f.Name)
	if f.Range != nil || t.columns == 0 && f.Path != "" {
		where, room := t.where(f.Path, f.Range), 2
		if t.columns > 0 {
			width := textWidth(where)
			room = t.columns - len("    ") - len(severity) - len(f.Rule) - len(f.Name) - width
			if room < 2 {
				t.newline()
				room = max(2, t.columns-width)
			}
		}
		t.write(strings.Repeat(" ", room), t.link(t.address(f.Path, f.Range), t.in(dim, where)))
	}
	t.newline()
	t.wrapped("  ", "", "  ", f.Message)
}

// frame writes the source around the fault with a mark below.
func (t *textWriter) frame(fr *lint.Frame, st style) {
	last := len(fr.Lines) - 1
	gutter := max(5, len(strconv.Itoa(fr.Line+last)))
	columns := t.columns
	if columns <= 0 {
		columns = pipeColumns
	}
	columns = max(leastSource, columns-gutter-5)
	for i, line := range fr.Lines[:last] {
		t.source(fr.Line+i, gutter, excerptAbove(line, columns))
	}
	e := excerptOf(fr, columns)
	t.source(fr.Line+last, gutter, e.text)
	t.write(strings.Repeat(" ", 2+gutter), t.in(dim, " │ "), strings.Repeat(" ", e.column), t.in(st, strings.Repeat("^", e.width)), "\n")
}

// source writes a line of a frame behind its number.
func (t *textWriter) source(number, gutter int, line string) {
	n := strconv.Itoa(number)
	t.write("  ", t.in(dim, strings.Repeat(" ", gutter-len(n))+n+" │"))
	if line = strings.TrimRightFunc(line, unicode.IsSpace); line != "" {
		t.write(" ", line)
	}
	t.newline()
}

func (t *textWriter) related(r *lint.Related) {
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
func (t *textWriter) close(r *lint.Report) {
	line := Summary(r)
	if t.o.Elapsed > 0 {
		line += " · " + t.o.Elapsed.Round(time.Millisecond).String()
	}
	first, rest := line, ""
	if t.columns >= leastSource {
		first, rest = splitAt(line, t.columns)
	}
	head := verdict(r)
	t.line(t.in(verdictStyle(r), head) + strings.TrimPrefix(first, head))
	if rest != "" {
		t.wrapped("  ", "", "  ", rest)
	}
	if hint := nextStep(r); hint != "" {
		t.line(t.in(dim, hint))
	}
	if t.o.Exit != "" {
		t.wrapped("", "", "  ", t.o.Exit)
	}
}

// nextStep returns what a reader may want to do after a report; "" for nothing.
func nextStep(r *lint.Report) string {
	switch s := &r.Summary; {
	case len(r.Findings) > 0:
		hint := "run `brennerlint explain " + worst(r.Findings).Rule + "` for more"
		if n := fixable(r.Findings); n > 0 {
			hint += fmt.Sprintf("; %d fixable with --fix", n)
		}
		return hint
	case s.SkippedMessages > 0 && s.Messages+s.Artifacts == 0:
		return "run with --scope all to check mail outside the protocol too"
	}
	return ""
}

// wrapped writes a text behind lead and mark, wrapped between words to the
// terminal; further lines begin with hang.
func (t *textWriter) wrapped(lead, mark, hang, text string) {
	part, rest := clean(text), ""
	room := t.columns - len(hang)
	if room >= leastSource {
		part, rest = splitAt(part, room)
	}
	if mark == "" {
		part = guard(part)
	}
	t.write(lead, mark, part, "\n")
	for rest != "" {
		part, rest = splitAt(rest, room)
		t.write(hang, guard(part), "\n")
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

// header writes what the findings that follow have in common, as far as it is not
// that of the finding before: the file, the thread and the message.
func (t *textWriter) header(findings []*lint.Finding, last *lint.Finding) {
	f := findings[0]
	newFile := last == nil || f.Path != last.Path
	if !newFile && (f.Artifact && last.Artifact || sameMessage(f, last) || f.Thread == "" && f.MessageID == "") {
		return
	}
	if last != nil {
		t.newline()
	}
	if newFile {
		t.line(t.link(t.address(f.Path, nil), t.in(bold, cleanName(f.Path))))
	}
	thread, message := threadOf(findings), f.MessageID
	if f.Mail != nil {
		message = f.Mail.ID
	}
	var ids []string
	if thread != "" {
		ids = append(ids, "thread "+truncateColumns(clean(thread), maxThread))
	}
	if message != "" {
		ids = append(ids, "message "+text.Shorten(clean(message), maxName))
	}
	if ids != nil {
		t.line("  " + t.in(cyan, strings.Join(ids, separator)))
	}
	if f.Mail != nil {
		t.about(f.Mail, max(0, t.columns-2))
	}
}

// separator is between the parts of a line.
const separator = " · "

// maxSubject is how many columns a header gives to a subject where the width is not known.
const maxSubject = 300

// about writes the subject, sender and time of a message, if any is known, the subject cut
// so that the line takes no more than some columns; 0 is any number.
func (t *textWriter) about(m *lint.MailInfo, columns int) {
	after := ""
	if m.From != "" {
		after += separator + text.Shorten(clean(m.From), maxName)
	}
	if at := shownMinute(m.Time); at != "" {
		after += separator + at
	}
	room := maxSubject
	if columns > 0 {
		room = max(leastSource, columns-textWidth(after))
	}
	if m.Subject == "" {
		after = strings.TrimPrefix(after, separator)
	}
	if line := truncateColumns(clean(m.Subject), room) + after; line != "" {
		t.line("  " + t.in(cyan, line))
	}
}

// threadOf returns the thread of the first finding; for an artifact, the thread that any of its
// findings names.
func threadOf(findings []*lint.Finding) string {
	first := findings[0]
	for _, f := range findings {
		if f != first && (!f.Artifact || !first.Artifact || f.Path != first.Path) {
			break
		}
		if thread := cmp.Or(f.Thread, f.Session); thread != "" {
			return thread
		}
	}
	return ""
}

// maxThread is how many columns a header gives to the id of a thread.
const maxThread = 80

// sameMessage reports whether two findings of one file are about one message, or
// none, of one thread.
func sameMessage(a, b *lint.Finding) bool {
	x, _ := concerned(a)
	y, _ := concerned(b)
	return x == y && (a.Mail == nil) == (b.Mail == nil)
}

// messageKey distinguishes the messages that findings are about. Where one has no id, what is
// known of it is its id.
type messageKey struct{ path, thread, id string }

// concerned returns the message that a finding is about; it reports false if there is none.
func concerned(f *lint.Finding) (messageKey, bool) {
	k := messageKey{path: f.Path, thread: f.Thread, id: f.MessageID}
	if m := f.Mail; k.id == "" && m != nil {
		if k.id = m.ID; k.id == "" {
			k.id = strings.Join([]string{"", m.Subject, m.From, m.Time.String()}, "\x00")
		}
	}
	return k, f.Mail != nil || k.id != ""
}

// samePlace reports whether two findings mark the same text.
func samePlace(a, b *lint.Finding) bool {
	if (a.Range == nil) != (b.Range == nil) || (a.Frame == nil) != (b.Frame == nil) {
		return false
	}
	if a.Range != nil && *a.Range != *b.Range || a.Path != b.Path || !sameMessage(a, b) {
		return false
	}
	if a.Frame == nil {
		return a.Range != nil
	}
	return a.Frame.Line == b.Frame.Line && a.Frame.Start == b.Frame.Start && a.Frame.End == b.Frame.End && slices.Equal(a.Frame.Lines, b.Frame.Lines)
}

// maxLocation is how many columns a location gives to a path that the header has.
const maxLocation = 40

// where returns path:line:col. On a terminal the path has no folders, because it is in the
// header, and the place links to it. Piped output has the whole path.
func (t *textWriter) where(p string, r *source.Range) string {
	name := cleanName(p)
	if t.columns > 0 {
		if i := strings.LastIndexByte(strings.TrimSuffix(name, "/"), '/'); i > 0 {
			name = ellipsis + name[i:]
		}
		name = truncateLeft(name, maxLocation)
	}
	return name + lineAndColumn(r)
}

// link returns a text that is a hyperlink of a terminal (OSC 8) to an address, or the text alone.
func (t *textWriter) link(address, text string) string {
	if !t.o.Hyperlinks || address == "" || text == "" || strings.ContainsFunc(address, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return text
	}
	return "\x1b]8;;" + address + "\x1b\\" + text + "\x1b]8;;\x1b\\"
}

// address returns the address of a place in a file, with the line as terminals know it; ""
// without links, and for standard input.
func (t *textWriter) address(p string, r *source.Range) string {
	if !t.o.Hyperlinks || p == "-" {
		return ""
	}
	if !isAbs(p) {
		p = t.o.Dir + "/" + p
	}
	u := url.URL{Scheme: "file", Host: cmp.Or(t.o.Host, "localhost"), Path: path.Join("/", p)}
	if r != nil {
		u.Fragment = strconv.Itoa(r.Start.Line)
	}
	return u.String()
}
