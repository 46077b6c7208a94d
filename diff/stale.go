package diff

import "github.com/brennerlint/brennerlint/artifact"

// StaleOutcomes returns the cells of a prediction that should be N/A because their
// hypothesis is killed, but are not.
func (c *Comparison) StaleOutcomes(p *Pair) []artifact.Entry {
	var out []artifact.Entry
	var want, got any
	for e, h := range c.cells(p, c.readingOf(p)) {
		if !c.killed(h) {
			continue
		}
		if got == nil {
			want, got = p.Want.Fields()["predictions"], p.published("predictions")
		}
		if outcome(want, cellKey(e, h), false) == notApplicable && outcome(got, e.Key, true) != nil {
			out = append(out, e)
		}
	}
	return out
}
