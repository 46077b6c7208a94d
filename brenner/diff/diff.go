// Package diff compares a published artifact with a state: which items are the same, which are
// on one side only, and in which fields they differ (decisions.md 26). [States] compares two
// states, such as versions of a thread.
//
// It is pure: an artifact and a state in, differences with spans out. It does not know deltas
// and mail; package replay finds the delta of each difference.
//
// A [Comparison] pairs the items of a section ([Pair], pair.go) and compares the fields of each pair
// (fields.go), the outcomes of predictions hypothesis by hypothesis (outcomes.go), and the KILL (kill.go).
// A published value may be given several times, or can be read in several ways: it agrees if one of them is that
// of the state (lenient.go).
// Comparisons of states are in states.go, their wording in words.go.
package diff

import (
	"slices"
	"strings"
	"unicode"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/source"
)

// Comparison compares an artifact with the state that it should show.
type Comparison struct {
	Artifact *artifact.Artifact
	Want     *brenner.State
	// Omitted are items of Want that were left out before. They are never reported as missing.
	Omitted map[brenner.ItemID]bool
	// Garbled reports that bytes of what was merged or published were read as U+FFFD.
	Garbled bool
	// Was, if set, returns earlier fields of a wanted item, nil if there are none: an item that
	// is published with earlier fields keeps its id.
	Was func(*brenner.Item) map[string]any

	// killDiffers are the hypotheses that are killed on one side only: the resulting
	// differences in their predictions are not reported.
	killDiffers map[brenner.ItemID]bool
	// NewIDs has the published ids of renumbered items by their own, ownIDs the reverse.
	NewIDs, ownIDs map[brenner.ItemID]brenner.ItemID
}

// Compares reports whether a section can be compared. It cannot if the artifact shows its items,
// but lacks its heading, or a readable table of predictions (one with neither ids nor conditions is none), or if it is
// of JSON, and has no objects.
func (c *Comparison) Compares(sec brenner.Section) bool {
	if s := c.Artifact.Section(sec); s != nil && len(s.Items) == 0 && len(s.Malformed) > 0 {
		if len(s.WithoutID()) == 0 || s.Table != nil && s.Table.Condition == len(s.Table.Table.Header.Cells) {
			return false
		}
	}
	return c.Has(sec) || !c.mentions(sec)
}

// Has reports whether the artifact has a section, and a readable table of predictions in it.
func (c *Comparison) Has(sec brenner.Section) bool {
	s := c.Artifact.Section(sec)
	return s != nil && (sec != brenner.PredictionsTable || c.Artifact.IsJSON() || s.Table != nil || len(c.Artifact.ItemsOf(sec)) > 0)
}

// mentions reports whether a line of the text begins with an id of a section, whatever marks and tags of HTML
// are before it. A field that refers to other items, such as outcomes, shows none of them.
func (c *Comparison) mentions(sec brenner.Section) bool {
	const marks = "#*_~|->` \t"
	a := c.Artifact
	end := a.Span.Start // of the line
	for line := range strings.Lines(a.Text.Slice(a.Span)) {
		end += len(line)
		for line = strings.TrimLeft(line, marks); strings.HasPrefix(line, "<"); line = strings.TrimLeft(line, marks) {
			_, line, _ = strings.Cut(line, ">")
		}
		word := line[:max(0, strings.IndexFunc(line, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }))]
		if id, ok := brenner.ParseItemID(word); ok && id.Section == sec {
			at := end - len(line)
			if _, f := a.Locate(source.Span{Start: at, End: at + len(word)}); f == nil || f.Known == nil || f.Known.Kind == brenner.TextField {
				return true
			}
		}
	}
	return false
}

// Items compares a state with an artifact that should show it, item by item and by id, in the
// sections that the artifact has. Lines that are not fields of the section are remarks. What the
// artifact shows in a form that cannot be read is left to the rules on its form; with prefer, so is what
// it gives several times, once as the state has it.
func Items(want *brenner.State, a *artifact.Artifact, prefer bool) (out []Change) {
	c := &Comparison{Artifact: a, Want: want}
	for _, sec := range brenner.Sections {
		s := a.Section(sec)
		if s == nil || !c.Compares(sec) {
			continue
		}
		var withoutID []Identity
		for _, it := range s.WithoutID() {
			withoutID = append(withoutID, Identify(sec, it.State(sec).Fields()))
		}
		shown := map[brenner.ItemID]bool{}
		for _, p := range c.published(sec) {
			id := p.Item.ID
			shown[id] = true
			if p.Want = want.Find(id); p.Want != nil && prefer {
				p.Prefer()
			}
			d := Change{Kind: kindOf(p.Want, p.Got), ID: id, Before: p.Want, After: p.Got, At: p.Item.Heading}
			if d.Kind == ItemEdited {
				known := c.compareKnown(p)
				d.Fields = slices.DeleteFunc(known.Fields, func(f FieldChange) bool { return c.unreadable(p, &f) })
				if len(d.Fields) == 0 && len(known.Stale) > 0 {
					e := known.Stale[0]
					d.Fields = []FieldChange{{Key: "predictions", Part: e.Key, At: e.Span, Before: brenner.NotApplicable, After: e.Text}}
				}
				d.Fields = append(d.Fields, slices.DeleteFunc(c.KillChanges(p), func(f FieldChange) bool { return prefer && p.unclearKill(&f) })...)
				if len(d.Fields) == 0 {
					continue
				}
				d.At = d.Fields[0].At
			}
			out = append(out, d)
		}
		for _, it := range want.Items(sec) {
			if !shown[it.ID] && !slices.ContainsFunc(withoutID, Identify(sec, it.Fields()).like) {
				out = append(out, Change{Kind: ItemRemoved, ID: it.ID, Before: it, At: s.Heading})
			}
		}
	}
	return out
}

// unreadable reports whether an item shows a value all the same, below a label that is not bold, or perhaps
// in a row that lacks cells.
func (c *Comparison) unreadable(p *Pair, f *FieldChange) bool {
	if table := c.Artifact.Section(p.Want.ID.Section).Table; p.Item.Row != nil && table != nil && f.Key == "predictions" {
		return f.After == nil && len(p.Item.Row.Cells) < len(table.Table.Header.Cells)
	}
	return f.As != "" && f.After == nil && p.Item.Field(f.As) == nil
}

// Visible reports whether a rendering shows an item at all: a research thread has no heading of its own.
func Visible(it *brenner.Item) bool {
	sec := it.ID.Section
	return sec != brenner.ResearchThread || slices.ContainsFunc(sec.Fields(), func(f *brenner.Field) bool {
		return brenner.NormalValue(sec, f, it.Fields()[f.Key]) != nil
	})
}
