package session

import (
	"bytes"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/source"
)

// Wrapper is what prevents a whole body from being read as Markdown, so that its headings and
// fences do not count as such (decisions.md 44).
type Wrapper struct {
	// Fence reports that the body is one fence from its first to its last line;
	// else all of its line breaks are written \n.
	Fence bool
	// Span is the fence's opening line, without white space around it, or the
	// first \n.
	Span source.Span
}

// findWrapper finds what the body is wrapped in, nil if nothing.
func (m *Message) findWrapper() *Wrapper {
	if len(m.Doc.Blocks) == 0 {
		return nil
	}
	if w := m.fenceWrapper(); w != nil {
		return w
	}
	return escapedLines(m.Body.Data)
}

// fenceWrapper returns the fence, without a tag or for Markdown, that is the whole
// body. If the body contains fences of the same length, the first of those ends it as
// CommonMark reads it, and its own closing line opens another. A delta alone in a fence
// is not wrapped: its fence lacks the tag.
func (m *Message) fenceWrapper() *Wrapper {
	first, last := &m.Doc.Blocks[0], &m.Doc.Blocks[len(m.Doc.Blocks)-1]
	if first.Kind != markdown.Fence || first.InList || first.InQuote {
		return nil
	}
	tag := strings.ToLower(m.Body.Slice(first.Info))
	switch marked := tag == "markdown" || tag == "md"; {
	case !marked && tag != "":
		return nil
	case first == last:
	case last.Kind != markdown.Fence || last.FenceChar != first.FenceChar || !last.Info.Empty() || last.Span.End < len(bytes.TrimRight(m.Body.Data, " \t\r\n")):
		return nil
	case !marked && (last.Closed || len(last.Parts) > 0) && !m.hidesHeadings(first):
		return nil
	}
	if m.Intended == brenner.Delta && len(first.Parts) > 0 {
		text := bytes.TrimSpace(m.Body.Data[first.Parts[0].Start:first.Parts[len(first.Parts)-1].End])
		if len(text) > 0 && (text[0] == '{' || text[0] == '[') {
			return nil
		}
	}
	return &Wrapper{Fence: true, Span: source.Span{Start: first.Span.Start, End: max(first.Info.End, first.Span.Start+int(first.FenceLen))}}
}

// hidesHeadings reports whether the headings of the body are all in fences, and some in
// the first: the text between them belongs to one document.
func (m *Message) hidesHeadings(first *markdown.Block) bool {
	for i := range m.Doc.Blocks {
		if m.Doc.Blocks[i].Kind == markdown.Heading {
			return false
		}
	}
	for l := range m.Doc.Lines(first) {
		if line := bytes.TrimLeft(m.Body.Bytes(l), "#"); len(line) < l.Len() && len(line) > 0 && line[0] == ' ' {
			return true
		}
	}
	return false
}

// escapedLines finds the first \n of a body of one line that has further lines
// if its \n are read as line breaks: a blank line, a heading, a list or a fence.
func escapedLines(data []byte) *Wrapper {
	text := bytes.TrimSpace(data)
	if bytes.IndexByte(text, '\n') >= 0 || bytes.IndexByte(text, '\r') >= 0 {
		return nil
	}
	breaks := false
	for rest := text; !breaks; {
		var found bool
		if _, rest, found = bytes.Cut(rest, []byte(`\n`)); !found {
			return nil
		}
		breaks = len(rest) > 0 && strings.IndexByte("\\#`~-*|", rest[0]) >= 0
	}
	at := bytes.Index(data, []byte(`\n`))
	return &Wrapper{Span: source.Span{Start: at, End: at + 2}}
}
