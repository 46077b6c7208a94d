package delta

import (
	"bytes"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/source"
)

// fence finds deltas in a fence with another tag: JSON that is the whole content,
// else delta fences, or JSON among other text.
func (f *finder) fence(b *markdown.Block) {
	json := jsonInInfo(f.doc, b)
	if isDelta(f.doc, b) || len(b.Parts) == 0 && json.Empty() {
		return
	}
	lines := slices.Collect(f.doc.Lines(b))
	inner := f.innerFences(lines)
	m := UnfencedDelta{
		Form: OtherFence, Tag: tagSpan(f.doc, b),
		Span: source.Span{Start: b.Span.Start, End: max(b.Info.End, b.Span.Start+int(b.FenceLen))},
	}
	if !json.Empty() {
		m.OnFence, m.Tag = true, source.Span{Start: b.Info.Start, End: json.Start}.Trim(f.data)
		lines = slices.Insert(lines, 0, json)
	}
	whole := source.Span{Start: lines[0].Start, End: lines[len(lines)-1].End}.Trim(f.data)
	objects := objectsIn(f.data, lines)
	m.Count = len(objects)
	tag := "delta"
	isLow := len(objects) > 0 && string(bytes.TrimSpace(f.data[lines[0].Start:lines[0].End])) == tag
	if isLow { // the tag is a line too low
		whole = source.Span{Start: whole.Start + len(tag), End: whole.End}.Trim(f.data)
	}
	switch {
	case inner.deltas > 0:
		m.Form, m.Count = OuterFence, inner.deltas
	case len(objects) == 0:
		return
	case isWhole(f.data, whole, objects):
		_, fault := jsontree.Parse(f.data[whole.Start:whole.End], f.json)
		m.Valid, m.InList, m.Array = fault == nil, b.InList, f.data[whole.Start] == '['
		m.Fencing = []source.Edit{{Span: m.Tag, Text: tag}}
		switch {
		case m.OnFence || isLow:
			m.Fencing = []source.Edit{{Span: source.Span{Start: m.Tag.Start, End: whole.Start}, Text: tag + markdown.Below(f.doc.Text, b.Span.Start)}}
		case slices.Contains(strings.Fields(string(f.data[m.Tag.End:m.Span.End])), tag): // json delta
			m.Fencing[0].Span.End = m.Span.End
		}
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

// innerFences reads the fences in the lines of a fence.
func (f *finder) innerFences(lines []source.Span) innerFences {
	var in innerFences
	var open innerFence
	for i, span := range lines {
		line := bytes.TrimRight(f.data[span.Start:span.End], " \t\r\n")
		if open.length > 0 {
			if !markdown.ReadFenceLine(line).Closes(open.char, open.length) {
				continue
			}
			in.add(f, open, lines[open.content:i])
			open = innerFence{}
			continue
		}
		fence := markdown.ReadFenceLine(line)
		if !fence.Opens() {
			continue
		}
		tag := f.firstWord(source.Span{Start: span.Start + fence.Info.Start, End: span.Start + fence.Info.End})
		open = innerFence{char: fence.Mark, length: fence.Marks.Len(), content: i + 1, tag: tag, isDelta: string(f.data[tag.Start:tag.End]) == "delta"}
	}
	if in.open = open.length > 0; in.open {
		in.add(f, open, lines[open.content:])
	}
	return in
}

// add counts a fence by its content.
func (in *innerFences) add(f *finder, fence innerFence, lines []source.Span) {
	switch {
	case fence.isDelta && f.isContribution(lines):
		in.deltas++
	case !fence.isDelta && f.isDeltaJSON(lines):
		in.untagged = append(in.untagged, source.Edit{Span: fence.tag, Text: "delta"})
	}
}

// isContribution reports whether lines are JSON, or can be read as JSON, that says what to do
// or what to change where. Other lines only show how a block is written (decisions.md 61).
func (f *finder) isContribution(lines []source.Span) bool {
	var data []byte
	for _, line := range lines {
		data = append(data, f.data[line.Start:line.End]...)
	}
	root, fault := jsontree.Parse(data, f.json)
	if fault != nil {
		root = jsontree.Recover(data, f.json).Root
	}
	return slices.ContainsFunc(append(root.Items(), root), func(n *jsontree.Node) bool {
		op, _ := SuggestOperation((&Delta{Root: n}).meant("operation").StringOr(""))
		return n.Get("operation") != nil || n.Get("section") != nil && n.Get("payload") != nil || op != 0
	})
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
	deltas int // the number of fences tagged delta that hold contributions
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
	objects := objectsIn(f.data, lines)
	return len(objects) == 1 && objects[0] == whole
}

// firstWord returns the first word of an info string.
func (f *finder) firstWord(info source.Span) source.Span {
	if n := bytes.IndexAny(f.data[info.Start:info.End], " \t"); n >= 0 {
		info.End = info.Start + n
	}
	return info
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
