package markdown

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// pooledFences is goldmark's parser of fences, which takes room for their lines
// that was used before, and reads the lines of most of them at once.
type pooledFences struct{ parser.BlockParser }

// Open opens a fence.
func (p pooledFences) Open(parent ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, _ := r.PeekLine()
	n, state := p.BlockParser.Open(parent, r, pc)
	if n == nil {
		return n, state
	}
	leftoversOf(pc).fence(n)
	c := pc.(*context)
	if c.fenceChar = 0; pc.BlockOffset() == 0 && parent.Kind() == ast.KindDocument {
		c.fenceChar = line[0]
	}
	return n, state
}

// Continue reads the next lines of a fence. Of one that begins its line, in no list
// and no quotation, all lines are content up to one that may close it.
func (p pooledFences) Continue(n ast.Node, r text.Reader, pc parser.Context) parser.State {
	char := pc.(*context).fenceChar
	if char == 0 {
		return p.BlockParser.Continue(n, r, pc)
	}
	number, at := r.Position()
	src, lines, start := r.Source(), n.Lines(), at.Start
	for at.Stop > at.Start && !beginsWith(src[at.Start:at.Stop], char) {
		lines.Append(text.Segment{Start: at.Start, Stop: at.Stop, ForceNewline: true})
		at.Start, at.Stop = at.Stop, lineAfter(src, at.Stop)
		number++
	}
	if at.Start == start {
		return p.BlockParser.Continue(n, r, pc)
	}
	r.SetPosition(number-1, text.NewSegment(at.Start, at.Start)) // the end of the last line
	return parser.Continue | parser.NoChildren
}

// beginsWith reports whether a character is the first of a line but for spaces and
// tabs.
func beginsWith(line []byte, char byte) bool {
	for _, c := range line {
		if c != ' ' && c != '\t' {
			return c == char
		}
	}
	return false
}
