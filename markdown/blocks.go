package markdown

import (
	"bytes"

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
