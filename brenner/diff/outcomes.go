package diff

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/source"
)

// cell is an outcome of a prediction that is not published as it should be.
type cell struct {
	artifact.Entry        // its Span is where the outcome should be if it is not published
	key            string // of the outcome in the state
	want, got      any    // as a reader sees them
}

// cells returns the outcomes of a prediction that differ, none of other items: first the published ones by column,
// then those of columns that the row does not reach, then those without a column (decisions.md 85). With asOwn, new
// ids of hypotheses are read as their own ones.
//
// An outcome that should be N/A does not differ: it is stale (MR-016), and N/A instead is its correction
// (decisions.md 82). If the hypothesis is killed, an absent outcome is as N/A (decisions.md 26). moved reports whether
// outcomes are published otherwise than the state has them, but without a difference: the hypothesis is killed on one
// side only, or the outcome is N/A or absent, for a killed hypothesis that was forgotten before.
func (c *Comparison) cells(p *Pair, asOwn bool) (differ []cell, stale []artifact.Entry, moved bool) {
	want, got := c.values(p, "predictions")
	wanted, isObject := want.(map[string]any)
	if p.Want.ID.Section != brenner.PredictionsTable || brenner.SameValue(want, got) || want != nil && !isObject {
		return nil, nil, false
	}
	published, _ := got.(map[string]any)
	left := maps.Clone(wanted) // those that are not published
	add := func(e artifact.Entry, key string, got any) {
		delete(left, key)
		h, _ := brenner.ParseItemID(key)
		killed := c.Want.IsKilled(h)
		x := cell{e, key, outcome(wanted[key], killed), outcome(got, killed)}
		withdrawn := killed && outcome(wanted[key], false) == brenner.NotApplicable
		moved = moved || (killed || c.killDiffers[h]) && x.want != x.got
		switch {
		case c.killDiffers[h], killed && x.got == nil, sameText(x.want, x.got):
		case withdrawn:
			stale = append(stale, e)
		case !c.Garbled || !sameGarbled(brenner.Plain(x.want), brenner.Plain(x.got)):
			differ = append(differ, x)
		}
	}
	if f := p.Item.Field("predictions"); f != nil {
		for _, e := range f.Entries {
			add(e, c.column(e.Key, asOwn), published[e.Key])
		}
	}
	table := c.Artifact.Section(brenner.PredictionsTable).Table // nil in JSON, and in the first of two sections
	if row := p.Item.Row; row != nil && table != nil && len(left) > 0 {
		for _, column := range table.Columns {
			if key := c.column(column.Key, asOwn); left[key] != nil {
				add(artifact.Entry{Span: source.Span{Start: row.Span.End, End: row.Span.End}}, key, nil)
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(left)) {
		add(artifact.Entry{Span: p.Item.IDSpan}, key, nil)
	}
	return differ, stale, moved
}

// outcome returns the text of a prediction's outcome for a hypothesis as a reader sees
// it: nil if it is absent, or N/A because the hypothesis is killed.
func outcome(v any, killed bool) any {
	text := brenner.Fold(brenner.Plain(v))
	if text == "" || killed && strings.EqualFold(text, brenner.NotApplicable) {
		return nil
	}
	return text
}

// compareOutcomes narrows a difference to the first cell that differs from the state, one of a hypothesis
// that the state has if possible: a column with a wrong id hides that of another (decisions.md 85). If items have new
// ids, and the outcomes differ where the columns are read as written, the columns have new ids of hypotheses.
func (c *Comparison) compareOutcomes(p *Pair, d *FieldChange) (differs bool, stale []artifact.Entry, moved bool) {
	cells, stale, moved := c.cells(p, false)
	if len(c.ownIDs) > 0 && slices.ContainsFunc(cells, func(x cell) bool { return x.got != nil }) {
		cells, stale, moved = c.cells(p, true)
	}
	isObject := func(v any) bool { _, is := v.(map[string]any); return v == nil || is }
	if !isObject(d.Before) || p.Item.Row == nil { // JSON has no columns
		return !isObject(d.Before) || !isObject(d.After) || len(cells) > 0, stale, moved
	}
	if len(cells) == 0 {
		return false, stale, moved
	}
	isOfState := func(x cell) bool { h, _ := brenner.ParseItemID(x.key); return c.Want.Find(h) != nil }
	x := cells[max(0, slices.IndexFunc(cells, isOfState))]
	d.Part, d.At, d.Before, d.After = x.key, x.Span, x.want, x.got
	return true, stale, moved
}

// column returns the key that the outcomes of a column have in the state.
func (c *Comparison) column(key string, asOwn bool) string {
	h, ok := brenner.ParseItemID(key)
	switch {
	case !ok:
		return key
	case asOwn:
		h = c.ownID(h)
	}
	return h.String()
}

// ownID returns the own id of the item that is published under an id. The rest of the artifact may
// name it by either: neither is a difference (decisions.md 25).
func (c *Comparison) ownID(id brenner.ItemID) brenner.ItemID { return cmp.Or(c.ownIDs[id], id) }

// Same reports whether a published value is the same as the wanted one, by whichever of their ids it names items.
func (c *Comparison) Same(sec brenner.Section, f *brenner.Field, want, got any) bool {
	return Same(sec, f, want, got) || len(c.ownIDs) > 0 && Same(sec, f, want, c.withOwnIDs(got))
}

// withOwnIDs returns a published value with the own ids of the items that it names.
func (c *Comparison) withOwnIDs(v any) any {
	switch v := v.(type) {
	case string:
		var edits []source.Edit
		for m := range brenner.ItemMentions(v) {
			edits = append(edits, source.Edit{Span: m.Span, Text: c.ownID(m.ID).String()})
		}
		return string(source.Apply([]byte(v), edits))
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = c.withOwnIDs(v[i])
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for _, key := range slices.Sorted(maps.Keys(v)) { // two may become one
			out[c.withOwnIDs(key).(string)] = c.withOwnIDs(v[key])
		}
		return out
	}
	return v
}
