package artifact

import (
	"strings"
	"unicode"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/source"
)

// openItem opens the item that a heading begins, or a malformed one; the heading's form
// is 0 if it is an H3.
func (p *parser) openItem(heading source.Span, form Misheading) {
	p.closeItem(form.Span.Start)
	it := &Item{Heading: heading, Span: form.Span, Misheaded: form.orNil()}
	rest := p.headingMarks(it, it.Heading)
	text := p.src[rest.Start:rest.End]
	end := strings.IndexFunc(text, func(r rune) bool { return r == ':' || unicode.IsSpace(r) })
	if end < 0 {
		end = len(text)
	}
	id := source.Span{Start: rest.Start, End: rest.Start + len(strings.TrimSuffix(text[:end], `\`))} // `H1\: Name`
	name := source.Span{Start: rest.Start + end, End: rest.End}
	it.IDSpan = p.unmark(id)
	opened := ""
	if it.IDSpan.End == id.End { // `**H1:** Name`
		opened = p.src[id.Start:it.IDSpan.Start]
	}
	p.strikes(it, rest, name)
	it.NameSpan = p.nameAfter(name, opened)
	it.Killed = it.Killed || it.Struck || it.HalfStruck
	p.content()
	p.item, p.killed, p.given = it, it.Killed, p.given[:0]
	if it.Killed {
		it.NameSpan = p.unstrikeEnds(it.NameSpan)
	}
	it.Name = unescape(p.value(it.NameSpan), nameMarks)
	p.addItem(it)
}

// strikes records whether the heading is struck through piece by piece: id and name apart
// (decisions.md 63). It is struck in part if the mark is at an end of the id or the name, and
// not everything is struck.
func (p *parser) strikes(it *Item, heading, name source.Span) {
	text := p.src[heading.Start:heading.End]
	if it.Struck || !hasStrikes(text) {
		return
	}
	if hasStrikes(p.src[heading.End:it.Heading.End]) && strings.Count(text, strike)%2 == 1 {
		text += strike // it is behind the score
	}
	struckWords, plainWords, open := false, false, true
	for piece := range strings.SplitSeq(strings.ReplaceAll(text, `\~`, `\-`), strike) {
		open = !open
		words := strings.ContainsFunc(piece, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
		struckWords = struckWords || open && words
		plainWords = plainWords || !open && words
	}
	if struckWords && !plainWords && !open {
		it.Struck = true
		return
	}
	name = p.nameAfter(name, "")
	it.HalfStruck = hasStrikes(p.src[heading.Start:name.Start]) || p.unstrikeEnds(name) != name
}

// hasStrikes reports whether a text has a mark of strike-through.
func hasStrikes(text string) bool {
	return strings.Contains(text, strike) && strings.Contains(strings.ReplaceAll(text, `\~`, `\-`), strike)
}

// unstrikeEnds strips marks of strike-through from both ends of a span.
func (p *parser) unstrikeEnds(s source.Span) source.Span {
	for {
		text := p.src[s.Start:s.End]
		switch {
		case strings.HasPrefix(text, strike):
			s.Start += len(strike)
		case strings.HasSuffix(text, strike) && !strings.HasSuffix(text, `\`+strike):
			s.End -= len(strike)
		default:
			return s
		}
		s = p.trim(s)
	}
}

// addItem adds an item to the open section's.
func (p *parser) addItem(it *Item) {
	text := p.src[it.IDSpan.Start:it.IDSpan.End]
	word := strings.TrimRight(text, ".)")
	id, ok := brenner.ParseItemID(word)
	if p.sec.add(it, id, ok, text) {
		it.IDSpan.End = it.IDSpan.Start + len(word)
	}
}

// add adds an item with the id that was read, if one was, to the section's items or, if the id
// does not fit the section, to the malformed ones.
func (s *Section) add(it *Item, id brenner.ItemID, ok bool, written string) bool {
	if ok = ok && id.InRange(); !ok {
		id = brenner.ItemID{}
	}
	if id.Section != s.Kind || s.Kind == brenner.PredictionsTable && it.Row == nil && it.Node == nil {
		s.Malformed = append(s.Malformed, MalformedItem{ID: it.IDSpan, Text: written, Other: id, Item: it})
		return false
	}
	it.ID = id
	s.Items = append(s.Items, it)
	return true
}

// headingMarks strips what is not id and name from a heading: strike-through, emphasis,
// [KILLED] and a test's score, in any order.
func (p *parser) headingMarks(it *Item, s source.Span) source.Span {
	for {
		s = p.trim(s)
		text := p.src[s.Start:s.End]
		before, killed := cutKilledMark(text)
		switch in, marks := brenner.Unmark(text); {
		case killed:
			it.Killed = true
			s.End = s.Start + len(before)
		case unstruck(p.src, s) != s:
			it.Struck = true
			s = unstruck(p.src, s)
		case p.sec.Kind == brenner.DiscriminativeTests && it.TotalSpan.Empty() && p.score(it, s):
			before, after := text[:scoreStart(text)], text[strings.LastIndexAny(text, ")]")+1:]
			s.End = s.Start + len(strings.TrimSuffix(before, after)) // marks around the score alone
		case marks > 0:
			s = source.Span{Start: s.Start + marks, End: s.Start + marks + len(in)}
		default:
			if p.sec.Kind == brenner.DiscriminativeTests && it.TotalSpan.Empty() { // `… (Score: 9/12) ✅`: what is behind it stays in the name
				p.score(it, source.Span{Start: s.Start, End: s.Start + strings.LastIndexByte(text, ')') + 1})
			}
			return s
		}
	}
}

// killedMark ends the heading of a killed item (artifact_delta_spec, Killed Item
// Rendering).
const killedMark = "[KILLED]"

// looseMark is the mark as some write it behind a heading that is struck through: `~~H2: Name~~ (KILLED)`, or
// `\[KILLED\]`, perhaps behind a score.
var looseMark = text.Pattern(`(?i)^(.*~~(?:[\s\p{Z}]*\(score[^()]*\))?)[\s\p{Z}]*(?:[—–:-][\s\p{Z}]*)?(?:\\?[(\[]killed\\?[)\]]|killed)$`)

// cutKilledMark returns a heading without the mark at its end, in any case, perhaps with
// emphasis or backticks around it, and not escaped; false if there is none.
func cutKilledMark(heading string) (before string, ok bool) {
	if hasStrikes(heading) {
		if m := looseMark().FindStringSubmatch(heading); m != nil {
			return m[1], true
		}
	}
	at := strings.LastIndexByte(heading, '[')
	if at < 0 || at > 0 && heading[at-1] == '\\' {
		return heading, false
	}
	if struck, ok := strings.CutSuffix(heading[:at], strike); ok && strings.Count(struck, strike)%2 == 0 && strings.HasSuffix(heading, strike) {
		heading, at = struck+strings.TrimSuffix(heading[at:], strike), len(struck) // the mark is struck alone
	}
	marked := strings.TrimRight(heading[:at], "*_`")
	if len(marked) > 0 && !unicode.IsSpace(rune(marked[len(marked)-1])) && marked[len(marked)-1] != '~' {
		marked = heading[:at] // they close what is before it
	}
	mark, _ := brenner.Unmark(heading[len(marked):])
	if !strings.EqualFold(mark, killedMark) {
		return heading, false
	}
	return marked, true
}

// scoreMark begins the score that ends the heading of a test: `(Score: 9/12)` or `[Score: 9/12]`. It may be
// struck through.
var scoreMark = text.Pattern(`(?i)^[(\[][~*_]*scores?\b[\s\p{Z}]*:?`)

// scoreStart returns where the bracket opens that ends a heading, -1 if none does.
func scoreStart(heading string) int {
	if strings.HasSuffix(strings.TrimRight(heading, "*_~"), "]") {
		return strings.LastIndexByte(heading, '[')
	}
	return strings.LastIndexByte(heading, '(')
}

// score reads the score at the end of a heading.
func (p *parser) score(it *Item, s source.Span) bool {
	text := p.src[s.Start:s.End]
	open := scoreStart(text)
	if open < 0 || open > 0 && text[open-1] == '\\' {
		return false
	}
	marked := strings.TrimRight(text[open:], "*_")
	mark, body := len(scoreMark().FindString(marked)), strings.TrimSuffix(marked, strike)
	if mark == 0 || strings.IndexByte(")]", body[len(body)-1]) < 0 || strings.Contains(body[1:], "(") ||
		!strings.HasSuffix(text[:open], text[open+len(marked):]) {
		return false
	}
	total, _, _ := strings.Cut(body[:len(body)-1][mark:], "/")
	open += s.Start + mark
	it.TotalSpan = p.unmark(p.trim(source.Span{Start: open, End: open + len(total)}))
	it.Total = p.src[it.TotalSpan.Start:it.TotalSpan.End]
	return it.Total != ""
}

// unstruck returns a span without the ~~, or the ~, that are around the whole of it.
func unstruck(src string, s source.Span) source.Span {
	for _, mark := range [...]string{strike, strike[:1]} {
		in, opened := strings.CutPrefix(src[s.Start:s.End], mark)
		in, closed := strings.CutSuffix(in, mark)
		if opened && closed && !hasStrikes(in) && (mark == strike || in != "" && !strings.Contains(in, mark) && !strings.HasSuffix(in, `\`)) {
			return source.Span{Start: s.Start + len(mark), End: s.End - len(mark)}
		}
	}
	return s
}

// idSeparators are between the id and the name of a heading.
var idSeparators = [...]string{":", "—", "–", "-"}

// nameAfter returns the name in what follows an item's id: after a colon, or a dash as
// some writers use, and the end of a mark that was opened in front of the id.
func (p *parser) nameAfter(s source.Span, opened string) source.Span {
	s = p.trim(s)
	for _, mark := range idSeparators {
		if rest, ok := strings.CutPrefix(p.src[s.Start:s.End], mark); ok {
			s.Start = s.End - len(strings.TrimPrefix(rest, opened))
			return p.trim(s)
		}
	}
	return s
}

// closeItem closes the open item, before off.
func (p *parser) closeItem(off int) {
	p.closeField(off)
	it := p.item
	p.item, p.killed = nil, false
	if it == nil {
		return
	}
	it.Span.End = max(p.contentEnd(off), it.Span.End)
	if it.ID.Section == brenner.ResearchThread {
		if f := it.Field("statement"); f != nil {
			it.IDSpan = f.Label
		}
	}
	p.finishKill(it)
}

// killKeys are the labels of the lines that describe a kill, and their keys.
var killKeys = [...]struct{ label, key string }{
	{"Killed", "killed"}, {"Killed by", "killed_by"}, {"Killed at", "killed_at"}, {"Kill reason", "kill_reason"}, {"Reason", "kill_reason"},
}

// killKey returns the key of a label that describes a kill, or "".
func killKey(label string) string {
	for _, k := range killKeys {
		if strings.EqualFold(label, k.label) {
			return k.key
		}
	}
	return ""
}

// finishKill reads the lines that describe a kill, in either rendering:
// `**Killed by**: Agent (timestamp)`, or Killed, Killed by and Killed at.
func (p *parser) finishKill(it *Item) {
	end := it.Span.End // of the item, if its heading does not show that it is killed
	for i, f := range it.Repeated {
		if !it.Killed && p.a.StartsOver(it, i) {
			end = min(end, f.Label.Start)
		}
	}
	for _, f := range it.Fields {
		if f.Known == nil && f.Label.Start <= end {
			it.TakeKill(f)
		}
	}
	if !it.Killed {
		it.KilledBy, it.KilledAt, it.KillReason = "", "", ""
	}
}

// TakeKill takes what a line says of the item's KILL.
func (it *Item) TakeKill(f *Field) {
	switch f.Key {
	case "killed":
		it.Killed = it.Killed || brenner.IsTrue(f.Text)
	case "killed_by":
		it.Killed = it.Killed || f.Text != ""
		it.KilledBy, it.KilledAt = byAndAt(f.Text, it.KilledAt)
	case "killed_at":
		it.KilledAt = f.Text
	case "kill_reason":
		it.KillReason = f.Text
	}
}

// byAndAt splits `Agent (timestamp)`; at is kept if there is no timestamp.
func byAndAt(text, at string) (string, string) {
	if below := plainReason().FindStringIndex(text); below != nil {
		text = text[:below[0]]
	}
	agent := text
	if open := strings.LastIndexByte(text, '('); open >= 0 && text[len(text)-1] == ')' && (open == 0 || text[open-1] != '\\') {
		stamp, _ := brenner.Unmark(strings.TrimSpace(text[open+1 : len(text)-1]))
		if _, ok := brenner.ParseTime(stamp); ok {
			agent, at = strings.TrimSpace(text[:open]), stamp
		}
	}
	if agent, _ = brenner.Unmark(agent); agent == absent {
		return "", at
	}
	return unescape(agent, nameMarks), at
}

// plainReason is a reason, whose label is not bold, on a line below the agent.
var plainReason = text.Pattern(`(?i)\s*\n[ \t*_~+>(-]*reason\b`)
