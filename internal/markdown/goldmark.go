package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// blockParser is goldmark's parser of blocks, without the inline phase.
var blockParser = parser.NewParser(
	parser.WithBlockParsers(ours(parser.DefaultBlockParsers())...),
	parser.WithParagraphTransformers(util.Prioritized(hideFromInline{}, 1000)),
)

// maxDepth is how deep quotations and lists may nest; marks of deeper ones are
// text. Without a limit the time of a parse grows with the square of the depth.
const maxDepth = 100

// ours limits the depth of the containers and hides headings from the inline phase.
func ours(parsers []util.PrioritizedValue) []util.PrioritizedValue {
	for i, p := range parsers {
		bp := p.Value.(parser.BlockParser)
		switch {
		case bp == parser.NewBlockquoteParser(), bp == parser.NewListParser():
			parsers[i].Value = limited{bp}
		case bytes.Equal(bp.Trigger(), []byte{'#'}):
			parsers[i].Value = rawHeadings{bp}
		}
	}
	return parsers
}

type limited struct{ parser.BlockParser }

// Open opens a block unless it would be nested too deeply.
func (l limited) Open(parent ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	depth := 0
	for n := parent; n != nil; n = n.Parent() {
		depth++
	}
	if depth > maxDepth {
		return nil, parser.NoChildren
	}
	return l.BlockParser.Open(parent, r, pc)
}

// rawHeading is a heading that goldmark's inline phase passes over.
type rawHeading struct{ *ast.Heading }

func (rawHeading) IsRaw() bool { return true }

type rawHeadings struct{ parser.BlockParser }

// Open opens a heading as a raw one.
func (p rawHeadings) Open(parent ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	n, state := p.BlockParser.Open(parent, r, pc)
	if h, ok := n.(*ast.Heading); ok {
		return rawHeading{h}, state
	}
	return n, state
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
	raw := new(rawParagraph)
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
		return false // the usual case
	}
	line = bytes.TrimRight(line[i:], around)
	return run(line, line[0]) == len(line)
}
