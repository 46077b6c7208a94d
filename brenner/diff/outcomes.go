package diff

import (
	"maps"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/state"
	"github.com/brennerlint/brennerlint/source"
)

// cell is a published outcome of a prediction, and the one that it should be.
type cell struct {
	artifact.Entry
	key       string // of the outcome in the state
	want, got any    // as a reader sees them
	killed    bool   // the hypothesis is
	withdrawn bool   // the state has N/A, for a killed hypothesis
	aside     bool   // the hypothesis is killed on one side only
}

// cells returns the published outcomes of a prediction by column.
func (c *Comparison) cells(p *Pair, want, got any, read idReading) []cell {
	f := p.Item.Field("predictions")
	if f == nil {
		return nil
	}
	out := make([]cell, len(f.Entries))
	for i, e := range f.Entries {
		h, key := read.column(e.Key)
		killed := c.killed(h)
		out[i] = cell{
			Entry: e, key: key, want: outcome(want, key, killed), got: outcome(got, e.Key, killed), killed: killed,
			withdrawn: killed && outcome(want, key, false) == notApplicable, aside: c.killDiffers[h],
		}
	}
	return out
}

// differs reports whether an outcome differs from the expected one. An outcome that should be
// N/A does not: MR-016 reports it, and N/A instead is its correction (decisions.md 82).
func (c *Comparison) differs(x cell) bool {
	return !x.aside && x.want != x.got && !(x.killed && (x.withdrawn || x.got == nil)) &&
		!(c.Garbled && sameGarbled(state.Plain(x.want), state.Plain(x.got)))
}

// outcome returns the text of a prediction's outcome for a hypothesis as a reader sees
// it: nil if it is absent, or N/A because the hypothesis is killed.
func outcome(predictions any, key string, killed bool) any {
	outcomes, _ := predictions.(map[string]any)
	text := state.Fold(state.Plain(outcomes[key]))
	if text == "" || killed && strings.EqualFold(text, notApplicable) {
		return nil
	}
	return text
}

func (c *Comparison) killed(h brenner.ItemID) bool { return isKilled(c.Want, h) }

// isKilled reports whether a state has a hypothesis as killed.
func isKilled(s *state.State, h brenner.ItemID) bool {
	it := s.Find(h)
	return h.Section == brenner.HypothesisSlate && it != nil && !it.Active()
}

// itemCells returns the cells of a prediction; none of other items.
func (c *Comparison) itemCells(p *Pair) []cell {
	if p.Want.ID.Section != brenner.PredictionsTable {
		return nil
	}
	want, got := p.Want.Fields()["predictions"], p.Got().Fields()["predictions"]
	return c.cells(p, want, got, c.readingOf(p))
}

// OutcomesMove reports whether a prediction is published with other outcomes than the state has,
// but without a difference: the hypothesis is killed on one side only, or the outcome is N/A or
// absent, for a killed hypothesis that was forgotten before.
func (c *Comparison) OutcomesMove(p *Pair) bool {
	left := map[string]any{} // outcomes that are not published
	if p.Want.ID.Section == brenner.PredictionsTable {
		outcomes, _ := p.Want.Fields()["predictions"].(map[string]any)
		maps.Copy(left, outcomes)
	}
	for _, x := range c.itemCells(p) {
		if delete(left, x.key); (x.aside || x.killed) && x.want != x.got {
			return true
		}
	}
	for key := range left {
		h, _ := brenner.ParseItemID(key)
		if killed := c.killed(h); (killed || c.killDiffers[h]) && outcome(left, key, killed) != nil {
			return true
		}
	}
	return false
}

// StaleOutcomes returns the cells of a prediction that should be N/A because their
// hypothesis is killed, but are not.
func (c *Comparison) StaleOutcomes(p *Pair) (out []artifact.Entry) {
	for _, x := range c.itemCells(p) {
		if !x.aside && x.withdrawn && x.got != nil {
			out = append(out, x.Entry)
		}
	}
	return out
}

// differingCell narrows a difference to the first cell that differs from the state, else to
// the first outcome that the row does not reach, else to the first without a column
// (decisions.md 85).
func (c *Comparison) differingCell(p *Pair, d *FieldChange) bool {
	if p.Item.Row == nil {
		return true // JSON has no columns
	}
	read := c.readingOf(p)
	for _, x := range c.cells(p, d.Before, d.After, read) {
		if c.differs(x) {
			d.Part, d.At, d.Before, d.After = x.key, x.Span, x.want, x.got
			return true
		}
	}
	want, _ := d.Before.(map[string]any)
	lacks := func(key string, at source.Span) bool {
		h, _ := brenner.ParseItemID(key)
		if c.killDiffers[h] || c.killed(h) || outcome(want, key, false) == nil {
			return false // of a killed one, what is absent is as N/A (decisions.md 26 and 82)
		}
		d.Part, d.At, d.Before, d.After = key, at, outcome(want, key, false), nil
		return true
	}
	const firstOutcome = 2 // after the id and the condition
	shown := map[string]bool{}
	for i, column := range c.Artifact.Section(brenner.PredictionsTable).Table.Columns {
		_, key := read.column(column.Key)
		end := source.Span{Start: p.Item.Row.Span.End, End: p.Item.Row.Span.End}
		if !shown[key] && i >= max(0, len(p.Item.Row.Cells)-firstOutcome) && lacks(key, end) {
			return true
		}
		shown[key] = true
	}
	for _, key := range slices.Sorted(maps.Keys(want)) {
		if !shown[key] && lacks(key, p.Item.IDSpan) {
			return true
		}
	}
	return false
}
