package delta

import (
	"bytes"
	"regexp"
	"strings"
	"sync"

	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/source"
)

// Misread is why marks that are meant for a fence do not open or close it.
type Misread uint8

// The reasons.
const (
	Invisible Misread = iota + 1 // characters that take no ink are before opening marks
	InHTML                       // an HTML line is directly above opening marks
	Preceded                     // text is before opening marks, on their line
	Escaped                      // each mark has a backslash
	Indented                     // by more than three columns
	Unlike                       // other marks, or fewer, than the fence has
	Glued                        // closing marks are on the last line of the JSON
	Followed                     // text is after closing marks, on their line
	Surplus                      // closing marks are above those that close the fence
	Nested                       // another fence is inside
)

// Marks are marks that are meant for a fence and misread. The zero value is none.
type Marks struct {
	Why Misread
	// At is where the marks are: with their indentation if that is too deep. Of Invisible it is
	// the characters before them, of InHTML the line above.
	At source.Span

	// Rest is where the text after closing marks on their line begins; 0 if there is none.
	Rest int

	value source.Span // the JSON before closing marks
	end   int         // of the marks that close a nested fence; 0 if there are none
}

// fenceMarks are marks that are, or are meant to be, those of a fence.
const fenceMarks = "(?:\\\\?`){2,}|(?:\\\\?~){2,}|'{3,}|´{3,}|‘{3,}|’{3,}|\"{3,}"

// marksAfter are the marks after a JSON value, and the text after them on their line.
var marksAfter = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[ \t\r\n]*(` + fenceMarks + `)[ \t]*([^\n]*)`)
})

// marksAfterBrace are the marks where a JSON value most likely ends that is not valid.
var marksAfterBrace = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("}[ \t\r\n]*(?:```|~~~)") })

// marksBelow returns the marks below the JSON value that a text begins with, or the line
// above it that opens another fence.
func marksBelow(text []byte) Marks {
	start := len(text) - len(bytes.TrimLeft(text, " \t\r\n"))
	inner, below, _ := bytes.Cut(text[start:], []byte("\n"))
	nested := source.Span{Start: start, End: start + len(bytes.TrimRight(inner, " \t\r"))}
	isNested := markdown.ReadFenceLine(inner).Opens()
	if isNested {
		start = len(text) - len(bytes.TrimLeft(below, " \t\r\n"))
	}
	size, ok := jsontree.ValueEnd(text[start:])
	value := source.Span{Start: start, End: start + size}
	if !ok {
		value.End = len(bytes.TrimRight(text, " \t\r\n"))
	}
	if at := marksAfterBrace().FindIndex(text[start:]); !ok && at != nil {
		value.End = start + at[0] + 1
	}
	end := value.End
	m := marksAfter().FindSubmatchIndex(text[end:])
	switch {
	case isNested && start < len(text) && (text[start] == '{' || text[start] == '['):
		out := Marks{Why: Nested, At: nested, value: value}
		if m != nil {
			out.end = end + m[3]
		}
		return out
	case m == nil:
		return Marks{}
	}
	out := Marks{Why: Unlike, At: source.Span{Start: end + m[2], End: end + m[3]}, value: value}
	if len(bytes.TrimSpace(text[end+m[4]:end+m[5]])) > 0 {
		out.Rest = end + m[4]
	}
	line := bytes.LastIndexByte(text[:out.At.Start], '\n') + 1
	switch indent := text[line:out.At.Start]; {
	case line <= end:
		out.Why = Glued
	case text[out.At.Start] == '\\':
		out.Why = Escaped
	case out.Rest > 0:
		out.Why = Followed
	case len(indent) > 3 || bytes.IndexByte(indent, '\t') >= 0:
		out.Why, out.At.Start = Indented, line
	}
	return out
}

// edits returns the edits of the text that write marks as they must be.
func (m Marks) edits(closing, below string) []source.Edit {
	e := source.Edit{Span: m.At, Text: closing}
	switch m.Why {
	case Nested:
		return []source.Edit{
			{Span: source.Span{Start: m.At.Start, End: m.value.Start}},
			{Span: source.Span{Start: m.value.End, End: max(m.end, m.value.End)}},
		}
	case Surplus:
		return []source.Edit{{Span: source.Span{Start: m.value.End, End: m.At.End}}}
	case Glued:
		e.Span.Start, e.Text = m.value.End, below+closing
	}
	if m.Rest > 0 {
		e.Span.End = m.Rest
		e.Text += strings.TrimRight(below, " \t") + below
	}
	return []source.Edit{e}
}

// Swallowed returns the lines of a block that is not valid JSON that open another fence
// for JSON, after its own has begun: no line of JSON can. Their fences never begin,
// because that of the block is open.
func (d *Delta) Swallowed() []source.Span {
	if d.Syntax == nil {
		return nil
	}
	data := d.Text.Data
	var out []source.Span
	if text := bytes.TrimSpace(data); len(text) == 0 || bytes.IndexByte([]byte(`{["`), text[0]) < 0 {
		return nil
	}
	for at := 0; at < len(data); {
		line, rest, _ := bytes.Cut(data[at:], []byte("\n"))
		if opensJSON(line, rest) {
			out = append(out, source.Span{Start: at, End: at + len(line)}.Trim(data))
		}
		at += len(line) + 1
	}
	return out
}

// opensJSON reports whether a line opens a fence for JSON: its tag is delta, or it is one
// word, and JSON follows. With other words it is meant to close a fence.
func opensJSON(line, rest []byte) bool {
	fence := markdown.ReadFenceLine(line)
	if !fence.Opens() || fence.Info.Empty() {
		return false
	}
	words := bytes.Fields(line[fence.Info.Start:fence.Info.End])
	rest = bytes.TrimLeft(rest, " \t\r\n")
	return string(words[0]) == "delta" || len(words) == 1 && len(rest) > 0 && (rest[0] == '{' || rest[0] == '[')
}

// WrongMarks returns the marks at the end of the JSON that do not close the fence.
func (d *Delta) WrongMarks() Marks {
	if d.Syntax == nil {
		return Marks{}
	}
	data := d.Text.Data
	swallowed := d.Swallowed()
	if len(swallowed) > 0 {
		data = data[:swallowed[0].Start]
	}
	m := marksBelow(data)
	switch after := data[min(m.At.End, len(data)):]; {
	case m.Why == 0 || m.Why == Nested || !d.Block.Closed || len(swallowed) > 0:
	case len(bytes.TrimSpace(after)) == 0:
		m.Why = Surplus
	case m.Why == Unlike && m.At.Len() < 3:
		return Marks{}
	}
	return m
}

// CloseFence returns edits of the body that close the fence of a block that is not JSON, and
// those of the blocks that it swallows: instead of wrong marks, after the JSON or, if that is
// not valid, on the line before the next block. What is certain to be meant as JSON is
// corrected there too, as by Repair. A swallowed block that has its own closing marks is left
// as it is. The edits are certain if they only write marks as they must be.
func (d *Delta) CloseFence() (edits []source.Edit, certain bool) {
	certain = true
	below := markdown.Below(d.Fence.Text, d.Fence.Span.Start)
	closing := strings.Repeat(string(d.Block.FenceChar), int(d.Block.FenceLen))
	data, start := d.Text.Data, 0
	swallowed := d.Swallowed()
	for i := 0; i <= len(swallowed); i++ {
		end := len(data)
		if i < len(swallowed) {
			end = swallowed[i].Start
		}
		part := data[start:end]
		marks := marksBelow(part)
		if i == 0 {
			marks = d.WrongMarks()
		}
		switch {
		case i > 0 && closesItself(data[swallowed[i-1].Start:swallowed[i-1].End], part):
		case marks.Why != 0:
			for _, e := range marks.edits(closing, below) {
				edits = append(edits, source.Edit{Span: source.Span{Start: d.inBody(start + e.Span.Start), End: d.inBody(start + e.Span.End)}, Text: e.Text})
			}
			certain = certain && (marks.At.Len() > 2 || len(swallowed) == 0)
			if marks.Why == Nested && marks.end == 0 {
				edits = append(edits, d.secondClosing()...)
			}
		case i < len(swallowed):
			_, fault := jsontree.Parse(part, *d.json)
			certain = certain && fault == nil
			edits = d.repairPart(edits, start, end)
			at := start + len(bytes.TrimRight(part, " \t\r\n"))
			if fault != nil && fault.ValueEnd > 0 {
				at = start + fault.ValueEnd
			}
			edits = append(edits, source.Edit{Span: source.Span{Start: d.inBody(at), End: d.inBody(at)}, Text: below + closing})
		default:
			edits = d.repairPart(edits, start, end)
		}
		if i < len(swallowed) {
			start = swallowed[i].End
			fence := markdown.ReadFenceLine(data[swallowed[i].Start:swallowed[i].End])
			closing = strings.Repeat(string(fence.Mark), fence.Marks.Len())
		}
	}
	return edits, certain
}

// secondClosing returns the edit that removes marks directly below the block, which were meant
// to close it: those that did are of a fence inside.
func (d *Delta) secondClosing() []source.Edit {
	end := d.Block.Span.End
	m := marksAfter().FindSubmatchIndex(d.Fence.Text.Data[end:])
	if m == nil || m[5] > m[4] || !d.Block.Closed {
		return nil
	}
	return []source.Edit{{Span: source.Span{Start: end, End: end + m[3]}}}
}

// closesItself reports whether a line of a text closes the fence that another line opens.
func closesItself(opening, text []byte) bool {
	fence := markdown.ReadFenceLine(opening)
	for line := range bytes.Lines(text) {
		if markdown.ReadFenceLine(line).Closes(fence.Mark, fence.Marks.Len()) {
			return true
		}
	}
	return false
}

// repairPart adds the edits that make a part of the block valid JSON.
func (d *Delta) repairPart(edits []source.Edit, start, end int) []source.Edit {
	r := jsontree.Recover(d.Text.Bytes(source.Span{Start: start, End: end}), *d.json)
	for _, e := range r.Edits {
		if !r.Certain {
			break
		}
		e.Span = source.Span{Start: d.inBody(start + e.Span.Start), End: d.inBody(start + e.Span.End)}
		edits = append(edits, e)
	}
	return edits
}
