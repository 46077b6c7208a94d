package delta

import (
	"bytes"
	"regexp"
	"strings"
	"sync"

	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/source"
)

// fencing puts a fence around an object that ends in a block. In a list the lines of a
// fence must all be indented as the item is, those of a paragraph need not be.
func (f *finder) fencing(object source.Span, b *markdown.Block) []source.Edit {
	if b == nil || b.Kind == markdown.HTML {
		return nil
	}
	first := source.Span{Start: f.lineStart(object.Start), End: object.Start}
	rest := f.data[object.End:]
	if n := bytes.IndexByte(rest, '\n'); n >= 0 {
		rest = rest[:n]
	}
	if before := f.data[first.Start:first.End]; !b.InList && (len(bytes.TrimSpace(rest)) > 0 || len(bytes.TrimLeft(before, " \t")) > 0) {
		return f.fencingInLine(object)
	} else if len(bytes.TrimSpace(rest)) > 0 {
		return nil
	}
	below := markdown.Below(f.doc.Text, object.Start)
	open := "```delta"
	switch blank := len(bytes.TrimLeft(f.data[first.Start:first.End], " \t")) == 0; {
	case !b.InList && blank:
		below = markdown.Below(f.doc.Text, first.Start)
	case !b.InList || b.Kind != markdown.Paragraph || object.Start < b.Span.Start || !blank && object.Start > b.Span.Start:
		return nil
	case blank:
		below = markdown.Below(f.doc.Text, b.Span.Start)
		open = strings.TrimLeft(below, "\r\n") + open
	default:
		first.Start = first.End // before it is the item's marker
	}
	edits := []source.Edit{{Span: first, Text: open + below}}
	edits = append(edits, f.indent(object, strings.TrimLeft(below, "\r\n"))...)
	return append(edits, source.Edit{Span: source.Span{Start: object.End, End: object.End}, Text: below + "```"})
}

// fencingInLine puts a fence around an object that shares its lines with other text,
// which is moved to its own lines. Backticks around the object are removed.
func (f *finder) fencingInLine(object source.Span) []source.Edit {
	eol := strings.TrimRight(markdown.Below(f.doc.Text, f.lineStart(object.Start)), " \t")
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
	open, closing := "```delta"+eol, eol+"```"
	if before > 0 && f.data[before-1] != '\n' {
		open = eol + eol + open
	}
	if after < len(f.data) && f.data[after] != '\n' && f.data[after] != '\r' {
		closing += eol + eol
	}
	return []source.Edit{
		{Span: source.Span{Start: before, End: object.Start}, Text: open},
		{Span: source.Span{Start: object.End, End: after}, Text: closing},
	}
}

// outsideTicks returns where an object begins and ends with the fence around it, if that is
// all on one line and so is none: ```delta {…} ```.
func (f *finder) outsideTicks(object source.Span) (before, after int) {
	line := f.lineStart(object.Start)
	m := tickStart().FindSubmatch(f.data[line:object.Start])
	if m == nil {
		return object.Start, object.End
	}
	rest := bytes.TrimLeft(f.data[object.End:], " \t")
	if !bytes.HasPrefix(rest, m[1]) {
		return object.Start, object.End
	}
	return line, len(f.data) - len(rest) + len(m[1])
}

// tickStart is the beginning of a line that would open a fence, if what follows were on the
// next line.
var tickStart = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("^[ \t]*(```+)[A-Za-z]*[ \t]*$") })

// wrapperStart is what is before a delta that is inside another object.
var wrapperStart = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[ \t]*\{[ \t]*"[A-Za-z_]+"[ \t]*:$`) })

// indent indents all lines of an object except the first, unless all are indented.
func (f *finder) indent(object source.Span, prefix string) []source.Edit {
	var edits []source.Edit
	all := true
	for at := object.Start; ; {
		n := bytes.IndexByte(f.data[at:object.End], '\n')
		if n < 0 {
			break
		}
		at += n + 1
		edits = append(edits, source.Edit{Span: source.Span{Start: at, End: at}, Text: prefix})
		all = all && bytes.HasPrefix(f.data[at:], []byte(prefix))
	}
	if all {
		return nil
	}
	return edits
}
