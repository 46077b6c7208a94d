package diff

import "github.com/brennerlint/brennerlint/brenner/artifact"

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
