package diff

import (
	"maps"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/internal/text"
)

// Same reports whether two values of a field are equal as far as a rendering shows them (decisions.md 26), whatever
// marks their emphasis has.
func Same(sec brenner.Section, f *brenner.Field, a, b any) bool {
	if brenner.SameValue(a, b) {
		return true
	}
	x, y := brenner.NormalValue(sec, f, a), brenner.NormalValue(sec, f, b)
	return brenner.SameValue(x, y) || hasPlainMarks(a) && hasPlainMarks(b) && sameEmphasis(x, y)
}

// hasPlainMarks reports whether the marks of emphasis in a value are those of Markdown: it has no code, no formula, no
// escape and no address.
func hasPlainMarks(v any) bool {
	said := brenner.Plain(v)
	return !strings.ContainsAny(said, "`$\\") && !strings.Contains(said, "://")
}

// sameEmphasis reports whether two values in normal form are the same but for the marks of their emphasis: formatters
// write one mark everywhere.
func sameEmphasis(a, b any) bool {
	switch a := a.(type) {
	case string:
		b, ok := b.(string)
		return ok && strings.ReplaceAll(a, "_", "*") == strings.ReplaceAll(b, "_", "*") && withAsterisks(a) == withAsterisks(b)
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, sameEmphasis)
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && maps.EqualFunc(a, b, sameEmphasis)
	}
	return brenner.SameValue(a, b)
}

// withAsterisks returns a text with asterisks in place of the underscores around words.
func withAsterisks(s string) string {
	for range 3 { // one pair may be next to another, or around it
		s = underscored().ReplaceAllStringFunc(s, func(s string) string { return strings.ReplaceAll(s, "_", "*") })
	}
	return s
}

// underscored is a text between underscores, with what is around it: no letter, and no part of a path.
var underscored = text.Pattern("(?:^|" + around + ")(?:_" + words + "_|__" + words + "__|___" + words + "___)(?:$|" + around + ")")

const words, around = `(?:[^\s_]|[^\s_][^_\n]*[^\s_])`, `[^\pL\pM\pN_/]`

// Difference is in what a published item differs from the wanted one.
type Difference struct {
	Fields []FieldChange // but for those that only some compilers render, or that no rendering can show as given (DL-007)
	// Stale are the outcomes that should be N/A because their hypothesis is killed, but are not (MR-016).
	Stale []artifact.Entry
	// Otherwise are the fields that agree, but are published with other values than the state has: with new ids, with
	// values of the wrong type in words, or with outcomes of a hypothesis that is killed.
	Otherwise []string
}

// Compare compares a pair that has both sides.
func (c *Comparison) Compare(p *Pair) Difference {
	d := c.compareKnown(p)
	d.Fields = append(d.Fields, c.unknownFields(p, d.Fields)...)
	return d
}

// compareKnown compares the fields that the section has. Most items have the same values.
func (c *Comparison) compareKnown(p *Pair) (out Difference) {
	if brenner.SameValue(p.Want.Fields(), p.Got.Fields()) {
		return out
	}
	sec := p.Want.ID.Section
	for _, f := range sec.Fields() {
		want, got := c.values(p, f.Key)
		pf := p.Item.Field(f.Key)
		if c.agrees(p, f, want, got) || pf != nil && c.endsElsewhere(p, pf, want) {
			if got != nil && (!hasType(f, want) || !Same(sec, f, want, got) && !Same(sec, f, c.withOwnIDs(got), got)) {
				out.Otherwise = append(out.Otherwise, f.Key)
			}
			continue
		}
		d := FieldChange{Key: f.Key, Before: want, After: got}
		if pf != nil {
			if d.At = pf.Value; f.Kind == brenner.FlagField && pf.Node == nil {
				d.After = pf.Text // which may be no word for true or false
			}
		} else if f.Key == "name" {
			d.At = p.Item.NameSpan
		} else if at, other := c.mislabelled(p, f, want); !at.Empty() {
			d.At, d.As, d.After = at, c.Artifact.Text.Slice(at), other
		} else if pf := c.renamed(p, f, want); pf != nil {
			d.As, d.At = pf.Key, pf.Label
		}
		if sec == brenner.PredictionsTable && f.Key == "predictions" {
			differs, stale, moved := c.compareOutcomes(p, &d)
			out.Stale = stale
			if moved {
				out.Otherwise = append(out.Otherwise, f.Key)
			}
			if !differs {
				continue
			}
		} else if f.Kind == brenner.OutcomesField || f.Kind == brenner.ScoreField {
			narrow(&d, f, pf)
		}
		if d.At.Empty() {
			d.At = p.Item.Heading
		}
		out.Fields = append(out.Fields, d)
	}
	return out
}

// unknownFields finds published lines that are neither fields of the section, nor set by a delta, nor known fields
// under another name. Of JSON it finds the members that a delta set to another value.
func (c *Comparison) unknownFields(p *Pair, known []FieldChange) (out []FieldChange) {
	isUnknown := func(f *artifact.Field) bool { return f.Known == nil }
	if !slices.ContainsFunc(p.Item.Fields, isUnknown) {
		return nil
	}
	line := func(label, text string) string { return brenner.FoldKey(label) + "\x00" + brenner.Fold(text) }
	given := map[string]bool{} // what the state has beside the fields of the section
	want := p.Want.Fields()
	for key, v := range want {
		if p.Want.ID.Section.Field(key) == nil {
			given[line(key, brenner.Plain(v))] = true
		}
	}
	for _, d := range known {
		if f := p.Item.Field(d.As); f != nil {
			given[line(f.Key, f.Text)] = true
		}
	}
	var bold map[string]bool // what is bold in the text of the known field above
	for _, f := range p.Item.Fields {
		switch {
		case f.Known != nil:
			bold = boldWords(p.Want.Text(f.Key))
		case f.Node != nil && !c.saysOther(want[f.Key], f): // JSON may have members of other programs
		case f.Text != "" && !brenner.IsSystemField(f.Key) && !given[line(f.Key, f.Text)] && !bold[c.Artifact.Text.Slice(f.Label)]:
			out = append(out, FieldChange{Key: f.Key, Before: want[f.Key], After: f.Text, At: f.Value})
		}
	}
	return out
}

// saysOther reports whether a member of JSON that is no field of the section is another text, number or flag than a
// delta gave.
func (c *Comparison) saysOther(want any, f *artifact.Field) bool {
	switch want.(type) {
	case string, float64, bool:
		isTie := brenner.IsConflict(brenner.Plain(want))
		return !isTie && !brenner.SameValue(want, f.Data()) && !brenner.SameValue(want, c.withOwnIDs(f.Data()))
	}
	return false
}

// boldWords returns the bold words of a text, whose lines may look like fields.
func boldWords(text string) map[string]bool {
	out := map[string]bool{}
	for _, mark := range [...]string{"**", "__"} {
		for i, word := range strings.Split(text, mark) {
			if i%2 == 1 {
				out[strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(word), ":"))] = true
			}
		}
	}
	return out
}

// narrow narrows a difference to the first outcome or score part that differs.
func narrow(d *FieldChange, known *brenner.Field, f *artifact.Field) {
	if f == nil || d.Before == nil || d.After == nil {
		return
	}
	parts := (&stateComparison{shown: true}).parts(known, d.Before, d.After)
	if len(parts) == 0 || parts[0].Part == "" {
		return
	}
	d.Part, d.Before, d.After = parts[0].Part, parts[0].Before, parts[0].After
	for _, e := range f.Entries {
		if e.Key == d.Part && !e.Span.Empty() {
			d.At = e.Span
		}
	}
}
