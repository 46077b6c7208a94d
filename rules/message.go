package rules

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/delta"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

// Shared by the rules on messages: the constructors that most of them use, and the
// places and words of their findings (decisions.md 2, 3, 5).

// ofTypes returns the set of message types that a rule checks.
func ofTypes(t ...brenner.MessageType) []brenner.MessageType { return t }

// sectionReq is a section that messages of a type must have.
type sectionReq struct {
	title string
	// purpose says what belongs in it, if its values or its placeholder do not.
	purpose string
	// aliases are headings that writers use instead of it.
	aliases []string
	// values are all that its first line may say, in any case and with or without a final
	// full stop (decisions.md 5).
	values []string
	// names says that the section names something: `None` is as good as nothing.
	names bool
	// given returns the content that other parts of the message say; "" if none does.
	given func(*lint.MessagePass) string
	// unless says where the section is not needed.
	unless func(*lint.MessagePass) bool
	// summary is the rule's summary, if it has to say more than that the section is there.
	summary string
	// first marks the first section of its type: its rule reports a wrapped body.
	first bool
	// required is set by section: the message is wrong without it.
	required bool
}

// section returns the rule that messages of a type have a section that is not empty, and is
// one of its values.
func section(id, name string, severity lint.Severity, source string, t brenner.MessageType, w sectionReq) *lint.Rule {
	w.required = severity == lint.Error
	check := func(p *lint.MessagePass) {
		if w.unless != nil && w.unless(p) {
			return
		}
		s := filledSection(p, w)
		switch {
		case s == nil:
		case w.values != nil:
			checkValue(p, s, w)
		case w.names && s.IsNone():
			at := s.FirstLine()
			p.Report(finding(p.Message.InBody(at), w.title+" says "+text.Quote(s.Text(at))+"; expected "+w.about(),
				"write "+brenner.SectionPlaceholder(w.title)+" instead of the line"))
		}
	}
	r := &lint.Rule{ID: id, Name: name, Severity: severity, SpecRef: source, Types: ofTypes(t), Check: inBody(check),
		Summary: string(t) + " has a `" + w.title + "` section."}
	switch {
	case w.summary != "":
		r.Summary = w.summary
	case w.values != nil:
		r.Summary = string(t) + " `" + w.title + "` is one of " + strings.Join(w.values, ", ") + "."
	case w.required:
		r.Summary = string(t) + " has a non-empty `" + w.title + "` section."
	}
	if w.required {
		r.Help = "write " + w.about() + " under ## " + w.title
	}
	if w.first {
		r.Check = orWrapper(check)
	}
	return r
}

// filledSection returns the section, or reports that it is missing or empty and returns
// nil.
func filledSection(p *lint.MessagePass, w sectionReq) *session.Section {
	s := p.Message.Section(w.title)
	switch {
	case s == nil:
		reportMissing(p, w)
		return nil
	case s.Empty():
		reportEmpty(p, s, w)
		return nil
	}
	return s
}

// reportMissing reports a missing section at the message's subject.
func reportMissing(p *lint.MessagePass, w sectionReq) {
	hidden := hiderOf(p.Message, w.title)
	if hidden != nil && hidden.titles[0] != w.title {
		return
	}
	d := finding(p.Message.SubjectPlace(), string(p.Message.Intended)+" has no "+text.Quote(w.title)+" section ("+w.about()+")", "")
	suggestSectionOf(&d, p, w, hidden)
	p.Report(d)
}

// suggestSectionOf says how to add a missing section, and offers it for a draft: by renaming a
// heading that means it, by turning a field line into a heading, else by adding it.
func suggestSectionOf(d *lint.Diagnostic, p *lint.MessagePass, w sectionReq, hidden *hider) {
	m := p.Message
	heading, name := headingMeant(m, w)
	said := w.said(p)
	names := []string{w.title}
	if len(m.Sections) == len(titles(m)) { // else it may be a part of another section
		names = append(names, w.aliases...)
	}
	line := namedLine(m, names...)
	if line != nil && !isOneOf(line.value, w.values) {
		if meant := nearestValue(line.value, w.values); meant != "" { // what else it says stays
			line.value = meant + "\n\n" + line.value
		}
	}
	var edits []source.Edit
	switch {
	case hidden != nil:
		d.At, d.Suggestion, edits = m.InBody(hidden.above), hidden.advice, hidden.edits
		d.Message += "; " + hidden.says()
	case heading != nil:
		d.Suggestion = "rename the heading " + text.Quote(heading.Title) + " to " + text.Quote(w.title)
		if name.Len() > 0 && (w.required || w.values != nil) { // else the heading may be right
			edits = []source.Edit{{Span: name, Text: w.title}}
		}
	case line != nil:
		d.Suggestion = "replace the line " + text.Quote(line.text) + " with the heading ## " + w.title
		if value, _, _ := strings.Cut(line.value, "\n"); value != "" {
			d.Suggestion += " and, below it, the text " + text.Quote(value)
		}
		var others []string
		if edits, others = headingsFromLines(m, line, w); len(others) > 0 {
			d.Suggestion += "; turn the lines of " + text.And(others) + " into headings, too"
		}
	case said != "":
		d.Suggestion = "add a section: ## " + w.title + ", and below it " + typed(said)
		end := len(bytes.TrimRight(m.Body.Data, " \t\r\n"))
		edits = []source.Edit{insert(end, "\n\n## "+w.title+"\n\n"+said)}
	default:
		d.Suggestion = "add a section: ## " + w.title + ", and below it " + w.content()
	}
	if m.Form == mail.Draft {
		d.Fix = newFix(d.Suggestion, m.Body, edits...)
	}
}

// said returns what other parts of the message say of the section; "" if nothing does.
func (w sectionReq) said(p *lint.MessagePass) string {
	if w.given == nil {
		return ""
	}
	return w.given(p)
}

// about says what belongs in the section.
func (w sectionReq) about() string {
	return cmp.Or(w.purpose, text.Or(w.values), strings.Trim(brenner.SectionPlaceholder(w.title), "<>"))
}

// content says what to write into a section: one of its values, or its placeholder.
func (w sectionReq) content() string {
	if len(w.values) > 0 {
		return "one of these: " + strings.Join(w.values, ", ")
	}
	return brenner.SectionPlaceholder(w.title)
}

// headingsFromLines turns a field line into a heading, and with it those that name other sections
// of the type, the others: else they would be in the section of this one.
func headingsFromLines(m *session.Message, line *sectionLine, w sectionReq) (edits []source.Edit, others []string) {
	edits = []source.Edit{line.asHeading(m, w.title)}
	for _, title := range titlesOf(m.Intended) {
		if other := namedLine(m, title); title != w.title && other != nil && m.Section(title) == nil {
			edits = append(edits, other.asHeading(m, title))
			others = append(others, title)
		}
	}
	slices.SortFunc(edits, func(a, b source.Edit) int { return a.Span.Start - b.Span.Start })
	return edits, others
}

// headingMeant returns the heading below the title that probably means the section, and the part
// of it to rename; that is empty if the heading may say something else. It is nil if there is none.
func headingMeant(m *session.Message, w sectionReq) (heading *session.Section, name source.Span) {
	noLetter := func(r rune) bool { return !unicode.IsLetter(r) }
	for _, alias := range slices.Concat(w.aliases, []string{w.title}) {
		for _, s := range m.Sections {
			title, _, _ := strings.Cut(s.Title, ":")
			title = strings.TrimFunc(title, noLetter)
			isWhole := strings.EqualFold(title, alias) || strings.EqualFold(title, "the "+alias)
			if s.Level == 1 || !isWhole && (alias == w.title || !s.Is(alias)) {
				continue
			}
			if _, rest, ok := strings.Cut(m.Body.Slice(s.Heading), title); isWhole && ok {
				name = s.Heading
				isSaid := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
				if strings.ContainsFunc(rest, isSaid) { // what it says of the section stays
					name.End -= len(strings.TrimLeft(rest, "*_`"))
				}
			}
			return &s, name
		}
	}
	for i := range m.Sections {
		s := &m.Sections[i]
		if s.Level > 1 && (strings.EqualFold(strings.TrimLeftFunc(s.Title, noLetter), w.title) || text.Nearest(s.Title, []string{w.title}) != "") {
			return s, source.Span{}
		}
	}
	return nil, source.Span{}
}

// hider is what hides headings of a body: raw HTML, code, a fence for Markdown, or a fence or comment that is not closed.
type hider struct {
	above  source.Span // the line above the first heading; of a fence its first line
	titles []string    // of the missing sections that it hides: the rule of the first reports it
	// does is what it does to the headings, and advice how to show them.
	does, advice string
	edits        []source.Edit // of a draft; nil where the advice leaves a choice
}

// hiderOf returns what hides the heading of a section, nil if nothing does.
func hiderOf(m *session.Message, of string) *hider {
	var missing []string
	for _, t := range titlesOf(m.Intended) {
		s := m.Section(t)
		if t == "Question" && s != nil && s.Level == 1 {
			s = nil // the title of the template, which does not count
		}
		if s == nil && (t != "Research Question" || title(m) == nil) {
			missing = append(missing, t)
		}
	}
	for i := range m.Doc.Blocks {
		if h := hiding(m, &m.Doc.Blocks[i], missing); slices.Contains(h.titles, of) {
			return &h
		}
	}
	return nil
}

// hiding returns how a block hides headings of missing sections: it has no titles if it does not.
func hiding(m *session.Message, b *markdown.Block, missing []string) (h hider) {
	isFence, isComment := b.Kind == markdown.Fence, strings.HasPrefix(m.Body.Slice(b.Span), "<!--")
	isCode := len(m.Fields) > 0 || !slices.Contains([]string{"", "markdown", "md"}, strings.ToLower(m.Body.Slice(b.Info)))
	if b.InList || b.InQuote || !isFence && b.Kind != markdown.HTML && b.Kind != markdown.Code || b.Closed && (isFence && isCode || isComment) {
		return hider{}
	}
	h.above = b.Opening()
	var headings []session.Section
	for l := range m.Doc.Lines(b) {
		l = source.Trim(m.Body.Data, l)
		if name := strings.TrimLeft(m.Body.Slice(l), "#"); strings.HasPrefix(name, " ") {
			if b.Kind == markdown.Code && len(headings) == 0 {
				h.above = l
			}
			headings = append(headings, session.Section{Title: strings.TrimSpace(name)})
		} else if len(headings) == 0 && !l.Empty() && !isFence {
			h.above = l
		}
	}
	for _, t := range missing {
		if slices.ContainsFunc(headings, func(s session.Section) bool { return s.Is(t) }) {
			h.titles = append(h.titles, t)
		}
	}
	switch {
	case isFence && b.Closed:
		h.does, h.advice = "in a fence, shown as code", "remove the fence around the text"
		h.edits = withoutFence(m.Body, h.above, b.Span.End)
	case isFence:
		h.does, h.advice = "in a fence that is not closed", "close it where the code ends, or remove its line"
	case isComment:
		h.does, h.advice = "in a comment that is not closed", "close it with --> above the heading"
	case b.Kind == markdown.Code:
		h.does, h.advice = "shown as code", "remove the spaces at the beginning of its lines"
	default:
		h.does, h.advice = "shown as raw HTML", endHTML(m.Body.Slice(h.above))
		if strings.HasPrefix(h.advice, "put") {
			h.edits = []source.Edit{insert(h.above.End, "\n")}
		}
	}
	return h
}

// says says what a block does to the headings.
func (h *hider) says() string {
	if len(h.titles) > 1 {
		return "the headings of " + text.And(text.QuoteAll(h.titles)) + " are " + h.does
	}
	return "its heading is " + h.does
}

// sectionLine is a line of text that begins with a name and a colon, or is the name in bold: what
// should be a heading, or a field line.
type sectionLine struct {
	span        source.Span // in the body
	inList      bool
	text, value string
}

// afterFieldName is what stands between the name of a field line and its value.
var afterFieldName = text.Pattern(`^ *(?:[:：]|[—–-] )`)

// namedLine returns the first field line of one of several names; nil if there is none.
func namedLine(m *session.Message, names ...string) *sectionLine {
	for i := range m.Doc.Blocks {
		b := &m.Doc.Blocks[i]
		if b.Kind != markdown.Paragraph || b.InQuote {
			continue
		}
		for i, l := range b.Parts {
			line := m.Doc.Text.Slice(l)
			rest := strings.TrimLeftFunc(line, func(r rune) bool { return strings.ContainsRune("#＃\\*_`", r) || invisible(r) })
			opened := strings.TrimFunc(line[:len(line)-len(rest)], func(r rune) bool { return strings.ContainsRune("#＃\\", r) || invisible(r) })
			for _, name := range names {
				if !brenner.HasPrefixFold(rest, name) {
					continue
				}
				if value := rest[len(name):]; value == "" || strings.IndexAny(value, ":：*_`") == 0 {
					rest := strings.TrimLeft(value, "*_`")
					closed := value[:len(value)-len(rest)]
					if i < len(b.Parts)-1 && !strings.HasSuffix(rest, `\\`) || strings.Count(rest, `\`) == 1 { // a line break, also at the end of the paragraph
						rest = strings.TrimSuffix(rest, `\`)
					}
					value = strings.TrimSpace(afterFieldName().ReplaceAllString(rest, ""))
					return &sectionLine{l, b.InList, line, brenner.Unlabel(opened, closed, value)}
				}
			}
		}
	}
	return nil
}

// asHeading turns the line, without the marker of a list, into a heading and its text.
func (l *sectionLine) asHeading(m *session.Message, title string) source.Edit {
	at, written := l.span, "## "+title
	before := m.Body.Data[:at.Start]
	if start := bytes.LastIndexByte(before, '\n') + 1; l.inList && strings.Trim(string(before[start:]), " -*+.)0123456789") == "" {
		at.Start, before = start, before[:start]
	}
	if len(before) > 0 && !bytes.HasSuffix(before, []byte("\n\n")) {
		written = "\n" + written
	}
	if value := l.value; value != "" {
		written += "\n\n" + value
	}
	return source.Edit{Span: at, Text: written}
}

// titles returns the headings at H1.
func titles(m *session.Message) (out []*session.Section) {
	for i := range m.Sections {
		if s := &m.Sections[i]; s.Level == 1 && !s.Nested {
			out = append(out, s)
		}
	}
	return out
}

// title returns the title of a body, its first H1; nil if it has none.
func title(m *session.Message) *session.Section {
	all := titles(m)
	if len(all) == 0 {
		return nil
	}
	return all[0]
}

// reportEmpty reports an empty section at its heading.
func reportEmpty(p *lint.MessagePass, s *session.Section, w sectionReq) {
	d := finding(p.Message.InBody(s.Heading), "section "+text.Quote(s.Title)+" is empty ("+w.about()+")", "")
	if len(w.values) > 0 {
		d.Suggestion = "write below the heading " + w.content()
	} else if hint := brenner.SectionPlaceholder(w.title); hint != "" {
		d.Suggestion = "write below the heading: " + hint
	}
	if strings.ContainsAny(s.Text(s.Content), "{<") {
		d.Message = "section " + text.Quote(s.Title) + " still contains the template's placeholder (" + w.about() + ")"
	}
	if _, value, _ := strings.Cut(s.Title, ":"); strings.TrimSpace(value) != "" {
		d.Suggestion = "put " + text.Quote(strings.TrimSpace(value)) + " on a line below the heading"
	}
	p.Report(d)
}

// checkValue checks that a section's first line is one of its values.
func checkValue(p *lint.MessagePass, s *session.Section, w sectionReq) {
	line := s.FirstLine()
	written := s.Text(line)
	if isOneOf(written, w.values) {
		return
	}
	meant := nearestValue(written, w.values)
	if strings.HasPrefix(written, "[") { // checkboxes
		meant = ""
		var ticked []source.Span
		for l := range s.Lines() {
			if brenner.HasPrefixFold(s.Text(l), "[x]") {
				ticked = append(ticked, l)
			}
		}
		if len(ticked) == 1 {
			line, written = ticked[0], s.Text(ticked[0])
			meant = nearestValue(strings.TrimSpace(written[len("[x]"):]), w.values)
		}
	}
	d := finding(p.Message.InBody(line),
		w.title+" is "+text.Quote(written)+"; expected "+text.Or(w.values),
		cmp.Or(didYouMean(meant), "instead of the line, write "+w.content()))
	if remark, ok := strings.CutPrefix(strings.ToLower(written), strings.ToLower(meant)); p.Message.Form == mail.Draft && meant != "" && ok {
		// A remark stays, on a line of its own.
		if remark = strings.TrimLeft(remark, " "); remark != "" && strings.IndexByte(",;:.(-", remark[0]) >= 0 && !strings.Contains(remark, "not") {
			d.Fix = newFix("write "+meant+" on a line of its own", p.Message.Body, insert(line.Start, meant+"\n\n"))
		}
	}
	p.Report(d)
}

func isOneOf(text string, values []string) bool {
	text = strings.Trim(brenner.FoldSpace(text), " .*_`")
	return slices.ContainsFunc(values, func(v string) bool { return strings.EqualFold(text, v) })
}

// nearestValue returns the value that a text begins with, unless it offers another, or is
// nearest to.
func nearestValue(written string, values []string) string {
	for _, v := range values {
		if len(written) > len(v) && strings.EqualFold(written[:len(v)], v) && !isLetter(written[len(v)]) {
			rest := strings.ToLower(strings.TrimLeft(written[len(v):], " "))
			isNamed := func(v string) bool { return strings.Contains(rest, strings.ToLower(v)) }
			if (strings.HasPrefix(rest, "/") || strings.HasPrefix(rest, "|") || strings.HasPrefix(rest, "or ")) && slices.ContainsFunc(values, isNamed) {
				return "" // it offers another: "/ falsified"
			}
			return v
		}
	}
	return text.Nearest(written, values)
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// typed returns a text as suggestions show it: unchanged, or quoted if it could not be
// typed like that.
func typed(s string) string {
	if quoted := quoteFull(s); quoted != `"`+s+`"` {
		return quoted
	}
	return s
}

// quoteFull quotes what is to be typed. Up to a size that nobody reads it is not cut.
func quoteFull(s string) string {
	if len(s) > 256 {
		return text.Quote(s)
	}
	return strconv.Quote(s)
}

// A wrapper around a whole body is one fault, not one missing section each
// (decisions.md 44).

// inMessage is finding in a message of a thread.
func inMessage(m *session.Message, at source.Place, message, suggestion string) lint.Diagnostic {
	return lint.Diagnostic{At: at, In: m, Message: message, Suggestion: suggestion}
}

// inBody returns a check that runs if there is a body to read that is not wrapped.
func inBody(check func(*lint.MessagePass)) lint.MessageCheck {
	return func(p *lint.MessagePass) {
		if p.Message.Doc != nil && p.Message.Wrapper == nil {
			check(p)
		}
	}
}

// orWrapper is inBody of the first section rule of a type, which also reports that the body is
// wrapped.
func orWrapper(check func(*lint.MessagePass)) lint.MessageCheck {
	return func(p *lint.MessagePass) {
		if p.Message.Wrapper != nil {
			reportWrapper(p)
		}
		inBody(check)(p)
	}
}

// reportsWrapper reports whether a rule reports the wrapper of the body, whatever is in that: it is wrapped, and its type
// has sections. In a DELTA the deltas in a fence are reported.
func reportsWrapper(m *session.Message) bool {
	if m.Wrapper == nil || m.Wrapper.Fence && m.Intended == brenner.Delta {
		return false
	}
	return m.Intended != "" && m.Intended != brenner.Info
}

func reportWrapper(p *lint.MessagePass) {
	m := p.Message
	what := "sections"
	if m.Intended == brenner.Delta {
		what = "delta blocks"
	}
	message := "line breaks of the " + string(m.Intended) + ` body are written as \n; it is a single line, without ` + what
	suggestion, edits := `replace each \n with a line break`, unescapes(m.Body.Data)
	switch {
	case bytes.HasPrefix(bytes.TrimSpace(m.Body.Data), []byte("{")) && bytes.Contains(m.Body.Data, []byte(`"body_md"`)):
		suggestion, edits = `send only the text of body_md, with each \n as a line break`, nil
	case isString().Match(m.Body.Data):
		suggestion = `remove the quotation marks around the body, and replace each \n with a line break`
	case m.Wrapper.Fence:
		message = string(m.Intended) + " body is one fence from its first to its last line; its content is code, without " + what
		suggestion, edits = "remove the fence around the text", withoutFence(m.Body, m.Wrapper.Span, m.Body.Len())
	}
	d, fix := finding(m.InBody(m.Wrapper.Span), message, suggestion), newFix(suggestion, m.Body, edits...)
	switch {
	case !m.Wrapper.Fence && m.Intended == brenner.Delta && areDeltas(source.Apply(m.Body.Data, edits)):
		d.Fix = unsafeIf(true, fix)
	case m.Form == mail.Draft && m.Wrapper.Fence:
		d.Fix = fix
	case m.Form == mail.Draft:
		d.Assume = fix
	}
	p.Report(d)
}

// withoutFence removes the lines of a fence that is opened somewhere in a body, and ends at end.
func withoutFence(body *source.Text, opening source.Span, end int) []source.Edit {
	text := body.Data
	first := source.Span{Start: body.LineStart(opening.Start), End: opening.End}
	if n := bytes.IndexByte(text[first.End:], '\n'); n >= 0 {
		first.End += n + 1
	}
	edits := []source.Edit{{Span: first}}
	end = len(bytes.TrimRight(text[:end], " \t\r\n"))
	last := source.Span{Start: max(bytes.LastIndexByte(text[:end], '\n'), 0), End: end}
	if last.Start >= first.End && len(bytes.Trim(text[last.Start:last.End], "`~ \t\r\n")) == 0 {
		edits = append(edits, source.Edit{Span: last})
	}
	return edits
}

// areDeltas reports whether a body that was escaped has delta blocks with valid or nearly valid JSON: else
// some \n belong to its texts.
func areDeltas(body []byte) bool {
	deltas := delta.Extract(markdown.Parse(source.NewText(body)), jsontree.Options{})
	addsText := func(e source.Edit) bool { return strings.TrimSpace(e.Text) != "" }
	isOther := func(d *delta.Delta) bool {
		r := jsontree.Recover(d.Text.Data, jsontree.Options{})
		return !r.Certain || slices.ContainsFunc(r.Edits, addsText)
	}
	return len(deltas) > 0 && !slices.ContainsFunc(deltas, isOther)
}

// escape is a backslash and what it escapes, or a quotation mark; isString is a text that is one string of JSON.
var (
	escape   = text.Pattern(`(?s)\\.|"`)
	isString = text.Pattern(`(?s)^\s*"(?:[^"\\]|\\.)*"\s*$`)
)

// unescapes returns the edits that turn \n into line breaks, and decode the other
// escapes too if the whole text is escaped.
func unescapes(text []byte) []source.Edit {
	decoded := map[string]string{`\n`: "\n", `\t`: "\t", `\r`: ""}
	if bytes.Contains(text, []byte(`\"`)) {
		decoded[`\"`], decoded[`\\`], decoded[`\/`] = `"`, `\`, "/"
	}
	if isString().Match(text) {
		decoded[`"`] = ""
	}
	var edits []source.Edit
	for _, at := range escape().FindAllIndex(text, -1) {
		if to, ok := decoded[string(text[at[0]:at[1]])]; ok {
			edits = append(edits, source.Edit{Span: source.Span{Start: at[0], End: at[1]}, Text: to})
		}
	}
	return edits
}
