package artifact

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/source"
)

// ParseMarkdown reads an artifact that is a whole text: a file, or the content of a
// fence. It never fails.
func ParseMarkdown(t *source.Text, limits Limits) *Artifact {
	t = t.Normalize()
	top := 0
	if bytes.HasPrefix(t.Data, []byte(source.BOM)) {
		top = len(source.BOM) // the text is not a file
	}
	return newParser(t, 0, limits).parse(nil, top)
}

// FromDocument reads the artifact that begins at byte from of a parsed document, up to
// its end: a raw artifact in a message.
func FromDocument(doc *markdown.Document, from int, limits Limits) *Artifact {
	return newParser(doc.Text, from, limits).parse(doc, from)
}

// parser reads blocks in sequence and tracks what is open.
type parser struct {
	limits   Limits
	body     int // where the text below the front matter begins
	a        *Artifact
	shown    []byte // the text without conflict markers and what hides parts of it: blocks are read of it
	src      string // that without comments: values are parts of it
	comments []source.Span

	next int // the block after the one that is read

	items    map[brenner.ItemID]int // how many proper headings they have; nil until scan
	sections [len(brenner.Sections) + 1]bool

	sec    *Section
	level  int // of the section's heading
	item   *Item
	killed bool // the heading of the item shows that it is killed
	field  *Field
	given  []*Field // the known fields of the item so far, each once
	// remark reports an H1 in the open field: what is below it is read only if it is what the section lacks.
	remark bool
	// trivia is where comments, rules (---) and lines of HTML tags begin that end what is open unless
	// more content follows; noTrivia if content was read last.
	trivia int
	tags   int // how many tags of HTML the open field opens, less those that it closes
}

func newParser(t *source.Text, from int, limits Limits) *parser {
	a := &Artifact{Text: t, Span: source.Span{Start: from, End: len(t.Data)}}
	return &parser{a: a, limits: limits, body: from, shown: t.Data, src: string(t.Data)}
}

// parse reads the artifact. Front matter may begin at byte top; doc is the document that the
// text was read as, if it was.
func (p *parser) parse(doc *markdown.Document, top int) *Artifact {
	p.body = p.frontMatter(top)
	if doc != nil {
		n, _ := slices.BinarySearchFunc(doc.Blocks, p.body, func(b markdown.Block, at int) int { return b.Span.Start - at })
		if n > 0 && doc.Blocks[n-1].Span.End > p.body {
			doc = nil // the front matter, read as Markdown, extends into the body
		} else {
			doc = &markdown.Document{Text: doc.Text, Blocks: doc.Blocks[n:]}
		}
	}
	return p.reveal(p.read(doc))
}

// read reads the blocks of doc or, if it is nil, those of the text.
func (p *parser) read(doc *markdown.Document) *Artifact {
	if doc == nil {
		doc = p.blocks()
	}
	if p.hideConflicts(doc.Blocks) {
		doc = p.blocks()
	}
	p.a.Doc = doc
	p.hideComments()
	p.a.src = p.src
	for i := range doc.Blocks {
		p.next = i + 1
		p.block(&doc.Blocks[i])
	}
	p.closeSection(len(p.src))
	return p.a
}

// blocks reads the blocks of the text.
func (p *parser) blocks() *markdown.Document {
	doc := markdown.ParseFrom(source.NewText(p.shown), p.body)
	doc.Text = p.a.Text
	return doc
}

// hideConflicts finds the conflict markers that are not in code, and puts spaces in their place: both
// versions are read.
func (p *parser) hideConflicts(blocks []markdown.Block) bool {
	from := p.a.Span.Start
	if text := p.src[from:]; !strings.Contains(text, "<<<<<<<") && !strings.Contains(text, "|||||||") && !strings.Contains(text, ">>>>>>>") {
		return false // the usual case
	}
	shown := slices.Clone(p.shown)
	open := false
	for line := range p.linesIn(from, len(p.src)) {
		for len(blocks) > 0 && blocks[0].Span.End < line.Start {
			blocks = blocks[1:]
		}
		text := strings.TrimRight(p.src[line.Start:min(line.End, line.Start+9)], "\r")
		inCode := len(blocks) > 0 && (blocks[0].Kind == markdown.Fence || blocks[0].Kind == markdown.Code) && blocks[0].Span.Start < line.Start
		if inCode || !isConflictMarker(text) && !(open && text == "=======") {
			continue
		}
		if !open {
			p.a.Conflicts = append(p.a.Conflicts, Conflict{Marker: source.Trim(shown, line), Span: line})
		}
		p.a.Conflicts[len(p.a.Conflicts)-1].Span.End = line.End
		open = text[0] != '>'
		source.Blank(shown, line)
	}
	p.shown, p.src = shown, string(shown)
	return len(p.a.Conflicts) > 0
}

// hideComments finds the comments of the text, and puts spaces in their place: they are no
// text (decisions.md 64).
func (p *parser) hideComments() {
	if !strings.Contains(p.src, comment) {
		return
	}
	for i := range p.a.Doc.Blocks {
		b := &p.a.Doc.Blocks[i]
		if b.Kind == markdown.Fence || b.Kind == markdown.Code {
			continue
		}
		for c := range brenner.Comments(p.src[b.Span.Start:b.Span.End]) {
			c = c.Shift(b.Span.Start)
			p.comments = append(p.comments, c)
			if b.Kind != markdown.HTML || b.InList || b.InQuote || c.Start > b.Span.Start {
				p.a.Remarks = append(p.a.Remarks, c)
			}
		}
	}
	if len(p.comments) == 0 {
		return
	}
	data := []byte(p.src)
	for _, c := range p.comments {
		source.Blank(data, c)
	}
	p.src = string(data)
}

// text returns a part of the text without comments.
func (p *parser) text(s source.Span) string {
	text := p.src[s.Start:s.End]
	if len(p.comments) == 0 {
		return text
	}
	first, _ := slices.BinarySearchFunc(p.comments, s.Start, func(c source.Span, at int) int { return c.Start - at })
	return brenner.Without(text, func(yield func(source.Span) bool) {
		for _, c := range p.comments[first:] {
			if c.Start >= s.End || !yield(source.Span{Start: c.Start - s.Start, End: min(c.End, s.End) - s.Start}) {
				return
			}
		}
	})
}

// value returns a part of a value as text: of a killed item without strike-through.
func (p *parser) value(s source.Span) string {
	if p.killed {
		return withoutStrikes(p.text(s))
	}
	return p.text(s)
}

func (p *parser) block(b *markdown.Block) {
	nested := b.InList || b.InQuote
	switch b.Kind {
	case markdown.Heading:
		if !nested && p.heading(b) {
			return
		}
		p.lines(b)
		if !nested && isSetext(b) {
			p.skip(b.Parts[len(b.Parts)-1].End) // the underline is a rule
		}
	case markdown.Paragraph:
		if p.isFooter(b) {
			return
		}
		if p.sec != nil && p.sec.Kind == brenner.PredictionsTable {
			p.table(b)
		}
		p.lines(b)
	case markdown.HTML:
		if !nested && bytes.HasPrefix(p.a.Text.Data[b.Span.Start:], []byte(comment)) {
			p.a.Comments = append(p.a.Comments, b.Span)
			p.skip(b.Span.Start)
			return
		}
		if b.Closed { // as <pre>
			p.content()
			return
		}
		p.lines(b)
	case markdown.ThematicBreak:
		if !nested {
			p.skip(b.Span.Start)
		}
	case markdown.Fence, markdown.Code:
		p.content()
	}
}

// isFooter reports whether a block is a remark of the publisher below a word: one line in emphasis below a rule, the
// last of the artifact. Below free text, the comparison with the merge decides.
func (p *parser) isFooter(b *markdown.Block) bool {
	blocks := p.a.Doc.Blocks
	if p.field == nil || !isWord(p.field) || p.next < len(blocks) || p.next < 2 || blocks[p.next-2].Kind != markdown.ThematicBreak {
		return false
	}
	text := p.src[b.Span.Start:b.Span.End]
	return strings.IndexByte("*_", text[0]) >= 0 && strings.IndexByte("*_", text[len(text)-1]) >= 0 && !strings.Contains(text, "\n")
}

const noTrivia = -1

// content records that content was read: what was skipped before it did not end what is open.
func (p *parser) content() { p.trivia = noTrivia }

// skip records that what is at off is not content so far.
func (p *parser) skip(off int) {
	if p.trivia == noTrivia {
		p.trivia = off
	}
}

// contentEnd returns the end of the content before off.
func (p *parser) contentEnd(off int) int {
	if p.trivia != noTrivia {
		off = min(off, p.trivia)
	}
	for off > 0 && source.IsSpace(p.a.Text.Data[off-1]) {
		off--
	}
	return off
}

// closeSection closes what is open, before off.
func (p *parser) closeSection(off int) {
	p.closeItem(off)
	if p.sec != nil {
		p.sec.Span.End = max(p.contentEnd(off), p.sec.Span.End)
	}
	p.sec = nil
}

// lines reads the lines of a block. Some may begin a field.
func (p *parser) lines(b *markdown.Block) {
	for i, l := range b.Parts {
		marker := uint32(markdown.NoMarker)
		if i == 0 {
			marker = b.Marker
		} else if at := p.trim(l); b.Kind == markdown.HTML && markerLen(p.src[at.Start:at.End]) > 0 { // Markdown reads no list there
			marker = uint32(at.Start)
			l = p.trim(source.Span{Start: at.Start + markerLen(p.src[at.Start:at.End]), End: l.End})
		}
		name := p.fieldName(l)
		if name.known == nil && p.headingLine(b, i) { // no known field has the name of an item or a section
			continue
		}
		opened := OpenTags(p.src[l.Start:l.End])
		isMarkup := p.beginsLine(l.Start) && IsTagLine(p.src[l.Start:l.End]) && (opened >= 0 || p.tags <= 0)
		if p.tags += opened; isMarkup {
			p.skip(l.Start)
			continue
		}
		if p.sec == nil {
			continue
		}
		if p.item == nil && p.lacksHeading(b, i, name, marker) {
			start := l.Start
			if marker != markdown.NoMarker {
				start = int(marker)
			}
			at := source.Span{Start: start, End: start}
			p.openItem(at, Misheading{Level: 3, Span: at})
		}
		if p.item != nil && name.key != "" && p.fieldLine(l.Start, marker, name) {
			continue
		}
		if p.item != nil {
			p.plainLabel(b, l)
		}
		if p.item == nil && p.sec.Kind == brenner.AnomalyRegister && !p.sec.NoneRegistered {
			p.sec.NoneRegistered = saysNone(p.src[l.Start:l.End])
		}
		p.content()
	}
}

// lacksHeading reports whether line i of a block begins an item without a heading, above the first of
// the section: number 1 has none, number 2 does, and the line and the one below begin fields that items of
// the section have. Any other text may be above the items (decisions.md 65).
func (p *parser) lacksHeading(b *markdown.Block, i int, name fieldName, marker uint32) bool {
	sec := p.sec.Kind
	if b.InQuote || marker == markdown.NoMarker && !p.beginsLine(b.Parts[i].Start) || sec == brenner.PredictionsTable ||
		name.known == nil || !name.known.Required || len(name.known.Values) > 0 || p.fieldBelow(b, i).known == nil {
		return false
	}
	p.scan()
	return p.items[brenner.ItemID{Section: sec, Number: 1}] == 0 && p.items[brenner.ItemID{Section: sec, Number: 2}] > 0
}

// fieldName describes a line that begins with the label of a field.
type fieldName struct {
	key          string // "" if it does not
	known        *brenner.Field
	label, value source.Span
}

// fieldName reads the label that begins a line, of a field of the open section's items.
func (p *parser) fieldName(l source.Span) fieldName {
	if p.killed && strings.HasPrefix(p.src[l.Start:l.End], strike) {
		l.Start += len(strike)
	}
	if p.sec == nil || strongMark(p.src[l.Start:l.End]) == "" {
		return fieldName{}
	}
	label, n, ok := SplitLabel(p.src[l.Start:l.End])
	if !ok {
		return fieldName{}
	}
	label = label.Shift(l.Start)
	key, known := p.fieldKey(p.value(label))
	return fieldName{key, known, label, source.Span{Start: l.Start + n, End: l.End}}
}

// fieldLine opens the field of a line that begins at byte start, or at the marker of its list item. It
// must be at the beginning of its line in the text, indented by at most three spaces: beyond that it
// belongs to a list or to code. A field may be a list item if the first field of its item is one. So may,
// below fields that are none, one that the item does not have yet, or as such an item, and what describes
// a kill (decisions.md 62).
func (p *parser) fieldLine(start int, marker uint32, name fieldName) bool {
	listed := marker != markdown.NoMarker
	if !listed && !p.beginsLine(start) {
		return false
	}
	if listed {
		start = int(marker)
		column, isBullet := p.indentOf(start), p.src[start] < '0'
		isKill := name.known == nil && brenner.IsSystemField(name.key)
		switch isField := name.known != nil || isKill; {
		case len(p.item.Fields) == 0 && isField:
			p.item.listed = column
		case p.item.listed > 0 && (isField || p.item.listed == column):
		case p.killed && isKill && isBullet:
		case name.known != nil && isBullet && column == 1 && !p.isGivenUnlisted(name.key):
		default:
			return false
		}
	}
	if name.known == nil && p.field != nil && p.field.Known != nil && p.field.Known.Kind == brenner.OutcomesField {
		if id, ok := brenner.ParseItemID(name.key); ok && id.Section == brenner.HypothesisSlate {
			return false // `**H1**: …` is an outcome
		}
	}
	if p.remark && (name.known == nil && !brenner.IsSystemField(name.key) || p.firstGiven(name.key) != nil) {
		return false
	}
	p.closeField(start)
	p.field = &Field{Key: name.key, Known: name.known, Label: name.label, Value: name.value}
	if name.known != nil || brenner.IsSystemField(name.key) {
		if p.field.First = p.firstGiven(name.key); p.field.First != nil {
			p.item.Repeated = append(p.item.Repeated, p.field)
		} else {
			p.given = append(p.given, p.field)
		}
	}
	if p.item.Fields == nil {
		p.item.Fields = make([]*Field, 0, len(p.sec.Kind.Fields()))
	}
	p.item.Fields = append(p.item.Fields, p.field)
	p.content()
	p.tags = OpenTags(p.src[name.value.Start:name.value.End])
	return true
}

// firstGiven returns the open item's first field with a key, nil if it has none.
func (p *parser) firstGiven(key string) *Field {
	if i := slices.IndexFunc(p.given, func(f *Field) bool { return f.Key == key }); i >= 0 {
		return p.given[i]
	}
	return nil
}

// isGivenUnlisted reports whether the open item's first field with a key is no list item.
func (p *parser) isGivenUnlisted(key string) bool {
	f := p.firstGiven(key)
	return f != nil && markerLen(p.src[f.Label.Start-p.indentOf(f.Label.Start)+1:f.Label.Start]) == 0
}

// beginsLine reports whether only up to three spaces are before off.
func (p *parser) beginsLine(off int) bool {
	before := p.src[off-p.indentOf(off)+1 : off]
	return len(before) <= 3 && strings.Trim(before, " ") == ""
}

// indentOf returns the column of an offset, from 1.
func (p *parser) indentOf(off int) int { return off - strings.LastIndexByte(p.src[:off], '\n') }

// maxLabel is the longest label that is read as one.
const maxLabel = 80

// strongMark returns the mark that begins a bold text, ** or __; "" if none does.
func strongMark(s string) string {
	if strings.HasPrefix(s, "**") || strings.HasPrefix(s, "__") {
		return s[:2]
	}
	return ""
}

// SplitLabel reads `**Label**:` or `**Label:**` (or with __) at the beginning of a line;
// the value begins at byte n. The end of a strike may be before or behind the colon.
func SplitLabel(s string) (label source.Span, n int, ok bool) {
	mark := strongMark(s)
	if mark == "" {
		return label, 0, false
	}
	end := strings.Index(s[2:], mark)
	if end < 1 || end > maxLabel {
		return label, 0, false
	}
	text := s[2 : 2+end]
	n = end + 4
	if rest, ok := strings.CutSuffix(strings.TrimSuffix(text, strike), ":"); ok {
		text = rest
	} else {
		rest := strings.TrimLeftFunc(strings.TrimPrefix(s[n:], strike), unicode.IsSpace)
		if !strings.HasPrefix(rest, ":") {
			return label, 0, false
		}
		n = len(s) - len(rest) + 1
	}
	label = trim(s, source.Span{Start: 2, End: 2 + len(text)})
	return label, n, !label.Empty() && s[label.Start] != mark[0]
}

// fieldKey returns the JSON key and the field of a label, in any case; for an unknown one
// the label.
func (p *parser) fieldKey(label string) (string, *brenner.Field) {
	if label = brenner.FoldSpace(label); label == "" {
		return "", nil
	}
	if f := fieldLabelled(p.sec.Kind, label); f != nil {
		return f.Key, f
	}
	return cmp.Or(killKey(label), label), nil
}

// fieldLabelled returns the field of a section with a label, a synonym or a JSON key, in any case;
// nil if there is none.
func fieldLabelled(sec brenner.Section, label string) *brenner.Field {
	isLabel := func(s string) bool { return len(label) == len(s) && strings.EqualFold(label, s) }
	for _, f := range sec.Fields() {
		if isLabel(f.Label) || isLabel(f.Key) || slices.ContainsFunc(f.Synonyms, isLabel) {
			return f
		}
	}
	return nil
}

// trim strips white space from both ends of a span.
func (p *parser) trim(s source.Span) source.Span { return trim(p.src, s) }

// trim strips white space, of any of Unicode's kinds, from both ends of a span. Most have none: to see
// that first saves 2 % of the check of an artifact.
func trim(src string, s source.Span) source.Span {
	if s.Empty() || isPrint(src[s.Start]) && isPrint(src[s.End-1]) {
		return s
	}
	text := src[s.Start:s.End]
	s.Start += len(text) - len(strings.TrimLeftFunc(text, unicode.IsSpace))
	s.End = s.Start + len(strings.TrimSpace(text))
	return s
}

func isPrint(c byte) bool { return ' ' < c && c < utf8.RuneSelf }

// heading opens what a heading begins; it reports false if the heading is part
// of a value.
func (p *parser) heading(b *markdown.Block) bool {
	text, title := p.headingSpan(b), p.headingText(b)
	proper := Misheading{Level: int(b.Level), Span: p.trim(b.Span)}
	wrong := proper
	wrong.Form, wrong.Mark = WrongLevel, source.Span{Start: proper.Span.Start, End: proper.Span.Start + proper.Level}
	kind := brenner.SectionByTitle(title)
	if kind == 0 && b.Level <= 2 && !isSetext(b) && !p.headsItem(title, false) && (b.Level != 1 || !p.isComment(b, title)) {
		kind = p.continued(title)
	}
	p.remark = p.remark || p.field != nil && b.Level == 1 && !p.isBelowText(b)
	switch {
	case kind != 0 && b.Level <= 2:
		p.openSection(kind, text, proper)
	case kind != 0 && !p.hasSection(kind):
		p.openSection(kind, text, wrong)
	case isSetext(b) || p.sec == nil:
		return false
	case b.Level != 3 && p.headsItem(title, false):
		p.openItem(text, wrong)
	case b.Level > 3 || b.Level == 3 && (p.namesField(title) || p.remark && !p.lacks(b, title)):
		return false
	case b.Level == 3 && p.holdsItem(b, title):
		p.openItem(text, proper)
	case b.Level == 3:
		p.closeField(b.Span.Start)
		p.content()
	case b.Level == 1 && p.isComment(b, title):
		return false
	default:
		p.closeSection(b.Span.Start)
	}
	return true
}

// continued returns the section that has an item more below the heading that is read, which does not have
// its title: `## Additional Hypotheses`. It returns 0 if there is none.
func (p *parser) continued(title string) brenner.Section {
	names := func(sec brenner.Section) bool {
		return brenner.ContainsFold(title, sec.Title()) || brenner.ContainsFold(title, sec.Plural())
	}
	predictions := p.a.Section(brenner.PredictionsTable)
	for i := p.next; i < len(p.a.Doc.Blocks); i++ {
		b := &p.a.Doc.Blocks[i]
		switch {
		case b.InList || b.InQuote:
		case b.Kind == markdown.Heading && b.Level <= 2 && !isSetext(b):
			return 0
		case b.Kind == markdown.Heading && b.Level == 3:
			p.scan()
			id, ended := headingID(p.headingText(b))
			if ended && p.items[id] == 1 && p.a.Section(id.Section) != nil && id.Section != brenner.PredictionsTable && names(id.Section) {
				return id.Section
			}
		case b.Kind == markdown.Paragraph && predictions != nil && names(predictions.Kind):
			if t, ok := p.a.Doc.Table(b); ok && len(t.Rows) > 0 && p.isPrediction(predictions, t.Rows[0].Cells[0], true) {
				return brenner.PredictionsTable
			}
		}
	}
	return 0
}

// namesField reports whether the text of an H3 is the name of a field that the open item does not have. A
// flag may be the name of another item: `Third alternative`.
func (p *parser) namesField(title string) bool {
	if p.item == nil {
		return false
	}
	label, _, _ := strings.Cut(title, ":")
	label, _ = brenner.Unmark(label)
	key, known := p.fieldKey(label)
	return known != nil && p.firstGiven(key) == nil && known.Kind != brenner.FlagField
}

// lacks reports whether an H3 begins an item of the open section: by its id, or by a field below it.
func (p *parser) lacks(b *markdown.Block, title string) bool {
	id, _ := headingID(title)
	return id.Section == p.sec.Kind || p.fieldBelow(b, len(b.Parts)-1).known != nil
}

// holdsItem reports whether an H3 begins an item of the open section: all do in sections
// with items, in the predictions table those with an id and a field below, and in the research thread those of other
// sections, whose own heading may be missing.
func (p *parser) holdsItem(b *markdown.Block, title string) bool {
	switch p.sec.Kind {
	case brenner.PredictionsTable: // a note on an id has no fields
		id, ended := headingID(title)
		return id.Section > brenner.ResearchThread && ended && p.fieldBelow(b, len(b.Parts)-1).key != ""
	case brenner.ResearchThread:
		id, _ := headingID(title)
		return id.Section > brenner.ResearchThread
	}
	return true
}

// isSetext reports whether a heading is one by underline: most are text above a rule (---).
func isSetext(b *markdown.Block) bool {
	return len(b.Parts) > 0 && b.Parts[0].Start == b.Span.Start
}

// isComment reports whether an H1 is a comment of a command in a field without a fence:
// no artifact has an H1 among its sections, unless they are H1 themselves; then it is
// one that follows a line of text.
func (p *parser) isComment(b *markdown.Block, title string) bool {
	if p.field == nil || brenner.HasPrefixFold(title, brenner.ArtifactTitle) {
		return false
	}
	return p.level != 1 || p.isBelowText(b)
}

// isBelowText reports whether the line above a heading has text.
func (p *parser) isBelowText(b *markdown.Block) bool {
	before := p.src[:strings.LastIndexByte(p.src[:b.Span.Start], '\n')+1]
	before = strings.TrimRight(strings.TrimSuffix(before, "\n"), " \t\r")
	return len(before) > 0 && before[len(before)-1] != '\n'
}

// openSection opens the section whose heading is written as form says; text is its title.
func (p *parser) openSection(kind brenner.Section, text source.Span, form Misheading) {
	if p.sec != nil && p.sec.Kind == kind && p.a.InConflict(p.sec.Heading, text) {
		return // the other version of its heading
	}
	p.closeSection(form.Span.Start)
	p.sec = &Section{Kind: kind, Heading: text, Span: form.Span, Misheaded: form.orNil()}
	p.level = form.Level
	if p.sec.Misheaded != nil {
		p.level, p.sections[kind] = 2, true // once
	}
	p.a.addSection(p.sec)
	p.content()
	if kind == brenner.ResearchThread {
		p.item = &Item{ID: brenner.ItemID{Section: kind}, IDSpan: text, Heading: text, Span: form.Span}
		p.item.NameSpan = source.Span{Start: text.End, End: text.End}
		p.sec.Items = []*Item{p.item}
		p.given = p.given[:0]
	}
}

// headingSpan returns the text of a heading; without text, the empty span after its marks.
func (p *parser) headingSpan(b *markdown.Block) source.Span {
	if len(b.Parts) == 0 {
		end := p.trim(b.Span).End
		return source.Span{Start: end, End: end}
	}
	return p.trim(source.Span{Start: b.Parts[0].Start, End: b.Parts[len(b.Parts)-1].End})
}

// headingText returns the text of a heading, its lines joined by a space.
func (p *parser) headingText(b *markdown.Block) string {
	lines := make([]string, len(b.Parts))
	for i, l := range b.Parts {
		lines[i] = p.text(l)
	}
	return strings.TrimSpace(strings.Join(lines, " "))
}

// saysNone reports whether a sentence of a line states that there are no anomalies, and no
// exception: `None registered`, `None.`, `No anomalies so far`, `There are no open anomalies.`
func saysNone(line string) bool {
	if strings.Contains(strings.ToLower(line), "none registered") {
		return true
	}
	sentences := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(".;!?", r) })
	return slices.ContainsFunc(sentences, func(s string) bool { return isNone().MatchString(s) && !hasException().MatchString(s) })
}

var isNone = sync.OnceValue(func() *regexp.Regexp {
	const (
		gap        = "[\\s\\v\\x{85}\\p{Z}*_~`,()\\[\\]<>]"
		adjectives = "active|current|deferred|further|known|new|open|other|outstanding|quarantined|recorded|registered|significant|unexplained|unresolved"
		// restricts nothing: `none so far`, but not `none of them`.
		remarks = "at|been|currently|date|detected|far|found|have|identified|moment|noted|observed|present|record|register|report|reported|seen|so|stage|the|this|time|to|yet"

		begin = "^" + gap + "*(?:anomal(?:y|ies)" + gap + "*:" + gap + "*)?(?:currently" + gap + "+)?(?:there" + gap + "+(?:are|is|were)" + gap + "+)?(?:currently" + gap + "+)?(?:we" + gap + "+(?:have" + gap + "+)?(?:found|have|observed|see)" + gap + "+)?"
		rest  = "(?:" + gap + "+(?:" + adjectives + "|" + remarks + "))*(?:" + gap + "+as" + gap + "+of" + gap + "+\\S+)?" + gap + "*(?:$|[—–])"
		none  = "(?:none|n/?a|not" + gap + "+applicable|nothing" + gap + "+(?:" + adjectives + "|" + remarks + "))" + rest
		empty = "(?:the" + gap + "+)?(?:anomaly" + gap + "+)?register" + gap + "+(?:is" + gap + "+)?empty" + rest
		no    = "(?:no|zero|0)(?:" + gap + "+(?:" + adjectives + "))*" + gap + "+(?:(?:anomal(?:y|ies)|entr(?:y|ies)|exceptions?)(?:$|" + gap + ")|(?:contradiction|item|observation)s?" + rest + ")"
	)
	return regexp.MustCompile("(?i)" + begin + "(?:" + none + "|" + empty + "|" + no + ")")
})

// hasException finds a word that takes back a part of what is said.
var hasException = text.Pattern(`(?i)\b(?:although|apart|aside|beside|besides|but|except|excepting|however|other than|though|unless)\b`)

// plainLabel records the name of a field that begins a line which is not a field line:
// `Claim: …`, `*Claim*: …`, `**Claim** …`, `🎯 **Claim**: …` or, as a heading, `#### Claim`.
func (p *parser) plainLabel(b *markdown.Block, l source.Span) {
	line := p.src[l.Start:min(l.End, l.Start+maxLabel)]
	start, end := l.Start, strings.IndexByte(line, ':')
	if b.Kind == markdown.Heading && !b.InList && !b.InQuote && !isSetext(b) {
		if start = p.trim(b.Span).Start; end < 0 {
			end = len(line)
		}
	}
	if mark := strongMark(line); mark != "" {
		if n := strings.Index(line[2:], mark) + 2 + len(mark); n > len(mark)+1 && (end < 0 || end > n) {
			end = n + len(line[n:]) - len(strings.TrimLeft(line[n:], "*_"))
		}
	}
	if end <= 0 {
		return
	}
	isMark := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	_, known := p.fieldKey(strings.TrimFunc(line[:end], isMark))
	if known == nil || slices.ContainsFunc(p.item.PlainLabels, func(l PlainLabel) bool { return l.Field == known }) {
		return
	}
	rest := strings.TrimLeft(line[end:], " \t")
	for _, mark := range [...]string{":", "：", "—", "–", "-", "="} {
		if strings.HasPrefix(rest, mark) {
			end = len(line) - len(rest) + len(mark)
		}
	}
	if opened := line[:len(line)-len(strings.TrimLeft(line, "*_"))]; strings.HasPrefix(line[end:], opened) {
		end += len(opened) // `*Claim:* …`
	}
	p.item.PlainLabels = append(p.item.PlainLabels, PlainLabel{known, source.Span{Start: start, End: l.Start + end}})
}
