package engine

import (
	"bytes"
	"strings"

	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/mail"
	"github.com/brennerlint/brennerlint/result"
	"github.com/brennerlint/brennerlint/source"
)

// frame returns what people see at a place; nil where it may hold a credential.
func (s *collector) frame(m *made, d *lint.Diagnostic, at source.Place) *result.Frame {
	draft := d.In != nil && d.In.Form == mail.Draft
	if m.Body != nil {
		line := m.Body.Line
		if d.In.Body.IsPlain() {
			line = m.Range.Start.Line
		}
		frame := s.frameOf(m, at, line)
		if draft && input.NamesCredential([]byte(strings.Join(frame.Lines, "\n"))) {
			return nil // what is taken for the body may be more
		}
		return frame
	}
	if d.Sensitive || draft && at.Text.IsFile() {
		return nil // the line of a draft in JSON may hold the sender's token
	}
	if at.Text.IsFile() && s.credential.isNamed(at.Text, at.Span, s.frameLine) {
		return nil
	}
	if m.Range != nil {
		return s.frameOf(m, at, m.Range.Start.Line)
	}
	return s.frameOf(m, at, at.Text.LineAt(at.Span.Start))
}

// credentialMemo is where isNamed looked last: findings of one file, and of one line,
// share the answer.
type credentialMemo struct {
	file  *source.File
	shown source.Span
	named bool
}

// isNamed reports whether the lines that a frame would show of a file name a
// credential: mail as JSON may be a log of calls, with the senders' tokens. Of a long
// line it looks at what is shown, and at what may name it before.
func (m *credentialMemo) isNamed(t *source.Text, span source.Span, most int) bool {
	line := t.Line(t.LineAt(span.Start))
	shown := source.Span{Start: max(0, line.Start-most), End: line.End}
	if line.Len() > most {
		shown.Start, shown.End = max(line.Start, span.Start-most), min(line.End, span.Start+most)
	}
	if m.file != t.File || m.shown != shown {
		*m = credentialMemo{t.File, shown, input.NamesCredential(t.Bytes(shown))}
	}
	return m.named
}

// frameMemo is the lines of the last frame: findings of one place share their texts.
type frameMemo struct {
	text         *source.Text
	line, number int
	cut          source.Span // what is shown of the line
	lines        [2]string
	first        int // the number of the first of them
}

// frameOf returns the line that holds the start of a place and, where people will read it,
// the one before. Of a line it keeps at most some bytes: reports cut it further.
func (s *collector) frameOf(f *made, at source.Place, number int) *result.Frame {
	t, m, most := at.Text, &s.framed, s.frameLine
	line := t.LineAt(at.Span.Start)
	if f.Body != nil { // then it is that of the body
		line = f.Body.Line
	}
	l := t.Line(line)
	start := min(max(at.Span.Start, l.Start), l.End)
	end := min(max(at.Span.End, start), l.End)
	cut := cutLine(t, l, start, most)
	if m.text != t || m.line != line || m.number != number || m.cut != cut {
		*m = frameMemo{text: t, line: line, number: number, cut: cut, first: number}
		before := source.Span{}
		if line > 1 && number > 1 && !s.forBaseline && !s.forStatistics {
			before = t.Line(line - 1)
		}
		m.read(before, l, most)
	}
	f.lines = m.lines
	f.frame = result.Frame{
		Line: m.first, Lines: f.lines[m.first-m.number+1:], Start: start - cut.Start, End: min(end, cut.End) - cut.Start,
		Before: cut.Start > l.Start, After: cut.End < l.End,
	}
	return &f.frame
}

// read takes the lines, as one text if they are: the one before only if it is short and
// not blank.
func (m *frameMemo) read(before, line source.Span, most int) {
	last := &m.lines[1]
	if before.Len() > most || len(bytes.TrimSpace(m.text.Bytes(before))) == 0 {
		*last = m.text.Slice(m.cut)
		return
	}
	m.first--
	if m.cut.Start > line.Start {
		m.lines[0], *last = m.text.Slice(before), m.text.Slice(m.cut)
		return
	}
	both := m.text.Slice(source.Span{Start: before.Start, End: m.cut.End})
	m.lines[0], *last = both[:before.Len()], both[m.cut.Start-before.Start:]
}

// fineCut is the length of frames up to which each is cut at its own place. Longer
// ones are cut at few places of the line, so that thousands of findings in one line
// do not keep thousands of copies of it.
const fineCut = 1024

// cutLine returns the part of a line around a place, at most so many bytes.
func cutLine(t *source.Text, l source.Span, at, most int) source.Span {
	if l.Len() <= most {
		return l
	}
	cut := l
	cut.Start = max(l.Start, at-most/4)
	if step := most / 2; most >= fineCut {
		cut.Start = l.Start + (cut.Start-l.Start)/step*step
	}
	cut.End = min(l.End, cut.Start+most)
	cut.Start = max(l.Start, source.RuneStart(t.Data, cut.Start))
	if cut.End < l.End {
		cut.End = source.RuneStart(t.Data, cut.End)
	}
	return cut
}
