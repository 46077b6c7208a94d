package delta

import (
	"bytes"
	"strings"

	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/source"
)

// Swallowed returns the lines of a block that is not valid JSON that open another fence
// with a tag, after its JSON has begun: no line of JSON can. Their fences never begin,
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
		end := len(data)
		if n := bytes.IndexByte(data[at:], '\n'); n >= 0 {
			end = at + n
		}
		if opensFence(data[at:end]) {
			out = append(out, source.Span{Start: at, End: end}.Trim(data))
		}
		at = end + 1
	}
	return out
}

// WrongMarks returns the marks on a line below the JSON that do not close the fence, because
// the opening line has more of them or others, or because they are indented too far: then
// with their indentation. It is the empty span if there are none.
func (d *Delta) WrongMarks() source.Span {
	if d.Syntax == nil || d.Block.Closed && len(d.Swallowed()) == 0 {
		return source.Span{}
	}
	return marksBelow(d.Text.Data)
}

// marksBelow returns the marks on a line below the JSON value that a text begins with, and
// their indentation if that is too deep for a fence.
func marksBelow(text []byte) source.Span {
	start := len(text) - len(bytes.TrimLeft(text, " \t\r\n"))
	size, ok := jsontree.ValueEnd(text[start:])
	if !ok {
		return source.Span{}
	}
	at := start + size
	same, _, _ := bytes.Cut(text[at:], []byte("\n"))
	next := at + len(text[at:]) - len(bytes.TrimLeft(text[at:], " \t\r\n"))
	line, _, _ := bytes.Cut(text[next:], []byte("\n"))
	marks := bytes.TrimRight(line, " \t\r")
	if len(bytes.TrimSpace(same)) > 0 || len(marks) < 2 || marks[0] != '`' && marks[0] != '~' || len(bytes.Trim(marks, string(marks[:1]))) > 0 {
		return source.Span{}
	}
	out := source.Span{Start: next, End: next + len(marks)}
	if indent := bytes.LastIndexByte(text[:next], '\n') + 1; next-indent > 3 || bytes.IndexByte(text[indent:next], '\t') >= 0 {
		out.Start = indent
	}
	return out
}

// CloseFence returns edits of the body that close the fence before each block that it
// swallows: instead of wrong marks, after the JSON before it or, if that is not valid, on the
// line before. What is certain to be meant as JSON is corrected there too, as by Repair. A swallowed
// block that has its own closing marks is left as it is. The edits are certain if they only
// replace marks.
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
		switch {
		case i > 0 && closesItself(data[swallowed[i-1].Start:swallowed[i-1].End], part):
		case !marks.Empty():
			at := source.Span{Start: start + marks.Start, End: start + marks.End}
			edits = append(edits, source.Edit{Span: source.Span{Start: d.inBody(at.Start), End: d.inBody(at.End)}, Text: closing})
			certain = certain && marks.Len() > 2
		case i < len(swallowed):
			certain = false
			edits = d.repairPart(edits, start, end)
			at := start + len(bytes.TrimRight(part, " \t\r\n"))
			if _, fault := jsontree.Parse(part, *d.json); fault != nil && fault.ValueEnd > 0 {
				at = start + fault.ValueEnd
			}
			edits = append(edits, source.Edit{Span: source.Span{Start: d.inBody(at), End: d.inBody(at)}, Text: below + closing})
		default:
			edits = d.repairPart(edits, start, end)
		}
		if i < len(swallowed) {
			start = swallowed[i].End
			if _, length, _ := fenceLine(data[swallowed[i].Start:swallowed[i].End]); length > 0 {
				closing = strings.Repeat(string(data[swallowed[i].Start]), length)
			}
		}
	}
	return edits, certain
}

// closesItself reports whether a line of a text closes the fence that another line opens.
func closesItself(opening, text []byte) bool {
	char, length, _ := fenceLine(opening)
	for line := range bytes.Lines(text) {
		if closesFence(bytes.TrimRight(line, " \t\r\n"), char, length) {
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
