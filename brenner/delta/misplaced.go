package delta

import (
	"bytes"
	"cmp"
	"slices"
	"unicode"

	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/source"
)

// Form is how something that should be a delta block is written.
type Form uint8

// The forms that the compiler does not see.
const (
	BareJSON    Form = iota + 1 // delta JSON outside a fence
	InlineLine                  // a line `DELTA[x]: text`
	OtherFence                  // delta JSON in a fence with another tag, or none
	ColonFence                  // :::delta
	OuterFence                  // delta fences, or delta JSON among other text, in such a fence
	WrappedJSON                 // delta JSON inside an object of another form, in such a fence
)

// UnfencedDelta is a delta at a place where the compiler does not look (delta_output_format,
// Failure Mode 1). Spans are of the body.
type UnfencedDelta struct {
	Form Form
	// Span is the JSON object; for a line its `DELTA[x]:`; for a fence its opening
	// line, from the first fence character to the end of the info string.
	Span source.Span
	// Tag is the first word of a fence's info string; empty if there is none.
	Tag source.Span
	// Edits are those of the body that make a block of it: they put a fence around an object, give
	// an OtherFence its tag, remove an OuterFence, or write the marks of a ColonFence; nil if an
	// object cannot have a fence there, or a ColonFence is not closed.
	Edits []source.Edit
	// InHTML reports that the object is in a block of HTML, where no fence opens; InComment that
	// the block is a comment that is not closed.
	InHTML, InComment bool
	// Marks are the marks above BareJSON that are meant to open its fence. Edits correct them;
	// they remove invisible characters before any marks.
	Marks Marks
	// Blank is the delta fence next to BareJSON that it should be in, and that has nothing in it; nil if
	// there is none.
	Blank *markdown.Block
	// JSON is the corrected object of BareJSON; nil if it is unknown. For a fence of
	// WrappedJSON it is all its objects, to be put into their own fences.
	JSON [][]byte
	// Certain reports that Edits only change the form of what is meant. JSON is that of a delta; a
	// ColonFence holds valid JSON, an OtherFence is in no list and holds one object, and WrappedJSON has
	// nothing but deltas in it, in a wrapper without a meaning.
	Certain bool
	// Unwanted reports that the name, the tag, the line above it or the heading of its section says that it is no
	// contribution, as "rejected" does.
	Unwanted bool
	// Count is how many deltas a fence contains, or is meant to: 1 without Marks outside of fences.
	Count int
	// OnFence reports JSON that begins on the line that opens a fence with another tag, or BareJSON on that of
	// another delta. NonstandardKeys reports that it has other names for operation and section, other quotes, or not both.
	OnFence, NonstandardKeys bool
	// Wrapper is the name under which WrappedJSON contains one delta and nothing else, and Inner
	// where that is.
	Wrapper string
	Inner   source.Span
}

// FindMisplaced finds what should be a delta block but is not, in order. Delta JSON is an object with the
// keys operation and section, or one that says as much under other names; fences with another tag count
// if their whole content is such an object or an array of them (decisions.md 8), or if they contain delta
// blocks, or delta JSON among other text (44). Quotations are skipped: quoted text is not a contribution, but lines
// below it without a mark may be.
func FindMisplaced(doc *markdown.Document, opts jsontree.Options) []UnfencedDelta {
	if doc == nil {
		return nil
	}
	f := finder{doc: doc, data: doc.Text.Data, json: opts, noFences: map[int]bool{}}
	for i := range doc.Blocks {
		b, before := &doc.Blocks[i], len(f.out)
		switch {
		case b.InQuote || b.Kind == markdown.ThematicBreak:
			f.endRun()
			f.onFence(b)
			if own := f.unquoted(b); own != nil {
				f.block(own)
				f.endRun()
			}
		case b.Kind == markdown.Fence:
			if f.colon != nil && len(bytes.TrimSpace(f.data[f.colon.Span.End:b.Span.Start])) == 0 {
				f.out = f.out[:len(f.out)-1] // it is around a fence, and hides nothing
			}
			if f.endRun(); !f.noFences[b.Span.Start] {
				f.fence(b)
			}
		case b.Kind == markdown.HTML && f.isComment(b) && bytes.Contains(f.data[b.Span.Start:b.Span.End], []byte("-->")): // what is left out on purpose
		default:
			f.block(b)
		}
		if b.Kind != markdown.Fence || !isDelta(doc, b) && len(f.out) == before {
			continue // nothing is told of marks outside
		}
		if end, _ := outside(doc, i); end != nil {
			f.noFences[end.Span.End] = true
		}
	}
	f.endRun()
	// An object that a heading cuts off is found after those in the heading.
	slices.SortStableFunc(f.out, func(a, b UnfencedDelta) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	return f.out
}

// unquoted returns the lines of a quoted paragraph from the first one without a mark as a block, nil if there is none:
// Markdown takes them for quoted, but most likely their writer did not.
func (f *finder) unquoted(b *markdown.Block) *markdown.Block {
	isOwn := func(part source.Span) bool {
		return bytes.IndexByte(f.data[f.lineStart(part.Start):part.Start], '>') < 0
	}
	i := slices.IndexFunc(b.Parts, isOwn)
	if i < 0 || b.Kind != markdown.Paragraph || !b.InQuote {
		return nil
	}
	own := *b
	own.Parts = b.Parts[i:]
	return &own
}

// isComment reports whether a block of HTML begins with a comment.
func (f *finder) isComment(b *markdown.Block) bool {
	return bytes.HasPrefix(f.data[b.Span.Start:], []byte("<!--"))
}

// bare adds an object outside of fences, unless it is code in a sentence, says nothing or shows a form. The block is that in
// which it ends, nil if it is cut off.
func (f *finder) bare(o foundObject, b *markdown.Block) {
	r := f.reading(f.data[o.Start:o.End])
	if f.inCode(o.Span, b) || f.inString(o.Span) || o.otherKeys && !saysChange(r.Root) && !isPatchOfSections([]*jsontree.Node{r.Root}) {
		return
	}
	if r.Certain && f.showsForm(r) { // one with an ellipsis is meant to be a delta here
		return
	}
	m := UnfencedDelta{Form: BareJSON, Span: o.Span, Count: 1, NonstandardKeys: o.otherKeys}
	m.InHTML = b != nil && b.Kind == markdown.HTML
	m.InComment = m.InHTML && f.isComment(b)
	switch m.Marks, m.Edits = f.marksAbove(m.Span); m.Marks.Why {
	case NoMarks:
		if m.Blank, m.Edits = f.blankFence(m.Span, b); m.Blank == nil {
			m.Edits = f.fencing(m.Span, b)
		}
	case Outside:
		m.Blank = f.blockAt(m.Marks.At.Start)
	}
	if r.Text != nil {
		m.JSON = [][]byte{r.Text}
		// Else it may be data of another program, or a quoted line that was wrapped.
		m.Certain = r.Certain && r.Root.Get("operation") != nil && (b == nil || !b.InQuote)
	}
	f.out = append(f.out, m)
}

func (f *finder) lineStart(off int) int {
	if i := f.doc.Text.LineAt(off); i > 1 {
		return f.doc.Text.Line(i).Start
	}
	return 0 // before a byte order mark
}

// finder reads the text outside of fences line by line. JSON may span several blocks: a
// blank line or an indented one separates blocks, not objects.
type finder struct {
	doc  *markdown.Document
	data []byte
	json jsontree.Options
	out  []UnfencedDelta
	// noFences is where the fences begin that are opened by marks below an object, which are meant to
	// close one.
	noFences map[int]bool
	taken    int // the end of the last such marks of an object that has marks above, too

	objects objectScan
	colon   *UnfencedDelta // the open :::delta
	visible []source.Edit  // those that remove what is invisible before any marks; made once: there may be many
	last    int            // end of the last line read that is in no heading
	read    int            // end of the last line read

	headings    []*markdown.Block // of the section that is read, and of those around it
	unwantedEnd int               // of the last fence of which something says that it is no contribution
}

func (f *finder) block(b *markdown.Block) {
	for line := range f.doc.Lines(b) {
		line.End = line.Start + len(bytes.TrimRight(f.data[line.Start:line.End], " \t\r\n"))
		if f.colonLine(line) {
			continue
		}
		if len(f.objects.open) == 0 && b.Kind == markdown.Paragraph {
			f.words(line)
		}
		f.objects.line(f.data, line)
		f.read = line.End
		if b.Kind != markdown.Heading {
			f.last = line.End
		}
	}
	if b.Kind == markdown.Heading {
		f.endRun()
		isOver := func(o *markdown.Block) bool { return o.Level >= b.Level }
		f.headings = append(slices.DeleteFunc(f.headings, isOver), b)
	}
}

// endRun ends a section of text without fences: an open object is cut off there. One
// that a heading ends does not extend into the heading, unless it begins in it.
func (f *finder) endRun() {
	start, isCut := f.objects.end()
	if isCut {
		end := f.last
		if start >= end {
			end = f.read
		}
		f.objects.add(foundObject{Span: source.Span{Start: start, End: end}})
	}
	first := len(f.out) // of the objects with nothing between them
	for i, o := range f.objects.found {
		if n := len(f.out); n > first {
			between := source.Span{Start: f.out[n-1].Span.End, End: o.Start}
			if between.Len() < 0 || !f.areAlone(between, nil) { // a heading is in the one before, or text is between them
				if f.group(f.out[first:]) {
					n = first + 1
					f.out = f.out[:n]
				}
				first = n
			}
		}
		b := f.blockAt(o.End - 1)
		if isCut && i == len(f.objects.found)-1 {
			b = nil
		}
		f.bare(o, b)
	}
	if len(f.out) > first && f.group(f.out[first:]) {
		f.out = f.out[:first+1]
	}
	f.objects.found, f.colon = nil, nil
}

// inCode reports whether a backtick is before an object, and words are before that on its line, or in a list
// behind it in its block: a sentence that shows the form of a delta is not a delta.
func (f *finder) inCode(o source.Span, b *markdown.Block) bool {
	if o.Start == 0 || f.data[o.Start-1] != '`' {
		return false
	}
	before := bytes.Trim(f.data[f.lineStart(o.Start):o.Start], " \t")
	switch marker := bytes.TrimRight(before[:len(before)-1], " \t"); {
	case len(bytes.Trim(before, "` \t")) == 0:
		return false
	case !listMarker().Match(marker):
		return true
	}
	behind := f.lineFrom(o.End)
	if b != nil && b.Span.End > o.End {
		behind, _, _ = bytes.Cut(f.data[o.End:b.Span.End], []byte("{"))
	}
	return bytes.ContainsFunc(behind, unicode.IsLetter)
}

// inString reports whether an object in escaped quotes is in a string of a program: something other than marks of a list
// is before it on its line, or words are behind it.
func (f *finder) inString(o source.Span) bool {
	if !isEscaped(f.data[o.Start:]) {
		return false
	}
	before := bytes.Trim(f.data[max(f.lineStart(o.Start), o.Start-maxString):o.Start], " \t[")
	if marker, _ := bytes.CutSuffix(before, []byte(`"`)); listMarker().Match(bytes.Trim(marker, " \t")) {
		return bytes.ContainsFunc(f.lineFrom(o.End), unicode.IsLetter)
	}
	return len(before) > 1 && (bytes.Count(before, []byte(`"`))-bytes.Count(before, []byte(`\"`)))%2 == 1
}

// maxString bounds how far before an object a string is looked for.
const maxString = 1000

// listMarker is what a list has before an item.
var listMarker = text.Pattern(`^(?:[-*+]|[0-9]{1,9}[.)])$`)

// words finds a line `DELTA[x]: text`, which may be bold.
func (f *finder) words(line source.Span) {
	text := f.data[line.Start:line.End]
	if !bytes.Contains(text, []byte("DELTA[")) { // most lines
		return
	}
	m := inlineStart().FindSubmatchIndex(text)
	if m == nil {
		return
	}
	said := bytes.Trim(text[m[3]:], "*_ \t")
	isObject := bytes.HasPrefix(said, []byte("{")) && bytes.HasSuffix(said, []byte("}")) // that is found as an object
	if len(said) > 0 && !isObject && !placeholder().Match(said) {
		span := source.Span{Start: line.Start + m[2], End: line.Start + m[3]}
		f.out = append(f.out, UnfencedDelta{Form: InlineLine, Span: span, Count: 1})
	}
}

// inlineStart is the beginning of an InlineLine. A placeholder after it shows the form of a subject, and
// contributes nothing: words such as TODO and YOUR_NAME, or text in brackets. What holds a number says something.
var (
	inlineStart = text.Pattern(`^[*_]*(DELTA\[[^\]]+\][*_ ]*:)`)
	placeholder = text.Pattern(`^(?:_+|\.\.+|TODO|TBD|FIXME|XXX|(?:\$\{?|YOUR_)[A-Z_]+\}?|…|<[^<>0-9]*>|\{+[^{}0-9]*\}+|[[【（][^][【】（）0-9]*[]】）])$`)
)

// colonLine reads a line of a :::delta block; it reports false outside of one.
func (f *finder) colonLine(line source.Span) bool {
	text := f.data[line.Start:line.End]
	colons := len(text) - len(bytes.TrimLeft(text, ":"))
	switch {
	case colons >= 3 && f.colon == nil && len(f.objects.open) == 0:
		word := bytes.TrimSpace(text[colons:])
		if !bytes.EqualFold(word, []byte("delta")) {
			return false
		}
		f.out = append(f.out, UnfencedDelta{Form: ColonFence, Span: line, Count: 1, Unwanted: f.isUnwanted(line.Start), Tag: source.Span{Start: line.End - len(word), End: line.End}})
		f.colon = &f.out[len(f.out)-1]
		return true
	case f.colon != nil && colons >= 3 && colons == len(text):
		f.colon.Edits = []source.Edit{{Span: f.colon.Span, Text: "```delta"}, {Span: line, Text: "```"}}
		json := f.data[f.colon.Span.End:line.Start]
		f.colon.Certain = isJSON(json) && !f.showsForm(f.reading(json))
		f.colon = nil
		return true
	}
	return f.colon != nil
}
