package artifact

import (
	"strings"
	"unicode"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/source"
)

// HeadingForm is how an improper heading of a section or an item is written (decisions.md 45).
type HeadingForm uint8

// The forms of improper headings.
const (
	WrongLevel HeadingForm = iota + 1 // `#### H1: Name`
	NoSpace                           // `###H1: Name`
	InBold                            // `**H1: Name**`
	PlainText                         // `H1: Name`
	InHTML                            // `<h3>H1: Name</h3>`
	InList                            // `  ### H1: Name` below `- x`
)

// Misheading is an improper heading of a section or an item. The content below it is read
// anyway.
type Misheading struct {
	Form  HeadingForm
	Level int         // for WrongLevel and NoSpace: the number of #
	Span  source.Span // the line, including marks
	Mark  source.Span // what is wrong in it
}

// orNil returns what an item or a section keeps of how its heading is written: nothing of a proper one.
func (m Misheading) orNil() *Misheading {
	if m.Form == 0 {
		return nil
	}
	kept := m
	return &kept
}

// scan finds the proper headings of the artifact. A line is taken for the heading of an item or
// section only if there is no proper one. Lines about an item that has a heading remain text.
func (p *parser) scan() {
	if p.items != nil {
		return
	}
	p.items = make(map[brenner.ItemID]int)
	for i := range p.a.Doc.Blocks {
		b := &p.a.Doc.Blocks[i]
		if b.Kind != markdown.Heading || b.InList || b.InQuote {
			continue
		}
		text := p.headingText(b)
		if b.Level <= 2 {
			p.sections[brenner.SectionByTitle(text)] = true
		} else if id, _ := headingID(text); b.Level == 3 && id.Section != 0 {
			p.items[id]++
		}
	}
}

func (p *parser) hasSection(kind brenner.Section) bool {
	p.scan()
	return p.sections[kind]
}

// headingID returns the id that begins the text of a heading; ended reports whether it
// ends there as it does in front of a name.
func headingID(text string) (id brenner.ItemID, ended bool) {
	const marks = "~*_`"
	word := strings.TrimLeft(text, marks)
	rest := ""
	if n := strings.IndexFunc(word, func(r rune) bool { return r == ':' || unicode.IsSpace(r) }); n >= 0 {
		word, rest = word[:n], strings.TrimLeftFunc(word[n:], unicode.IsSpace)
	}
	id, ok := brenner.ParseItemID(strings.TrimRight(word, `.)\`+marks))
	if !ok {
		return brenner.ItemID{}, false
	}
	if before, _ := cutKilledMark(rest); before == "" {
		return id, true
	}
	for _, mark := range idSeparators {
		ended = ended || strings.HasPrefix(rest, mark)
	}
	return id, ended
}

// headsItem reports whether a text that is not an H3 is the heading of an item of the
// open section. Where the fields start over below it, the id need not end as before a name.
func (p *parser) headsItem(text string, startsOver bool) bool {
	if p.sec == nil || p.sec.Kind == brenner.PredictionsTable || p.sec.Kind == brenner.ResearchThread {
		return false
	}
	id, ended := headingID(text)
	if !ended && !startsOver || id.Section != p.sec.Kind {
		return false
	}
	p.scan()
	return p.items[id] == 0
}

// headingLine opens a section or an item if line i of a block is an improper heading of it. A
// bold line must be bold as a whole, or above a field. A line without marks may name a section
// at the beginning of its block, but never an item (decisions.md 65). A line with an underline
// is an item only above a field.
func (p *parser) headingLine(b *markdown.Block, i int) bool {
	if b.InQuote || b.InList {
		return i == 0 && (p.numberedTitle(b) || p.listedItem(b))
	}
	l := p.trim(b.Parts[i])
	if l.Empty() || !p.beginsLine(l.Start) {
		return false
	}
	m, text := p.misheading(b, l)
	if m.Form == 0 {
		return false
	}
	stands := func() bool {
		return m.Form != InBold || isBoldHeading(p.src[l.Start:l.End]) || p.fieldBelow(b, i).known != nil
	}
	title := p.text(text)
	kind := brenner.SectionByTitle(strings.TrimSuffix(title, ":"))
	if kind != 0 && len(title) <= maxLabel && (m.Form != PlainText || i == 0) && !p.hasSection(kind) && stands() {
		p.openSection(kind, text, m)
		return true
	}
	switch m.Form {
	case PlainText:
		return false
	case InBold:
		if strongMark(strings.TrimPrefix(title, strike)) == "" {
			return false
		}
	case WrongLevel:
		stands = func() bool { return p.fieldBelow(b, i).known != nil }
	case InHTML:
		stands = func() bool { return p.startsOver(b, i) }
	}
	over := m.Form == InBold && p.startsOver(b, i)
	if !p.headsItem(title, over) || !over && !stands() {
		return false
	}
	p.openItem(text, m)
	return true
}

// misheading returns how a line of a block is written if it is an improper heading, and the text of that. The form is 0 if
// the line is none.
func (p *parser) misheading(b *markdown.Block, l source.Span) (m Misheading, text source.Span) {
	line := p.src[l.Start:l.End]
	m, text = Misheading{Span: l, Mark: l}, l
	switch line[0] {
	case '#':
		level := len(line) - len(strings.TrimLeft(line, "#"))
		text.Start += level
		if level > 6 || b.Kind == markdown.HTML && (text.Empty() || source.IsSpace(p.src[text.Start])) {
			return Misheading{}, text
		}
		m.Form, m.Level, m.Mark.End = NoSpace, level, text.Start
		text = p.trim(text)
	case '*', '_', '~':
		m.Form = InBold
	case '<':
		m.Form = InHTML
		text.Start += len(tagsBefore().FindString(line))
		text.End -= len(tagsAfter().FindString(p.src[text.Start:text.End]))
	default:
		m.Form = PlainText
		if b.Kind == markdown.Heading {
			m.Form, m.Level = WrongLevel, int(b.Level) // by underline
		}
	}
	return m, text
}

// isBoldHeading reports whether a line is bold as a whole, except for the marks that may
// end a heading.
func isBoldHeading(line string) bool {
	line = strings.TrimPrefix(line, strike)
	mark := strongMark(line)
	if mark == "" {
		return false
	}
	if strings.HasPrefix(line, mark+mark[:1]) {
		mark += mark[:1] // emphasis, too
	}
	in, rest, ok := strings.Cut(line[len(mark):], mark)
	rest = strings.TrimLeftFunc(strings.TrimPrefix(rest, strike), unicode.IsSpace)
	return ok && in != "" && (rest == "" || rest[0] == '[' || rest[0] == '(')
}

// fieldBelow returns the label of a field of the open section's items that begins the line after
// line i of a block.
func (p *parser) fieldBelow(b *markdown.Block, i int) fieldName {
	if i++; i == len(b.Parts) {
		if p.next >= len(p.a.Doc.Blocks) {
			return fieldName{}
		}
		b, i = &p.a.Doc.Blocks[p.next], 0
	}
	if b.InQuote || b.Kind != markdown.Paragraph && (b.Kind != markdown.HTML || i == 0) {
		return fieldName{}
	}
	return p.fieldName(b.Parts[i])
}

// startsOver reports whether the line after line i of a block begins a field that the open item has:
// what is above that is a heading, however it is written.
func (p *parser) startsOver(b *markdown.Block, i int) bool {
	name := p.fieldBelow(b, i)
	return name.known != nil && (p.item == nil || p.firstGiven(name.key) != nil)
}

// listedItem opens the item whose heading, or bold name, is in a list.
func (p *parser) listedItem(b *markdown.Block) bool {
	text := b.Parts[0]
	m := Misheading{Form: InList, Span: source.Span{Start: b.Span.Start, End: text.End}}
	if b.Kind != markdown.Heading || isSetext(b) {
		m.Form = InBold
		if b.Marker == markdown.NoMarker || strongMark(p.src[text.Start:text.End]) == "" {
			return false
		}
		m.Span.Start = int(b.Marker)
	}
	m.Mark = m.Span
	if b.InQuote || !p.beginsLine(m.Span.Start) || !p.startsOver(b, 0) || !p.headsItem(p.text(text), m.Form == InBold) {
		return false
	}
	p.openItem(text, m)
	return true
}

// numberedTitle opens the section whose title, with its number, is the only item of a
// list: `2. Hypothesis Slate`.
func (p *parser) numberedTitle(b *markdown.Block) bool {
	if b.InQuote || b.Marker == markdown.NoMarker || !p.beginsLine(int(b.Marker)) || len(b.Parts) != 1 {
		return false
	}
	line := source.Span{Start: int(b.Marker), End: b.Parts[0].End}
	kind := brenner.SectionByTitle(p.src[line.Start:line.End])
	if kind == 0 || p.src[line.Start] != '0'+byte(kind) || p.inNumberedList(p.next-2) || p.inList(p.next) || p.hasSection(kind) {
		return false
	}
	p.openSection(kind, line, Misheading{Form: PlainText, Span: line, Mark: line})
	return true
}

// inNumberedList reports whether a block is in a list that a numbered line can go on with.
func (p *parser) inNumberedList(i int) bool {
	for ; p.inList(i); i-- {
		if m := p.a.Doc.Blocks[i].Marker; m != markdown.NoMarker && '0' <= p.src[m] && p.src[m] <= '9' {
			return true
		}
	}
	return false
}

func (p *parser) inList(i int) bool {
	return i >= 0 && i < len(p.a.Doc.Blocks) && p.a.Doc.Blocks[i].InList
}
