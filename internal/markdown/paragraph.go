package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// paragraphs are the nodes of the paragraphs of one tree. Paragraphs are most of
// a tree, and the tree is let go of once its blocks are listed: the next one
// takes the same nodes, with room for their lines.
type paragraphs struct {
	nodes          []*paragraph
	opened, hidden int // how many of them stand or stood in the tree
}

// paragraph is a node for a paragraph, and one for what takes its place.
type paragraph struct {
	open ast.Paragraph
	raw  rawParagraph
}

// maxKept and maxLines are how many paragraphs are kept for the next tree, and
// with how many lines at most.
const maxKept, maxLines = 256, 64

var paragraphsKey = parser.NewContextKey()

// parse reads the tree of a text. It stands until the paragraphs are recycled.
func (p *paragraphs) parse(r text.Reader) ast.Node {
	pc := parser.NewContext()
	pc.Set(paragraphsKey, p)
	return blockParser.Parse(r, parser.WithContext(pc))
}

// open is a node for a paragraph.
func (p *paragraphs) open() *ast.Paragraph {
	if p.opened == len(p.nodes) {
		p.nodes = append(p.nodes, new(paragraph))
	}
	p.opened++
	return &p.nodes[p.opened-1].open
}

// hide is a node for what takes the place of a paragraph.
func (p *paragraphs) hide() *rawParagraph {
	if p.hidden == p.opened { // goldmark has made the paragraph itself
		return new(rawParagraph)
	}
	p.hidden++
	return &p.nodes[p.hidden-1].raw
}

// recycle frees the nodes for the next tree.
func (p *paragraphs) recycle() {
	for i, n := range p.nodes[:p.opened] {
		lines := *n.open.Lines()
		if *n = (paragraph{}); lines.Len() <= maxLines {
			lines.SetSliced(0, 0)
			n.open.SetLines(&lines)
		}
		if i >= maxKept {
			p.nodes[i] = nil
		}
	}
	p.nodes, p.opened, p.hidden = p.nodes[:min(len(p.nodes), maxKept)], 0, 0
}

// usedParagraphs is goldmark's parser of paragraphs, which takes nodes that were
// used before.
type usedParagraphs struct{ parser.BlockParser }

// Open opens a paragraph.
func (usedParagraphs) Open(_ ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, segment := r.PeekLine()
	if util.IsBlank(line) {
		return nil, parser.NoChildren
	}
	n := pc.Get(paragraphsKey).(*paragraphs).open()
	n.Lines().Append(segment)
	r.AdvanceToEOL()
	return n, parser.NoChildren
}

// rawParagraph is a paragraph that goldmark's inline phase passes over.
type rawParagraph struct{ ast.BaseBlock }

var kindRawParagraph = ast.NewNodeKind("RawParagraph")

func (*rawParagraph) Kind() ast.NodeKind { return kindRawParagraph }
func (*rawParagraph) IsRaw() bool        { return true }
func (n *rawParagraph) Dump([]byte, int) {}

// hideFromInline replaces paragraphs by raw ones, which halves the time of a
// parse. A paragraph about to become a setext heading must stay one.
type hideFromInline struct{}

func (hideFromInline) Transform(n *ast.Paragraph, r text.Reader, pc parser.Context) {
	if line, _ := r.PeekLine(); isSetextUnderline(line) {
		return
	}
	raw := pc.Get(paragraphsKey).(*paragraphs).hide()
	raw.SetLines(n.Lines())
	raw.SetBlankPreviousLines(n.HasBlankPreviousLines())
	n.Parent().ReplaceChild(n.Parent(), n, raw)
}

func isSetextUnderline(line []byte) bool {
	line = bytes.Trim(line, " \t\r\n>")
	return len(line) > 0 && (line[0] == '=' || line[0] == '-') && run(line, line[0]) == len(line)
}
