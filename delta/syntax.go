package delta

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/brennerlint/brennerlint/jsontree"
	"github.com/brennerlint/brennerlint/markdown"
	"github.com/brennerlint/brennerlint/source"
)

// checkSyntax reports that the block is not JSON (MB-005).
func (d *Delta) checkSyntax() {
	if len(d.Swallowed) > 0 {
		d.checkSwallowed()
		return
	}
	f := Fault{
		Rule: "MB-005", At: d.Text.Place(d.Syntax.Span),
		Message:    fmt.Sprintf("delta %d is not valid JSON: %s", d.Index, d.Syntax.Message),
		Suggestion: d.Syntax.Hint,
	}
	switch end := d.Syntax.ValueEnd; {
	case len(bytes.TrimSpace(d.Text.Data)) == 0:
		f.At = d.Fence
		f.Message = fmt.Sprintf("delta %d is blank: a delta block holds one JSON object", d.Index)
		f.Suggestion = "write the delta, or remove the fence"
	case end > 0 && bytes.HasPrefix(bytes.TrimLeft(d.Text.Data[end:], ", \t\r\n"), []byte("{")):
		f.Suggestion = "write each delta in a fence of its own"
	}
	if edits, ok := jsontree.Repair(d.Text.Data, d.json); ok {
		f.SuggestedFix = &SuggestedFix{Description: "remove comments and trailing commas", Text: d.Text, Edits: edits}
	} else if d.Syntax.Edits != nil {
		f.SuggestedFix = &SuggestedFix{Description: d.Syntax.Hint, Text: d.Text, Edits: d.Syntax.Edits, Unsafe: true}
	}
	d.fault(f)
}

// checkSwallowed reports that the fence is not closed before the next block,
// which is why the block is no JSON: both deltas are lost (decisions.md 46).
func (d *Delta) checkSwallowed() {
	next := d.Swallowed[0]
	f := Fault{
		Rule: "MB-005", At: d.Text.Place(next),
		Message:      fmt.Sprintf("delta %d is not valid JSON: its fence is not closed before the next block", d.Index),
		Suggestion:   "write " + strings.Repeat(string(d.Block.FenceChar), min(d.Block.FenceLen, 8)) + " on a line of its own before this one",
		Related:      []RelatedLocation{{At: d.Fence, Message: "the fence that is not closed"}},
		SuggestedFix: d.closeSwallowing(),
	}
	d.fault(f)
}

// closeSwallowing closes the fence before each block that it swallows: after
// the JSON before it or, where that is not valid, on the line before. Comments
// and trailing commas go too, as without it.
func (d *Delta) closeSwallowing() *SuggestedFix {
	m := &SuggestedFix{Description: "close the fence", Text: d.Fence.Text, Unsafe: true}
	below := markdown.Below(d.Fence.Text, d.Fence.Span.Start)
	closing := strings.Repeat(string(d.Block.FenceChar), d.Block.FenceLen)
	start := 0
	for _, next := range d.Swallowed {
		d.repairPart(m, start, next.Start)
		part := d.Text.Data[start:next.Start]
		at := start + len(bytes.TrimRight(part, " \t\r\n"))
		if _, fault := jsontree.Parse(part, d.json); fault != nil && fault.ValueEnd > 0 {
			at = start + fault.ValueEnd
		}
		off := d.inBody(at)
		m.Edits = append(m.Edits, source.Edit{Span: source.Span{Start: off, End: off}, Text: below + closing})
		start = next.End
	}
	d.repairPart(m, start, len(d.Text.Data))
	return m
}

// repairPart adds the edits that make a part of the block valid JSON.
func (d *Delta) repairPart(m *SuggestedFix, start, end int) {
	edits, _ := jsontree.Repair(d.Text.Data[start:end], d.json)
	for _, e := range edits {
		e.Span = source.Span{Start: d.inBody(start + e.Span.Start), End: d.inBody(start + e.Span.End)}
		m.Edits = append(m.Edits, e)
	}
}

// swallowed are the lines of a block that open another fence with a tag, after
// its JSON has begun: no line of JSON can. Their fences never begin, because
// that of the block is open.
func swallowed(data []byte) []source.Span {
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

// opensFence reports whether a line would open a fence with an info string.
func opensFence(line []byte) bool {
	_, length, info := fenceLine(line)
	return length > 0 && len(info) > 0
}

// fenceLine reads a line that would open a fence: its character and their number,
// 0 if it would open none, and its info string.
func fenceLine(line []byte) (char byte, length int, info []byte) {
	text := bytes.TrimLeft(line, " ")
	if len(line)-len(text) > 3 || len(text) == 0 || text[0] != '`' && text[0] != '~' {
		return 0, 0, nil
	}
	info = bytes.TrimLeft(text, string(text[:1]))
	if length = len(text) - len(info); length < 3 || text[0] == '`' && bytes.IndexByte(info, '`') >= 0 {
		return 0, 0, nil
	}
	return text[0], length, bytes.TrimSpace(info)
}
