package replay

import (
	"slices"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/diff"
	"github.com/brennerlint/brennerlint/brenner/merge"
	"github.com/brennerlint/brennerlint/source"
)

// maxTrials bounds how often a window is merged again to find out whether deltas were
// applied.
const maxTrials = 4

// detectTogether applies what can only be recognised by its effects: the deltas of a
// message whose subject hid them, which later ones may have overwritten, and rejected
// ADDs that shift ids. It returns the remaining rejected deltas.
func (c *publicationChecker) detectTogether(rejected []*Delta) []*Delta {
	if len(rejected) == 0 {
		return nil
	}
	c.pair(nil)
	c.detectHidden()
	c.detectShifting(rejected)
	if len(c.rejects) == 0 {
		return rejected
	}
	return c.mergeRejects(rejected)
}

// detectHidden applies all deltas of a message whose subject hid them, if they explain
// what was published.
func (c *publicationChecker) detectHidden() {
	var hidden [][]*Delta
	for _, d := range c.w.hidden {
		if n := len(hidden); n == 0 || hidden[n-1][0].In != d.In {
			hidden = append(hidden, nil)
		}
		hidden[len(hidden)-1] = append(hidden[len(hidden)-1], d)
	}
	for _, ds := range hidden[:min(len(hidden), maxTrials)] {
		ds = readable(ds)
		var shown []*Delta
		all := func() bool {
			shown = slices.DeleteFunc(slices.Clone(ds), func(d *Delta) bool { return d.merge.Operation == brenner.Add && c.added(d) == nil })
			return len(shown) == len(ds)
		}
		if !c.try(ds, brenner.Sections[:], all) && len(shown) > 0 && len(shown) < len(ds) {
			ds = shown
			c.try(ds, brenner.Sections[:], all)
		}
	}
	for i := range c.rejects {
		c.rejects[i].at, c.rejects[i].item = c.placeOf(c.rejects[i].delta)
	}
}

// placeOf returns what shows an applied delta, or the first heading if nothing does.
func (c *publicationChecker) placeOf(d *Delta) (source.Span, brenner.ItemID) {
	if p := c.added(d); p != nil {
		return p.Item.Heading, p.Item.ID
	}
	for i := range c.pairs[d.merge.Section] {
		if p := &c.pairs[d.merge.Section][i]; p.Want != nil && p.Want.ID == d.merge.Target && p.Published() {
			return p.Item.Heading, p.Item.ID
		}
	}
	return c.Artifact.Sections[0].Heading, brenner.ItemID{}
}

// detectShifting applies the rejected ADDs without which the ids of a section are
// shifted: a later EDIT that names an item by its published id then changes another
// one, which hides the ADD.
func (c *publicationChecker) detectShifting(rejected []*Delta) {
	edits, done, tried := c.lastEdits(), map[*Delta]bool{}, 0
	for _, f := range c.rejects {
		done[f.delta] = true
	}
	for _, d := range rejected {
		last := edits[d.merge.Section]
		if d.merge.Operation != brenner.Add || tried == maxTrials || done[d] || last == nil || !follows(last, d.merge) {
			continue
		}
		tried++
		var shown *diff.Pair
		if c.try([]*Delta{d}, []brenner.Section{d.merge.Section}, func() bool { shown = c.added(d); return shown != nil }) {
			a := &c.rejects[len(c.rejects)-1]
			a.at, a.item = shown.Item.Heading, shown.Item.ID
		}
	}
}

// try applies deltas, and keeps them if they show and the published sections then
// differ less from the merge.
func (c *publicationChecker) try(ds []*Delta, secs []brenner.Section, shows func() bool) bool {
	before, result, rejects := c.misfit(secs), c.w.result, c.rejects
	if before == 0 || len(ds) == 0 {
		return false
	}
	c.rejects = slices.Clip(c.rejects)
	for _, d := range ds {
		c.rejects = append(c.rejects, appliedReject{delta: d})
	}
	c.mergeRejects(nil)
	c.pair(nil)
	if shows() && c.misfit(secs) < before {
		return true
	}
	c.rejects, c.w.result, c.Want = rejects, result, result.State
	c.pair(nil)
	return false
}

// lastEdits returns, by section, the last EDITs of items that the window added: a
// rejected ADD may have shifted their ids.
func (c *publicationChecker) lastEdits() map[brenner.Section]*merge.Delta {
	out := map[brenner.Section]*merge.Delta{}
	for i := range c.w.strict.Log {
		if d := c.w.strict.Log[i].Delta; d.Operation == brenner.Edit && d.Target.Number > c.w.base.Highest(d.Target.Section) {
			out[d.Target.Section] = d
		}
	}
	return out
}

// added returns the published item that is like what an applied ADD made, or nil
// (decisions.md 89).
func (c *publicationChecker) added(d *Delta) *diff.Pair {
	for i := range c.w.result.Log {
		e := &c.w.result.Log[i]
		if e.Delta != d.merge {
			continue
		}
		for j := range c.pairs[d.merge.Section] {
			if p := &c.pairs[d.merge.Section][j]; p.Want != nil && p.Want.ID == e.Item && p.Published() && p.Like(d.merge.Payload) {
				return p
			}
		}
	}
	return nil
}

// misfit measures by how much published sections differ from the merge: an item on one
// side only counts as much as all fields of one.
func (c *publicationChecker) misfit(secs []brenner.Section) int {
	n := 0
	for _, sec := range secs {
		for i := range c.pairs[sec] {
			p := &c.pairs[sec][i]
			switch {
			case p.Published() && p.Want != nil:
				n += len(c.Fields(p))
				if p.KilledOnOneSide() {
					n++
				}
			case p.Item == nil && diff.Visible(p.Want), p.Want == nil && p.Published():
				n += len(sec.Fields())
			}
		}
	}
	return n
}
