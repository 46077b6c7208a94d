package artifact

import (
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/state"
	"github.com/brennerlint/brennerlint/source"
)

// blanks are the characters that count as white space around values. Other white space of
// Unicode is content.
const blanks = " \t\r\n"

// absent is what a rendering shows for a missing value.
const absent = "—"

// closeField ends the open field before off and reads its value.
func (p *parser) closeField(off int) {
	f := p.field
	p.field = nil
	if f == nil {
		return
	}
	first := f.Value // the rest of the label's line
	v := p.trim(source.Span{Start: first.Start, End: max(p.contentEnd(off), first.Start)})
	if v.Empty() {
		if first.Start < len(p.data) && (p.data[first.Start] == ' ' || p.data[first.Start] == '\t') {
			first.Start++
		}
		f.Value = source.Span{Start: first.Start, End: first.Start}
		return
	}
	isKilled, isStruck := (p.item.Killed || p.item.Struck) && !isSystemField(f.Key), false
	if isKilled {
		v, isStruck = struck(p.src, v)
	}
	f.Value = v
	raw := p.src[v.Start:v.End]
	if raw == absent {
		return
	}
	if f.Text = raw; isStruck || v.End > first.End { // else it is one line, and trimmed
		f.Text = unescapeBlock(tidy(raw))
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
		f.Entries = p.scoreParts(v, inline)
	}
	if isKilled && !isStruck {
		p.unstrikeEntries(f.Entries)
	}
}

func (p *parser) unstrikeEntries(entries []Entry) {
	for i := range entries {
		e := &entries[i]
		if in, ok := struck(p.src, e.Span); ok {
			e.Span, e.Text = in, unescapeLine(p.src[in.Start:in.End])
		}
	}
}

// list reads the entries of a list: separated by commas, or list items below the label.
func (p *parser) list(f *brenner.Field, v source.Span, inline bool) []Entry {
	var parts []source.Span
	if inline || markerLen(p.src[v.Start:v.End]) == 0 {
		parts = shifted(f.Split(p.src[v.Start:v.End]), v.Start)
	} else {
		parts = p.bulletSpans(v)
	}
	out := make([]Entry, 0, len(parts))
	for _, s := range parts {
		if text := unescapeEntry(tidy(p.src[s.Start:s.End])); text != absent {
			out = append(out, Entry{Text: text, Span: s})
		}
	}
	return out
}

// shifted moves spans of a part of a text to where it begins.
func shifted(spans []source.Span, by int) []source.Span {
	for i := range spans {
		spans[i] = spans[i].Shift(by)
	}
	return spans
}

func (p *parser) bulletSpans(v source.Span) []source.Span {
	var out []source.Span
	for _, b := range p.bullets(v) {
		out = append(out, b.Span)
	}
	return out
}

// bullet is a list item of a value, or a line before the first.
type bullet struct {
	source.Span
	marked bool // it begins with a list marker
}

// bullets splits a nonempty value at the lines that begin a list item; other lines
// continue the item before.
func (p *parser) bullets(v source.Span) []bullet {
	var out []bullet
	for at := v.Start; at < v.End; {
		end := v.End
		if n := strings.IndexByte(p.src[at:v.End], '\n'); n >= 0 {
			end = at + n + 1
		}
		line := p.trim(source.Span{Start: at, End: end})
		n := markerLen(p.src[line.Start:line.End])
		bold := n == 0 && strongMark(p.src[line.Start:line.End]) != ""
		switch {
		case n > 0 || bold || len(out) == 0:
			out = append(out, bullet{p.trim(source.Span{Start: line.Start + n, End: line.End}), n > 0})
		case !line.Empty():
			out[len(out)-1].End = line.End
		}
		at = end
	}
	return out
}

// markerLen returns the length of the list marker that begins a line, 0 if none does.
func markerLen(line string) int {
	n := 0
	for n < len(line) && '0' <= line[n] && line[n] <= '9' {
		n++
	}
	switch {
	case n >= len(line) || n > 9:
		return 0
	case n == 0 && (line[0] == '-' || line[0] == '*' || line[0] == '+'), n > 0 && (line[n] == '.' || line[n] == ')'):
		if n++; n == len(line) || line[n] == ' ' || line[n] == '\t' {
			return n
		}
	}
	return 0
}

// pairs reads list items `key: text`, as in outcomes.
func (p *parser) pairs(v source.Span) []Entry {
	items := p.bullets(v)
	out := make([]Entry, 0, len(items))
	for _, b := range items {
		e := p.pair(b.Span)
		if !b.marked && leadingID(e.Key).Section != brenner.HypothesisSlate {
			continue // a remark, not `H1: …`
		}
		out = append(out, e)
	}
	return out
}

func (p *parser) pair(s source.Span) Entry {
	text := p.src[s.Start:s.End]
	colon := keyEnd(text)
	if colon < 0 {
		return Entry{KeySpan: source.Span{Start: s.Start, End: s.Start}, Text: unescapeLine(tidy(text)), Span: s}
	}
	key := p.unbold(p.trim(source.Span{Start: s.Start, End: s.Start + colon}))
	value := source.Span{Start: s.Start + colon + 1, End: s.End}
	if mark := strongMark(text); mark != "" && strings.HasPrefix(p.src[value.Start:value.End], mark) {
		value.Start += 2 // `**H1:** text`
	}
	if k := p.src[key.Start:key.End]; brenner.HasPrefixFold(k, condition) {
		key = p.trim(source.Span{Start: key.Start + len(condition), End: key.End})
	}
	e := Entry{Key: unescapeKey(p.src[key.Start:key.End]), KeySpan: key, Span: p.trim(value)}
	if e.Text = unescapeLine(tidy(p.src[e.Span.Start:e.Span.End])); e.Text == absent {
		e.Text = ""
	}
	return e
}

// condition may be before the hypothesis of an outcome: `If H1: …`.
const condition = "if "

// unbold strips ** or __ from both ends of a span, or from its beginning.
func (p *parser) unbold(s source.Span) source.Span {
	mark := strongMark(p.src[s.Start:s.End])
	if mark == "" {
		return s
	}
	s.Start += 2
	if strings.HasSuffix(p.src[s.Start:s.End], mark) {
		s.End -= 2
	}
	return p.trim(s)
}

// keyEnd returns the offset of the first unescaped colon on the first line, -1 if there
// is none.
func keyEnd(text string) int {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case ':':
			return i
		case '\\':
			i++
		case '\n':
			return -1
		}
	}
	return -1
}

// scoreParts reads `LR=2, Cost=3` or the list items `- Likelihood ratio: 3 (…)`.
func (p *parser) scoreParts(v source.Span, inline bool) []Entry {
	var parts []source.Span
	if inline {
		parts = shifted(brenner.SplitList(p.src[v.Start:v.End]), v.Start)
	} else {
		parts = p.bulletSpans(v)
	}
	out := make([]Entry, 0, len(parts))
	for _, s := range parts {
		text := p.src[s.Start:s.End]
		eq := 0
		for eq < len(text) && text[eq] != '=' && text[eq] != ':' {
			eq++
		}
		if eq == len(text) {
			continue
		}
		key := p.unbold(p.trim(source.Span{Start: s.Start, End: s.Start + eq}))
		value := p.trim(source.Span{Start: s.Start + eq + 1, End: s.End})
		if strongMark(p.src[value.Start:value.End]) != "" { // `**Cost:** 2`
			value = p.trim(source.Span{Start: value.Start + 2, End: value.End})
		}
		value.End = value.Start + len(state.ScoreWord(p.src[value.Start:value.End]))
		out = append(out, Entry{
			Key: scoreKey(p.src[key.Start:key.End]), KeySpan: key,
			Text: p.src[value.Start:value.End], Span: value,
		})
	}
	return out
}

// scoreKey returns the score part that a label names, else the label.
func scoreKey(label string) string {
	for i, key := range brenner.ScoreParts {
		if brenner.EqualFold(label, brenner.ScoreLabels[i]) || brenner.EqualFold(label, brenner.ScoreLongLabels[i]) || brenner.EqualFold(label, key) {
			return key
		}
	}
	return label
}
