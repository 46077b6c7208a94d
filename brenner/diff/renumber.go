package diff

import (
	"maps"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
)

// Items that were published under other ids may have those ids in the rest of the
// artifact too, or their own: neither is a difference (decisions.md 25).

// noteIDs records which items were published under other ids than their own.
func (c *Comparison) noteIDs(pairs []Pair) {
	for i := range pairs {
		if p := &pairs[i]; p.Want != nil && p.Published() && p.Want.ID != p.Item.ID {
			if c.own == nil {
				c.own, c.Renamed = map[brenner.ItemID]brenner.ItemID{}, map[brenner.ItemID]brenner.ItemID{}
			}
			c.own[p.Item.ID], c.Renamed[p.Want.ID] = p.Want.ID, p.Item.ID
		}
	}
}

func (c *Comparison) renumbers() bool { return len(c.own) > 0 }

// idReading is which item an id means.
type idReading func(brenner.ItemID) brenner.ItemID

// column returns the hypothesis of a column, and the key that its outcomes have in the state.
func (read idReading) column(key string) (h brenner.ItemID, own string) {
	h, _ = brenner.ParseItemID(key)
	if h = read(h); h.Section == 0 {
		return h, key // not an id
	}
	return h, h.String()
}

// ownID returns the own id of the item that is published under an id.
func (c *Comparison) ownID(id brenner.ItemID) brenner.ItemID {
	if own, ok := c.own[id]; ok {
		return own
	}
	return id
}

// readingOf returns how the columns of a prediction are read: as written, unless it then
// differs and there are items with other ids.
func (c *Comparison) readingOf(p *Pair) idReading {
	asWritten := func(id brenner.ItemID) brenner.ItemID { return id }
	want, got := p.Want.Fields()["predictions"], p.Got().Fields()["predictions"]
	if c.renumbers() && slices.ContainsFunc(c.cells(p, want, got, asWritten), c.differs) {
		return c.ownID
	}
	return asWritten
}

// withOwnIDs returns a published value with the own ids of the items that it names.
func (c *Comparison) withOwnIDs(v any) any {
	switch v := v.(type) {
	case string:
		var out strings.Builder
		end := 0
		for m := range brenner.ItemMentions(v) {
			out.WriteString(v[end:m.Span.Start] + c.ownID(m.ID).String())
			end = m.Span.End
		}
		return out.String() + v[end:]
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

// Renumbered returns the fields of a pair whose published values agree with the state
// only if the new ids of items are read as their own ones.
func (c *Comparison) Renumbered(p *Pair, differ []FieldChange) (keys []string) {
	if !c.renumbers() {
		return nil
	}
	sec := p.Want.ID.Section
	known := map[string]bool{}
	for _, d := range differ {
		known[d.Key] = true
	}
	for i := range sec.Fields() {
		f := &sec.Fields()[i]
		got := p.Got().Fields()[f.Key]
		if !known[f.Key] && !Same(sec, f, p.Want.Fields()[f.Key], got) && !Same(sec, f, c.withOwnIDs(got), got) {
			keys = append(keys, f.Key)
		}
	}
	return keys
}
