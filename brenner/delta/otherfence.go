package delta

import (
	"bytes"
	"slices"

	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/source"
)

// fence finds deltas in a fence with another tag: JSON that is the whole content,
// else delta fences, or JSON among other text.
func (f *finder) fence(b *markdown.Block) {
	if isDelta(f.doc, b) || len(b.Parts) == 0 {
		return
	}
	whole := source.Span{Start: b.Parts[0].Start, End: b.Parts[len(b.Parts)-1].End}.Trim(f.data)
	lines := slices.Collect(f.doc.Lines(b))
	inner := f.innerFences(lines)
	objects := f.objectsIn(lines)
	m := UnfencedDelta{
		Form: OtherFence, Tag: tagSpan(f.doc, b), Count: len(objects),
		Span: source.Span{Start: b.Span.Start, End: max(b.Info.End, b.Span.Start+int(b.FenceLen))},
	}
	switch {
	case inner.deltas > 0:
		m.Form, m.Count = OuterFence, inner.deltas
	case len(objects) == 0:
		return
	case isWhole(f.data, whole, objects):
		_, fault := jsontree.Parse(f.data[whole.Start:whole.End], f.json)
		m.Valid, m.InList, m.Array = fault == nil, b.InList, f.data[whole.Start] == '['
	case f.isObject(whole):
		m.Form = WrappedJSON
		for _, o := range objects {
			m.JSON = append(m.JSON, f.data[o.Start:o.End])
		}
		m.Fencing = f.splitting(b, whole, m.Tag, objects)
	default:
		m.Form = OuterFence
	}
	if m.Form == OuterFence {
		m.Unwrapping = f.unwrapping(b, inner)
	}
	f.out = append(f.out, m)
}

// isWhole reports whether objects are the whole content of a fence: one of them, or an
// array.
func isWhole(data []byte, whole source.Span, objects []source.Span) bool {
	last := objects[len(objects)-1]
	return last == whole || data[whole.Start] == '[' && data[whole.End-1] == ']'
}

// splitting puts each delta that is inside another object into its own fence; nil if the
// fence is not closed or in a list.
func (f *finder) splitting(b *markdown.Block, whole, tag source.Span, objects []source.Span) []source.Edit {
	if !b.Closed || b.InList || b.InQuote {
		return nil
	}
	below := markdown.Below(f.doc.Text, b.Span.Start)
	fence := string(f.data[b.Span.Start : b.Span.Start+int(b.FenceLen)])
	edits := []source.Edit{{Span: tag, Text: "delta"}, {Span: source.Span{Start: whole.Start, End: objects[0].Start}}}
	for i := 1; i < len(objects); i++ {
		gap := source.Span{Start: objects[i-1].End, End: objects[i].Start}
		edits = append(edits, source.Edit{Span: gap, Text: below + fence + below + below + fence + "delta" + below})
	}
	return append(edits, source.Edit{Span: source.Span{Start: objects[len(objects)-1].End, End: whole.End}})
}

// isObject reports whether a text is one valid JSON object.
func (f *finder) isObject(s source.Span) bool {
	root, _ := jsontree.Parse(f.data[s.Start:s.End], f.json)
	return root.Is(jsontree.Object)
}

// objectsIn returns the objects of delta form in lines that are in no other one.
func (f *finder) objectsIn(lines []source.Span) []source.Span {
	var scan objectScan
	var out []source.Span
	for _, line := range lines {
		for _, o := range scan.line(f.data, line) {
			for len(out) > 0 && o.Contains(out[len(out)-1]) {
				out = out[:len(out)-1]
			}
			out = append(out, o)
		}
	}
	return out
}

// innerFences reads the fences in the lines of a fence.
func (f *finder) innerFences(lines []source.Span) innerFences {
	var in innerFences
	var open innerFence
	for i, span := range lines {
		line := bytes.TrimRight(f.data[span.Start:span.End], " \t\r\n")
		if open.length > 0 {
			if !closesFence(line, open.char, open.length) {
				continue
			}
			if !open.isDelta && f.isDeltaJSON(lines[open.content:i]) {
				in.untagged = append(in.untagged, source.Edit{Span: open.tag, Text: "delta"})
			}
			open = innerFence{}
			continue
		}
		char, length, info := fenceLine(line)
		word, _, _ := bytes.Cut(bytes.ReplaceAll(info, []byte("\t"), []byte(" ")), []byte(" "))
		start := span.Start + len(line) - len(info)
		open = innerFence{char: char, length: length, content: i + 1, tag: source.Span{Start: start, End: start + len(word)}, isDelta: string(word) == "delta"}
		if open.isDelta {
			in.deltas++
		}
	}
	in.open = open.length > 0
	return in
}

// innerFence is a fence in a fence.
type innerFence struct {
	char    byte
	length  int // 0 if none is open
	content int // the line after the opening one
	tag     source.Span
	isDelta bool
}

// innerFences describes the fences in the content of a fence.
type innerFences struct {
	deltas int // the number of fences tagged delta
	// untagged are the edits that tag the fences whose whole content is a delta.
	untagged []source.Edit
	// open reports that one is open at the end: then the line that closes the outer
	// fence is meant to close that one.
	open bool
}

// isDeltaJSON reports whether lines are one object of delta form.
func (f *finder) isDeltaJSON(lines []source.Span) bool {
	if len(lines) == 0 {
		return false
	}
	whole := source.Span{Start: lines[0].Start, End: lines[len(lines)-1].End}.Trim(f.data)
	objects := f.objectsIn(lines)
	return len(objects) == 1 && objects[0] == whole
}

// closesFence reports whether a line closes a fence of that character and length.
func closesFence(line []byte, char byte, length int) bool {
	c, n, info := fenceLine(line)
	return c == char && n >= length && len(info) == 0
}

// unwrapping removes a fence: its opening line, and the line that was meant to close
// it. That is its own unless a fence in it is open there; then the last fence of the
// body is only that line. Deltas in fences in it get the tag.
func (f *finder) unwrapping(b *markdown.Block, inner innerFences) []source.Edit {
	edits := []source.Edit{f.withoutLine(source.Span{Start: b.Span.Start, End: max(b.Info.End, b.Span.Start+int(b.FenceLen))})}
	edits = append(edits, inner.untagged...)
	last := &f.doc.Blocks[len(f.doc.Blocks)-1]
	switch {
	case !inner.open && b.Closed:
		edits = append(edits, f.withoutLine(source.Span{Start: f.lineStart(b.Span.End), End: b.Span.End}.Trim(f.data)))
	case inner.open && last != b && last.Kind == markdown.Fence && !last.Closed && len(last.Parts) == 0 && last.Info.Empty():
		edits = append(edits, f.withoutLine(last.Span))
	}
	return edits
}

// withoutLine removes a text, and its line if nothing else is on it.
func (f *finder) withoutLine(s source.Span) source.Edit {
	start, end := f.lineStart(s.Start), s.End
	for end < len(f.data) && isBlank(f.data[end]) {
		end++
	}
	if len(bytes.TrimSpace(f.data[start:s.Start])) > 0 {
		return source.Edit{Span: s}
	}
	if rest := bytes.TrimPrefix(f.data[end:], []byte("\r")); bytes.HasPrefix(rest, []byte("\n")) {
		end = len(f.data) - len(rest) + 1
	} else if end == len(f.data) { // the last line: the line end before it goes
		start = len(bytes.TrimSuffix(bytes.TrimSuffix(f.data[:start], []byte("\n")), []byte("\r")))
	}
	return source.Edit{Span: source.Span{Start: start, End: end}}
}
