package replay

import (
	"github.com/brennerlint/brennerlint/protocol"
)

// maxShifts bounds how often a window is merged again to find out whether a
// rejected ADD was applied.
const maxShifts = 4

// concedeShifting applies the rejected ADDs without which the ids of a section are
// shifted: a later EDIT that names an item by its published id then changes another
// one, which hides the ADD. It returns the rejected deltas that are left.
func (c *comparer) concedeShifting(rejected []*Delta) []*Delta {
	tried := 0
	for _, d := range rejected {
		if d.merge.Operation != protocol.Add || tried == maxShifts || !c.editedAfter(d) {
			continue
		}
		if tried++; tried == 1 {
			c.match(nil)
		}
		before, result, concessions := c.misfit(d.merge.Section), c.w.result, c.concessions
		if before == 0 {
			continue
		}
		c.concessions = append(concessions[:len(concessions):len(concessions)], concession{delta: d})
		c.mergeConceded(nil)
		c.match(nil)
		if m := c.added(d); m != nil && c.misfit(d.merge.Section) < before {
			f := &c.concessions[len(concessions)]
			f.at, f.item = m.pub.Heading, m.pub.ID
			continue
		}
		c.concessions, c.w.result, c.ref = concessions, result, result.State
		c.match(nil)
	}
	if len(c.concessions) == 0 {
		return rejected
	}
	return c.mergeConceded(rejected)
}

// editedAfter reports whether a delta that comes after an ADD names an item of its
// section by an id that the ADD may have shifted.
func (c *comparer) editedAfter(d *Delta) bool {
	highest := c.w.base.Highest(d.merge.Section)
	for i := range c.w.strict.Log {
		o := c.w.strict.Log[i].Delta
		if o.Operation == protocol.Edit && o.Target.Section == d.merge.Section && o.Target.Number > highest && follows(o, d.merge) {
			return true
		}
	}
	return false
}

// added is the published item that shows what a conceded ADD made, or nil.
func (c *comparer) added(d *Delta) *match {
	for i := range c.w.result.Log {
		e := &c.w.result.Log[i]
		if e.Delta != d.merge {
			continue
		}
		for j := range c.matches[d.merge.Section] {
			if m := &c.matches[d.merge.Section][j]; m.ref != nil && m.ref.ID == e.Item && m.val != nil {
				return m
			}
		}
	}
	return nil
}

// misfit is by how much a published section is not what the merge gives: an item
// on one side only counts as much as all fields of one.
func (c *comparer) misfit(sec protocol.Section) int {
	n := 0
	for i := range c.matches[sec] {
		m := &c.matches[sec][i]
		switch {
		case m.val != nil && m.ref != nil:
			n += len(c.fields(m))
		case m.pub == nil && visible(m.ref), m.ref == nil && m.val != nil:
			n += len(sec.Fields())
		}
	}
	return n
}
