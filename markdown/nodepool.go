package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// nodePool are the paragraphs of one tree, and room for the lines of its fences.
// They are most of a tree, and the tree is let go of once its blocks are listed:
// the next one takes them again.
type nodePool struct {
	paragraphs     []*paragraph
	opened, hidden int // how many of them stand or was in the tree

	fences []ast.Node      // of the tree
	room   []text.Segments // for the lines of fences, without any

	context *context
}

// paragraph is a node for a paragraph, and one for what takes its place.
type paragraph struct {
	open ast.Paragraph
	raw  rawParagraph
}

// How much is kept for the next tree: paragraphs and fences, and with how many
// lines each at most.
const maxParagraphs, maxFences, maxLines = 256, 32, 64

// parse reads the tree of a text. It stands until recycle is called.
func (o *nodePool) parse(r text.Reader) ast.Node {
	if o.context == nil {
		o.context = newContext(o)
	}
	return blockParser.Parse(r, parser.WithContext(o.context))
}

func leftoversOf(pc parser.Context) *nodePool { return pc.(*context).pool }

// open is a node for a paragraph.
func (o *nodePool) open() *ast.Paragraph {
	if o.opened == len(o.paragraphs) {
		o.paragraphs = append(o.paragraphs, new(paragraph))
	}
	o.opened++
	return &o.paragraphs[o.opened-1].open
}

// hide is a node for what takes the place of a paragraph.
func (o *nodePool) hide() *rawParagraph {
	if o.hidden == o.opened { // goldmark has made the paragraph itself
		return new(rawParagraph)
	}
	o.hidden++
	return &o.paragraphs[o.hidden-1].raw
}

// fence gives a new fence room for its lines.
func (o *nodePool) fence(n ast.Node) {
	o.fences = append(o.fences, n)
	if last := len(o.room) - 1; last >= 0 {
		n.SetLines(&o.room[last])
		o.room = o.room[:last]
	}
}

// recycle frees all for the next tree.
func (o *nodePool) recycle() {
	for i, p := range o.paragraphs[:o.opened] {
		lines := emptied(p.open.Lines())
		*p = paragraph{}
		if p.open.SetLines(&lines); i >= maxParagraphs {
			o.paragraphs[i] = nil
		}
	}
	for _, n := range o.fences {
		if len(o.room) < maxFences {
			o.room = append(o.room, emptied(n.Lines()))
		}
	}
	clear(o.fences)
	o.paragraphs, o.fences = o.paragraphs[:min(len(o.paragraphs), maxParagraphs)], o.fences[:0]
	o.opened, o.hidden = 0, 0
	o.context.reset()
}

// emptied is the room of lines, unless there are very many.
func emptied(lines *text.Segments) text.Segments {
	room := *lines
	if room.Len() > maxLines {
		return text.Segments{}
	}
	room.SetSliced(0, 0)
	return room
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
	raw := leftoversOf(pc).hide()
	raw.SetLines(n.Lines())
	raw.SetBlankPreviousLines(n.HasBlankPreviousLines())
	n.Parent().ReplaceChild(n.Parent(), n, raw)
}

func isSetextUnderline(line []byte) bool {
	const around = " \t\r\n>"
	i := 0
	for i < len(line) && strings.IndexByte(around, line[i]) >= 0 {
		i++
	}
	if i == len(line) || line[i] != '=' && line[i] != '-' {
		return false // as most
	}
	line = bytes.TrimRight(line[i:], around)
	return run(line, line[0]) == len(line)
}
