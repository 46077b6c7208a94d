package replay

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/artifact"
	"github.com/brennerlint/brennerlint/protocol"
	"github.com/brennerlint/brennerlint/source"
	"github.com/brennerlint/brennerlint/state"
)

// difference is a field in which a published item is not the replayed one.
type difference struct {
	key string
	at  source.Span // of the published value; of the heading where it is missing
	// part is the outcome or score part that differs, if only a part does.
	part string
	// want and got are the values, nil where absent.
	want, got any
	// excused reports that the difference follows from what is said already.
	excused bool
}

// comparison holds a published artifact against a state.
type comparison struct {
	a   *artifact.Artifact
	pub *state.State // the artifact as data
	ref *state.State
	// killDiffers are the hypotheses that are killed on one side only: what
	// follows for their predictions is not said again.
	killDiffers map[protocol.ItemID]bool
	// excuse reports that a value differs because of what is said already; it may
	// be nil.
	excuse func(it *state.Item, f *protocol.Field, got any) bool
}

// same reports whether two values of a field are equal as far as a rendering
// shows them (decisions.md 26).
func same(sec protocol.Section, f *protocol.Field, a, b any) bool {
	return state.SameValue(a, b) || state.SameValue(state.NormalValue(sec, f, a), state.NormalValue(sec, f, b))
}

// fields compares the fields of a matched item. Fields that only some compilers
// render, and those that no rendering can show as they were given (DL-007), are
// not compared.
func (c *comparison) fields(m *match) []difference {
	sec := m.ref.ID.Section
	var out []difference
	for i := range sec.Fields() {
		f := &sec.Fields()[i]
		want, got := m.ref.Fields[f.Key], m.val.Fields[f.Key]
		if c.explained(m, f, want, got) {
			continue
		}
		d := difference{key: f.Key, want: want, got: got, at: m.pub.Heading}
		d.excused = c.excuse != nil && c.excuse(m.ref, f, got)
		if pf := m.pub.Field(f.Key); pf != nil {
			d.at = pf.Value
		} else if f.Key == "name" {
			d.at = m.pub.NameSpan
		}
		if sec == protocol.PredictionsTable && f.Key == "predictions" {
			if !c.differingCell(m, &d) {
				continue
			}
		} else if f.Kind == protocol.OutcomesField || f.Kind == protocol.ScoreField {
			differingPart(m.pub.Field(f.Key), &d)
		}
		if d.at.Empty() {
			d.at = m.pub.Heading
		}
		out = append(out, d)
	}
	return append(out, c.unknownFields(m)...)
}

// explained reports whether a published value is what the replay gives, or
// cannot be held against it.
func (c *comparison) explained(m *match, f *protocol.Field, want, got any) bool {
	sec := m.ref.ID.Section
	switch {
	case same(sec, f, want, got):
		return true
	case f.Kind == protocol.ReferenceField:
		return true // Markdown shows none
	case state.NormalValue(sec, f, got) == nil && (m.pub.Killed || !alwaysRendered(sec, f)):
		return true // a killed item may be shown with less
	case f.Kind == protocol.FlagField:
		return c.flagNamed(m, f, want)
	case f.Key == "name" && want == nil:
		return true // a compiler has to call it something
	case f.Key == "anchors" && isInference(got) && state.NormalValue(sec, f, want) == nil:
		return true // the reference compiler says so where nothing is cited
	case !showable(f, want):
		return true
	case f.Kind == protocol.TextField && m.pub.Field(f.Key) != nil && c.runsOn(m, f, want):
		return true
	case f.Kind == protocol.TextField && same(sec, f, dashed(want), dashed(got)):
		return true
	case f.Kind == protocol.RecordField && sameRecord(sec, f, want, got):
		return true
	case f.Key == "anchors" && same(sec, f, restored(want), restored(got)):
		return true // DL-018
	}
	return false
}

var bullets = regexp.MustCompile(`(?m)^([ \t]*)[*+]([ \t])`)

// dashed is a text with a dash for the mark of every list entry, as Markdown knows
// three of them.
func dashed(v any) any {
	if text, ok := v.(string); ok {
		return bullets.ReplaceAllString(text, "$1-$2")
	}
	return v
}

// restored is anchors with their section signs restored where they were
// mis-decoded.
func restored(anchors any) any {
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

// alwaysRendered reports whether artifact_format.md has the field among those
// that are rendered for the section.
func alwaysRendered(sec protocol.Section, f *protocol.Field) bool {
	switch f.Key {
	case "labels", "references":
		return false
	case "anchors":
		return sec == protocol.ResearchThread || sec == protocol.HypothesisSlate
	}
	return true
}

// showable reports whether a value has a type that a rendering can show so that
// it reads back; others are DL-007.
func showable(f *protocol.Field, v any) bool {
	switch v.(type) {
	case map[string]any:
		return f.Kind == protocol.OutcomesField || f.Kind == protocol.ScoreField || f.Kind == protocol.RecordField
	case []any:
		return f.Kind == protocol.ListField
	case nil:
		return true
	}
	return f.Kind == protocol.TextField || f.Kind == protocol.FlagField || f.Kind == protocol.ListField
}

// flagNamed reports whether a flag that is set on one side only is named in the
// title on the other: artifact_format.md takes either for a label.
func (c *comparison) flagNamed(m *match, f *protocol.Field, want any) bool {
	names := protocol.NamesThirdAlternative
	if f.Key == "scale_check" {
		names = protocol.NamesScaleCheck
	}
	if state.IsTrue(want) {
		return names(m.pub.Name)
	}
	return names(m.ref.Text("name"))
}

// runsOn reports whether a text is shown in full, but read as ending early:
// lines of it look like fields of their own.
func (c *comparison) runsOn(m *match, f *protocol.Field, want any) bool {
	at := slices.Index(m.pub.Fields, m.pub.Field(f.Key))
	text, ok := want.(string)
	if !ok || at+1 >= len(m.pub.Fields) || m.pub.Fields[at+1].Known != nil {
		return false
	}
	end := m.pub.Span.End
	for _, next := range m.pub.Fields[at+1:] {
		if next.Known != nil {
			end = next.Label.Start
			break
		}
	}
	shown := strings.TrimRight(c.a.Text.Slice(source.Span{Start: m.pub.Fields[at].Value.Start, End: end}), "* \t\r\n-")
	return state.Fold(shown) == strings.TrimRight(state.Fold(text), "* \t\r\n-")
}

// sameRecord compares what both sides tell of a run; compilers show parts of it.
func sameRecord(sec protocol.Section, f *protocol.Field, want, got any) bool {
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

// unknownFields finds published lines that are no fields of the section and
// that no delta gave.
func (c *comparison) unknownFields(m *match) []difference {
	var out []difference
	var given map[string]bool
	before := ""                           // the field before
	inText := map[string]map[string]bool{} // what is bold in the text of a field
	for _, f := range m.pub.Fields {
		if f.Known != nil {
			before = f.Key
			continue
		}
		if isSystem(f.Key) || f.Text == "" {
			continue
		}
		if given == nil {
			given = unknownValues(m.ref)
		}
		if inText[before] == nil {
			inText[before] = boldWords(m.ref.Text(before))
		}
		if given[foldKey(f.Key)+"\x00"+state.Fold(f.Text)] || inText[before][c.a.Text.Slice(f.Label)] {
			continue
		}
		at := f.Value
		if at.Empty() {
			at = f.Label
		}
		out = append(out, difference{key: f.Key, got: f.Text, at: at})
	}
	return out
}

// unknownValues are the values that an item holds under keys which are no
// fields of its section, with the key, as a set.
func unknownValues(it *state.Item) map[string]bool {
	out := map[string]bool{}
	for key, v := range it.Fields {
		if it.ID.Section.Field(key) == nil {
			out[foldKey(key)+"\x00"+state.Fold(state.Plain(v))] = true
		}
	}
	return out
}

// foldKey is a key as a label names it: attack_type is `Attack type`.
func foldKey(key string) string { return keyMarks.Replace(strings.ToLower(key)) }

var keyMarks = strings.NewReplacer(" ", "_", "-", "_")

// boldWords are the bold words of a text: its lines may look like fields of
// their own.
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

func isSystem(key string) bool { return slices.Contains(protocol.SystemFields, key) }

// outcome is the outcome of a prediction for a hypothesis as a reader sees it, a
// text: nil where it is absent, or N/A because the hypothesis is killed.
func outcome(predictions any, key string, killed bool) any {
	outcomes, _ := predictions.(map[string]any)
	text := state.Fold(state.Plain(outcomes[key]))
	if text == "" || killed && strings.EqualFold(text, "N/A") {
		return nil
	}
	return text
}

// cells are the outcomes of a prediction that can be compared: by column, with
// the key under which either side has them.
func (c *comparison) cells(m *match) func(yield func(e artifact.Entry, h protocol.ItemID) bool) {
	return func(yield func(artifact.Entry, protocol.ItemID) bool) {
		f := m.pub.Field("predictions")
		if f == nil {
			return
		}
		for _, e := range f.Entries {
			h, _ := protocol.ParseItemID(e.Key)
			if !c.killDiffers[h] && !yield(e, h) {
				return
			}
		}
	}
}

// differingCell narrows a difference to the first cell that is not what the
// replay gives. A hypothesis without a column is EP-003, not one difference a
// row; one that is killed on both sides is for MR-016 to judge.
func (c *comparison) differingCell(m *match, d *difference) bool {
	if m.pub.Row == nil {
		return true // JSON: no columns
	}
	for e, h := range c.cells(m) {
		killed := c.killed(h)
		w, g := outcome(d.want, e.Key, killed), outcome(d.got, e.Key, killed)
		if w == g || killed && outcome(d.want, e.Key, false) == "N/A" {
			continue
		}
		d.part, d.at, d.want, d.got = e.Key, e.Span, w, g
		return true
	}
	return c.omittedCell(m, d)
}

// omittedCell narrows a difference to the first outcome whose column the row
// does not reach.
func (c *comparison) omittedCell(m *match, d *difference) bool {
	table := c.a.Section(protocol.PredictionsTable).Table
	written := max(0, len(m.pub.Row.Cells)-firstOutcome)
	want, _ := d.want.(map[string]any)
	first := len(table.Columns)
	for key := range want {
		h, _ := protocol.ParseItemID(key)
		i := table.Column(key)
		if i >= written && i < first && !c.killDiffers[h] && outcome(want, key, c.killed(h)) != nil {
			first = i
		}
	}
	if first == len(table.Columns) {
		return false
	}
	end := m.pub.Row.Span.End
	d.part, d.at = table.Columns[first].Key, source.Span{Start: end, End: end}
	d.want, d.got = outcome(want, d.part, false), nil
	return true
}

// firstOutcome is the index of a row's first outcome: before it are the id and
// the condition.
const firstOutcome = 2

// differingPart narrows a difference to the first outcome or score part that
// differs.
func differingPart(f *artifact.Field, d *difference) {
	want, _ := d.want.(map[string]any)
	got, _ := d.got.(map[string]any)
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
		d.part, d.want, d.got = key, want[key], got[key]
		for _, e := range f.Entries {
			if e.Key == key && !e.Span.Empty() {
				d.at = e.Span
			}
		}
		return
	}
}

func (c *comparison) killed(h protocol.ItemID) bool {
	it := c.ref.Find(h)
	return h.Section == protocol.HypothesisSlate && it != nil && !it.Active()
}

// standing are the cells of a prediction that should be N/A and are not
// (MR-016).
func (c *comparison) standing(m *match) []artifact.Entry {
	var out []artifact.Entry
	for e, h := range c.cells(m) {
		if c.killed(h) && outcome(m.ref.Fields["predictions"], e.Key, false) == "N/A" && outcome(m.val.Fields["predictions"], e.Key, true) != nil {
			out = append(out, e)
		}
	}
	return out
}
