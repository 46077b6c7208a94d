package engine

import (
	"bytes"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// frame returns what people see at a place; nil where it may hold a credential.
func (t *task) frame(f *lint.Finding, d *lint.Diagnostic, at source.Place) *lint.Frame {
	draft, inBody, most := d.In != nil && d.In.Form == mail.Draft, f.Body != nil, t.box.opts.Limits.FrameLine
	switch {
	case inBody:
	case d.Sensitive, draft && at.Text.IsFile(): // the line of a draft in JSON may hold the sender's token
		return nil
	case (at.Text.IsFile() || t.isArtifact) && (at.Text != t.text || t.private()) && namesCredential(at, most):
		return nil
	}
	line := at.Text.LineAt(at.Span.Start)
	number := line // for people
	if f.Range != nil && (!inBody || d.In.Body.IsPlain()) {
		number = f.Range.Start.Line
	}
	frame := t.frameOf(at, line, number, most)
	if draft && inBody && input.NamesCredential([]byte(strings.Join(frame.Lines, "\n"))) {
		return nil // what was read as the body may hold other members too
	}
	return frame
}

// namesCredential reports whether the lines that a frame would show of a file name a credential:
// mail as JSON may be a log of calls, with the senders' tokens. Of a long line it looks at the
// part that is shown and at the bytes before it, which may hold the name.
func namesCredential(at source.Place, most int) bool {
	line := at.Text.Line(at.Text.LineAt(at.Span.Start))
	shown := source.Span{Start: max(0, line.Start-most), End: line.End}
	if line.Len() > most {
		shown.Start, shown.End = max(line.Start, at.Span.Start-most), min(line.End, at.Span.Start+most)
	}
	return input.NamesCredential(at.Text.Bytes(shown))
}

// frameOf returns the line with the start of a place, and the line before if it is short and not
// blank. It keeps at most so many bytes of a line; reports cut it further. Findings at one place
// share the lines: there may be thousands in one long line.
func (t *task) frameOf(at source.Place, line, number, most int) *lint.Frame {
	text, l := at.Text, at.Text.Line(line)
	start := min(max(at.Span.Start, l.Start), l.End)
	end := min(max(at.Span.End, start), l.End)
	cut := cutLine(text, l, start, most)
	lines := []string{text.Slice(cut)}
	if line > 1 && number > 1 {
		before := text.Line(line - 1)
		if before.Len() <= most && len(bytes.TrimSpace(text.Bytes(before))) > 0 {
			lines = []string{text.Slice(before), lines[0]}
		}
	}
	if slices.Equal(lines, t.lastLines) {
		lines = t.lastLines
	}
	t.lastLines = lines
	return &lint.Frame{
		Line: number - len(lines) + 1, Lines: lines, Start: start - cut.Start, End: min(end, cut.End) - cut.Start,
		Before: cut.Start > l.Start, After: cut.End < l.End,
	}
}

// cutLine returns the part of a line around a place, at most so many bytes. It begins at few places
// of the line, so that thousands of findings in one line do not keep thousands of copies of it.
func cutLine(t *source.Text, l source.Span, at, most int) source.Span {
	if l.Len() <= most {
		return l
	}
	step := max(1, most/2)
	cut := source.Span{Start: l.Start + max(0, at-most/4-l.Start)/step*step}
	cut.End = min(l.End, cut.Start+most)
	cut.Start = max(l.Start, source.RuneStart(t.Data, cut.Start))
	if cut.End < l.End {
		cut.End = source.RuneStart(t.Data, cut.End)
	}
	return cut
}
