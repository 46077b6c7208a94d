package artifact

import (
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/source"
)

// blanks are the ASCII characters that count as white space.
const blanks = " \t\r\n"

// absent is what a rendering shows for a missing value.
const absent = "—"

// closeField ends the open field before off and reads its value.
func (p *parser) closeField(off int) {
	f := p.field
	p.field, p.tags, p.remark = nil, 0, false
	if f == nil {
		return
	}
	first := f.Value // the rest of the label's line
	v := p.trim(source.Span{Start: first.Start, End: max(p.contentEnd(off), first.Start)})
	if v.Empty() {
		if first.Start < len(p.src) && (p.src[first.Start] == ' ' || p.src[first.Start] == '\t') {
			first.Start++
		}
		f.Value = source.Span{Start: first.Start, End: first.Start}
		return
	}
	if p.killed {
		v = unstruck(p.src, v)
	}
	f.Value = v
	raw := p.value(v)
	if raw == absent {
		return
	}
	f.Text = unescapeBlock(tidy(raw))
	for was := ""; isWord(f) && f.Text != was; { // a line break may be within the emphasis
		was = f.Text
		if f.Text, _ = brenner.Unmark(brenner.TrimBreak(was)); f.Text == absent {
			f.Text = ""
		}
	}
	if f.Known == nil {
		return
	}
	inline := v.Start < first.End
	switch f.Known.Kind {
	case brenner.ListField:
		f.Entries = p.list(f.Known, v, inline)
	case brenner.OutcomesField, brenner.RecordField:
		if !inline || f.Known.Kind == brenner.OutcomesField {
			f.Entries = p.pairs(v)
		}
	case brenner.ScoreField:
		if p.killed {
			v = p.unstrikeEnds(v) // the label may be struck alone
		}
		f.Entries = p.scoreParts(v, inline)
		if below := p.trim(source.Span{Start: first.End, End: v.End}); inline && !below.Empty() && !hasPart(f.Entries) {
			if parts := p.scoreParts(below, false); hasPart(parts) {
				f.Entries = parts // `9/12`, and its parts in a list below
			}
		}
	}
}

// Reread reads a part of the text as the value of a field, as if label stood before it.
func (a *Artifact) Reread(it *Item, known *brenner.Field, label, value source.Span) any {
	p := &parser{a: a, src: a.src, killed: it.Killed, trivia: noTrivia}
	f := &Field{Key: known.Key, Known: known, Label: label, Value: source.Span{Start: value.Start, End: p.lineEnd(label.End)}}
	p.field = f
	p.closeField(value.End)
	return f.Data()
}

// isWord reports whether the value of a field is a word of a fixed set, a flag, an id, an
// agent or a time: emphasis and backticks around it do not belong to it (decisions.md 62).
func isWord(f *Field) bool {
	if f.Known == nil {
		return f.Key != "kill_reason" && brenner.IsSystemField(f.Key)
	}
	return f.Known.Kind == brenner.FlagField || f.Known.Values != nil || f.Key == "test_id"
}

// list reads the entries of a list: separated by commas, or list items below the label.
func (p *parser) list(f *brenner.Field, v source.Span, inline bool) []Entry {
	parts := p.parts(v, inline, func(text string) []source.Span {
		text, before := brenner.Unmark(text)
		return shifted(f.Split(text), before)
	})
	out := make([]Entry, 0, len(parts))
	for _, s := range parts {
		s = p.trim(s)
		text, _ := brenner.Unmark(tidy(p.value(s)))
		if text = unescape(text, entryMarks); text != absent && text != "" {
			out = append(out, Entry{Text: text, Span: s})
		}
	}
	return out
}

// parts returns the entries of a value: the list items below its label, or the parts of a
// text.
func (p *parser) parts(v source.Span, inline bool, split func(text string) []source.Span) []source.Span {
	if !inline {
		if items := p.bullets(v); items[0].marked {
			parts := make([]source.Span, len(items))
			for i, b := range items {
				parts[i] = b.Span
			}
			return parts
		}
	}
	return shifted(split(p.src[v.Start:v.End]), v.Start)
}

// shifted moves spans of a part of a text to where it begins.
func shifted(spans []source.Span, by int) []source.Span {
	for i := range spans {
		spans[i] = spans[i].Shift(by)
	}
	return spans
}

// bullet is a part of a value without its list marker.
type bullet struct {
	source.Span
	marked bool // it has one
}

// bullets splits a nonempty value at the lines that begin a list item or bold text; other
// lines continue the one before.
func (p *parser) bullets(v source.Span) (out []bullet) {
	for line := range p.linesIn(v.Start, v.End) {
		line = p.trim(line)
		text := p.src[line.Start:line.End]
		switch n := markerLen(text); {
		case len(out) == 0 || n > 0 || strongMark(text) != "":
			out = append(out, bullet{p.trim(source.Span{Start: line.Start + n, End: line.End}), n > 0})
		case text != "":
			last := &out[len(out)-1].Span
			*last = p.trim(source.Span{Start: last.Start, End: line.End})
		}
	}
	return out
}

// markerLen returns the length of the list marker that begins a line, 0 if none does.
func markerLen(line string) int {
	n := len(line) - len(strings.TrimLeft(line, "0123456789"))
	marks := "-*+"
	if n > 0 {
		marks = ".)"
	}
	if n > 9 || n == len(line) || strings.IndexByte(marks, line[n]) < 0 {
		return 0
	}
	if n++; n < len(line) && line[n] != ' ' && line[n] != '\t' {
		return 0
	}
	return n
}

// pairs reads list items `key: text`, as in outcomes.
func (p *parser) pairs(v source.Span) []Entry {
	items := p.bullets(v)
	out := make([]Entry, 0, len(items))
	for _, b := range items {
		if e := p.pair(b.Span); b.marked || leadingID(e.Key).Section == brenner.HypothesisSlate { // or it is a remark
			out = append(out, e)
		}
	}
	return out
}

func (p *parser) pair(s source.Span) Entry {
	text := p.src[s.Start:s.End]
	colon := keyEnd(text, ":")
	if colon < 0 {
		return Entry{KeySpan: source.Span{Start: s.Start, End: s.Start}, Text: unescape(p.value(s), noMarks), Span: s}
	}
	key, value := p.unmarkPair(source.Span{Start: s.Start, End: s.Start + colon}, source.Span{Start: s.Start + colon + 1, End: s.End})
	if k := p.src[key.Start:key.End]; brenner.HasPrefixFold(k, condition) {
		key, _ = p.unmarkPair(source.Span{Start: key.Start + len(condition), End: key.End}, value)
	}
	e := Entry{Key: unescape(p.value(key), keyMarks), KeySpan: key, Span: value}
	if p.killed {
		e.Span = unstruck(p.src, e.Span)
	}
	if e.Text = unescape(p.value(e.Span), noMarks); e.Text == absent {
		e.Text = ""
	}
	return e
}

// unmarkPair strips white space and marks from a key, and from its value what closes a mark
// in front of the key: `**H1:** text`.
func (p *parser) unmarkPair(key, value source.Span) (source.Span, source.Span) {
	key, value = p.trim(key), p.trim(value)
	in := p.unmark(key)
	opened := p.src[key.Start:in.Start]
	if opened != "" && in.End == key.End && strings.HasPrefix(p.src[value.Start:value.End], opened) {
		value = p.trim(source.Span{Start: value.Start + len(opened), End: value.End})
	}
	return in, value
}

// unmark strips emphasis, backticks and strike-through from an id or a key. A mark may be
// only at its beginning, if it ends behind what follows.
func (p *parser) unmark(s source.Span) source.Span {
	const marks = "*_`~"
	text := p.src[s.Start:s.End]
	in := strings.TrimLeft(text, marks)
	if before := len(text) - len(in); before > 0 && in != "" {
		after := in
		for n := before; n > 0 && after != "" && strings.IndexByte(marks, after[len(after)-1]) >= 0; n-- {
			after = after[:len(after)-1]
		}
		s.Start += before
		s.End = s.Start + len(after)
	}
	return p.trim(s)
}

// condition may be before the hypothesis of an outcome: `If H1: …`.
const condition = "if "

// keyEnd returns the offset of the first unescaped mark behind a key on the first line, -1 if
// there is none.
func keyEnd(text, marks string) int {
	for i := 0; i < len(text) && text[i] != '\n'; i++ {
		if strings.IndexByte(marks, text[i]) >= 0 {
			return i
		}
		if text[i] == '\\' {
			i++
		}
	}
	return -1
}

// scoreParts reads `LR=2, Cost=3` (or with other separators) or the list items `- Likelihood ratio: 3 (…)`.
func (p *parser) scoreParts(v source.Span, inline bool) []Entry {
	parts := p.parts(v, inline, func(text string) []source.Span { return brenner.SplitList(otherSeparators.Replace(text)) })
	out := make([]Entry, 0, len(parts))
	for _, s := range parts {
		text := p.src[s.Start:s.End]
		eq := keyEnd(text, "=:")
		if eq < 0 {
			continue
		}
		key, value := p.unmarkPair(source.Span{Start: s.Start, End: s.Start + eq}, source.Span{Start: s.Start + eq + 1, End: s.End})
		value = p.unmark(value)
		value.End = value.Start + len(strings.TrimRight(brenner.ScoreWord(p.src[value.Start:value.End]), "."))
		out = append(out, Entry{
			Key: scoreKey(p.src[key.Start:key.End]), KeySpan: key,
			Text: p.src[value.Start:value.End], Span: value,
		})
	}
	return out
}

// hasPart reports whether one of the entries of a score is a part of it.
func hasPart(entries []Entry) bool {
	return slices.ContainsFunc(entries, func(e Entry) bool { return slices.Contains(brenner.ScoreParts[:], e.Key) })
}

// otherSeparators are read as commas between the parts of a score.
var otherSeparators = strings.NewReplacer(";", ",", "|", ",")

// scoreKey returns the score part that a label names (`LR`, `Likelihood ratio`), else the label.
func scoreKey(label string) string {
	label = brenner.FoldSpace(label)
	for i, key := range brenner.ScoreParts {
		if strings.EqualFold(label, brenner.ScoreLabels[i]) || strings.EqualFold(strings.ReplaceAll(label, " ", "_"), key) {
			return key
		}
	}
	return label
}
