package delta

import (
	"bytes"
	"cmp"
	"slices"
	"sort"
	"strings"
	"unicode"

	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/source"
)

// FenceDefect is why marks do not open or close the fence that they are meant for.
type FenceDefect uint8

// The reasons.
const (
	NoMarks   FenceDefect = iota // there are none, or they are read as they are meant
	Invisible                    // characters that take no ink are before opening marks
	InHTML                       // an HTML line is directly above opening marks
	Preceded                     // text is before marks, on their line
	Outside                      // the marks open a fence in a list or a quotation that the JSON below is not in
	Ticked                       // a backtick is behind opening marks
	Escaped                      // each mark has a backslash
	Indented                     // by more than three columns
	Unlike                       // other marks, or fewer, than the fence has
	Glued                        // closing marks are on the last line of the JSON
	Followed                     // text is after closing marks, on their line
	Tagged                       // closing marks have the tag of opening marks
	Surplus                      // closing marks are above those that close the fence
	Nested                       // another fence is inside
)

// Marks are marks meant for a fence that Markdown reads differently. The zero value means there
// are none.
type Marks struct {
	Why FenceDefect
	// At is the place of the marks, with their indentation if that is too deep. For Invisible it
	// is the characters before them, for InHTML the line above.
	At source.Span

	// Rest is where the text after closing marks on their line begins; 0 if there is none.
	Rest int

	value source.Span // the JSON before closing marks
	end   int         // of the marks that close a nested fence; 0 if there are none
}

// fenceMarks are marks that are, or are meant to be, those of a fence.
// Two may have an invisible character between them.
const fenceMarks = "\\\\?`(?:[\\p{Cf}\\x{a0}]?\\\\?`)+|(?:\\\\?~){2,}|'{3,}|´{3,}|‘{3,}|’{3,}|\"{3,}|｀{3,}|:{3,}"

var (
	// marksAfter are the marks after a JSON value, and the text after them on their line.
	marksAfter = text.Pattern("^[ \t\r\n;>\\p{Cf}\\x{a0}]*(" + fenceMarks + "|`)[ \t]*([^\r\n]*)")
	// marksAfterBrace are the marks where a JSON value most likely ends that is not valid.
	marksAfterBrace = text.Pattern("}[ \t\r\n]*(?:```|~~~)")
	// marksBefore are the marks at the end of a line, and their tag; perhaps with marks behind it. One backtick begins the line.
	marksBefore = text.Pattern("(" + fenceMarks + "|^`)[ \t]*\\{?([A-Za-z]*)\\}?(?:[ \t]+[^`{]*`[^{]*|`+)?[ \t]*$")
	// inlineCode is a word between one or two backticks.
	inlineCode = text.Pattern("^``?[A-Za-z]+``?[ \t]*$")
	// invisibleBefore is what takes no ink before the marks of a fence, behind the indentation.
	invisibleBefore = text.Pattern("(?m)^([ \\t]*)([^\\x00-\\x7f\\pL\\pM\\pN\\pP\\pS][^!-~\\r\\n\\pL\\pM\\pN\\pP\\pS]*)(?:```|~~~)")
	// tagAlone are opening marks with a word behind them.
	tagAlone = text.Pattern("^[`~]+([A-Za-z][\\w+#-]*)\\s*$")
	// operationWord is a delta, in whatever notation.
	operationWord = text.Pattern(`(?i)\boperation\b`)
)

// afterValue returns the matches of marksAfter, nil if there are none: one backtick must be alone on its line.
func afterValue(text []byte) []int {
	m := marksAfter().FindSubmatchIndex(text)
	if m != nil && m[3]-m[2] == 1 && m[4] < m[5] {
		return nil
	}
	return m
}

// marksBelow returns the marks below the JSON value that begins at an offset of a text, or the line
// above it that opens another fence.
func marksBelow(text []byte, from int) Marks {
	start := source.SkipSpace(text, from)
	first := lineOf(text[start:])
	nested := source.Span{Start: start, End: start + len(bytes.TrimRight(first, " \t\r"))}
	isNested := markdown.ReadFenceLine(first).Opens()
	if isNested {
		start = source.SkipSpace(text, start+len(first))
	}
	size, ok := jsontree.ValueEnd(text[start:])
	end := start + size
	if !ok {
		end = len(bytes.TrimRight(text, " \t\r\n"))
		if at := marksAfterBrace().FindIndex(text[start:]); at != nil {
			end = start + at[0] + 1
		} else if m := afterValue(text[start+size:]); m != nil && len(bytes.TrimSpace(text[start+size+m[3]:])) == 0 && lackedBy(text[start:start+size]) != "" {
			end = start + size
		}
	}
	out := Marks{value: source.Span{Start: start, End: end}}
	m := afterValue(text[end:])
	if isNested && start < len(text) && (text[start] == '{' || text[start] == '[') {
		out.Why, out.At = Nested, nested
		if m != nil {
			out.end = end + m[3]
		}
		return out
	}
	if m == nil {
		return Marks{}
	}
	out.At = source.Span{Start: end + m[2], End: end + m[3]}
	rest := source.Trim(text, source.Span{Start: end + m[4], End: end + m[5]})
	isTagged := isTag(text[rest.Start:rest.End])
	if isTagged {
		out.At.End = rest.End
	} else if rest.Len() > 0 {
		out.Rest = rest.Start
	}
	line := bytes.LastIndexByte(text[:out.At.Start], '\n') + 1
	switch indent := text[line:out.At.Start]; {
	case line <= end:
		out.Why = Glued
	case len(bytes.Trim(indent, " \t;")) > 0 && bytes.HasPrefix(bytes.TrimLeft(text[end+m[5]:], "\r\n"), []byte(">")):
		return Marks{} // those of a quotation
	case len(bytes.Trim(indent, " \t;")) > 0:
		out.Why, out.At.Start = Preceded, line
	case text[out.At.Start] == '\\':
		out.Why = Escaped
	case isTagged:
		out.Why = Tagged
	case out.Rest > 0:
		out.Why = Followed
	case len(indent) > 3 || bytes.IndexByte(indent, '\t') >= 0:
		out.Why, out.At.Start = Indented, line
	default:
		out.Why = Unlike
	}
	return out
}

// isTag reports whether a text behind marks is a tag, perhaps with a stray backtick: without one they would close a fence.
func isTag(text []byte) bool {
	return slices.Contains([]string{"delta", "json"}, string(bytes.Trim(text, "` \t")))
}

// edits returns the edits of the text that write marks as they must be.
func (m Marks) edits(closing, below string) []source.Edit {
	e := source.Edit{Span: m.At, Text: closing}
	switch m.Why {
	case Nested:
		return []source.Edit{edit(m.At.Start, m.value.Start, ""), edit(m.value.End, max(m.end, m.value.End), "")}
	case Surplus:
		return []source.Edit{edit(m.value.End, m.At.End, "")}
	case Glued:
		e.Span.Start, e.Text = m.value.End, below+closing
	}
	if m.Rest > 0 {
		e.Span.End = m.Rest
		e.Text += strings.TrimRight(below, " \t") + below
	}
	return []source.Edit{e}
}

// swallowed returns the lines in invalid JSON that would open further fences.
func swallowed(data []byte) (out []source.Span) {
	if text := bytes.TrimSpace(data); len(text) == 0 || bytes.IndexByte([]byte(`{["`), text[0]) < 0 {
		return nil
	}
	for line := range lines(data) {
		if opensJSON(data[line.Start:line.End], data[line.End:]) {
			out = append(out, source.Trim(data, line))
		}
	}
	return out
}

// opensJSON reports whether a line opens a fence for JSON: its tag is delta, and JSON or an
// operation follows, or it is one word, and JSON follows. Other lines are meant to close a fence.
func opensJSON(line, rest []byte) bool {
	if len(line) > maxMarks { // many may be on it
		line = line[:maxMarks]
		if bytes.IndexByte(line, '{') >= 0 {
			return false
		}
	}
	fence := markdown.ReadFenceLine(line)
	words := bytes.Fields(line[fence.Info.Start:fence.Info.End])
	if !fence.Opens() || len(words) == 0 {
		return false
	}
	rest = bytes.TrimLeft(rest, " \t\r\n")
	isJSON := len(rest) > 0 && (rest[0] == '{' || rest[0] == '[')
	return string(words[0]) == "delta" && (isJSON || operationWord().Match(upToFence(rest))) || (len(words) == 1 || len(words) == 2 && string(words[1]) == "delta") && isJSON
}

// upToFence returns a text up to the next line that opens or closes a fence.
func upToFence(text []byte) []byte {
	for line := range lines(text) {
		if markdown.ReadFenceLine(text[line.Start:line.End]).Opens() {
			return text[:line.Start]
		}
	}
	return text
}

// wrongMarks returns marks at the end of invalid JSON that should close the fence, but do not.
func (d *Delta) wrongMarks() Marks {
	data := d.Text.Data
	if len(d.Swallowed) > 0 {
		data = data[:d.Swallowed[0].Start]
	}
	m := marksBelow(data, 0)
	switch after := data[min(m.At.End, len(data)):]; {
	case m.Why == NoMarks || m.Why == Nested || !d.Block.Closed || len(d.Swallowed) > 0:
	case len(bytes.TrimSpace(after)) == 0:
		m.Why = Surplus
	case m.Why == Unlike && m.At.Len() < 3:
		return Marks{}
	}
	return m
}

// Unclosed returns the closing brackets that the JSON above wrong marks lacks at its end, "" if it lacks none.
func (d *Delta) Unclosed() string {
	if d.Marks.Why == NoMarks || d.Marks.Why == Nested {
		return ""
	}
	return lackedBy(d.Text.Bytes(d.Marks.value))
}

// lackedBy returns the closing brackets with which a text is JSON, "" if they do not make it JSON.
func lackedBy(text []byte) string {
	fault := jsontree.CheckSyntax(text)
	if fault == nil || jsontree.CheckSyntax(slices.Concat(text, []byte(fault.Open))) != nil {
		return ""
	}
	return fault.Open
}

// CloseFence returns edits of the body that close the fence of a block that is not JSON, and the
// fences of the blocks that it swallows. The closing marks replace wrong marks, or come after
// the JSON or, if that is not valid, on the line before the next block. JSON whose meaning is
// certain is corrected too, as by Repair. The edits are certain if they only correct marks.
func (d *Delta) CloseFence() (edits []source.Edit, certain bool) {
	certain = true
	data, part, closing := d.Text.Data, source.Span{}, d.Block.Marks()
	for i, next := range append(slices.Clip(d.Swallowed), source.Span{Start: len(data)}) {
		part.End = next.Start
		isFirst, isLast := i == 0, i == len(d.Swallowed)
		marks := d.Marks
		if !isFirst {
			marks = marksBelow(data[:part.End], part.Start)
		}
		var more []source.Edit
		var isSure bool
		if marks.Why != NoMarks {
			more, isSure = d.correctMarks(marks, closing, isFirst)
		} else {
			more, isSure = d.closePart(part, closing, isFirst, isLast)
		}
		edits, certain = append(edits, more...), certain && isSure
		if !isLast {
			part.Start = next.End
			closing = d.Text.Slice(markdown.ReadFenceLine(data[next.Start:next.End]).Marks.Shift(next.Start))
		}
	}
	slices.SortStableFunc(edits, func(a, b source.Edit) int { // what is put in before what is removed
		return cmp.Or(a.Span.Start-b.Span.Start, a.Span.End-b.Span.End)
	})
	return edits, certain
}

// correctMarks returns edits of the body that correct the marks which are meant to close a fence, and add the brackets
// that the JSON in the first fence lacks.
func (d *Delta) correctMarks(marks Marks, closing string, isFirst bool) (edits []source.Edit, certain bool) {
	edits = marks.edits(closing, markdown.Below(d.Fence.Text, d.Fence.Span.Start))
	certain = marks.At.Len() > 2 || len(d.Swallowed) == 0
	brackets := ""
	if isFirst {
		brackets = d.Unclosed()
	}
	if brackets != "" {
		certain = certain && !d.LacksRest()
		if at := marks.value.End; edits[0].Span.Start == at {
			edits[0].Text = brackets + edits[0].Text
		} else {
			edits = append([]source.Edit{edit(at, at, brackets)}, edits...)
		}
	}
	edits = d.inBody(edits)
	if marks.Why == Nested && marks.end == 0 && d.Block.Closed {
		end := d.Block.Span.End // below it are the marks that were meant to close it: those that did are of the inner fence
		if m := afterValue(d.Fence.Text.Data[end:]); m != nil && m[4] == m[5] {
			edits = append(edits, edit(end, end+m[3], ""))
		}
	}
	return edits, certain
}

// closePart returns edits of the body that close the fence of a part of the block. No marks are below that part.
func (d *Delta) closePart(part source.Span, closing string, isFirst, isLast bool) (edits []source.Edit, certain bool) {
	text := d.Text.Bytes(part)
	size, ok := jsontree.ValueEnd(text)
	all := len(bytes.TrimRight(text, " \t\r\n"))
	certain = ok
	if !ok || isLast && (isFirst || d.Block.Closed || size >= all) { // else what follows is text of the message
		r := d.recover(part)
		if r.Certain {
			edits = d.inBody(r.Edits)
		}
		if isLast {
			return edits, true
		}
		size = cmp.Or(r.First.ValueEnd, all)
	}
	at := part.Start + size
	below := markdown.Below(d.Fence.Text, d.Fence.Span.Start)
	return append(edits, d.inBody([]source.Edit{edit(at, at, below+closing)})...), certain && size == all
}

// maxMarks bounds how far from an object its marks are looked for: many may share a line.
const maxMarks = 256

// marksAbove returns the marks above an object, or before it on its line, that are meant to open
// its fence, and the edits of the body that open and close it.
func (f *finder) marksAbove(object source.Span) (m Marks, edits []source.Edit) {
	m, start, tag := f.openingAbove(object)
	if m.Why == NoMarks {
		return m, nil
	}
	after := f.closing(object, true)
	if tag != "delta" && after == object.End {
		return Marks{}, nil
	}
	f.taken = after
	line := f.lineStart(start)
	eol := strings.TrimRight(markdown.Below(f.doc.Text, line), " \t")
	switch b := f.blockAt(start); {
	case m.Why == Outside:
		return m, f.inside(b, object)
	case m.Why == Indented && b.InList && b.Kind == markdown.Paragraph && len(bytes.TrimSpace(f.lineFrom(after))) == 0:
		below := markdown.Below(f.doc.Text, b.Span.Start)
		return m, []source.Edit{edit(line, object.Start, strings.TrimLeft(below, "\r\n")+"```delta"+below), edit(object.End, after, below+"```")}
	case m.Why == Invisible:
		if f.visible == nil {
			for _, at := range invisibleBefore().FindAllSubmatchIndex(f.data, -1) {
				start := at[4]
				if indent := f.data[at[2]:at[3]]; (len(indent) > 3 || bytes.IndexByte(indent, '\t') >= 0) && !f.blockAt(start).InList {
					start = at[2] // the marks would be code, or text
				}
				f.visible = append(f.visible, edit(start, at[5], ""))
			}
		}
		return m, f.visible
	case b.InList, b.InQuote, m.Why == InHTML && RawTag(string(f.data[m.At.Start:m.At.End])) != "":
		return m, nil
	case m.Why == InHTML && f.isComment(b):
		return m, []source.Edit{edit(m.At.End, m.At.End, " -->")}
	case m.Why == InHTML: // a blank line ends it
		return m, []source.Edit{edit(line, line, eol)}
	case m.Why == Preceded:
		line += len(bytes.TrimRightFunc(f.data[line:start], isInvisible))
	}
	return m, f.alone(line, object, after)
}

// openingAbove returns the marks above an object, or before it on its line, that are meant to open its fence, the place where
// they begin, and their tag.
func (f *finder) openingAbove(object source.Span) (m Marks, start int, tag string) {
	end := object.Start
	if line := f.data[f.lineStart(end):end]; len(bytes.TrimSpace(line)) == 0 {
		end = len(bytes.TrimRight(f.data[:end], " \t\r\n"))
	}
	low := max(0, end-maxMarks)
	if f.taken <= end { // else a heading has cut this object off, and those in the heading came first
		low = max(low, f.taken)
	}
	for _, other := range slices.Backward(f.out) { // an object before it may have such marks in a text
		if other.Form == BareJSON && other.Span.End <= end {
			low = max(low, other.Span.End)
			break
		}
	}
	near := f.data[low:end]
	found := marksBefore().FindSubmatchIndex(near[bytes.LastIndexByte(near, '\n')+1:])
	from := 0
	if found != nil {
		from = end - found[1]
	}
	if found == nil || inlineCode().Match(f.data[from+found[2]:end]) {
		return Marks{}, 0, ""
	}
	start, tag = from+found[2], strings.ToLower(string(f.data[from+found[4]:from+found[5]]))
	if slices.Contains([]string{"", "json", "delta"}, tag) {
		m.Why, m.At = f.misread(f.lineStart(end), source.Span{Start: start, End: end})
	}
	return m, start, tag
}

// group reads what is around objects that have nothing between them. Marks around them are meant as one fence: one of the objects
// stands for all then, and group reports it. Its edits replace the marks, and the brackets of an array or a wrapper. A name that
// is not that of a wrapper may say that the objects are no contribution: then no edit is certain.
func (f *finder) group(objects []UnfencedDelta) (isOne bool) {
	first, last := &objects[0], &objects[len(objects)-1]
	whole := source.Span{Start: first.Span.Start, End: last.Span.End}
	start := groupStart().FindSubmatch(f.data[max(0, whole.Start-maxMarks):whole.Start])
	isNamed := start != nil && start[1] != nil && !isWrapperName(string(start[1]))
	if f.isUnwanted(whole.Start) {
		for i := range objects {
			objects[i].Unwanted = true
		}
	}
	if start != nil {
		whole.Start -= len(start[0])
	}
	m := first.Marks
	if m.Why == NoMarks {
		m, _, _ = f.openingAbove(whole)
	}
	isDifferent := func(o UnfencedDelta) bool {
		return len(o.Edits) != 2 && m.Why != Invisible || o.Certain != first.Certain
	}
	switch {
	case isNamed:
		for i := range objects {
			objects[i].Certain = false
		}
		return false
	case slices.ContainsFunc(objects, isDifferent), f.blockAt(whole.Start).InList:
		return false
	}
	if whole.End += len(groupEnd().Find(f.data[whole.End:min(len(f.data), whole.End+maxMarks)])); whole == first.Span {
		return false
	}
	if !slices.Contains([]FenceDefect{Invisible, Preceded, Ticked, Escaped, Indented, Unlike}, m.Why) {
		return false
	}
	_, edits := f.marksAbove(whole)
	if m.Why == Invisible { // without the character the marks would open a fence around all
		edits = f.alone(m.At.Start, whole, f.closing(whole, true))
	}
	if len(edits) != 2 {
		return false
	}
	eol := strings.TrimRight(markdown.Below(f.doc.Text, f.lineStart(whole.Start)), " \t")
	var spans []source.Span
	for _, o := range objects {
		spans = append(spans, o.Span)
	}
	opening, closing := edits[0], edits[1]
	opening.Span.End, closing.Span.Start = first.Span.Start, last.Span.End
	edits = append([]source.Edit{opening}, apart(source.Span{Start: first.Span.Start, End: last.Span.End}, spans, eol+"```"+eol+eol+"```delta"+eol)...)
	edits = append(edits, closing)
	first.Marks, first.Edits, first.Count = m, edits, len(objects)
	return true
}

// groupStart and groupEnd are what an array or a wrapper has before its first object, and after its last.
var (
	groupStart = text.Pattern(`(?:\[|[{,]\s*["']([^"'\n]*)["']\s*:\s*\[?)\s*$`)
	groupEnd   = text.Pattern(`^(?:\s*,)*(?:\s*\](?:\s*\})?|\s*\})?`)
)

// closing returns where the marks below an object end that are meant to close its fence, its own end if there are none.
// Marks that open a fence for other JSON or code are not, nor below an object without marks above those of a fence with an end.
func (f *finder) closing(object source.Span, isOpened bool) int {
	m := afterValue(f.data[object.End:min(len(f.data), object.End+maxMarks)])
	if m == nil {
		return object.End
	}
	start := object.End + m[2]
	line, b := f.lineFrom(start), f.blockAt(start)
	opens := b.Kind == markdown.Fence && b.Span.Start == start && !b.InQuote
	isStray, isOwn := false, false // the marks open a fence by mistake, or that of other code
	if opens {
		in, isNext := f.inner(b), bytes.Count(f.data[object.End:start], []byte("\n")) < 2
		if b.Info.Empty() {
			isStray = !b.Closed && (isNext || in.deltas > 0) || in.deltas > 0 && in.open
		}
		tag := tagAlone().FindSubmatch(line)
		isTagged := tag != nil && !slices.Contains([]string{"delta", "json", "end"}, strings.ToLower(string(tag[1])))
		isCode := len(bytes.TrimSpace(lineOf(f.doc.Content(b).Data))) > 0 // else a text is below, which the next fence ends
		isOwn = b.Closed && isCode && in.deltas == 0 && !in.open && (isTagged || b.Info.Empty() && !isNext)
	}
	if opensJSON(line, f.data[start+len(line):]) || isOwn || !isOpened && !isStray {
		return object.End
	}
	f.noFences[start] = opens
	if isTag(f.data[object.End+m[4] : object.End+m[5]]) {
		return object.End + m[5]
	}
	return object.End + m[3]
}

// misread returns why marks do not open a fence, on a line that begins at a byte; NoMarks if they do.
func (f *finder) misread(line int, marks source.Span) (FenceDefect, source.Span) {
	before := f.data[line:marks.Start]
	visible := bytes.TrimLeftFunc(before, isInvisible)
	b := f.blockAt(marks.Start)
	switch fence := markdown.ReadFenceLine(f.data[marks.Start:marks.End]); {
	case b.Span.Start == marks.Start && f.isBlankDelta(b):
		return Outside, marks
	case len(visible) > 0:
		return Preceded, marks
	case len(bytes.Trim(before, " \t")) > 0:
		return Invisible, source.Span{Start: line, End: marks.Start}
	case f.data[marks.Start] == '\\':
		return Escaped, marks
	case !fence.Opens() && bytes.HasPrefix(f.data[marks.Start:], []byte("```")):
		return Ticked, marks
	case !fence.Opens():
		return Unlike, marks
	case b.Kind == markdown.HTML:
		above := len(bytes.TrimRight(f.data[:line], " \t\r\n"))
		return InHTML, source.Trim(f.data, source.Span{Start: f.lineStart(above), End: above})
	case b.Kind == markdown.Code, b.Kind == markdown.Paragraph && markdown.ReadFenceLine(f.lineFrom(marks.Start)).Opens(): // else they would end it
		return Indented, marks
	}
	return NoMarks, source.Span{}
}

// RawTag returns the tag of a line of HTML that no blank line ends, but only what closes it; "" if
// there is none. Of an instruction or CDATA it is how they begin.
func RawTag(line string) string {
	if m := rawTag().FindStringSubmatch(line); m != nil {
		return strings.ToLower(m[1] + m[2])
	}
	return ""
}

var rawTag = text.Pattern(`(?i)<(pre|script|style|textarea)[ >]|^<(\?|![a-z[])`)

// isInvisible reports whether a character takes no ink: white space, or one that only
// formats.
func isInvisible(r rune) bool { return unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) }

// outside returns the edit that puts what is meant to end a fence into its list item or quotation, below which it is: marks, and
// perhaps the last lines of the JSON; nil if there are none, or they have a block of their own. It ends where the marks begin.
// They hide what is in the fence that they open.
func outside(doc *markdown.Document, i int) (end *source.Edit, hidden []source.Span) {
	b, last := &doc.Blocks[i], len(doc.Blocks)-1
	marks := &doc.Blocks[min(i+1, last)]
	if marks.Kind == markdown.Paragraph {
		marks = &doc.Blocks[min(i+2, last)]
	}
	if b.Kind != markdown.Fence || b.Closed || !strings.HasPrefix(marks.Marks(), b.Marks()) || !marks.Info.Empty() || marks == b {
		return nil, nil
	}
	between, content := doc.Text.Data[b.Span.End:marks.Span.Start], doc.Content(marks)
	inner := markdown.Parse(content).Blocks
	isOwn := marks.Closed && (len(inner) == 0 || inner[len(inner)-1].Kind != markdown.Fence || inner[len(inner)-1].Closed)
	if isOwn || len(bytes.Trim(between, "> \t\r\n")) > 0 && !isJSON(slices.Concat(doc.Content(b).Data, between)) {
		return nil, nil
	}
	text := lineStarts().ReplaceAllLiteral(between, []byte(markdown.Below(doc.Text, b.Span.Start)))
	return &source.Edit{Span: source.Span{Start: b.Span.End, End: marks.Span.Start}, Text: string(text)}, deltasIn(content.Data)
}

// lineStarts are line ends, with what a list or a quotation has before the next line.
var lineStarts = text.Pattern(`\r?\n[> \t]*`)

// blockAt returns the block that a byte is in, or the one before it.
func (f *finder) blockAt(at int) *markdown.Block {
	i := sort.Search(len(f.doc.Blocks), func(i int) bool { return f.doc.Blocks[i].Span.Start > at })
	return &f.doc.Blocks[max(i-1, 0)]
}
