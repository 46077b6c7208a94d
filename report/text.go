package report

import (
	"bufio"
	"cmp"
	"net/url"
	"path"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// textWriter writes the text format.
type textWriter struct {
	w *bufio.Writer
	o *Options
	paint
	rules map[string]lint.Rule
}

func writeText(w *bufio.Writer, r *lint.Report, o *Options) {
	if o.Quiet && len(r.Findings)+len(r.Hidden)+len(r.Failures) == 0 {
		return
	}
	t := &textWriter{w, o, paint(o.Color), rulesByID(r)}
	if o.Statistics != "" {
		t.statistics(r)
	} else {
		t.findings(r.Findings)
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

// afterFixes writes what would be left of a draft once its findings are fixed.
func (t *textWriter) afterFixes(findings []*lint.Finding) {
	if len(findings) == 0 {
		return
	}
	t.line(t.in(bold, "After these fixes"))
	for _, f := range findings {
		t.write("\n")
		t.place([]*lint.Finding{f})
	}
	t.write("\n")
}

// findings writes the findings grouped by file, message and place; if there are
// more than the limit, the most severe first.
func (t *textWriter) findings(findings []*lint.Finding) {
	shown, rest := mostSevere(findings, t.o.MaxFindings)
	var last *lint.Finding
	for len(shown) > 0 {
		n := 1
		for n < len(shown) && samePlace(shown[0], shown[n]) {
			n++
		}
		t.header(shown, last)
		t.write("\n")
		t.place(shown[:n])
		last, shown = shown[n-1], shown[n:]
	}
	if last != nil {
		t.write("\n")
	}
	if rest != "" {
		t.write(rest, "\n\n")
	}
}

// place writes the findings at one place, which share a frame.
func (t *textWriter) place(findings []*lint.Finding) {
	for i, f := range findings {
		t.finding(f)
		if i == 0 && f.Frame != nil {
			t.frame(f.Frame, severityStyles[firstMostSevere(findings).Severity])
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
	t.write("  ", t.in(severityStyles[f.Severity], severity), " ", t.link(t.rules[f.Rule].URL, t.in(bold, f.Rule)), " ", f.Name)
	if f.Range != nil || t.o.Width == 0 {
		where, gap := t.where(f.Path, f.Range), "  "
		if t.o.Width > 0 {
			width := textWidth(where)
			room := t.o.Width - len("    "+severity+f.Rule+f.Name) - width
			if room < 2 {
				t.write("\n")
				room = max(2, t.o.Width-width)
			}
			gap = strings.Repeat(" ", room)
		}
		t.write(gap, t.link(t.address(f.Path, f.Range), t.in(dim, where)))
	}
	t.write("\n")
	t.wrapped("  ", "", "  ", f.Message)
}

func (t *textWriter) related(r *lint.Related) {
	shown := t.where(r.Path, r.Range)
	if r.Mail != nil && r.Mail.ID != "" && !namesMessage(r.Message, r.Mail.ID) {
		shown = clean("message "+r.Mail.ID+withLead(", ", r.Mail.From)) + separator + shown
	}
	if r.Message != "" {
		shown = r.Message + " (" + shown + ")"
	}
	t.wrapped("     ", t.in(cyan, "· "), "       ", shown)
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
		line += separator + t.o.Elapsed.Round(time.Millisecond).String()
	}
	head, first := verdict(r), wrap(line, t.o.Width)[0]
	t.line(t.in(verdictStyle(r), head) + strings.TrimPrefix(first, head))
	if rest := strings.TrimSpace(line[len(first):]); rest != "" {
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
		explain := "run `brennerlint explain " + firstMostSevere(r.Findings).Rule + "` for more"
		return strings.Join(given(explain, ifAny(fixable(r.Findings), "fixable with --fix")), "; ")
	case s.SkippedMessages > 0 && s.Messages+s.Artifacts == 0:
		return "run with --scope all to check mail outside the protocol too"
	}
	return ""
}

// wrapped writes a text behind lead and mark, wrapped between words to the
// terminal; further lines begin with hang.
func (t *textWriter) wrapped(lead, mark, hang, text string) {
	for i, line := range wrap(clean(text), t.o.Width-len(hang)) {
		if i > 0 {
			lead, mark = hang, ""
		}
		if mark == "" {
			line = guard(line)
		}
		t.write(lead, mark, line, "\n")
	}
}

var severityStyles = map[lint.Severity]style{lint.Error: red, lint.Warning: yellow, lint.Info: blue}

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

const (
	separator   = " · " // between the parts of a line
	maxThread   = 80    // columns that a header gives to the id of a thread
	maxSubject  = 300   // to a subject where the width of the terminal is not known
	maxLocation = 40    // that a location gives to a path, which the header has too
)

// header writes what the findings that follow have in common, as far as it is not
// that of the finding before: the file, the thread and the message.
func (t *textWriter) header(findings []*lint.Finding, last *lint.Finding) {
	f := findings[0]
	newFile := last == nil || f.Path != last.Path
	aboutFile := f.Thread == "" && f.MessageID == "" // as a whole
	if !newFile && (aboutFile || f.Artifact && last.Artifact || sameMessage(f, last)) {
		return
	}
	if last != nil {
		t.write("\n")
	}
	if newFile {
		t.line(t.link(t.address(f.Path, nil), t.in(bold, cleanName(f.Path))))
	}
	ids := given(withLead("thread ", truncateColumns(clean(threadOf(findings)), maxThread)), withLead("message ", text.Shorten(clean(f.MessageID), maxName)))
	for _, line := range given(strings.Join(ids, separator), aboutMail(f.Mail, t.o.Width)) {
		t.line("  " + t.in(cyan, line))
	}
}

// aboutMail returns the subject, sender and time of a message, as far as they are known. The
// subject is cut so that a line of a header fits in some columns; 0 is any number.
func aboutMail(m *lint.MailInfo, columns int) string {
	if m == nil {
		return ""
	}
	about, room := strings.Join(given(text.Shorten(clean(m.From), maxName), brenner.FormatMinute(m.Time)), separator), maxSubject
	if m.Subject == "" {
		return about
	}
	about = withLead(separator, about)
	if columns > 0 {
		room = max(leastSource, columns-len("  ")-textWidth(about))
	}
	return truncateColumns(clean(m.Subject), room) + about
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

// messageKey distinguishes the messages that findings are about.
type messageKey struct{ path, thread, id string }

// messageOf returns the message that a finding is about. Where it has no id, what is known of it is
// its id; this is "" if the finding is about no message.
func messageOf(f *lint.Finding) messageKey {
	id := f.MessageID
	if m := f.Mail; m != nil && id == "" {
		id = strings.Join([]string{"", m.Subject, m.From, m.Time.String()}, "\x00")
	}
	return messageKey{f.Path, cmp.Or(f.Thread, f.Session), id}
}

// sameMessage reports whether two findings of one file are about one message, or
// none, of one thread.
func sameMessage(a, b *lint.Finding) bool {
	return messageOf(a) == messageOf(b) && (a.Mail == nil) == (b.Mail == nil)
}

// samePlace reports whether two findings mark the same text.
func samePlace(a, b *lint.Finding) bool {
	return (a.Range != nil || a.Frame != nil) && sameMessage(a, b) &&
		reflect.DeepEqual(a.Range, b.Range) && reflect.DeepEqual(a.Frame, b.Frame)
}

// where returns path:line:col. On a terminal the path has no folders, because it is in the
// header, and the place links to it. Piped output has the whole path.
func (t *textWriter) where(p string, r *source.Range) string {
	name := cleanName(p)
	if t.o.Width > 0 {
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
