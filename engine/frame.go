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

// frameLines are the lines of a frame. Findings at one place share them: there may be thousands
// in one long line.
type frameLines struct {
	text        *source.Text
	before, cut source.Span // the line before, if it is shown, and what is shown of the line
	lines       []string
}

// frameOf returns the line with the start of a place, and the line before if it is short and not
// blank. It keeps at most so many bytes of a line; reports cut it further.
func (t *task) frameOf(at source.Place, line, number, most int) *lint.Frame {
	text := at.Text
	l := text.Line(line)
	start := min(max(at.Span.Start, l.Start), l.End)
	end := min(max(at.Span.End, start), l.End)
	now := frameLines{text: text, cut: cutLine(text, l, start, most)}
	if line > 1 && number > 1 {
		before := text.Line(line - 1)
		if before.Len() <= most && len(bytes.TrimSpace(text.Bytes(before))) > 0 {
			now.before = before
		}
	}
	if k := &t.lastFrame; k.text != text || k.before != now.before || k.cut != now.cut {
		if now.before.Len() > 0 {
			now.lines = append(now.lines, text.Slice(now.before))
		}
		now.lines = append(now.lines, text.Slice(now.cut))
		t.lastFrame = now
	}
	return &lint.Frame{
		Line: number - len(t.lastFrame.lines) + 1, Lines: t.lastFrame.lines, Start: start - now.cut.Start, End: min(end, now.cut.End) - now.cut.Start,
		Before: now.cut.Start > l.Start, After: now.cut.End < l.End,
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
