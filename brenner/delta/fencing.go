package delta

import (
	"bytes"
	"strings"

	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/source"
)

// fencing puts a fence around an object that ends in a block. In a list the lines of a
// fence must all be indented as the item is, those of a paragraph need not be.
func (f *finder) fencing(object source.Span, b *markdown.Block) []source.Edit {
	if b == nil || b.Kind == markdown.HTML {
		return nil
	}
	start := f.lineStart(object.Start)
	isFirst := len(bytes.TrimLeft(f.data[start:object.Start], " \t")) == 0
	isLast := len(bytes.TrimSpace(f.lineFrom(object.End))) == 0
	switch {
	case !b.InList && isFirst && isLast:
		return f.alone(start, object, f.closing(object, false))
	case !b.InList:
		return f.fencingInLine(object)
	case !isLast || b.Kind != markdown.Paragraph || object.Start < b.Span.Start || !isFirst && object.Start > b.Span.Start:
		return nil
	}
	below, open := markdown.Below(f.doc.Text, b.Span.Start), "```delta"
	indent := strings.TrimLeft(below, "\r\n")
	if isFirst {
		open = indent + open
	} else {
		start = object.Start // before it is the item's marker
	}
	edits := append([]source.Edit{edit(start, object.Start, open+below)}, f.indent(object, indent)...)
	return append(edits, edit(object.End, object.End, below+"```"))
}

// isBlankDelta reports whether a block is a delta fence with nothing in it.
func (f *finder) isBlankDelta(b *markdown.Block) bool {
	return b.Kind == markdown.Fence && isDelta(f.doc, b) && len(bytes.TrimSpace(f.doc.Content(b).Data)) == 0
}

// blankFence returns the fence with nothing in it that is directly above or below an object, and the
// edits that move the object into it; nil if there is none.
func (f *finder) blankFence(object source.Span, in *markdown.Block) (*markdown.Block, []source.Edit) {
	start, after := f.lineStart(object.Start), object.End+len(f.lineFrom(object.End))
	isAlone := len(bytes.TrimSpace(f.data[start:object.Start])) == 0 && len(bytes.TrimSpace(f.data[object.End:after])) == 0
	if in == nil || in.InList || in.InQuote || !isAlone {
		return nil, nil
	}
	eol := strings.TrimRight(markdown.Below(f.doc.Text, start), " \t")
	isNext := func(b *markdown.Block, from, to int) bool {
		return !b.InList && !b.InQuote && b.Closed && f.isBlankDelta(b) && from <= to && len(bytes.TrimSpace(f.data[from:to])) == 0
	}
	if b := f.blockAt(max(start-1, 0)); isNext(b, b.Span.End, start) {
		return b, []source.Edit{edit(f.lineStart(b.Span.End), object.Start, ""), edit(object.End, f.closing(object, false), eol+b.Marks())}
	}
	if b := f.blockAt(source.SkipSpace(f.data, object.End)); isNext(b, object.End, b.Span.Start) {
		return b, []source.Edit{edit(start, object.Start, f.doc.Text.Slice(source.Span{Start: b.Span.Start, End: b.Info.End})+eol), edit(object.End, b.Info.End, "")}
	}
	return nil, nil
}

// inside returns edits that indent an object, and the marks below it, like the fence above them; nil if
// other text is on their lines.
func (f *finder) inside(b *markdown.Block, object source.Span) []source.Edit {
	below, start, end := markdown.Below(f.doc.Text, b.Span.Start), f.lineStart(object.Start), object.End
	rest := bytes.TrimLeft(f.data[end:], " \t\r\n>") // the marks may be in a quotation
	if fence := markdown.ReadFenceLine(lineOf(rest)); fence.Opens() && fence.Info.Empty() {
		end = len(f.data) - len(rest) + fence.Marks.End
	} else if len(bytes.TrimSpace(f.lineFrom(end))) > 0 {
		return nil
	}
	prefix := strings.TrimLeft(below, "\r\n")
	edits := append([]source.Edit{edit(start, object.Start, prefix)}, f.indent(object, prefix)...)
	return append(edits, edit(object.End, end, below+b.Marks()))
}

// lineOf returns the first line of a text.
func lineOf(text []byte) []byte {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return line
}

// lineFrom returns the rest of the line of an offset. It looks the end up: many objects may share a line.
func (f *finder) lineFrom(at int) []byte {
	return f.data[at:max(at, f.doc.Text.Line(f.doc.Text.LineAt(at)).End)]
}

// indent indents all lines of an object except the first, unless all are indented.
func (f *finder) indent(object source.Span, prefix string) []source.Edit {
	var edits []source.Edit
	all := true
	for line := range lines(f.data[object.Start:object.End]) {
		if at := object.Start + line.Start; line.Start > 0 {
			edits = append(edits, edit(at, at, prefix))
			all = all && bytes.HasPrefix(f.data[at:], []byte(prefix))
		}
	}
	if all {
		return nil
	}
	return edits
}

// fencingInLine puts a fence around an object that shares its lines with other text,
// which is moved to its own lines. Backticks, quotation marks, emphasis and marks of a heading around the object are removed.
func (f *finder) fencingInLine(object source.Span) []source.Edit {
	isAlone := func(before, after int) bool {
		return len(bytes.Trim(f.data[f.lineStart(before):before], "# \t")) == 0 && len(bytes.Trim(f.lineFrom(after), "# \t")) == 0
	}
	before, after := f.outsideTicks(object)
	const quotes = "`\""
	for _, marks := range [...]string{quotes, quotes + "*_"} {
		from, to := before, after
		for from > 0 && to < len(f.data) && f.data[from-1] == f.data[to] && strings.IndexByte(marks, f.data[to]) >= 0 {
			from, to = from-1, to+1
		}
		if marks == quotes || isAlone(from, to) { // else emphasis may be that of the text around
			before, after = from, to
		}
	}
	before = len(bytes.TrimRight(f.data[:before], " \t[,")) // only the objects of an array remain
	after = len(f.data) - len(bytes.TrimLeft(f.data[after:], " \t],"))
	if m := wrapperStart().FindIndex(f.data[f.lineStart(before):before]); m != nil && after < len(f.data) && f.data[after] == '}' {
		before, after = f.lineStart(before), after+1
	}
	if isAlone(before, after) {
		before, after = f.lineStart(before), after+len(f.lineFrom(after))
	}
	return f.alone(before, object, after)
}

// alone puts a fence around an object in place of what is around it between two places. Other text
// of its lines is moved to lines of its own.
func (f *finder) alone(before int, object source.Span, after int) []source.Edit {
	eol := strings.TrimRight(markdown.Below(f.doc.Text, f.lineStart(object.Start)), " \t")
	open, closing := "```delta"+eol, eol+"```"
	if before > 0 && f.data[before-1] != '\n' {
		open = eol + eol + open
	}
	if rest := f.lineFrom(after); len(bytes.TrimSpace(rest)) > 0 {
		after += len(rest) - len(bytes.TrimLeft(rest, " \t"))
		closing += eol + eol
	}
	return []source.Edit{edit(before, object.Start, open), edit(object.End, after, closing)}
}

// outsideTicks returns where an object begins and ends with the marks around it, if all is on
// one line and so the marks are not a fence: ```delta {…} ```.
func (f *finder) outsideTicks(object source.Span) (before, after int) {
	line := f.lineStart(object.Start)
	low := max(line, object.Start-maxMarks)
	m := tickStart().FindSubmatchIndex(f.data[low:object.Start])
	rest := withoutBreaks(f.data[object.End:])
	if m == nil || low > line && f.data[low+m[0]] != '\\' || !bytes.HasPrefix(rest, f.data[low+m[2]:low+m[3]]) {
		return object.Start, object.End
	}
	return low + m[0], len(f.data) - len(withoutBreaks(rest[m[3]-m[2]:]))
}

// withoutBreaks returns what follows blanks, and line breaks that are written as \n.
func withoutBreaks(text []byte) []byte { return text[len(breaks().Find(text)):] }

var breaks = text.Pattern(`^(?:[ \t]|\\n)*`)

// tickStart would open a fence, if what follows were on the next line, and if it begins a line, which may be written as \n.
var tickStart = text.Pattern("(?:^|(?:\\\\n)+)[ \t]*(```+)[A-Za-z]*(?:[ \t]|\\\\n)*$")

// wrapperStart is what is before a delta that is inside another object.
var wrapperStart = text.Pattern(`^[ \t]*\{[ \t]*"[A-Za-z_]+"[ \t]*:$`)
