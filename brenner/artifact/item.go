package artifact

import (
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/state"
	"github.com/brennerlint/brennerlint/source"
)

// openItem opens the item that a heading begins, or a malformed one; the heading's form
// is 0 if it is an H3.
func (p *parser) openItem(heading source.Span, form Misheading) {
	p.closeItem(form.Span.Start)
	it := &Item{Heading: heading, Span: form.Span}
	if form.Form != 0 {
		misheaded := form
		it.Misheaded = &misheaded
	}
	rest := p.headingMarks(it, it.Heading)
	word := rest
	for i := rest.Start; i < rest.End; i++ {
		if c := p.data[i]; c == ':' || source.IsSpace(c) {
			word.End = i
			break
		}
	}
	name := source.Span{Start: word.End, End: rest.End}
	if form.Form == InBold {
		word, name = p.unboldID(word, name)
	}
	it.IDSpan, it.NameSpan = p.struckHeading(it, word, p.nameAfter(name))
	it.Name = unescapeName(p.src[it.NameSpan.Start:it.NameSpan.End])
	it.Killed = it.Killed || it.Struck || it.HalfStruck
	p.item, p.tail = it, -1
	p.addItem(it)
}

// unboldID strips the marks of a bold id in front of a name: `**H1**: Name` or
// `**H1:** Name`.
func (p *parser) unboldID(word, name source.Span) (id, rest source.Span) {
	text := p.src[word.Start:word.End]
	mark := strongMark(text)
	if mark == "" {
		return word, name
	}
	word.Start += len(mark)
	if strings.HasSuffix(text[len(mark):], mark) {
		word.End -= len(mark)
		return word, name
	}
	if strings.HasPrefix(p.src[name.Start:name.End], ":"+mark) {
		name.Start += len(":" + mark)
	}
	return word, name
}

// struckHeading strips the strike-through from the id and the name of a heading that is
// not struck through as a whole, and records whether both are.
func (p *parser) struckHeading(it *Item, id, name source.Span) (source.Span, source.Span) {
	if it.Struck {
		return id, name
	}
	inID, idStruck := struck(p.src, id)
	inName, nameStruck := struck(p.src, name)
	it.Struck = idStruck && (nameStruck || name.Empty())
	inID, idHalf := p.halfStruck(inID, idStruck)
	inName, nameHalf := p.halfStruck(inName, nameStruck)
	it.HalfStruck = !it.Struck && (idStruck || nameStruck || idHalf || nameHalf)
	return inID, inName
}

// halfStruck strips an unmatched ~~ from one end of a span that is not struck.
func (p *parser) halfStruck(s source.Span, isStruck bool) (source.Span, bool) {
	const mark = "~~"
	text := p.src[s.Start:s.End]
	switch {
	case isStruck:
		return s, false
	case strings.HasPrefix(text, mark):
		s.Start += len(mark)
	case strings.HasSuffix(text, mark) && !strings.HasSuffix(text, `\`+mark):
		s.End -= len(mark)
	default:
		return s, false
	}
	return p.trim(s), true
}

// addItem adds an item to the section's items, or to the malformed ones.
func (p *parser) addItem(it *Item) {
	text := p.src[it.IDSpan.Start:it.IDSpan.End]
	word := strings.TrimRight(text, ".)")
	id, ok := brenner.ParseItemID(word)
	ok = ok && id.InRange()
	if ok && id.Section == p.sec.Kind {
		it.ID = id
		it.IDSpan.End = it.IDSpan.Start + len(word)
		p.sec.Items = append(p.sec.Items, it)
		return
	}
	if !ok {
		id = brenner.ItemID{}
	}
	p.sec.Malformed = append(p.sec.Malformed, MalformedItem{ID: it.IDSpan, Text: text, Other: id, Item: it})
}

// headingMarks strips what is not id and name from a heading: strike-through, emphasis,
// [KILLED] and a test's score, in any order.
func (p *parser) headingMarks(it *Item, s source.Span) source.Span {
	for {
		s = p.trim(s)
		text := p.src[s.Start:s.End]
		in, isStruck := struck(p.src, s)
		switch {
		case hasMark(text, killedMark):
			it.Killed = true
			s.End -= len(killedMark)
		case p.sec.Kind == brenner.DiscriminativeTests && it.TotalSpan.Empty() && p.score(it, s):
			s.End = s.Start + strings.LastIndexByte(text, '(')
		case isStruck:
			it.Struck = true
			s = in
		case len(text) > 4 && (strings.HasPrefix(text, "**") && strings.HasSuffix(text, "**") || it.Misheaded != nil && strings.HasPrefix(text, "__") && strings.HasSuffix(text, "__")):
			s = source.Span{Start: s.Start + 2, End: s.End - 2}
		default:
			return s
		}
	}
}

// killedMark ends the heading of a killed item (artifact_delta_spec, Killed Item
// Rendering).
const killedMark = "[KILLED]"

// hasMark reports whether text ends with a mark, in any case and not escaped.
func hasMark(text, mark string) bool {
	n := len(text) - len(mark)
	return n >= 0 && strings.EqualFold(text[n:], mark) && (n == 0 || text[n-1] != '\\')
}

// score reads `(Score: 9/12)` at the end of a heading.
func (p *parser) score(it *Item, s source.Span) bool {
	text := p.src[s.Start:s.End]
	open := strings.LastIndexByte(text, '(')
	if open < 0 || open > 0 && text[open-1] == '\\' || text[len(text)-1] != ')' {
		return false
	}
	inner := source.Span{Start: s.Start + open + 1, End: s.End - 1}
	const word = "score"
	if !brenner.HasPrefixFold(p.src[inner.Start:inner.End], word) {
		return false
	}
	inner.Start += len(word)
	inner = p.trim(inner)
	if !inner.Empty() && p.data[inner.Start] == ':' {
		inner.Start++
	}
	if slash := strings.IndexByte(p.src[inner.Start:inner.End], '/'); slash >= 0 {
		inner.End = inner.Start + slash
	}
	it.TotalSpan = p.trim(inner)
	it.Total = p.src[it.TotalSpan.Start:it.TotalSpan.End]
	return !it.TotalSpan.Empty()
}

// unstrike strips the ~~ ~~ from a span and records it in the item.
func (p *parser) unstrike(it *Item, s source.Span) source.Span {
	in, ok := struck(p.src, s)
	if !ok {
		return s
	}
	it.Struck = true
	return in
}

// struck returns what is between the ~~ that begin and end a span.
func struck(src string, s source.Span) (source.Span, bool) {
	text := src[s.Start:s.End]
	if len(text) < 4 || !strings.HasPrefix(text, "~~") || !strings.HasSuffix(text, "~~") {
		return s, false
	}
	return source.Span{Start: s.Start + 2, End: s.End - 2}, true
}

// idSeparators are between the id and the name of a heading.
var idSeparators = [...]string{":", "—", "–", "-"}

// nameAfter returns the name in what follows an item's id: after a colon, or a dash as
// some writers use.
func (p *parser) nameAfter(s source.Span) source.Span {
	s = p.trim(s)
	for _, mark := range idSeparators {
		if strings.HasPrefix(p.src[s.Start:s.End], mark) {
			s.Start += len(mark)
			return p.trim(s)
		}
	}
	return s
}

// closeItem closes the open item, before off.
func (p *parser) closeItem(off int) {
	p.closeField(off)
	it := p.item
	p.item = nil
	if it == nil {
		return
	}
	it.Span.End = max(p.contentEnd(off), it.Span.End)
	if it.ID.Section == brenner.ResearchThread {
		if f := it.Field("statement"); f != nil {
			it.IDSpan = f.Label
		}
	}
	finishKill(it)
}

// killKeys are the labels of the lines that describe a kill, and their keys.
var killKeys = [...]struct{ label, key string }{
	{"Killed", "killed"}, {"Killed by", "killed_by"}, {"Killed at", "killed_at"}, {"Kill reason", "kill_reason"}, {"Reason", "kill_reason"},
}

// killKey returns the key of a label that describes a kill, or "".
func killKey(label string) string {
	for _, k := range killKeys {
		if isLabel(label, k.label) {
			return k.key
		}
	}
	return ""
}

// finishKill reads the lines that describe a kill, in either rendering:
// `**Killed by**: Agent (timestamp)`, or Killed, Killed by and Killed at.
func finishKill(it *Item) {
	for _, f := range it.Fields {
		if f.Known != nil {
			continue
		}
		switch f.Key {
		case "killed":
			it.Killed = it.Killed || state.IsTrue(f.Text)
		case "killed_by":
			it.Killed = it.Killed || f.Text != ""
			it.KilledBy, it.KilledAt = byAndAt(f.Text, it.KilledAt)
		case "killed_at":
			it.KilledAt = f.Text
		case "kill_reason":
			it.KillReason = f.Text
		}
	}
	if !it.Killed {
		it.KilledBy, it.KilledAt, it.KillReason = "", "", ""
	}
}

// byAndAt splits `Agent (timestamp)`; at is kept if there is no timestamp.
func byAndAt(text, at string) (string, string) {
	open := strings.LastIndexByte(text, '(')
	if open < 0 || text[len(text)-1] != ')' || open > 0 && text[open-1] == '\\' {
		return unescapeName(text), at
	}
	stamp := strings.Trim(text[open+1:len(text)-1], blanks)
	if _, ok := brenner.ParseTime(stamp); !ok {
		return unescapeName(text), at
	}
	return unescapeName(strings.Trim(text[:open], blanks)), stamp
}
