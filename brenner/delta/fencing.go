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
	isLast := len(bytes.TrimSpace(lineOf(f.data[object.End:]))) == 0
	if !b.InList && (!isFirst || !isLast) {
		return f.fencingInLine(object)
	}
	below, open := markdown.Below(f.doc.Text, start), "```delta"
	if b.InList {
		if !isLast || b.Kind != markdown.Paragraph || object.Start < b.Span.Start || !isFirst && object.Start > b.Span.Start {
			return nil
		}
		below = markdown.Below(f.doc.Text, b.Span.Start)
		if isFirst {
			open = strings.TrimLeft(below, "\r\n") + open
		} else {
			start = object.Start // before it is the item's marker
		}
	}
	edits := []source.Edit{edit(start, object.Start, open+below)}
	edits = append(edits, f.indent(object, strings.TrimLeft(below, "\r\n"))...)
	return append(edits, edit(object.End, object.End, below+"```"))
}

// lineOf returns the first line of a text.
func lineOf(text []byte) []byte {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return line
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
// which is moved to its own lines. Backticks around the object are removed.
func (f *finder) fencingInLine(object source.Span) []source.Edit {
	before, after := f.outsideTicks(object)
	for before > 0 && after < len(f.data) && f.data[before-1] == '`' && f.data[after] == '`' {
		before, after = before-1, after+1
	}
	for before > 0 && (isBlank(f.data[before-1]) || f.data[before-1] == '[' || f.data[before-1] == ',') {
		before-- // only the objects of an array remain
	}
	for after < len(f.data) && (isBlank(f.data[after]) || f.data[after] == ']' || f.data[after] == ',') {
		after++
	}
	if m := wrapperStart().FindIndex(f.data[f.lineStart(before):before]); m != nil && after < len(f.data) && f.data[after] == '}' {
		before, after = f.lineStart(before), after+1
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
	if rest := lineOf(f.data[after:]); len(bytes.TrimSpace(rest)) > 0 {
		after += len(rest) - len(bytes.TrimLeft(rest, " \t"))
		closing += eol + eol
	}
	return []source.Edit{edit(before, object.Start, open), edit(object.End, after, closing)}
}

// outsideTicks returns where an object begins and ends with the marks around it, if all is on
// one line and so the marks are not a fence: ```delta {…} ```.
func (f *finder) outsideTicks(object source.Span) (before, after int) {
	line := f.lineStart(object.Start)
	m := tickStart().FindSubmatch(f.data[line:object.Start])
	rest := bytes.TrimLeft(f.data[object.End:], " \t")
	if m == nil || !bytes.HasPrefix(rest, m[1]) {
		return object.Start, object.End
	}
	return line, len(f.data) - len(rest) + len(m[1])
}

// tickStart is the beginning of a line that would open a fence, if what follows were on the
// next line.
var tickStart = text.Pattern("^[ \t]*(```+)[A-Za-z]*[ \t]*$")

// wrapperStart is what is before a delta that is inside another object.
var wrapperStart = text.Pattern(`^[ \t]*\{[ \t]*"[A-Za-z_]+"[ \t]*:$`)
