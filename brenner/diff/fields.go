package diff

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/state"
	"github.com/brennerlint/brennerlint/source"
)

// notApplicable is the outcome of a killed hypothesis.
const notApplicable = "N/A"

// Same reports whether two values of a field are equal as far as a rendering
// shows them (decisions.md 26).
func Same(sec brenner.Section, f *brenner.Field, a, b any) bool {
	return state.SameValue(a, b) || state.SameValue(state.NormalValue(sec, f, a), state.NormalValue(sec, f, b))
}

// Fields compares the fields of a pair that has both sides, but not fields that only some
// compilers render, or that no rendering can show as given (DL-007).
func (c *Comparison) Fields(p *Pair) []FieldChange {
	sec := p.Want.ID.Section
	var out []FieldChange
	for i := range sec.Fields() {
		f := &sec.Fields()[i]
		want, got := p.Want.Fields()[f.Key], p.Got().Fields()[f.Key]
		if c.Garbled {
			want, got = withoutGarbled(want, got)
		}
		if got == nil && c.Artifact.GarbledIn(p.Item.Span, f.Label) {
			continue
		}
		if c.sameOrIncomparable(p, f, want, got) {
			continue
		}
		d := FieldChange{Key: f.Key, Before: want, After: got, At: p.Item.Heading}
		if pf := p.Item.Field(f.Key); pf != nil {
			d.At = pf.Value
		} else if f.Key == "name" {
			d.At = p.Item.NameSpan
		}
		if sec == brenner.PredictionsTable && f.Key == "predictions" {
			if !c.differingCell(p, &d) {
				continue
			}
		} else if f.Kind == brenner.OutcomesField || f.Kind == brenner.ScoreField {
			differingPart(p.Item.Field(f.Key), &d)
		}
		if d.At.Empty() {
			d.At = p.Item.Heading
		}
		out = append(out, d)
	}
	return append(out, c.unknownFields(p)...)
}

// sameOrIncomparable reports whether a published value is the state's, or cannot be compared with
// it.
func (c *Comparison) sameOrIncomparable(p *Pair, f *brenner.Field, want, got any) bool {
	sec := p.Want.ID.Section
	switch {
	case Same(sec, f, want, got):
		return true
	case f.Kind == brenner.ReferenceField:
		return true // Markdown does not show them
	case c.renumbers() && Same(sec, f, want, c.withOwnIDs(got)):
		return true
	case state.NormalValue(sec, f, got) == nil && (p.Item.Killed || !alwaysRendered(sec, f)):
		return true // a killed item may be shown with less
	case f.Key == "name" && want == nil:
		return true // a compiler must give it a name
	case f.Key == "anchors" && isInference(got) && state.NormalValue(sec, f, want) == nil:
		return true // the reference compiler writes this if nothing is cited
	case !showable(f, want):
		return true
	case f.Kind == brenner.TextField && p.Item.Field(f.Key) != nil && c.overflows(p, f, want):
		return true
	case f.Kind == brenner.TextField && Same(sec, f, normalizeBullets(want), normalizeBullets(got)):
		return true
	case c.Garbled && sameGarbled(state.Canonical(state.NormalValue(sec, f, want)), state.Canonical(state.NormalValue(sec, f, got))):
		return true // IN-001
	case f.Kind == brenner.RecordField && sameRecord(sec, f, want, got):
		return true
	case f.Key == "anchors" && Same(sec, f, fixMojibake(want), fixMojibake(got)):
		return true // DL-018
	}
	return false
}

// withoutGarbled returns two values without the parts that only one has, where a part has a
// replaced byte in its name: nobody knows which it is (decisions.md 90).
func withoutGarbled(want, got any) (any, any) {
	a, _ := want.(map[string]any)
	b, _ := got.(map[string]any)
	hasGarbled := func(v map[string]any) bool {
		return strings.ContainsRune(strings.Join(slices.Collect(maps.Keys(v)), ""), utf8.RuneError)
	}
	if a == nil || b == nil || !hasGarbled(a) && !hasGarbled(b) {
		return want, got
	}
	return shared(a, b), shared(b, a)
}

// shared returns the parts of a value that another one has too.
func shared(of, other map[string]any) map[string]any {
	out := maps.Clone(of)
	maps.DeleteFunc(out, func(key string, _ any) bool { _, both := other[key]; return !both })
	return out
}

// sameGarbled reports whether two texts may be the same where a byte of one of them was read
// as U+FFFD (decisions.md 90): it stands for anything.
func sameGarbled(a, b string) bool {
	fits := func(garbled, text string) bool {
		first, rest, ok := strings.Cut(garbled, "\uFFFD")
		if !ok || !strings.HasPrefix(text, first) {
			return false
		}
		text = text[len(first):]
		parts := strings.Split(rest, "\uFFFD")
		for _, part := range parts[:len(parts)-1] {
			if _, text, ok = strings.Cut(text, part); !ok {
				return false
			}
		}
		return strings.HasSuffix(text, parts[len(parts)-1])
	}
	return fits(a, b) || fits(b, a)
}

var bullets = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^([ \t]*)[*+]([ \t])`) })

// normalizeBullets returns a text with a dash as the marker of every list item; Markdown
// has three markers.
func normalizeBullets(v any) any {
	if text, ok := v.(string); ok {
		return bullets().ReplaceAllString(text, "$1-$2")
	}
	return v
}

// fixMojibake returns anchors with mis-decoded section signs corrected.
func fixMojibake(anchors any) any {
	list, _ := anchors.([]any)
	out := make([]any, len(list))
	for i, a := range list {
		out[i] = a
		if text, ok := a.(string); ok {
			out[i] = sectionSigns.Replace(text)
		}
	}
	return out
}

var sectionSigns = strings.NewReplacer("¬ß", "§", "Â§", "§")

// isInference reports whether anchors are the word inference alone.
func isInference(anchors any) bool {
	list, _ := anchors.([]any)
	return len(list) == 1 && list[0] == "inference"
}

// alwaysRendered reports whether artifact_format.md has the field among those that are
// rendered for the section.
func alwaysRendered(sec brenner.Section, f *brenner.Field) bool {
	switch f.Key {
	case "labels", "references":
		return false
	case "anchors":
		return sec == brenner.ResearchThread || sec == brenner.HypothesisSlate
	}
	return true
}

// showable reports whether a value has a type that can be rendered and read back; others
// are DL-007.
func showable(f *brenner.Field, v any) bool {
	switch v.(type) {
	case map[string]any:
		return f.Kind == brenner.OutcomesField || f.Kind == brenner.ScoreField || f.Kind == brenner.RecordField
	case []any:
		return f.Kind == brenner.ListField
	case nil:
		return true
	}
	return f.Kind == brenner.TextField || f.Kind == brenner.FlagField || f.Kind == brenner.ListField
}

// overflows reports whether a text is shown in full, but read as ending early because
// some of its lines look like fields.
func (c *Comparison) overflows(p *Pair, f *brenner.Field, want any) bool {
	at := slices.Index(p.Item.Fields, p.Item.Field(f.Key))
	text, ok := want.(string)
	if !ok || at+1 >= len(p.Item.Fields) || p.Item.Fields[at+1].Known != nil {
		return false
	}
	end := p.Item.Span.End
	for _, next := range p.Item.Fields[at+1:] {
		if next.Known != nil {
			end = next.Label.Start
			break
		}
	}
	shown := strings.TrimRight(c.Artifact.Text.Slice(source.Span{Start: p.Item.Fields[at].Value.Start, End: end}), "* \t\r\n-")
	return state.Fold(shown) == strings.TrimRight(state.Fold(text), "* \t\r\n-")
}

// sameRecord compares both records of a run; compilers show only parts of it.
func sameRecord(sec brenner.Section, f *brenner.Field, want, got any) bool {
	a, aok := state.NormalValue(sec, f, want).(map[string]any)
	b, bok := state.NormalValue(sec, f, got).(map[string]any)
	if !aok || !bok {
		return false
	}
	for key, v := range a {
		if w, ok := b[key]; ok && !state.SameValue(v, w) {
			return false
		}
	}
	return true
}

// unknownFields finds published lines that are not fields of the section and that no
// delta set.
func (c *Comparison) unknownFields(p *Pair) []FieldChange {
	if p.Item.Node != nil {
		return nil // a rendering need not show what only JSON has
	}
	var out []FieldChange
	given := unknownValues(p.Want)
	before := ""                         // the previous known field
	bold := map[string]map[string]bool{} // what is bold in the text of a field
	for _, f := range p.Item.Fields {
		if f.Known != nil {
			before = f.Key
			continue
		}
		if isSystem(f.Key) || f.Text == "" {
			continue
		}
		if bold[before] == nil {
			bold[before] = boldWords(p.Want.Text(before))
		}
		if given[FoldKey(f.Key)+"\x00"+state.Fold(f.Text)] || bold[before][c.Artifact.Text.Slice(f.Label)] {
			continue
		}
		at := f.Value
		if at.Empty() {
			at = f.Label
		}
		out = append(out, FieldChange{Key: f.Key, After: f.Text, At: at})
	}
	return out
}

// unknownValues returns the values that an item has under keys which are not fields of
// its section, with the key, as a set.
func unknownValues(it *state.Item) map[string]bool {
	out := map[string]bool{}
	for key, v := range it.Fields() {
		if it.ID.Section.Field(key) == nil {
			out[FoldKey(key)+"\x00"+state.Fold(state.Plain(v))] = true
		}
	}
	return out
}

// FoldKey returns a key or label in the form of a key: `Attack type` is attack_type.
func FoldKey(key string) string { return keyMarks.Replace(strings.ToLower(key)) }

var keyMarks = strings.NewReplacer(" ", "_", "-", "_")

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

func isSystem(key string) bool { return slices.Contains(brenner.SystemFields, key) }

// differingPart narrows a difference to the first outcome or score part that
// differs.
func differingPart(f *artifact.Field, d *FieldChange) {
	want, _ := d.Before.(map[string]any)
	got, _ := d.After.(map[string]any)
	if f == nil || want == nil || got == nil {
		return
	}
	keys := slices.Sorted(maps.Keys(want))
	for _, e := range f.Entries {
		if _, known := want[e.Key]; !known {
			keys = append(keys, e.Key)
		}
	}
	for _, key := range keys {
		if state.Fold(state.Plain(want[key])) == state.Fold(state.Plain(got[key])) {
			continue
		}
		d.Part, d.Before, d.After = key, want[key], got[key]
		for _, e := range f.Entries {
			if e.Key == key && !e.Span.Empty() {
				d.At = e.Span
			}
		}
		return
	}
}
