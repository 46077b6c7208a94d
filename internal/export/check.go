package export

import (
	"bytes"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/source"
)

// check returns what a message lacks; nil if it lacks nothing. A draft needs no time, and a
// reply no subject (decisions.md 17).
func check(m *mail.Message) *mail.Incomplete {
	f := &mail.Incomplete{Path: pathOf(m), MessageID: m.ID, Draft: m.Form == mail.Draft}
	lack := func(field string, value *source.Text) {
		p := value.WholePlace()
		for _, w := range m.Malformed {
			if w.Name == field {
				p = w.At
			}
		}
		if !f.At.Known() && p.Known() {
			f.At = p
		}
	}
	if f.NoSubject = blank(m.Subject) && !m.ReplyDraft; f.NoSubject {
		lack("subject", m.Subject)
	}
	if f.NoBody = m.BodyState == mail.BodyNull || f.Draft && m.BodyState == mail.BodyAbsent; f.NoBody {
		lack("body", nil)
	}
	if f.NoSender = !f.Draft && blank(m.From); f.NoSender {
		lack("from", m.From)
	}
	if f.NoTime = !f.Draft && !m.HasTime && !m.GarbledAt(m.Created.WholePlace()); f.NoTime {
		lack("created", m.Created)
		if !blank(m.Created) {
			f.Time = string(m.Created.Data)
		}
	}
	switch {
	case !f.NoSubject && !f.NoBody && !f.NoSender && !f.NoTime:
		return nil
	case f.At.Known():
	case !blank(m.Subject):
		f.At = m.Subject.WholePlace()
	default:
		f.At = m.Header
	}
	return f
}

func blank(t *source.Text) bool { return t == nil || len(bytes.TrimSpace(t.Data)) == 0 }

// pathOf returns the path that the message was read from.
func pathOf(m *mail.Message) string {
	if m.File != nil {
		return m.File.Path
	}
	if m.ExportInfo != nil {
		return m.ExportInfo.Path
	}
	return ""
}

// differ finds where copies differ in subject or body; nil if they do not. Missing or scrubbed
// text is not a difference.
func differ(m, c *mail.Message) *mail.CopyMismatch {
	if m.ExportInfo.Scrubbed || c.ExportInfo.Scrubbed {
		return nil
	}
	if m.Subject != nil && c.Subject != nil && !bytes.Equal(m.Subject.Data, c.Subject.Data) {
		return differing(m, c, "subject", m.Subject, c.Subject)
	}
	if m.BodyState == mail.BodyPresent && c.BodyState == mail.BodyPresent && !sameBody(m.Body.Data, c.Body.Data) {
		return differing(m, c, "body", m.Body, c.Body)
	}
	return nil
}

// sameBody reports whether two bodies are equal except for surrounding white space, which
// archives strip, and line ends.
func sameBody(a, b []byte) bool {
	a, b = stripped(a), stripped(b)
	return bytes.Equal(a, b) || bytes.Equal(withoutCR(a), withoutCR(b))
}

func withoutCR(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) }

func differing(m, c *mail.Message, part string, mt, ct *source.Text) *mail.CopyMismatch {
	here, there := firstDifference(mt, ct)
	if isGarbled(m, here) || isGarbled(c, there) {
		return nil // the byte is a fault of its own
	}
	f := &mail.CopyMismatch{
		MessageID: m.ID, Part: part,
		Here:  mail.CopyText{Path: pathOf(m), At: here, Text: textFrom(here)},
		There: mail.CopyText{Path: pathOf(c), At: there, Text: textFrom(there)},
	}
	if text.Quote(f.Here.Text) == text.Quote(f.There.Text) { // the lines are alike, and what follows them is not
		f.Here.Text, f.Here.Ends = textAfter(here)
		f.There.Text, f.There.Ends = textAfter(there)
	}
	return f
}

// firstDifference returns the rest of the first line that differs, in both texts.
func firstDifference(a, b *source.Text) (source.Place, source.Place) {
	i, j := leading(a.Data), leading(b.Data)
	for {
		i, j = afterCR(a.Data, i), afterCR(b.Data, j)
		if i >= len(a.Data) || j >= len(b.Data) || a.Data[i] != b.Data[j] {
			break
		}
		i, j = i+1, j+1
	}
	for i > 0 && j > 0 && (i < len(a.Data) && !utf8.RuneStart(a.Data[i]) || j < len(b.Data) && !utf8.RuneStart(b.Data[j])) {
		i, j = i-1, j-1
	}
	return restOfLine(a, i), restOfLine(b, j)
}

// afterCR skips the first half of a line end.
func afterCR(text []byte, i int) int {
	if i+1 < len(text) && text[i] == '\r' && text[i+1] == '\n' {
		i++
	}
	return i
}

func leading(b []byte) int { return len(b) - len(bytes.TrimLeft(b, " \t\r\n")) }

func restOfLine(t *source.Text, at int) source.Place {
	line := bytes.TrimSuffix(t.Data[at:at+firstLine(t.Data[at:])], []byte("\r"))
	return t.Place(source.Span{Start: at, End: at + len(line)})
}

// textAfter returns the next line with text below a place; it reports true if there is no such
// line.
func textAfter(p source.Place) (text string, ends bool) {
	rest := bytes.TrimSpace(p.Text.Data[p.Span.End:])
	return excerpt(bytes.TrimSpace(rest[:firstLine(rest)])), len(rest) == 0
}

// textFrom returns the text at a place, with the words before it on its line.
func textFrom(p source.Place) string {
	const before = 24
	line := bytes.LastIndexByte(p.Text.Data[:p.Span.Start], '\n') + 1
	start := max(line, p.Span.Start-before)
	for start > line && !utf8.RuneStart(p.Text.Data[start]) {
		start--
	}
	return excerpt(p.Text.Data[start:p.Span.End])
}

// excerpt returns as much of a text as a message may quote.
func excerpt(text []byte) string {
	const most = 400 // bytes; messages show less
	return string(text[:min(len(text), most)])
}
