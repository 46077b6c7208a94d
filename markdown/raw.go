package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

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
		return false // as most
	}
	line = bytes.TrimRight(line[i:], around)
	return run(line, line[0]) == len(line)
}
