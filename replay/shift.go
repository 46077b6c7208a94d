package replay

import (
	"github.com/brennerlint/brennerlint/diff"
	"github.com/brennerlint/brennerlint/protocol"
)

// maxShifts bounds how often a window is merged again to find out whether a
// rejected ADD was applied.
const maxShifts = 4

// detectShifting applies the rejected ADDs without which the ids of a section are
// shifted: a later EDIT that names an item by its published id then changes another
// one, which hides the ADD. It returns the rejected deltas that are left.
func (c *publicationChecker) detectShifting(rejected []*Delta) []*Delta {
	tried := 0
	for _, d := range rejected {
		if d.merge.Operation != protocol.Add || tried == maxShifts || !c.editedAfter(d) {
			continue
		}
		if tried++; tried == 1 {
			c.pair(nil)
		}
		before, result, rejects := c.misfit(d.merge.Section), c.w.result, c.rejects
		if before == 0 {
			continue
		}
		c.rejects = append(rejects[:len(rejects):len(rejects)], appliedReject{delta: d})
		c.mergeRejects(nil)
		c.pair(nil)
		if p := c.added(d); p != nil && c.misfit(d.merge.Section) < before {
			f := &c.rejects[len(rejects)]
			f.at, f.item = p.Item.Heading, p.Item.ID
			continue
		}
		c.rejects, c.w.result, c.Want = rejects, result, result.State
		c.pair(nil)
	}
	if len(c.rejects) == 0 {
		return rejected
	}
	return c.mergeRejects(rejected)
}

// editedAfter reports whether a delta that comes after an ADD names an item of its
// section by an id that the ADD may have shifted.
func (c *publicationChecker) editedAfter(d *Delta) bool {
	highest := c.w.base.Highest(d.merge.Section)
	for i := range c.w.strict.Log {
		o := c.w.strict.Log[i].Delta
		if o.Operation == protocol.Edit && o.Target.Section == d.merge.Section && o.Target.Number > highest && follows(o, d.merge) {
			return true
		}
	}
	return false
}

// added is the published item that shows what an applied ADD made, or nil.
func (c *publicationChecker) added(d *Delta) *diff.Pair {
	for i := range c.w.result.Log {
		e := &c.w.result.Log[i]
		if e.Delta != d.merge {
			continue
		}
		for j := range c.pairs[d.merge.Section] {
			if p := &c.pairs[d.merge.Section][j]; p.Want != nil && p.Want.ID == e.Item && p.Got != nil {
				return p
			}
		}
	}
	return nil
}

// misfit is by how much a published section is not what the merge gives: an item
// on one side only counts as much as all fields of one.
func (c *publicationChecker) misfit(sec protocol.Section) int {
	n := 0
	for i := range c.pairs[sec] {
		p := &c.pairs[sec][i]
		switch {
		case p.Got != nil && p.Want != nil:
			n += len(c.Fields(p))
		case p.Item == nil && diff.Visible(p.Want), p.Want == nil && p.Got != nil:
			n += len(sec.Fields())
		}
	}
	return n
}
