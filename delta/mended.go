package delta

import (
	"github.com/brennerlint/brennerlint/jsontree"
	"github.com/brennerlint/brennerlint/source"
)

// maxMends is how many faults of one delta are mended one after the other.
const maxMends = 4

// Mended is the delta as a lenient compiler reads it: with its rejecting faults
// mended as far as they can be. It is for finding out whether a compiler applied
// what it had to reject (decisions.md 25); its spans are of a text of its own.
// It is d itself if nothing can be mended.
func (d *Delta) Mended() *Delta {
	for range maxMends {
		f := d.Rejected()
		if f == nil || f.Mend == nil || f.Mend.Text != d.Text {
			break
		}
		text := source.NewText(source.Apply(d.Text.Content(), f.Mend.Edits))
		m := &Delta{Index: d.Index, Block: d.Block, Fence: d.Fence, Text: text, json: d.json}
		m.Root, m.Syntax = jsontree.Parse(text.Data, d.json)
		m.readFields()
		m.check()
		d = m
	}
	return d
}
