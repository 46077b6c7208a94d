// Package diff compares a published artifact with a state: which items are the same, which are
// on one side only, and in which fields they differ (decisions.md 26). [States] compares two
// states, such as versions of a thread.
//
// It is pure: an artifact and a state in, differences with spans out. It does not know deltas
// and mail; package replay finds the delta of each difference.
package diff

import (
	"regexp"
	"slices"
	"strings"
	"time"
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
	// Published items that are like them are paired with them, unless OmittedByID is set.
	Omitted     map[brenner.ItemID]bool
	OmittedByID bool
	// Garbled reports that bytes of what was merged or published were read as U+FFFD.
	Garbled bool
	// Was, if set, returns earlier fields of a wanted item, nil if there are none: an item that
	// is published with earlier fields keeps its id.
	Was func(*brenner.Item) map[string]any

	mentioned map[brenner.Section]bool // by mentions
	// killDiffers are the hypotheses that are killed on one side only: the resulting
	// differences in their predictions are not reported.
	killDiffers map[brenner.ItemID]bool
	// NewIDs has the published ids of renumbered items by their own, ownIDs the reverse.
	NewIDs, ownIDs map[brenner.ItemID]brenner.ItemID
}

// Compares reports whether a section can be compared. It cannot if the artifact shows its items,
// but lacks its heading, or a readable table of predictions.
func (c *Comparison) Compares(sec brenner.Section) bool {
	return c.Has(sec) || !c.mentions(sec)
}

// Has reports whether the artifact has a section, and a readable table of predictions in it.
func (c *Comparison) Has(sec brenner.Section) bool {
	s := c.Artifact.Section(sec)
	return s != nil && (sec != brenner.PredictionsTable || c.Artifact.IsJSON() || s.Table != nil || len(s.Items) > 0)
}

// tags are those that begin a line, as in a table of HTML.
var tags = regexp.MustCompile(`^(?:\s*<[^<>]*>)+`)

// mentions reports whether a line of the text begins with an id of a section, whatever marks
// are before it. A field that refers to other items, such as outcomes, shows none of them.
func (c *Comparison) mentions(sec brenner.Section) bool {
	if c.mentioned != nil {
		return c.mentioned[sec]
	}
	c.mentioned = map[brenner.Section]bool{}
	text, refers := c.Artifact.Text, map[int]bool{} // the lines of such fields
	for it := range c.Artifact.Items(0) {
		for _, f := range it.Fields {
			isReference := f.Known != nil && f.Known.Kind != brenner.TextField
			for n := text.LineAt(f.Value.Start); isReference && n <= text.LineAt(f.Value.End); n++ {
				refers[n] = true
			}
		}
	}
	n := text.LineAt(c.Artifact.Span.Start)
	for line := range strings.Lines(text.Slice(c.Artifact.Span)) {
		line = strings.TrimLeft(tags.ReplaceAllString(line, ""), "#*_~|->` \t")
		end := strings.IndexFunc(line, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if id, ok := brenner.ParseItemID(line[:max(end, 0)]); ok && !refers[n] {
			c.mentioned[id.Section] = true
		}
		n++
	}
	return c.mentioned[sec]
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
				d.Fields = slices.DeleteFunc(c.knownFields(p), func(f FieldChange) bool { return c.unreadable(p, &f) })
				if stale, _ := c.StaleOutcomes(p); len(d.Fields) == 0 && len(stale) > 0 {
					e := stale[0]
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

// swallows reports whether a field is as wanted up to the label, which is not bold, of one that is missing.
func (c *Comparison) swallows(p *Pair, f *artifact.Field, want any) bool {
	return slices.ContainsFunc(p.Item.PlainLabels, func(l artifact.PlainLabel) bool {
		missing := p.Want.Fields()[l.Field.Key] // it must be told as missing
		return f.Value.Contains(l.Span) && p.Item.Field(l.Field.Key) == nil && missing != nil && !c.sameOrIncomparable(p, l.Field, missing, nil) &&
			c.sameOrIncomparable(p, f.Known, want, c.Artifact.Reread(p.Item, f.Known, f.Label, source.Span{Start: f.Value.Start, End: c.Artifact.Text.LineStart(l.Span.Start)}))
	})
}

// mislabelled returns the label, which is not bold, of a field that an item lacks, and what is below it: nil if that is as
// wanted up to the next label, or to the end of the paragraph. The label is empty if there is none.
func (c *Comparison) mislabelled(p *Pair, f *brenner.Field, want any) (label source.Span, below any) {
	i := slices.IndexFunc(p.Item.PlainLabels, func(l artifact.PlainLabel) bool { return l.Field == f })
	if i < 0 {
		return label, nil
	}
	label = p.Item.PlainLabels[i].Span
	text, end := c.Artifact.Text, p.Item.Span.End
	for _, next := range p.Item.PlainLabels[i+1:] {
		end = min(end, text.LineStart(next.Span.Start))
	}
	for _, next := range p.Item.Fields {
		if next.Label.Start > label.Start {
			end = min(end, text.LineStart(next.Label.Start))
		}
	}
	shown := source.Trim(text.Data, source.Span{Start: label.End, End: max(label.End, end)})
	paragraph := shown.Start + len(blankLine.Split(text.Slice(shown), 2)[0])
	for _, end := range [...]int{paragraph, shown.End} {
		below = c.Artifact.Reread(p.Item, f, label, source.Span{Start: shown.Start, End: end})
		if c.sameOrIncomparable(p, f, want, below) {
			return label, nil
		}
	}
	isText := func(pf *artifact.Field) bool { // of another field, which has all of it
		return pf.Value.Contains(label) && (pf.Known == nil || !c.swallows(p, pf, p.Want.Fields()[pf.Key]))
	}
	if below == nil || slices.ContainsFunc(p.Item.Fields, isText) {
		return source.Span{}, nil
	}
	return label, below
}

// blankLine matches the end of a paragraph.
var blankLine = regexp.MustCompile(`\n[ \t\r]*\n`)

// Visible reports whether a rendering shows an item at all: a research thread has no heading of its own.
func Visible(it *brenner.Item) bool {
	sec := it.ID.Section
	return sec != brenner.ResearchThread || slices.ContainsFunc(sec.Fields(), func(f *brenner.Field) bool {
		return brenner.NormalValue(sec, f, it.Fields()[f.Key]) != nil
	})
}

// KillDiffers reports whether the KILL differs: its existence, agent, reason or time. Parts that
// the artifact leaves out do not differ.
func (p *Pair) KillDiffers() bool {
	return p.KilledOnOneSide() || !p.Want.Active() && p.Want.ID.Section != brenner.PredictionsTable && p.KillParts(p.Want.Killed) != [3]bool{}
}

// KillParts reports which parts of the published KILL differ from another: the agent, the reason, the time.
func (p *Pair) KillParts(k *brenner.Killing) [3]bool {
	got := p.Got.Killed
	reasonDiffers := TextDiffers(k.Reason, got.Reason) && TextDiffers(k.Reason, aboveHeading(got.Reason))
	return [...]bool{TextDiffers(k.By, got.By), reasonDiffers, p.KilledAtDiffers(k.At)}
}

// KillChanges returns the parts in which a KILL that both sides have differs, as far as both say it, each at
// the text that differs, where a line has it literally.
func (c *Comparison) KillChanges(p *Pair) (out []FieldChange) {
	if p.KilledOnOneSide() || !p.KillDiffers() {
		return nil
	}
	want, got, differs := p.Want.Killed, p.Got.Killed, p.KillParts(p.Want.Killed)
	for i, f := range [...]FieldChange{
		{Key: "killed_by", At: p.Item.Heading, Before: want.By, After: got.By},
		{Key: "kill_reason", At: p.Item.Heading, Before: want.Reason, After: got.Reason},
		{Key: "killed_at", At: p.Item.Heading, Before: brenner.FormatTime(want.At), After: p.Item.KilledAt},
	} {
		if !differs[i] || f.Before == "" {
			continue
		}
		line := p.Item.Field(f.Key)
		if line == nil && f.Key == "killed_at" {
			line = p.Item.Field("killed_by") // `Killed by: Agent (timestamp)`
		}
		if line != nil && !line.Value.Empty() {
			f.At = line.Value
			shown := brenner.Plain(f.After)
			if i := strings.LastIndex(c.Artifact.Text.Slice(f.At), shown); i >= 0 {
				f.At = source.Span{Start: f.At.Start + i, End: f.At.Start + i + len(shown)}
			}
		}
		out = append(out, f)
	}
	return out
}

// unclearKill reports whether a part of a KILL that differs is given as wanted, too, has signs that were no UTF-8,
// or has the reason behind it, because that has no label.
func (p *Pair) unclearKill(f *FieldChange) bool {
	before, after := brenner.Plain(f.Before), brenner.Plain(f.After)
	isWanted := func(r *artifact.Field) bool {
		isPart := r.Key == f.Key || f.Key == "killed_at" && r.Key == "killed_by"
		return isPart && (brenner.ContainsFold(r.Text, before) || r.First != nil && brenner.ContainsFold(r.First.Text, before))
	}
	noReason := p.Got.Killed.Reason == "" && brenner.HasPrefixFold(after, before)
	return noReason || strings.Contains(after, "\ufffd") || slices.ContainsFunc(p.Item.Repeated, isWanted)
}

// KilledOnOneSide reports whether only one of both items is killed.
func (p *Pair) KilledOnOneSide() bool { return p.Want.Active() == p.Item.Killed }

// KilledAtDiffers reports whether the published instant of a KILL is another one.
func (p *Pair) KilledAtDiffers(want time.Time) bool {
	got := p.Got.Killed.At
	shown, ok := brenner.ParseTime(p.Item.KilledAt)
	return !got.IsZero() && timesDiffer(want, got, ok && !shown.HasTime)
}

// timesDiffer reports whether two instants differ, to the precision with which both are written: a date
// says nothing about the hour, a time without a fraction nothing about fractions.
func timesDiffer(want, got time.Time, gotDate bool) bool {
	precision := time.Nanosecond
	if got.Nanosecond() == 0 || want.Nanosecond() == 0 {
		precision = time.Second
	}
	if gotDate || isDate(want) {
		precision = day
	}
	return !want.Truncate(precision).Equal(got.Truncate(precision))
}

const day = 24 * time.Hour

func isDate(t time.Time) bool { return t.Truncate(day).Equal(t) }

// TextDiffers reports whether a published text is there and differs from the expected one.
func TextDiffers(want, got string) bool { return got != "" && brenner.Fold(want) != brenner.Fold(got) }
