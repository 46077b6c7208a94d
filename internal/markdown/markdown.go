// Package markdown reads the block structure of CommonMark text: headings,
// fences, paragraphs, lists and tables, each with byte spans.
//
// Blocks are found by goldmark's parsers of blocks alone, except where lines can
// only be one thing (plain.go); what goldmark does not report is added here: whether a
// fence is closed, and the cells of a table as they are written, surplus and missing
// ones included. The package knows nothing of the protocol.
package markdown

import (
	"bytes"
	"math"
	"strings"

	"github.com/brennerlint/brennerlint/source"
)

// Kind is the type of a leaf block.
type Kind uint8

// The leaf blocks.
const (
	Paragraph Kind = iota + 1
	Heading
	Fence // a fenced code block
	Code  // an indented code block
	HTML  // raw HTML, comments included
	ThematicBreak
)

// Block is a leaf block. Containers (lists, quotations) have no block of their
// own: InList, InQuote and Marker describe them. There are as many as lines in some texts,
// so that they are small.
type Block struct {
	Kind            Kind
	InQuote, InList bool
	// Verbatim reports raw HTML that goes on to its end mark, as <pre> and comments do, not to a
	// blank line.
	Verbatim bool
	// Closed reports that a fence has a closing fence, or verbatim HTML its end mark; an unclosed
	// one ends with its container or the text.
	Closed bool
	// Level is that of a heading, 1 to 6.
	Level uint8
	// FenceChar is the character of a fence, '`' or '~', FenceLen its number.
	FenceChar byte
	FenceLen  uint32
	// Marker is the offset of the innermost list item's marker, if InList and
	// this is the item's first block; else NoMarker.
	Marker uint32
	// Span is from the first character of the block (of a heading its first #,
	// of a fence its first fence character) to the end of its last line, the
	// closing fence and setext underline included, the line end not.
	Span source.Span
	// Parts are the spans of the content, container markers and indentation cut off. Each is
	// a line, of a paragraph or heading without white space around it; only in code it may
	// be several lines (see Document.Lines).
	Parts []source.Span
	// Info is the info string of a fence, without white space around it.
	Info source.Span
}

// NoMarker is the marker of a block that begins no list item. No text is that long.
const NoMarker = math.MaxUint32

// Opening returns the span of a fence's opening line, without its indentation.
func (b *Block) Opening() source.Span {
	return source.Span{Start: b.Span.Start, End: max(b.Info.End, b.Span.Start+int(b.FenceLen))}
}

// Marks returns the characters that open a fence.
func (b *Block) Marks() string { return strings.Repeat(string(b.FenceChar), int(b.FenceLen)) }

// Document is a text and its leaf blocks in order.
type Document struct {
	Text   *source.Text
	Blocks []Block
}

// Parse reads the block structure of a text that is normalized: goldmark knows no line end \r. It
// never fails.
func Parse(t *source.Text) *Document { return ParseFrom(t, 0) }

// ParseFrom reads the block structure of t from the line that begins at byte
// from on: what is before it is no Markdown.
func ParseFrom(t *source.Text, from int) *Document {
	w := &walker{text: t, src: t.Data, blocks: make([]Block, 0, min(len(t.Data)/128, 512))} // as many as usual
	for from < len(w.src) {
		known := len(w.blocks)
		next := w.plain(from)
		if next == from {
			w.blocks = w.blocks[:known]
			next = w.blocksEnd(from)
			w.parse(from, next)
		}
		from = next
	}
	return &Document{Text: t, Blocks: w.blocks}
}

type walker struct {
	text   *source.Text
	src    []byte  // of text
	blocks []Block // so far
}

func (w *walker) lineEnd(off int) int {
	end := source.LineEnd(w.src, off)
	if end > off && w.src[end-1] == '\r' {
		end--
	}
	return end
}

// nextLine returns the start of the line after the one at off, or the end of the text.
func (w *walker) nextLine(off int) int { return min(source.LineEnd(w.src, off)+1, len(w.src)) }

// Below returns what begins a new line below the one on which a block begins at off:
// a line end as that line has it, and the marks of its quotations and the
// indentation of its lists.
func Below(t *source.Text, off int) string {
	data := t.Data
	start := bytes.LastIndexByte(data[:off], '\n') + 1
	end := "\n"
	line := t.Line(t.LineAt(off)) // in the table of lines: many blocks may share a long one
	if bytes.HasPrefix(data[line.End:], []byte("\r\n")) || line.End == len(data) && start > 1 && data[start-2] == '\r' {
		end = "\r\n"
	}
	marks := bytes.Map(func(c rune) rune {
		if c == '>' || c == '\t' {
			return c
		}
		return ' '
	}, data[start:off])
	return end + string(marks)
}

// HeadingText returns the text of a heading, its lines joined by a space.
func (d *Document) HeadingText(b *Block) string {
	lines := make([]string, len(b.Parts))
	for i, l := range b.Parts {
		lines[i] = d.Text.Slice(l)
	}
	return strings.Join(lines, " ")
}
