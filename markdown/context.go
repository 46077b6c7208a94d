package markdown

import "github.com/yuin/goldmark/parser"

// context is goldmark's context of a parse, which the next parse uses again: what
// goldmark makes for each is more than most texts need.
type context struct {
	parser.Context
	pool *nodePool

	opened []parser.Block // the blocks that are open
	room   []parser.Block // for them
	// fenceChar is the character of the open fence, if its lines can be read at once;
	// else 0.
	fenceChar byte
}

func newContext(pool *nodePool) *context { return &context{Context: parser.NewContext(), pool: pool} }

// OpenedBlocks are the blocks that are open, the outermost first.
func (c *context) OpenedBlocks() []parser.Block { return c.opened }

// SetOpenedBlocks changes them.
func (c *context) SetOpenedBlocks(blocks []parser.Block) {
	if blocks == nil {
		blocks = c.room[:0]
	}
	if c.opened = blocks; cap(blocks) > cap(c.room) {
		c.room = blocks[:0]
	}
}

// LastOpenedBlock is the innermost of them.
func (c *context) LastOpenedBlock() parser.Block {
	if n := len(c.opened); n > 0 {
		return c.opened[n-1]
	}
	return parser.Block{}
}

// reset makes the context one that no parse has used.
func (c *context) reset() {
	for key := range parser.ContextKeyMax + 1 {
		c.Set(key, nil)
	}
	clear(c.room[:cap(c.room)])
	c.opened, c.fenceChar = nil, 0
	c.SetBlockOffset(-1)
	c.SetBlockIndent(-1)
}
