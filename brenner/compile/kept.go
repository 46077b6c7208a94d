package compile

import (
	"fmt"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/brenner/state"
	"github.com/brennerlint/brennerlint/internal/text"
)

// KeptDifference is a field that the version before was published with although its deltas
// give another value (MR-013), and that no delta has set since: this version starts from what
// was published (decisions.md 24), and has it, too.
type KeptDifference struct {
	Item      brenner.ItemID
	Field     string // and its part
	Published any    // nil if it was left out
	Merged    any
}

// keptDifferences returns those of the version before a window, in the order of its
// artifact, without the fields that are in conflict.
func keptDifferences(r *replay.Thread, w *replay.Window, unresolved []UnresolvedField) []KeptDifference {
	var before *replay.Window
	for _, each := range r.Windows {
		if each == w {
			break
		}
		before = each
	}
	if before == nil {
		return nil
	}
	inConflict := map[string]bool{}
	for _, u := range unresolved {
		inConflict[u.Item.String()+" "+u.Field] = true
	}
	var out []KeptDifference
	for _, f := range r.Facts.FieldDiffs {
		it := w.State.Find(f.Item)
		if f.In != before.Compiled || it == nil || !it.Active() || w.SetBy(f.Item, f.Field.Key) != nil || inConflict[f.Item.String()+" "+f.Field.Key] {
			continue
		}
		name := f.Field.Key
		if f.Field.Part != "" {
			name += " " + f.Field.Part
		}
		out = append(out, KeptDifference{Item: f.Item, Field: name, Published: f.Field.Got, Merged: f.Field.Want})
	}
	return out
}

// values says what was published and what the deltas give.
func (k *KeptDifference) values() (published, merged string) {
	show := func(v any) string {
		if v == nil {
			return "nothing"
		}
		return text.Quote(state.OneLine(v))
	}
	if k.Published == nil || k.Merged == nil {
		return show(k.Published), show(k.Merged)
	}
	return text.QuoteBoth(state.OneLine(k.Published), state.OneLine(k.Merged))
}

// Notes say what the version keeps although the deltas give something else.
func (c *Result) Notes() []string {
	var out []string
	for i := range c.Kept {
		k := &c.Kept[i]
		published, merged := k.values()
		out = append(out, fmt.Sprintf("kept from v%d: %s %s is published as %s, but the deltas give %s; send one EDIT with the correct value",
			c.Version-1, k.Item, k.Field, published, merged))
	}
	return out
}
