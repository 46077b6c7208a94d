package engine

import (
	"bytes"
	"strings"

	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// frame returns what people see at a place; nil where it may hold a credential.
func (s *collector) frame(f *lint.Finding, d *lint.Diagnostic, at source.Place) *lint.Frame {
	draft := d.In != nil && d.In.Form == mail.Draft
	if f.Body != nil {
		line := f.Body.Line
		if d.In.Body.IsPlain() {
			line = f.Range.Start.Line
		}
		frame := s.frameOf(f, at, line)
		if draft && input.NamesCredential([]byte(strings.Join(frame.Lines, "\n"))) {
			return nil // what is taken for the body may be more
		}
		return frame
	}
	if d.Sensitive || draft && at.Text.IsFile() {
		return nil // the line of a draft in JSON may hold the sender's token
	}
	if at.Text.IsFile() && s.here.namesCredential(at.Text) && s.namesCredential(at.Text, at.Span) {
		return nil
	}
	if f.Range != nil {
		return s.frameOf(f, at, f.Range.Start.Line)
	}
	return s.frameOf(f, at, at.Text.LineAt(at.Span.Start))
}

// namesCredential reports whether the lines that a frame would show of a file name a
// credential: mail as JSON may be a log of calls, with the senders' tokens. Of a long
// line it looks at what is shown, and at what may name it before.
func (s *collector) namesCredential(t *source.Text, span source.Span) bool {
	most := s.frameLine
	line := t.Line(t.LineAt(span.Start))
	shown := source.Span{Start: max(0, line.Start-most), End: line.End}
	if line.Len() > most {
		shown.Start, shown.End = max(line.Start, span.Start-most), min(line.End, span.Start+most)
	}
	return input.NamesCredential(t.Bytes(shown))
}

// frameLines are the lines of a frame. Findings at one place share them: there may be thousands
// in one long line.
type frameLines struct {
	text        *source.Text
	before, cut source.Span // the line before, if it is shown, and what is shown of the line
	lines       []string
}

// frameOf returns the line that holds the start of a place and, where people will read it,
// the one before, if it is short and not blank. Of a line it keeps at most some bytes: reports cut
// it further.
func (s *collector) frameOf(f *lint.Finding, at source.Place, number int) *lint.Frame {
	t, most := at.Text, s.frameLine
	line := t.LineAt(at.Span.Start)
	if f.Body != nil { // then it is that of the body
		line = f.Body.Line
	}
	l := t.Line(line)
	start := min(max(at.Span.Start, l.Start), l.End)
	end := min(max(at.Span.End, start), l.End)
	cut := cutLine(t, l, start, most)
	before := source.Span{}
	if line > 1 && number > 1 && !s.slim {
		before = t.Line(line - 1)
		if before.Len() > most || len(bytes.TrimSpace(t.Bytes(before))) == 0 {
			before = source.Span{}
		}
	}
	k := &s.lines
	if k.text != t || k.before != before || k.cut != cut {
		*k = frameLines{text: t, before: before, cut: cut}
		if before.Len() > 0 {
			k.lines = append(k.lines, t.Slice(before))
		}
		k.lines = append(k.lines, t.Slice(cut))
	}
	return &lint.Frame{
		Line: number - len(k.lines) + 1, Lines: k.lines, Start: start - cut.Start, End: min(end, cut.End) - cut.Start,
		Before: cut.Start > l.Start, After: cut.End < l.End,
	}
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
