package markdown

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// pooledParagraphs is goldmark's parser of paragraphs, which takes nodes that were
// used before, and reads most lines of a paragraph at once.
type pooledParagraphs struct{ parser.BlockParser }

// Open opens a paragraph. Where no list and no quotation is around it, it reads the
// lines that can only be more of its text too.
func (pooledParagraphs) Open(parent ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, segment := r.PeekLine()
	if util.IsBlank(line) {
		return nil, parser.NoChildren
	}
	n := leftoversOf(pc).open()
	n.Lines().Append(segment)
	r.AdvanceToEOL()
	if parent.Kind() == ast.KindDocument {
		readText(n.Lines(), r)
	}
	return n, parser.NoChildren
}

// readText reads the lines of text that follow the one which the reader has read, and
// leaves the reader at the end of the last.
func readText(lines *text.Segments, r text.Reader) {
	src := r.Source()
	number, at := r.Position()
	first := at.Stop
	for at.Stop < len(src) && isText(src[at.Stop:]) {
		at = text.NewSegment(at.Stop, lineAfter(src, at.Stop))
		lines.Append(at)
		number++
	}
	if at.Stop == first {
		return
	}
	if at.Start = at.Stop; src[at.Stop-1] == '\n' {
		at.Start--
	}
	r.SetPosition(number, at)
}

// isText reports whether a line cannot but go on with the paragraph before it: it
// begins with no character that another block may begin with, or with bold text, which
// is neither a list item nor a thematic break.
func isText(line []byte) bool {
	if !beginsBlock[line[0]] {
		return true
	}
	return len(line) > 2 && line[0] == '*' && line[1] == '*' && !beginsBlock[line[2]]
}

// beginsBlock are the characters that blocks begin with which may follow a paragraph,
// and white space.
var beginsBlock = func() (out [256]bool) {
	for _, c := range " \t\n\v\f\r" {
		out[c] = true
	}
	for _, p := range parser.DefaultBlockParsers() {
		for _, c := range p.Value.(parser.BlockParser).Trigger() {
			out[c] = true
		}
	}
	return out
}()
