package export

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/wording"
	"github.com/brennerlint/brennerlint/mail"
	"github.com/brennerlint/brennerlint/source"
)

// check is IN-003 for a message that lacks a subject, body, sender or time, or
// nil. Of a draft no time is asked for, of a reply no subject (decisions.md 17).
func check(m *mail.Message) *Problem {
	var lacks []string
	var at source.Place
	lack := func(field, what string, value *source.Text) {
		p := value.All()
		for _, w := range m.Malformed {
			if w.Name == field {
				p = w.At
			}
		}
		if !at.Known() && p.Known() {
			at = p
		}
		lacks = append(lacks, what)
	}
	if blank(m.Subject) && !m.ReplyDraft {
		lack("subject", "a subject", m.Subject)
	}
	if m.BodyState == mail.BodyNull || m.Form == mail.Draft && m.BodyState == mail.BodyAbsent {
		lack("body", "a body", nil)
	}
	if m.Form != mail.Draft && blank(m.From) {
		lack("from", "a sender", m.From)
	}
	if m.Form != mail.Draft && !m.HasTime {
		if blank(m.Created) {
			lack("created", "a timestamp", m.Created)
		} else {
			lack("created", "a timestamp that parses (found "+wording.Quote(string(m.Created.Data))+")", m.Created)
		}
	}
	if len(lacks) == 0 {
		return nil
	}
	if !at.Known() && !blank(m.Subject) {
		at = m.Subject.All()
	}
	if !at.Known() {
		at = m.Header
	}
	p := &Problem{Rule: "IN-003", Path: pathOf(m), Place: at, ID: m.ID, Message: describe(m) + " lacks " + wording.And(lacks)}
	if !m.HasTime && m.Form != mail.Draft {
		p.Hint = "write times as ISO 8601, such as 2025-12-30T12:05:00Z"
	}
	return p
}

func blank(t *source.Text) bool { return t == nil || len(bytes.TrimSpace(t.Data)) == 0 }

// describe names a message in problems.
func describe(m *mail.Message) string {
	if m.Form == mail.Draft {
		return "the draft"
	}
	if m.ID == "" {
		return "the message"
	}
	return "message " + m.ID
}

// path is where the message was read from.
func pathOf(m *mail.Message) string {
	if m.File != nil {
		return m.File.Path
	}
	if m.ExportInfo != nil {
		return m.ExportInfo.Path
	}
	return ""
}

// differ is IN-004 for copies that differ in subject or body, or nil. What one
// of them lacks, or a share has scrubbed, is no difference.
func differ(m, c *mail.Message) *Problem {
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

// sameBody reports whether two bodies are equal but for white space around them,
// which archives strip, and for their line ends.
func sameBody(a, b []byte) bool {
	a, b = stripped(a), stripped(b)
	return bytes.Equal(a, b) || bytes.Equal(withoutCR(a), withoutCR(b))
}

func withoutCR(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) }

func differing(m, c *mail.Message, what string, mt, ct *source.Text) *Problem {
	here, there := firstDifference(mt, ct)
	if isGarbled(m, here) || isGarbled(c, there) {
		return nil // IN-001 tells of the byte
	}
	excerpt, copied := quoteFrom(here), quoteFrom(there)
	if excerpt == copied { // the lines are alike, and what follows them is not
		excerpt, copied = quoteAfter(here), quoteAfter(there)
	}
	other := "its copy " + pathOf(c)
	if pathOf(c) == pathOf(m) {
		other = "its other copy in this file"
	}
	return &Problem{
		Rule: "IN-004", Path: pathOf(m), Place: here, ID: m.ID,
		Message: fmt.Sprintf("the %s of %s differs from that of %s: %s here, %s there", what, describe(m), other, excerpt, copied),
		Related: []input.Related{{Path: pathOf(c), Place: there, Message: "the copy"}},
	}
}

// firstDifference is the rest of the first line that differs, in both texts.
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

// afterCR steps over the first half of a line end.
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

// quoteAfter quotes the next line with text below a place.
func quoteAfter(p source.Place) string {
	rest := bytes.TrimSpace(p.Text.Data[p.Span.End:])
	if len(rest) == 0 {
		return "nothing more"
	}
	return wording.Quote(string(bytes.TrimSpace(rest[:firstLine(rest)])))
}

// quoteFrom quotes what stands at a place, with the words before it on its line.
func quoteFrom(p source.Place) string {
	const before = 24
	line := bytes.LastIndexByte(p.Text.Data[:p.Span.Start], '\n') + 1
	start := max(line, p.Span.Start-before)
	for start > line && !utf8.RuneStart(p.Text.Data[start]) {
		start--
	}
	return wording.Quote(string(p.Text.Data[start:p.Span.End]))
}
