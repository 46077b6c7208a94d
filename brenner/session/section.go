package session

import (
	"bytes"
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/source"
)

// Section is a heading of a body and what is under it.
type Section struct {
	Title string // the heading's text, without emphasis or backticks around it
	Level int
	// Heading is the span of the heading's text, Content that of everything up to the
	// next heading of the same or a higher level, both in the body.
	Heading, Content source.Span
	// Blocks are the leaf blocks of the content.
	Blocks []markdown.Block

	// Nested reports a heading in a list or quotation.
	Nested bool

	doc *markdown.Document
}

// sections lists the headings of doc, whose text counts up to end. A heading in a list
// or quotation is also a section, but does not end any outside of it: quoted text does
// not cut the section it is quoted in.
func sections(doc *markdown.Document, end int) []Section {
	var out []Section
	var at []int // the block of each
	for i := range doc.Blocks {
		b := &doc.Blocks[i]
		if b.Kind != markdown.Heading {
			continue
		}
		s := Section{Title: title(doc.HeadingText(b)), Level: int(b.Level), Heading: b.Span, Nested: b.InList || b.InQuote, doc: doc}
		s.Content = source.Span{Start: b.Span.End, End: max(end, b.Span.End)}
		s.Blocks = doc.Blocks[i+1:]
		if len(b.Parts) > 0 {
			s.Heading = source.Span{Start: b.Parts[0].Start, End: b.Parts[len(b.Parts)-1].End}
		}
		out, at = append(out, s), append(at, i)
	}
	for i := range out { // a heading is passed at most once for each level, in and outside of lists
		s := &out[i]
		for j := i + 1; j < len(out); j++ {
			if ends(&out[j], s) {
				s.Content.End = max(doc.Blocks[at[j]].Span.Start, s.Content.Start)
				s.Blocks = doc.Blocks[at[i]+1 : at[j] : at[j]]
				break
			}
		}
	}
	return out
}

// ends reports whether a new heading ends a section.
func ends(s, earlier *Section) bool {
	if earlier.Nested != s.Nested {
		return earlier.Nested
	}
	return s.Level <= earlier.Level
}

// Is reports whether the heading begins with the name, in any case, and ends there or goes on
// with a space or punctuation.
func (s *Section) Is(name string) bool {
	if !brenner.HasPrefixFold(s.Title, name) {
		return false
	}
	r, size := utf8.DecodeRuneInString(s.Title[len(name):])
	return size == 0 || unicode.IsSpace(r) || unicode.IsPunct(r) || unicode.IsSymbol(r)
}

// Section returns the section of that name, or nil. If several fit, it prefers one that is not
// empty, then one with exactly that title, then the first. Of several names, the first that
// names a section counts.
func (m *Message) Section(names ...string) *Section {
	var best *Section
	var rank int
	for _, name := range names {
		for i := range m.Sections {
			s := &m.Sections[i]
			if !s.Is(name) {
				continue
			}
			r := 1
			if len(s.Title) == len(name) {
				r++
			}
			if !s.Empty() {
				r += 2
			}
			if r > rank {
				best, rank = s, r
			}
		}
		if best != nil {
			return best
		}
	}
	return nil
}

// Empty reports whether the section contains only white space, comments, rules or a
// `{template placeholder}` (decisions.md 5).
func (s *Section) Empty() bool {
	for i := range s.Blocks {
		if !blank(s.doc, &s.Blocks[i]) {
			return false
		}
	}
	return true
}

func blank(doc *markdown.Document, b *markdown.Block) bool {
	switch b.Kind {
	case markdown.ThematicBreak:
		return true
	case markdown.Heading:
		return false
	}
	isText := b.Kind == markdown.Paragraph || b.Kind == markdown.HTML // <one sentence> is a tag
	var text []byte
	for l := range doc.Lines(b) {
		line := doc.Text.Bytes(l)
		if word := bytes.TrimSpace(line); len(text) == 0 && len(word) > 0 && word[0] != '<' && !(isText && word[0] == '{') {
			return false // neither a comment nor a placeholder
		}
		text = append(append(text, line...), '\n')
	}
	text = bytes.TrimSpace(comments().ReplaceAll(text, nil))
	return len(text) == 0 || isText && IsPlaceholder(string(text))
}

// comments are HTML comments; an unclosed one runs to the end.
var comments = text.Pattern(`(?s)<!--.*?(?:-->|$)`)

// IsPlaceholder reports whether text is an unfilled `{placeholder}` of the
// specification's templates, or a `<placeholder>` of a suggestion. JSON is not one.
func IsPlaceholder(text string) bool {
	text = strings.TrimSpace(text)
	return brenner.IsPlaceholder(text) || len(text) > 2 && text[0] == '{' && text[len(text)-1] == '}' &&
		!strings.ContainsAny(text[1:len(text)-1], "{}\"")
}

// FirstLine returns the first of the section's Lines; without lines, the empty span at the end
// of the heading.
func (s *Section) FirstLine() source.Span {
	for line := range s.Lines() {
		return line
	}
	return source.Span{Start: s.Heading.End, End: s.Heading.End}
}

// Lines yields the lines of the section that are not empty, without list marker, and
// without emphasis or backticks around them.
func (s *Section) Lines() iter.Seq[source.Span] {
	return func(yield func(source.Span) bool) {
		for i := range s.Blocks {
			b := &s.Blocks[i]
			if len(b.Parts) == 0 || blank(s.doc, b) || b.Kind == markdown.HTML && !bytes.HasPrefix(s.doc.Text.Bytes(b.Span), []byte("<!--")) {
				continue
			}
			all := source.Span{Start: b.Parts[0].Start, End: b.Parts[len(b.Parts)-1].End} // a comment may be several lines
			shown := brenner.HideComments(s.doc.Text.Slice(all))
			for l := range s.doc.Lines(b) {
				whole := shown[l.Start-all.Start : l.End-all.Start]
				line := strings.TrimSpace(whole)
				if line == "" {
					continue
				}
				text, from := brenner.Unmark(line)
				l.Start += strings.Index(whole, line) + from
				if !yield(source.Span{Start: l.Start, End: l.Start + len(text)}) {
					return
				}
			}
		}
	}
}

// Text returns a span of the section as a string.
func (s *Section) Text(span source.Span) string { return s.doc.Text.Slice(span) }

// title returns a heading without emphasis and backticks around it: `**Target**`, and
// `**Target**:` too.
func title(heading string) string {
	heading = brenner.FoldSpace(brenner.WithoutComments(heading))
	if t, n := brenner.Unmark(strings.TrimSuffix(heading, ":")); n > 0 {
		return t
	}
	return heading
}

// Field is a line with a name and a value: `**Name**: value` or `**Name:** value`, or
// with __, alone or as a list item (decisions.md 7 and 42).
type Field struct {
	Name string
	// Label is the span of the name; Value that of the value, without white space,
	// backticks and emphasis around it. A remark after a value in backticks does not
	// belong to it.
	Label, Value source.Span
	Text         string // the value
}

// Field returns the first field line of that name, in any case, or nil.
func (m *Message) Field(name string) *Field { return find(m.Fields, name) }

// Field returns the first field line of that name in the section, or nil.
func (s *Section) Field(name string) *Field {
	return find(readFields(s.doc, s.Blocks, false), name)
}

func find(fields []Field, name string) *Field {
	for i := range fields {
		if strings.EqualFold(fields[i].Name, name) {
			return &fields[i]
		}
	}
	return nil
}

// Pairs returns the lines `Name: value` of the section, with the name bold or not:
// `- Hypotheses: 3`, `- Schema: PASS`, and the rows of tables with two columns.
func (s *Section) Pairs() []Field {
	out := readFields(s.doc, s.Blocks, true)
	for i := range s.Blocks {
		t, ok := s.doc.Table(&s.Blocks[i])
		if !ok || len(t.Header.Cells) != 2 {
			continue
		}
		for _, r := range t.Rows {
			if len(r.Cells) == 2 {
				name, _ := brenner.Unmark(s.Text(r.Cells[0]))
				f := Field{Name: brenner.FoldSpace(name), Label: r.Cells[0]}
				f.setValue(s.Text(r.Cells[1]), r.Cells[1].Start)
				out = append(out, f)
			}
		}
	}
	return out
}

// readFields returns the field lines of paragraphs; bare ones, whose names are not bold, too.
func readFields(doc *markdown.Document, blocks []markdown.Block, bare bool) []Field {
	read := func(text string, at source.Span) (Field, bool) {
		if !bare && !isBold(text) {
			return Field{}, false
		}
		return fieldLine(text, at)
	}
	var out []Field
	for i := range blocks {
		b := &blocks[i]
		if b.Kind != markdown.Paragraph || b.InQuote {
			continue
		}
		for j, line := range b.Parts {
			f, ok := read(brenner.HideComments(doc.Text.Slice(line)), line)
			if !ok {
				continue
			}
			if f.Text == "" && j+1 < len(b.Parts) { // the next line may be the value
				next := b.Parts[j+1]
				if _, isField := read(doc.Text.Slice(next), next); !isField && !next.Empty() {
					f.setValue(brenner.HideComments(doc.Text.Slice(next)), next.Start)
				}
			}
			out = append(out, f)
		}
	}
	return out
}

func isBold(line string) bool { return strings.HasPrefix(line, "**") || strings.HasPrefix(line, "__") }

// fieldLine reads the text of one line without white space around it.
func fieldLine(s string, line source.Span) (Field, bool) {
	var label string
	var at int // where the value begins in s
	if isBold(s) {
		span, n, ok := artifact.SplitLabel(s)
		if !ok {
			return Field{}, false
		}
		label, at = s[span.Start:span.End], n
	} else {
		colon := strings.IndexByte(s, ':')
		label, at = strings.TrimSpace(s[:max(colon, 0)]), colon+1
	}
	if label == "" {
		return Field{}, false
	}
	f := Field{Name: brenner.FoldSpace(label)}
	f.Label.Start = line.Start + strings.Index(s, label)
	f.Label.End = f.Label.Start + len(label)
	f.setValue(s[at:], line.Start+at)
	return f, true
}

// setValue reads the value in a text that begins at an offset.
func (f *Field) setValue(text string, at int) {
	rest := strings.TrimLeftFunc(text, unicode.IsSpace)
	f.Text, f.Value.Start = codeFirst(brenner.TrimBreak(rest))
	f.Value.Start += at + len(text) - len(rest)
	f.Value.End = f.Value.Start + len(f.Text)
}

// codeFirst returns a value without emphasis and backticks: a code span that begins the
// value is the value, whatever remark follows.
func codeFirst(value string) (string, int) {
	if strings.HasPrefix(value, "`") {
		if end := strings.IndexByte(value[1:], '`'); end > 0 && strings.HasPrefix(value[end+2:], " ") {
			return value[1 : 1+end], 1
		}
	}
	return brenner.Unmark(value)
}

// Contributor is one agent listed in the Contributors section of a COMPILED.
type Contributor struct {
	Name string      // "" in a table whose cell cannot be read
	Span source.Span // of the name, in the body
	// Alone reports that the name stands behind another one of its line, without a remark.
	Alone bool
	// Count is the number of deltas claimed, if HasCount; CountSpan its place.
	Count     int
	HasCount  bool
	CountSpan source.Span
}

// Contributors returns the agents that the section names: in the rows of a table (column Agent,
// or the first), in list items, or separated by commas. Names in other prose do not count. Names of
// more than one word are found if they are given, by how they may be written.
func (s *Section) Contributors(names map[string]string) []Contributor {
	var out []Contributor
	for i := range s.Blocks {
		b := &s.Blocks[i]
		if b.Kind == markdown.Heading && rejectedLabel().MatchString(s.Text(b.Span)) {
			return out
		}
		if b.Kind != markdown.Paragraph {
			continue
		}
		if t, ok := s.doc.Table(b); ok {
			out = append(out, s.contributorRows(t, names)...)
			continue
		}
		for _, l := range b.Parts {
			if rejectedLabel().MatchString(s.Text(l)) {
				return out
			}
			out = append(out, s.contributorLine(l, names)...)
		}
	}
	return out
}

func (s *Section) contributorRows(t *markdown.Table, names map[string]string) []Contributor {
	agent, deltas := 0, -1
	for i, c := range t.Header.Cells {
		switch name := strings.ToLower(s.Text(c)); {
		case name == "agent":
			agent = i
		case appliedColumn().MatchString(name), deltas < 0 && strings.Contains(name, "delta"):
			deltas = i
		}
	}
	var out []Contributor
	for i, r := range t.Rows {
		if agent >= len(r.Cells) {
			continue
		}
		c, _, ok := s.contributor(r.Cells[agent], names)
		label := strings.Trim(s.Text(r.Cells[agent]), " \t*_`:")
		saysTotal := func(name string) bool { return SaysTotal(name) && names[name] == "" }
		isTotal := i > 0 && (saysTotal(label) || saysTotal(c.Name))
		if deltas >= 0 && deltas < len(r.Cells) {
			s.readCount(&c, r.Cells[deltas])
		}
		if isTotal || !ok && (c.Count == 0 || saysNone(s.Text(r.Cells[agent]))) {
			continue
		}
		out = append(out, c)
	}
	return out
}

// appliedColumn matches the header of the deltas that were merged, among others: of those sent, or rejected.
var appliedColumn = text.Pattern("^(?:deltas? )?(?:applied|merged|accepted)(?: deltas?)?$")

// rejectedLabel matches the label or heading above what was not merged.
var rejectedLabel = text.Pattern("(?i)^[ \\t*_`#]*(?:rejected|skipped|not (?:applied|merged))(?: deltas?)?(?: \\([^()]*\\))?[*_` \\t]*:?[*_` \\t]*$")

// totalRow matches what a table has in place of an agent, and totalLine a number for all agents.
var (
	totalRow  = text.Pattern(`(?i)^(?:totals?|sum|notes?|rejected|overall|all(?: agents)?)$`)
	totalLine = text.Pattern("(?i)^[ \t*_`]*(overall|all(?: agents)?)[*_` \t]*:[*_ \t]*[0-9]+(?:[ \t]+deltas?\\b[^,;]*)?$")
)

// SaysTotal reports whether a name is not that of an agent, but of all, unless an agent has it.
func SaysTotal(name string) bool { return totalRow().MatchString(name) }

// listLabel matches the label before a list of agents, or before what is none (in a group).
var listLabel = text.Pattern("(?i)^[ \\t*_`]*(?:(totals?|sum|notes?|rejected)|(?:all )?agents?|(?:contributors?|contributing agents)(?: \\(\\d+\\))?)[*_` \\t]*:[*_ \\t]*")

// contributorLine reads a line that lists agents: `BlueLake (2 deltas), RedLake`. After
// `BlueLake: 2 deltas, H3` the commas may belong to the remark: what follows is an agent
// only if it has its own remark. A full stop ends a list, but makes none of a word.
func (s *Section) contributorLine(line source.Span, names map[string]string) []Contributor {
	var out []Contributor
	if m := totalLine().FindStringSubmatch(s.Text(line)); m != nil && names[m[1]] == "" {
		return nil
	}
	if label := listLabel().FindStringSubmatch(s.Text(line)); label != nil && names[strings.Trim(label[0], " \t*_`:")] == "" {
		switch after := s.Text(line)[len(label[0]):]; {
		case label[1] != "", strings.Trim(after, "0123456789 \t") == "":
			return nil
		case !saysNone(after):
			line.Start += len(label[0])
		}
	}
	open := false
	for _, e := range brenner.SplitList(s.withCommas(s.Text(line), line.Start, names)) {
		c, remark, ok := s.contributor(source.Span{Start: line.Start + e.Start, End: line.Start + e.End}, names)
		if remark == "." {
			remark, ok = "", ok && len(out) > 0
		}
		c.Alone = remark == "" && len(out) > 0
		if ok && (remark != "" || !open) {
			out = append(out, c)
		}
		open = open || ok && remark != "" && remark[0] != '(' && remark[0] != '['
	}
	if len(out) == 1 && saysOutcome().MatchString(s.Text(line)) { // `BlueLake: 2 deltas, 1 rejected`
		out[0].HasCount = false
		s.readCount(&out[0], source.Span{Start: out[0].Span.End, End: line.End})
	}
	return out
}

// asComma puts commas in place of the words between agents; offsets stay.
var asComma = strings.NewReplacer(" and ", " ,   ", " & ", " , ")

// withCommas returns a text with commas in place of `and`, and of the semicolons before agents with a remark:
// `BlueLake: 2 deltas; RedLake: 1 delta`.
func (s *Section) withCommas(text string, at int, names map[string]string) string {
	pieces := strings.SplitAfter(text, ";")
	for i, piece := range pieces {
		_, remark, ok := s.contributor(source.Span{Start: at, End: at + len(strings.TrimSuffix(piece, ";"))}, names)
		if i > 0 && ok && remark != "" {
			pieces[i-1] = strings.TrimSuffix(pieces[i-1], ";") + ","
		}
		at += len(piece)
	}
	return asComma.Replace(strings.Join(pieces, ""))
}

// contributor reads one entry: a name, and optionally a remark after a colon, a dash or
// in parentheses.
func (s *Section) contributor(e source.Span, names map[string]string) (c Contributor, remark string, ok bool) {
	text := s.Text(e)
	trimmed := strings.TrimLeft(text, " \t*`@")
	name := trimmed[:len(trimmed)-len(strings.TrimLeftFunc(trimmed, isNameRune))]
	start := e.Start + len(text) - len(trimmed)
	remark, ok = remarkOf(trimmed[len(name):])
	if inner := strings.Trim(name, "_"); name != "" && name[0] == '_' && name[len(name)-1] == '_' { // emphasis
		start, name = start+strings.Index(name, inner), inner
	}
	_, isItem := brenner.ParseItemID(name)
	ok = ok && IsAgentName(name) && !isItem
	c = Contributor{Name: name, Span: source.Span{Start: start, End: start + len(name)}}
	trimmed = strings.TrimLeft(trimmed, "_")
	for end := min(len(trimmed), mostName); end > 0 && len(names) > 0; end-- {
		known, isKnown := names[trimmed[:end]]
		if !isKnown {
			continue
		}
		if after, isEnd := remarkOf(trimmed[end:]); isEnd {
			start = e.End - len(trimmed)
			c, remark, ok = Contributor{Name: known, Span: source.Span{Start: start, End: start + end}}, after, true
			break
		}
	}
	if !ok {
		return Contributor{}, "", false
	}
	s.readCount(&c, source.Span{Start: c.Span.End, End: e.End})
	return c, remark, true
}

// mostName bounds the names, in bytes, that are looked for at the beginning of an entry.
const mostName = 200

// remarkOf returns the remark after a name, and whether the name ends there.
func remarkOf(rest string) (remark string, ok bool) {
	remark = strings.TrimLeft(rest, " \t*`_")
	first, _ := utf8.DecodeRuneInString(remark)
	return remark, remark == "" || remark == "." || rest[0] != '-' && strings.ContainsRune(":(–—-[", first)
}

// readCount reads the number of deltas in a cell or remark: a number alone, or
// one before the word delta. Of `14/15 deltas` it is the first, and of `15 deltas (14 applied)` the one of
// those applied; `15 deltas, 1 rejected` has none. `#14` is the id of a message.
func (s *Section) readCount(c *Contributor, at source.Span) {
	text := s.Text(at)
	if m := appliedCount().FindStringSubmatchIndex(text); m != nil {
		c.Count, _ = brenner.ParseNumber(text[m[2]:m[3]])
		c.HasCount, c.CountSpan = true, source.Span{Start: at.Start + m[2], End: at.Start + m[3]}
		return
	}
	if strings.Contains(strings.ToLower(text), "rejected") {
		return
	}
	for i := 0; i < len(text); {
		n, digits := brenner.ParseNumber(text[i:])
		if digits == 0 || i > 0 && (text[i-1] == '#' || isNameRune(rune(text[i-1]))) {
			i += max(digits, 1)
			continue
		}
		after := text[i+digits:]
		what := after[len(ofAll().FindString(after)):]
		if brenner.HasPrefixFold(what, "delta") || noWord(text[:i]) && noWord(after) {
			c.Count, c.HasCount = n, true
			c.CountSpan = source.Span{Start: at.Start + i, End: at.Start + i + digits}
			return
		}
		i += digits
	}
}

// saysOutcome matches what became of deltas.
var saysOutcome = text.Pattern(`(?i)\b(?:applied|merged|accepted|rejected)\b`)

// appliedCount matches a count of applied deltas that says so.
var appliedCount = text.Pattern(`(?i)(?:^|[ \t(:,;—–-])(\d+)(?:[ \t]*(?:/|of|out of)[ \t]*\d+)?(?:[ \t]+deltas?)?[ \t]+(?:applied|merged|accepted)(?:[ \t]+deltas?\b|[ \t]*(?:[^\pL \t]|and\b|$))`)

// ofAll matches what is between a count of applied deltas and the word.
var ofAll = text.Pattern(`^[ \t]*(?:(?:/|of\b|out of\b)[ \t]*\d+[ \t]*)?`)

func noWord(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) < 0
}

// IsAgentName reports whether s may be the name of an agent: a word of letters, digits, _ and -,
// with at least one letter or digit, that does not mean "none".
func IsAgentName(s string) bool {
	return !noWord(s) && !saysNone(s) && strings.IndexFunc(s, func(r rune) bool { return !isNameRune(r) }) < 0
}

func isNameRune(r rune) bool {
	return r == '_' || r == '-' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// saysNone reports whether a text means "none".
func saysNone(s string) bool {
	switch strings.ToLower(strings.Trim(s, " \t.-–—_*()[]")) {
	case "", "none", "nobody", "n/a", "na", "no contributors", "none yet", "tbd", "unknown", "unassigned":
		return true
	}
	return false
}

// IsNone reports whether the first line of the section means "none": `None`, `N/A`, a
// dash.
func (s *Section) IsNone() bool { return saysNone(s.Text(s.FirstLine())) }
