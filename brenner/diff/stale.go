package diff

import (
	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
)

// OutcomesMove reports whether a prediction is published with other outcomes than the
// state's where that is no difference: of a hypothesis that is killed on one side only, or
// N/A of a killed one that was forgotten before.
func (c *Comparison) OutcomesMove(p *Pair) bool {
	f := p.Item.Field("predictions")
	if f == nil || p.Want.ID.Section != brenner.PredictionsTable {
		return false
	}
	want, got := p.Want.Fields()["predictions"], p.valueOf("predictions")
	read := c.readingOf(p)
	for _, e := range f.Entries {
		h, _ := brenner.ParseItemID(e.Key)
		h = read(h)
		if !c.killDiffers[h] && !c.killed(h) {
			continue
		}
		if outcome(want, cellKey(e, h), c.killed(h)) != outcome(got, e.Key, c.killed(h)) {
			return true
		}
	}
	return false
}

// StaleOutcomes returns the cells of a prediction that should be N/A because their
// hypothesis is killed, but are not.
func (c *Comparison) StaleOutcomes(p *Pair) []artifact.Entry {
	var out []artifact.Entry
	var want, got any // once a cell needs them: they may be loaded
	loaded := false
	for e, h := range c.cells(p, c.readingOf(p)) {
		if !c.killed(h) {
			continue
		}
		if !loaded {
			want, got, loaded = p.Want.Fields()["predictions"], p.valueOf("predictions"), true
		}
		if outcome(want, cellKey(e, h), false) == notApplicable && outcome(got, e.Key, true) != nil {
			out = append(out, e)
		}
	}
	return out
}
