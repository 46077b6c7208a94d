package report

import (
	"cmp"
	"net/url"
	"path"
	"strconv"
	"strings"

	"github.com/brennerlint/brennerlint/result"
	"github.com/brennerlint/brennerlint/source"
)

// header writes what the findings that follow have in common, as far as it is not
// that of the finding before: the file, the thread and the message.
func (t *textWriter) header(findings []*result.Finding, last *result.Finding) {
	f := findings[0]
	newFile := last == nil || f.Path != last.Path
	if !newFile && (f.Artifact && last.Artifact || sameMessage(f, last) || f.Thread == "" && f.MessageID == "") {
		return
	}
	if last != nil {
		t.newline()
	}
	if newFile {
		t.line(t.links.to(t.links.file(f.Path, nil), t.in(bold, cleanName(f.Path))))
	}
	t.ids(findings)
	if f.Mail != nil {
		t.about(f.Mail, max(0, t.columns-2))
	}
}

// ids writes the thread and the message that the first of some findings is about, if any.
func (t *textWriter) ids(findings []*result.Finding) {
	thread, message := threadOf(findings), findings[0].MessageID
	if m := findings[0].Mail; m != nil {
		message = m.ID
	}
	var parts []string
	if thread != "" {
		parts = append(parts, "thread "+truncateColumns(clean(thread), maxThread))
	}
	if message != "" {
		parts = append(parts, "message "+truncate(clean(message), maxName))
	}
	if len(parts) > 0 {
		t.line("  " + t.in(cyan, strings.Join(parts, separator)))
	}
}

// separator is between the parts of a line.
const separator = " · "

// maxSubject is how many columns a header gives to a subject where the width is not known.
const maxSubject = 300

// about writes the subject, sender and time of a message, if any is known, the subject cut
// so that the line takes no more than some columns; 0 is any number.
func (t *textWriter) about(m *result.MailInfo, columns int) {
	after := ""
	if m.From != "" {
		after += separator + truncate(clean(m.From), maxName)
	}
	if !m.Time.IsZero() {
		after += separator + m.Time.UTC().Format("2006-01-02 15:04Z")
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

// threadOf returns the thread that the first of some findings is about; of an artifact that
// which any of its findings names.
func threadOf(findings []*result.Finding) string {
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
func sameMessage(a, b *result.Finding) bool {
	if a.Thread != b.Thread || a.MessageID != b.MessageID || (a.Mail == nil) != (b.Mail == nil) {
		return false
	}
	return a.Mail == b.Mail || a.Mail.ID == b.Mail.ID && a.Mail.Subject == b.Mail.Subject && (a.MessageID != "" || a.Mail.From == b.Mail.From && a.Mail.Time.Equal(b.Mail.Time))
}

// messageKey distinguishes the messages that findings are about. Where one has no id, what is
// known of it is its id.
type messageKey struct{ path, thread, id string }

// concerned returns the message that a finding is about; it reports false if there is none.
func concerned(f *result.Finding) (messageKey, bool) {
	k := messageKey{path: f.Path, thread: f.Thread, id: f.MessageID}
	if m := f.Mail; k.id == "" && m != nil {
		if k.id = m.ID; k.id == "" {
			k.id = strings.Join([]string{"", m.Subject, m.From, m.Time.String()}, "\x00")
		}
	}
	return k, f.Mail != nil || k.id != ""
}

// atOnePlace returns how many of the findings are at the place of the first.
func atOnePlace(findings []*result.Finding) int {
	n := 1
	for n < len(findings) && samePlace(findings[0], findings[n]) {
		n++
	}
	return n
}

// samePlace reports whether two findings mark the same text.
func samePlace(a, b *result.Finding) bool {
	if (a.Range == nil) != (b.Range == nil) || (a.Frame == nil) != (b.Frame == nil) {
		return false
	}
	if a.Range != nil && *a.Range != *b.Range || a.Path != b.Path || !sameMessage(a, b) {
		return false
	}
	if a.Frame == nil {
		return a.Range != nil
	}
	last := func(f *result.Frame) string { return f.Lines[max(0, len(f.Lines)-1)] }
	return a.Frame.Line == b.Frame.Line && a.Frame.Start == b.Frame.Start && a.Frame.End == b.Frame.End &&
		len(a.Frame.Lines) == len(b.Frame.Lines) && len(a.Frame.Lines) > 0 && last(a.Frame) == last(b.Frame)
}

// maxLocation is how many columns a location gives to a path that the header has.
const maxLocation = 40

// where returns path:line:col, the path without its folders on a terminal: it is in
// the header, and the place links to it. What is piped into a program has it whole.
func (t *textWriter) where(path string, r *source.Range) string {
	return t.shownPath(path) + lineAndColumn(r)
}

func (t *textWriter) shownPath(p string) string {
	name := cleanName(p)
	if t.columns == 0 {
		return name
	}
	if i := strings.LastIndexByte(strings.TrimSuffix(name, "/"), '/'); i > 0 {
		name = "…" + name[i:]
	}
	return truncateLeft(name, maxLocation)
}

// links makes hyperlinks of a terminal (OSC 8). The zero links make none.
type links struct {
	on        bool
	dir, host string
}

func linksOf(o *Options) links { return links{o.Hyperlinks, o.Dir, o.Host} }

// to returns a text that links to an address, or the text alone.
func (l links) to(address, text string) string {
	if !l.on || address == "" || text == "" || strings.ContainsFunc(address, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return text
	}
	return "\x1b]8;;" + address + "\x1b\\" + text + "\x1b]8;;\x1b\\"
}

// file returns the address of a place in a file, with the line as terminals know it; ""
// for standard input.
func (l links) file(p string, r *source.Range) string {
	if !l.on || p == "-" {
		return ""
	}
	if !isAbs(p) {
		p = l.dir + "/" + p
	}
	if p = path.Clean(p); !strings.HasPrefix(p, "/") {
		p = "/" + p
	}
	u := url.URL{Scheme: "file", Host: cmp.Or(l.host, "localhost"), Path: p}
	if r != nil {
		u.Fragment = strconv.Itoa(r.Start.Line)
	}
	return u.String()
}
