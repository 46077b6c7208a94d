package diff

import (
	"bytes"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/source"
)

// agrees reports whether a published value can be read as the state's.
func (c *Comparison) agrees(p *Pair, f *brenner.Field, want, got any) bool {
	sec := p.Want.ID.Section
	canonical := func(v any) string { return brenner.Canonical(brenner.NormalValue(sec, f, v)) }
	switch {
	case c.Same(sec, f, want, got), rendersAlike(sec, f, want, got):
		return true
	case brenner.NormalValue(sec, f, got) == nil && (p.Item.Killed || f.Key == "labels" || f.Key == "anchors" && sec != brenner.ResearchThread && sec != brenner.HypothesisSlate):
		return true // artifact_format.md does not render it; a killed item may be shown with less
	case f.Values != nil && strings.EqualFold(canonical(want), canonical(got)):
		return true // the rules of artifacts take them in any case
	case f.Key == "name" && want == nil:
		return true // a compiler must give it a name
	case f.Key == "anchors" && brenner.SameValue(got, []any{"inference"}) && brenner.NormalValue(sec, f, want) == nil:
		return true // the reference compiler writes this if nothing is cited
	case got == nil && c.Artifact.GarbledIn(p.Item.Span, f.Label), c.Garbled && sameGarbled(canonical(want), canonical(got)):
		return true // IN-001
	case f.Key == "anchors" && sectionSigns.Replace(canonical(want)) == sectionSigns.Replace(canonical(got)):
		return true // DL-018
	}
	return false
}

// mostRepeated bounds what is examined of what an item gives several times.
const mostRepeated = 32

// Prefer makes one item of what the artifact gives several times: an item, a field, or a part of one such as
// the outcome for a hypothesis. The value of the state comes first, if it is among them (decisions.md 78).
func (p *Pair) Prefer() {
	repeatsPart := func(f *artifact.Field) bool { return f.Known != nil && f.Node == nil && f.RepeatsPart() }
	if len(p.twins)+len(p.Item.Repeated) == 0 && !slices.ContainsFunc(p.Item.Fields, repeatsPart) {
		return
	}
	own := *p.Item
	given, again := slices.Clone(own.Fields), slices.Clip(own.Repeated)
	for _, twin := range p.twins[:min(len(p.twins), mostRepeated)] {
		if name := own.ID.Section.Field("name"); name != nil && !p.isOfState(name, own.Name) && p.isOfState(name, twin.Name) {
			own.Name = twin.Name
		}
		if isKilled := !p.Want.Active(); own.Killed != isKilled && twin.Killed == isKilled {
			own.Killed, own.KilledBy, own.KilledAt, own.KillReason = isKilled, twin.KilledBy, twin.KilledAt, twin.KillReason
		}
		for _, f := range twin.Fields {
			if p.Want.Fields()[f.Key] != nil { // else it may be of another item, which was given the id
				given, again = append(given, f), append(again, f)
			}
		}
	}
	for _, repeated := range again[:min(len(again), mostRepeated)] {
		for _, f := range [...]*artifact.Field{repeated, repeated.First} { // in JSON, the first is no field of the item
			switch {
			case f == nil:
			case f.Known == nil:
				p.preferKill(&own, f)
			case p.isOfState(f.Known, f.Data()):
				given = slices.Insert(given, 0, f)
			}
		}
	}
	for i, f := range given {
		if repeatsPart(f) {
			given[i] = p.preferParts(f)
		}
	}
	own.Fields, own.Repeated = given, again
	p.Item, p.Got = &own, own.State(own.ID.Section)
}

// preferKill takes what one of several lines says of the KILL of an item, if less of it differs then.
func (p *Pair) preferKill(own *artifact.Item, f *artifact.Field) {
	if !own.Killed || p.Want.Active() {
		return
	}
	differing := func(it artifact.Item) (n int) {
		for _, differs := range (&Pair{Want: p.Want, Item: &it, Got: it.State(it.ID.Section)}).KillParts(p.Want.Killed) {
			if differs {
				n++
			}
		}
		return n
	}
	other := *own
	if other.TakeKill(f); differing(other) < differing(*own) {
		*own = other
	}
}

// isOfState reports whether a value is there, and that of the state.
func (p *Pair) isOfState(f *brenner.Field, v any) bool {
	return v != nil && Same(p.Item.ID.Section, f, p.Want.Fields()[f.Key], v)
}

// preferParts returns a field with each of its parts once.
func (p *Pair) preferParts(f *artifact.Field) *artifact.Field {
	out, at := *f, map[string]int{}
	out.Entries = nil
	want, _ := p.Want.Fields()[f.Key].(map[string]any)
	for _, e := range f.Entries {
		i, twice := at[e.Key]
		if !twice {
			at[e.Key] = len(out.Entries)
			out.Entries = append(out.Entries, e)
			continue
		}
		one := out
		one.Entries = []artifact.Entry{e}
		if Same(p.Item.ID.Section, f.Known, map[string]any{e.Key: want[e.Key]}, one.Data()) {
			out.Entries[i] = e
		}
	}
	return &out
}

// values returns both values of a field: if a part of one has a replaced byte in its name, without
// the parts that only one has, because nobody knows which it is (decisions.md 90).
func (c *Comparison) values(p *Pair, key string) (want, got any) {
	want, got = p.Want.Fields()[key], p.Got.Fields()[key]
	if !c.Garbled {
		return want, got
	}
	a, _ := want.(map[string]any)
	b, _ := got.(map[string]any)
	names := slices.Concat(slices.Collect(maps.Keys(a)), slices.Collect(maps.Keys(b)))
	if a == nil || b == nil || !strings.ContainsRune(strings.Join(names, ""), utf8.RuneError) {
		return want, got
	}
	return common(a, b)
}

// common returns two objects without the parts that only one of them has.
func common(a, b map[string]any) (map[string]any, map[string]any) {
	a, b = maps.Clone(a), maps.Clone(b)
	maps.DeleteFunc(a, func(key string, _ any) bool { _, both := b[key]; return !both })
	maps.DeleteFunc(b, func(key string, _ any) bool { _, both := a[key]; return !both })
	return a, b
}

// sameGarbled reports whether two texts may be the same where a byte of one of them was read
// as U+FFFD (decisions.md 90): it stands for anything.
func sameGarbled(a, b string) bool {
	fits := func(garbled, text string) bool {
		parts := strings.Split(garbled, "\uFFFD")
		last := len(parts) - 1
		text, ok := strings.CutPrefix(text, parts[0])
		for i := 1; i < last && ok; i++ {
			_, text, ok = strings.Cut(text, parts[i])
		}
		return ok && last > 0 && strings.HasSuffix(text, parts[last])
	}
	return fits(a, b) || fits(b, a)
}

var bullets = regexp.MustCompile(`(?m)^([ \t]*)[*+]([ \t])`)

// normalizeBullets returns a text with a dash as the marker of every list item; Markdown has three.
func normalizeBullets(v any) string { return bullets.ReplaceAllString(brenner.Plain(v), "$1-$2") }

// endsElsewhere reports whether a field is as wanted if it ends elsewhere than a reader sees its end: above a heading
// that no artifact has in its sections or, at the end of the artifact, above a rule and one line in emphasis, which are
// remarks of the publisher; above the label, which is not bold, of a field that is missing, or of the KILL; or below tags of HTML, and
// lines that look like other fields, which are reported if they are no part of it.
func (c *Comparison) endsElsewhere(p *Pair, f *artifact.Field, want any) bool {
	if f.Node != nil {
		return false
	}
	var ends []int
	text, below := c.Artifact.Text, headingBelow
	if source.SkipSpace(text.Data, f.Value.End) >= c.Artifact.Span.End {
		below = footerBelow
	}
	for _, at := range below.FindAllStringIndex(c.Artifact.View(f.Value), mostRepeated) {
		ends = append(ends, f.Value.Start+at[0])
	}
	if at := killLine().FindStringIndex(c.Artifact.View(f.Value)); at != nil && p.Item.Killed && p.Item.KilledBy == "" { // RD-001
		ends = append(ends, f.Value.Start+at[0])
	}
	for _, l := range p.Item.PlainLabels {
		missing := p.Want.Fields()[l.Field.Key] // it must be told as missing
		if f.Value.Contains(l.Span) && p.Item.Field(l.Field.Key) == nil && missing != nil && !c.agrees(p, l.Field, missing, nil) {
			ends = append(ends, text.LineStart(l.Span.Start))
		}
	}
	if f.Known.Kind == brenner.TextField && p.Item.Row == nil { // the next cell of a row is on its line
		next := p.Item.Span.End
		for _, other := range p.Item.Fields {
			if other.Known != nil && other.Label.Start > f.Label.Start {
				next = min(next, text.LineStart(other.Label.Start))
			}
		}
		for _, end := range [...]int{f.Value.End, max(f.Value.End, next)} {
			ends = append(ends, end)
			for line := range bytes.Lines(text.Data[end:c.Artifact.Span.End]) {
				if tags := strings.TrimSpace(string(line)); tags != "" && !artifact.IsTagLine(tags) {
					break
				}
				end += len(line)
			}
			ends = append(ends, end)
		}
	}
	return slices.ContainsFunc(ends, func(end int) bool {
		return c.agrees(p, f.Known, want, c.Artifact.Reread(p.Item, f.Known, f.Label, source.Span{Start: f.Value.Start, End: end}))
	})
}

// killLine matches a line that tells a KILL without a bold label.
var killLine = text.Pattern(`(?im)^[ \t*_~+>(-]*(?:killed by|reason)\b`)

// headingBelow matches a heading with an empty line, and perhaps a rule, above it, by marks or by an underline that has
// text below it; footerBelow a rule and a last line in emphasis, too.
var (
	headingBelow = regexp.MustCompile(otherHeading)
	footerBelow  = regexp.MustCompile(otherHeading + `|\n\s*\n` + rule + `\s*\n\s*[*_].*[*_]\s*$`)
)

const (
	rule         = `(?:---+|\*\*\*+|___+)`
	otherHeading = `\n\s*\n(?:` + rule + `\s*\n)?(?:(?:#|####+) |[^\s#>|*+-].*\n(?:=+|--+)[ \t\r]*\n)`
)

// sectionSigns corrects mis-decoded section signs.
var sectionSigns = strings.NewReplacer("¬ß", "§", "Â§", "§")

// sameRecord compares both records of a run; compilers show only parts of it.
func sameRecord(sec brenner.Section, f *brenner.Field, want, got any) bool {
	a, aok := brenner.NormalValue(sec, f, want).(map[string]any)
	b, bok := brenner.NormalValue(sec, f, got).(map[string]any)
	a, b = common(a, b)
	return aok && bok && brenner.SameValue(a, b)
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
		if c.agrees(p, f, want, below) {
			return label, nil
		}
	}
	isText := func(pf *artifact.Field) bool { // of another field, which has all of it
		want := p.Want.Fields()[pf.Key]
		return pf.Value.Contains(label) && (pf.Known == nil || c.agrees(p, pf.Known, want, pf.Data()) || !c.endsElsewhere(p, pf, want))
	}
	if below == nil || slices.ContainsFunc(p.Item.Fields, isText) {
		return source.Span{}, nil
	}
	return label, below
}

// blankLine matches the end of a paragraph.
var blankLine = regexp.MustCompile(`\n[ \t\r]*\n`)

// renamed returns the field of a published item that has the value of one that is not there, but
// a name that no field of the section has; nil if there is none.
func (c *Comparison) renamed(p *Pair, f *brenner.Field, want any) *artifact.Field {
	for _, pf := range p.Item.Fields {
		isOther := pf.Known == nil && pf.Node == nil && !brenner.IsSystemField(pf.Key) // what only JSON has need not be shown
		if f.Kind == brenner.FlagField {
			isOther = isOther && brenner.Fold(pf.Text) == "true" // `**Important**: yes` is none
		}
		if isOther && Same(p.Want.ID.Section, f, want, c.Artifact.Reread(p.Item, f, pf.Label, pf.Value)) {
			return pf
		}
	}
	return nil
}

// sameText reports whether two values are the same as texts.
func sameText(a, b any) bool {
	x, y := brenner.Fold(brenner.Plain(a)), brenner.Fold(brenner.Plain(b))
	return x == y || hasPlainMarks(a) && hasPlainMarks(b) && sameEmphasis(x, y)
}

// rendersAlike reports whether renderings may show two values alike that are not the same: one of the wrong type, list
// items with other markers, a part of a record.
func rendersAlike(sec brenner.Section, f *brenner.Field, want, got any) bool {
	switch {
	case !hasType(f, want):
		return saysSame(f, want, got)
	case f.Kind == brenner.TextField:
		return Same(sec, f, normalizeBullets(want), normalizeBullets(got))
	}
	return f.Kind == brenner.RecordField && sameRecord(sec, f, want, got)
}

// Shows reports whether shown is a rendering of stored: both are the same, or shown lacks a
// part, or has N/A for a hypothesis that was killed later.
func Shows(sec brenner.Section, f *brenner.Field, stored, shown any) bool {
	if Same(sec, f, stored, shown) || rendersAlike(sec, f, stored, shown) {
		return true
	}
	want, isObject := stored.(map[string]any)
	got, ok := shown.(map[string]any)
	for key, v := range got {
		ok = ok && (outcome(v, true) == nil || sameText(want[key], v))
	}
	return isObject && ok
}
