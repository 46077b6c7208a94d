// Package markdown reads the block structure of CommonMark text: headings,
// fences, paragraphs, lists and tables, each with byte spans.
//
// Blocks are found by goldmark with its inline phase left out, except where lines can
// only be one thing (plain.go); what goldmark does not report is added here: whether a
// fence is closed, and the cells of a table as they are written, surplus and missing
// ones included. The package knows nothing of the protocol.
package markdown

import (
	"bytes"
	"math"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

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
	w := &walker{src: t.Data, blocks: make([]Block, 0, min(len(t.Data)/128, 512))} // as many as usual
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
	src    []byte
	blocks []Block // so far
}

// parse has goldmark read the blocks from the line that begins at byte from up to an end.
func (w *walker) parse(from, end int) {
	r := text.NewReader(w.src[:end])
	if from > 0 {
		r.SetPosition(-1, text.NewSegment(from, from)) // the end of the line before
		r.AdvanceLine()
	}
	w.children(blockParser.Parse(r), Block{Marker: NoMarker})
}

// children adds the leaf blocks below n; in carries what the containers say.
func (w *walker) children(n ast.Node, in Block) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		w.block(c, in)
		in.Marker = NoMarker
	}
}

func (w *walker) block(n ast.Node, in Block) {
	b := in
	switch n := n.(type) {
	case *ast.Blockquote:
		in.InQuote = true
		w.children(n, in)
		return
	case *ast.List:
		w.children(n, in)
		return
	case *ast.ListItem:
		in.InList, in.Marker = true, uint32(min(n.Pos(), len(w.src)-1))
		w.children(n, in)
		return
	case rawHeading:
		w.heading(n.Heading, &b)
	case *ast.Heading:
		w.heading(n, &b)
	case *ast.FencedCodeBlock:
		w.fence(n, &b)
	case *ast.CodeBlock:
		b.Kind = Code
		b.Parts = w.parts(n.Lines())
	case *ast.HTMLBlock:
		b.Kind, b.Verbatim = HTML, n.HTMLBlockType <= ast.HTMLBlockType5
		b.Closed = b.Verbatim && (n.HasClosure() || n.Lines().Len() == 1)
		b.Parts = w.segments(n.Lines())
		if n.HasClosure() {
			b.Parts = append(b.Parts, source.Span{Start: n.ClosureLine.Start, End: n.ClosureLine.Stop})
		}
	case *ast.ThematicBreak:
		b.Kind = ThematicBreak
		b.Span.Start = w.start(n, "-*_")
		b.Span.End = w.lineEnd(b.Span.Start)
	case *rawParagraph, *ast.Paragraph, *ast.TextBlock:
		b.Kind = Paragraph
		b.Parts = w.trimmedLines(n.Lines())
	default:
		w.children(n, in)
		return
	}
	if b.Span == (source.Span{}) && len(b.Parts) > 0 {
		b.Span = source.Span{Start: b.Parts[0].Start, End: b.Parts[len(b.Parts)-1].End}
		b.Span.End = b.Span.Start + len(bytes.TrimRight(w.src[b.Span.Start:b.Span.End], "\r\n"))
	}
	w.add(b)
}

func (w *walker) add(b Block) {
	w.reopen(b.Span.Start)
	w.blocks = append(w.blocks, b)
}

func (w *walker) heading(n *ast.Heading, b *Block) {
	b.Kind, b.Level = Heading, uint8(n.Level)
	b.Parts = w.trimmedLines(n.Lines())
	if len(b.Parts) > 0 && !w.isAfterHash(b.Parts[0].Start) {
		b.Span.Start = b.Parts[0].Start // a setext heading
	} else {
		b.Span.Start = w.start(n, "#")
	}
	b.Span.End = w.headingEnd(b)
}

// isAfterHash reports whether a # is before off, and white space of its line.
func (w *walker) isAfterHash(off int) bool {
	for off > 0 && strings.IndexByte(" \t\r\v\f", w.src[off-1]) >= 0 {
		off--
	}
	return off > 0 && w.src[off-1] == '#'
}

// start returns where a node begins that begins with one of the marks. goldmark
// counts the columns of a tab that a quotation or list mark reaches into as
// bytes, so that its offset may be up to three bytes too far, even in the next
// line; what is in a container never begins a line.
func (w *walker) start(n ast.Node, marks string) int {
	pos := n.Pos()
	inside := n.Parent() != nil && n.Parent().Kind() != ast.KindDocument
	at := min(pos, len(w.src)-1)
	for first := max(0, pos-3); ; at-- {
		if at < first {
			return min(pos, len(w.src)-1)
		}
		if strings.IndexByte(marks, w.src[at]) >= 0 && (!inside || at > 0 && w.src[at-1] != '\n' && w.src[at-1] != '\r') {
			break
		}
	}
	// It may be a later mark of the line, as in ">\t# #".
	mark := w.src[at]
	for i := at - 1; i >= 0 && (w.src[i] == mark || w.src[i] == ' ' || w.src[i] == '\t'); i-- {
		if w.src[i] == mark {
			at = i
		}
	}
	return at
}

func (w *walker) segments(segs *text.Segments) []source.Span {
	if segs == nil || segs.Len() == 0 {
		return nil
	}
	out := make([]source.Span, segs.Len())
	for i := range out {
		s := segs.At(i)
		out[i] = source.Span{Start: s.Start, End: s.Stop}
	}
	return out
}

// trimmedLines returns the segments without the white space around them.
func (w *walker) trimmedLines(segs *text.Segments) []source.Span {
	out := w.segments(segs)
	for i, s := range out {
		out[i] = source.Trim(w.src, s)
	}
	return out
}

func (w *walker) lineEnd(off int) int {
	end := len(w.src)
	if n := bytes.IndexByte(w.src[off:], '\n'); n >= 0 {
		end = off + n
	}
	if end > off && w.src[end-1] == '\r' {
		end--
	}
	return end
}

// headingEnd returns the end of an ATX heading's line or of a setext underline.
func (w *walker) headingEnd(b *Block) int {
	end := w.lineEnd(b.Span.Start)
	if len(b.Parts) == 0 || w.src[b.Span.Start] == '#' && b.Parts[0].Start != b.Span.Start {
		return end
	}
	end = w.lineEnd(b.Parts[len(b.Parts)-1].End)
	if next := w.nextLine(end); next < len(w.src) {
		end = w.lineEnd(next)
	}
	return end
}

// nextLine returns the start of the line after the one at off, or the end of the text.
func (w *walker) nextLine(off int) int {
	if n := bytes.IndexByte(w.src[off:], '\n'); n >= 0 {
		return off + n + 1
	}
	return len(w.src)
}

// Below returns what begins a new line below the one on which a block begins at off:
// a line end as that line has it, and the marks of its quotations and the
// indentation of its lists.
func Below(t *source.Text, off int) string {
	data := t.Data
	start := bytes.LastIndexByte(data[:off], '\n') + 1
	end := "\n"
	if n := bytes.IndexByte(data[off:], '\n'); n > 0 && data[off+n-1] == '\r' ||
		n < 0 && start > 1 && data[start-2] == '\r' {
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
