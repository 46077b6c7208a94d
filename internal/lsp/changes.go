package lsp

import (
	"slices"
	"sync"

	"github.com/brennerlint/brennerlint/source"
)

// changes applies the changes of a notification to a text, one after the other. Where there
// are many, editors send them from the end of the text to its beginning: such a run is applied
// at once.
type changes struct {
	text  []byte
	index func() *lines // of the text
	unit  encoding
	edits []source.Edit // of the text, each before the one in front of it in the list
}

// add adds a change. Its range is in the text after the changes before it.
func (c *changes) add(change *contentChange) {
	if change.Range == nil {
		c.edits = nil
		c.replace([]byte(change.Text))
		return
	}
	if !c.isBefore(*change.Range) {
		c.flush()
	}
	c.edits = append(c.edits, source.Edit{Span: c.index().span(*change.Range), Text: change.Text})
}

// isBefore reports whether a range is before all edits: then they do not move it.
func (c *changes) isBefore(r Range) bool {
	if len(c.edits) == 0 {
		return true
	}
	first := c.index().position(c.edits[len(c.edits)-1].Span.Start)
	return r.Start.before(first) && r.End.before(first)
}

// flush applies the edits.
func (c *changes) flush() {
	slices.Reverse(c.edits)
	text := source.Apply(c.text, c.edits)
	c.edits = c.edits[:0]
	c.replace(text)
}

func (c *changes) replace(text []byte) {
	c.text, c.index = text, sync.OnceValue(func() *lines { return newLines(text, c.unit) })
}

// result returns the text with all changes.
func (c *changes) result() []byte {
	slices.Reverse(c.edits)
	return source.Apply(c.text, c.edits)
}
