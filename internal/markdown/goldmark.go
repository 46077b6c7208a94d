package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/brennerlint/brennerlint/source"
)

// blockParser is goldmark's parser of blocks, which finds nothing inside of lines.
var blockParser = parser.NewParser(parser.WithBlockParsers(ours(parser.DefaultBlockParsers())...))

// maxDepth is how deep quotations and lists may nest; marks of deeper ones are
// text. Without a limit the time of a parse grows with the square of the depth.
const maxDepth = 100

// ours limits the depth of the containers, and has blocks with marks note where these are.
func ours(parsers []util.PrioritizedValue) []util.PrioritizedValue {
	for i, p := range parsers {
		bp := p.Value.(parser.BlockParser)
		switch {
		case bp == parser.NewBlockquoteParser(), bp == parser.NewListParser():
			parsers[i].Value = limited{bp}
		case bp == parser.NewFencedCodeBlockParser(), bp == parser.NewThematicBreakParser(), string(bp.Trigger()) == "#":
			parsers[i].Value = marked{bp}
		}
	}
	return parsers
}

type limited struct{ parser.BlockParser }

// Open opens a block unless it would be nested too deeply.
func (p limited) Open(parent ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	depth := 0
	for n := parent; n != nil; n = n.Parent() {
		depth++
	}
	if depth > maxDepth {
		return nil, parser.NoChildren
	}
	return p.BlockParser.Open(parent, r, pc)
}

// marked notes at a node what goldmark does not keep: where its marks begin (it counts the columns of a
// tab that a container's mark reaches into as bytes), and the line that closes a fence.
type marked struct{ parser.BlockParser }

const opening, closing = "opening", "closing"

func (p marked) Open(parent ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	_, line := r.PeekLine()
	n, state := p.BlockParser.Open(parent, r, pc)
	if n != nil {
		n.SetAttributeString(opening, line.Start-line.Padding+pc.BlockOffset())
	}
	return n, state
}

func (p marked) Continue(n ast.Node, r text.Reader, pc parser.Context) parser.State {
	_, line := r.PeekLine()
	state := p.BlockParser.Continue(n, r, pc)
	if state&parser.Close != 0 {
		n.SetAttributeString(closing, line.Start)
	}
	return state
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
	at, isMarked := n.AttributeString(opening)
	if isMarked {
		b.Span.Start = at.(int)
		b.Span.End = w.lineEnd(b.Span.Start)
	}
	switch n := n.(type) {
	case *ast.Blockquote:
		in.InQuote = true
		w.children(n, in)
		return
	case *ast.ListItem:
		in.InList, in.Marker = true, uint32(min(n.Pos(), len(w.src)-1))
		w.children(n, in)
		return
	case *ast.Heading:
		b.Kind, b.Level, b.Parts = Heading, uint8(n.Level), w.trimmedLines(n)
		if !isMarked {
			w.underlined(b)
			return
		}
	case *ast.FencedCodeBlock:
		w.fence(n, &b)
	case *ast.CodeBlock:
		b.Kind, b.Parts = Code, w.code(n)
	case *ast.HTMLBlock:
		b.Kind, b.Verbatim = HTML, n.HTMLBlockType <= ast.HTMLBlockType5
		b.Closed = b.Verbatim && (n.HasClosure() || n.Lines().Len() == 1)
		b.Parts = w.lines(n)
		if n.HasClosure() {
			b.Parts = append(b.Parts, source.Span{Start: n.ClosureLine.Start, End: n.ClosureLine.Stop})
		}
	case *ast.ThematicBreak:
		b.Kind = ThematicBreak
	case *ast.Paragraph, *ast.TextBlock:
		b.Kind, b.Parts = Paragraph, w.trimmedLines(n)
	default:
		w.children(n, in)
		return
	}
	if b.Span == (source.Span{}) && len(b.Parts) > 0 {
		b.Span.Start = b.Parts[0].Start
		b.Span.End = w.contentEnd(&b)
	}
	w.blocks = append(w.blocks, b)
}

// underlined adds a heading with a line below it; or the table that GFM reads above such a line.
func (w *walker) underlined(b Block) {
	line := w.nextLine(b.Parts[len(b.Parts)-1].End)
	line += bytes.IndexAny(w.src[line:], "-=") // behind the marks of quotations
	underline := source.Span{Start: line, End: w.lineEnd(line)}
	b.Span = source.Span{Start: b.Parts[0].Start, End: underline.End}
	d := Document{Text: w.text}
	if table, ok := d.tableOf(b.Parts); !ok || len(table.Header.Cells) != len(table.Delimiter.Cells) {
		w.blocks = append(w.blocks, b)
		return
	}
	b.Kind, b.Level = Paragraph, 0
	if run(w.src[line:], '-') < 3 {
		b.Parts = append(b.Parts, source.Trim(w.src, underline)) // a row
		w.blocks = append(w.blocks, b)
		return
	}
	b.Span.End = b.Parts[len(b.Parts)-1].End
	rule := b
	rule.Kind, rule.Span, rule.Parts, rule.Marker = ThematicBreak, underline, nil, NoMarker
	w.blocks = append(w.blocks, b, rule)
}

func (w *walker) fence(n *ast.FencedCodeBlock, b *Block) {
	b.Kind, b.FenceChar = Fence, w.src[b.Span.Start]
	marks := b.Span.Start + run(w.src[b.Span.Start:], b.FenceChar)
	b.FenceLen = uint32(marks - b.Span.Start)
	b.Info = source.Span{Start: marks, End: marks}
	if n.Info != nil {
		b.Info = source.Span{Start: n.Info.Segment.Start, End: n.Info.Segment.Stop}
	}
	if b.Parts = w.code(n); len(b.Parts) > 0 {
		b.Span.End = max(w.contentEnd(b), marks)
	}
	if line, ok := n.AttributeString(closing); ok {
		b.Closed, b.Span.End = true, w.lineEnd(line.(int))
	}
}

// contentEnd returns the end of the last line of a block with content that is not empty.
func (w *walker) contentEnd(b *Block) int {
	last := b.Parts[len(b.Parts)-1].End
	return b.Span.Start + len(bytes.TrimRight(w.src[b.Span.Start:last], "\r\n"))
}

// run returns how many times a text begins with a character.
func run(b []byte, c byte) (n int) {
	for n < len(b) && b[n] == c {
		n++
	}
	return n
}

// lines returns the lines of a block.
func (w *walker) lines(n ast.Node) []source.Span {
	out := make([]source.Span, n.Lines().Len())
	for i := range out {
		s := n.Lines().At(i)
		out[i] = source.Span{Start: s.Start, End: s.Stop}
	}
	return out
}

// trimmedLines returns the lines of a block without the white space around them.
func (w *walker) trimmedLines(n ast.Node) []source.Span {
	out := w.lines(n)
	for i, s := range out {
		out[i] = source.Trim(w.src, s)
	}
	return out
}

// code returns the lines of code; those that follow each other are one part.
func (w *walker) code(n ast.Node) (parts []source.Span) {
	for _, s := range w.lines(n) {
		if last := len(parts) - 1; last >= 0 && parts[last].End == s.Start && w.src[s.Start-1] == '\n' {
			parts[last].End = s.End
		} else {
			parts = append(parts, s)
		}
	}
	return parts
}
