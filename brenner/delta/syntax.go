package delta

import (
	"bytes"
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/source"
)

// checkSyntax records why the block is not JSON: its content, or a fence that is not
// closed before the next block, so that both deltas are lost (decisions.md 46).
func (d *Delta) checkSyntax() {
	f := Fault{Kind: InvalidJSON, At: d.Text.Place(d.Syntax.Span)}
	d.Swallowed = swallowed(d.Text.Data)
	d.Marks = d.wrongMarks()
	switch {
	case d.OnFence:
	case d.Marks.Why != NoMarks:
		f.At = d.Text.Place(d.Marks.At)
	case len(d.Swallowed) > 0:
		f.Kind, f.At = UnclosedFence, d.Text.Place(d.Swallowed[0])
	case len(bytes.TrimSpace(d.Text.Data)) == 0:
		f.Kind, f.At = BlankBlock, d.Fence
	}
	d.Faults = append(d.Faults, f)
}

// IsSequence reports whether a block that is not JSON contains a valid object, followed
// by another one.
func (d *Delta) IsSequence() bool {
	return d.Syntax.ValueEnd > 0 && bytes.HasPrefix(bytes.TrimLeft(d.Text.Data[d.Syntax.ValueEnd:], ", \t\r\n"), []byte("{"))
}

// Sequence returns the deltas in a block that is not JSON, if there are several with only
// separators around them (commas, rules, numbers of a list, headings), or text that is no JSON.
func (d *Delta) Sequence() []source.Span {
	data := d.Text.Data
	objects := deltasIn(data)
	end := 0
	for _, o := range append(objects, source.Span{Start: len(data), End: len(data)}) {
		gap := data[end:o.Start]
		if !separator().Match(gap) && (bytes.ContainsAny(gap, "{}[]\"") || holdsFence(gap)) {
			return nil
		}
		end = o.End
	}
	if len(objects) < 2 {
		return nil
	}
	return objects
}

// Objects returns the deltas in a block that is not JSON, whatever stands between them; nil unless
// all are valid JSON.
func (d *Delta) Objects() [][]byte {
	data := d.Text.Data
	var out [][]byte
	for _, o := range deltasIn(data) {
		if !isJSON(d.Text.Bytes(o)) {
			return nil
		}
		out = append(out, d.Text.Bytes(o))
	}
	return out
}

// HasProse reports whether text that is no separator and no mark of a fence is around the deltas of a block.
func (d *Delta) HasProse() bool {
	data := slices.Clone(d.Text.Data)
	for _, o := range deltasIn(data) {
		copy(data[o.Start:o.End], bytes.Repeat([]byte(" "), o.Len()))
	}
	for line := range bytes.Lines(data) {
		if len(bytes.TrimSpace(line)) > 0 && !markdown.ReadFenceLine(line).Opens() && !separator().Match(line) {
			return true
		}
	}
	return false
}

// separator is what separates several deltas in a block.
var separator = text.Pattern(`^(?:[\s,;]|-{3,}|\*{3,}|_{3,}|={3,}|[-*+•]\s|(?m:^)[ \t]*(?:[0-9]+[.):]|(?:#|//)[^\n]*(?:\n|$)))*$`)

// lines yields the lines of a text.
func lines(data []byte) iter.Seq[source.Span] {
	return func(yield func(source.Span) bool) {
		at := 0
		for line := range bytes.Lines(data) {
			if !yield(source.Span{Start: at, End: at + len(line)}) {
				return
			}
			at += len(line)
		}
	}
}

// CutOff reports whether a block ends within its JSON: more than closing brackets is missing, or several of them
// and the rationale, or the fence is not closed and brackets or all of the JSON are missing.
func (d *Delta) CutOff() bool {
	isBlank := len(bytes.TrimSpace(d.Text.Data)) == 0
	return d.Syntax != nil && (d.Syntax.CutOff || (d.Syntax.Open != "" || isBlank) && !d.Block.Closed ||
		len(d.Syntax.Open) > 1 && endsEarly(d.recover(source.Span{End: len(d.Text.Data)})))
}

// endsEarly reports whether a delta without rationale lacks more than its last bracket: other members may be lost, too.
func endsEarly(r jsontree.Recovery) bool {
	n := len(r.Edits)
	return n > 0 && strings.HasSuffix(r.Edits[n-1].Text, "}}") && r.Root.Get("rationale") == nil
}

// LacksRest reports whether a block that is cut off lacks an operation, a section or a payload:
// closing brackets alone do not make it a delta.
func (d *Delta) LacksRest() bool {
	part := source.Span{End: len(d.Text.Data)}
	if d.Marks.Why != NoMarks {
		part = d.Marks.value
	}
	root := d.recover(part).Root
	return root.Get("operation") == nil || root.Get("section") == nil || root.Get("payload") == nil
}

// Beginning returns what is there of a block that is cut off; nil if it cannot be read.
func (d *Delta) Beginning() *jsontree.Node {
	for _, end := range []string{"", `"`, `""`, `": ""`} {
		if root := jsontree.Recover(append(bytes.TrimRight(slices.Clone(d.Text.Data), ", \t\r\n"), end...), *d.json).Root; root != nil {
			return root
		}
	}
	return nil
}

// recover reads a part of the block as what was meant. The edits are of the block's text.
func (d *Delta) recover(part source.Span) jsontree.Recovery {
	r := jsontree.Recover(d.Text.Bytes(part), *d.json)
	for i := range r.Edits {
		r.Edits[i].Span = r.Edits[i].Span.Shift(part.Start)
	}
	return r
}

// Repair returns edits of the delta's text that turn a block that is not JSON into
// JSON; nil if there are none. They are safe if they only change how it is written
// (jsontree.Recover).
func (d *Delta) Repair() (edits []source.Edit, safe bool) {
	if d.Syntax == nil {
		return nil, false
	}
	data := d.Text.Data
	if value := d.Marks.value; d.Marks.Why != NoMarks { // they and what follows are text of the message
		edits := append([]source.Edit{edit(0, value.Start, "")}, d.recover(value).Edits...)
		return append(edits, edit(value.End, len(data), "")), false
	}
	r := d.recover(source.Span{End: len(data)})
	isText := !d.Block.Closed && d.Syntax.ValueEnd > 0 // what follows the value is one of the message
	isFence := holdsFence(data) && !bytes.Contains(data, bytes.TrimSpace(r.Text))
	if !r.Certain && (isText || isFence) {
		return nil, false
	}
	return r.Edits, r.Certain && !endsEarly(r)
}

// holdsFence reports whether a block contains something like a fence.
func holdsFence(data []byte) bool {
	return bytes.Contains(data, []byte("```")) || bytes.Contains(data, []byte("~~~"))
}

// Wrapped returns the deltas inside an object that is not a delta itself, and the names of the
// members with them: {"delta": {…}}, {"version": 1, "deltas": [{…}, …]} or {"1": {…}, "2": {…}}.
// For other objects it returns nil.
func (d *Delta) Wrapped() (names []string, deltas []*jsontree.Node) {
	for _, m := range firstMembers(d.Root) {
		items := m.Value.Items()
		switch {
		case m.Value.Is(jsontree.Object):
			items = []*jsontree.Node{m.Value}
		case slices.Contains([]string{"operation", "section", "target_id"}, m.Name):
			return nil, nil // of the object itself
		case !m.Value.Is(jsontree.Array):
			continue
		}
		isOther := func(n *jsontree.Node) bool { return n.Get("operation") == nil || n.Get("section") == nil }
		if len(items) == 0 || slices.ContainsFunc(items, isOther) {
			return nil, nil
		}
		names, deltas = append(names, m.Name), append(deltas, items...)
	}
	return names, deltas
}

// Split returns edits of the body that put each object of an array, of several in sequence,
// or of those that another one wraps, into its own fence; nil if the block contains anything
// else, or its fence is not closed. In a sequence what is certain to be meant as JSON is corrected,
// and other text is left outside of the fences.
func (d *Delta) Split() []source.Edit {
	if !d.Block.Closed {
		return nil
	}
	whole, objects := d.several()
	var edits []source.Edit
	for _, o := range objects {
		r := d.recover(o)
		if !r.Certain {
			return nil
		}
		edits = append(edits, r.Edits...)
	}
	if len(objects) == 0 {
		return nil
	}
	edits = append(d.inBody(edits), d.inFences(whole, objects)...)
	slices.SortStableFunc(edits, func(a, b source.Edit) int { return a.Span.Start - b.Span.Start })
	return edits
}

// inFences returns edits of the body that put each object of a block into its own fence. They
// remove separators around the objects, and leave headings and other text outside of the fences.
func (d *Delta) inFences(whole source.Span, objects []source.Span) []source.Edit {
	data, below := d.Text.Data, markdown.Below(d.Fence.Text, d.Block.Span.Start)
	marks := d.Block.Marks()
	blank := strings.TrimRight(below, " \t") + below
	var edits []source.Edit
	at := whole.Start
	for i, next := range append(slices.Clip(objects), source.Span{Start: whole.End, End: whole.End}) {
		gap := data[at:next.Start]
		text := source.Trim(data, source.Span{Start: next.Start - len(bytes.TrimLeft(gap, ",; \t\r\n")), End: next.Start})
		around := d.inBody([]source.Edit{edit(at, text.Start, below+marks+blank), edit(text.End, next.Start, blank+marks+"delta"+below)})
		first, last := i == 0, i == len(objects)
		switch isText := d.Syntax != nil && bytes.ContainsFunc(gap, unicode.IsLetter); {
		case !isText && (first || last):
			around = d.inBody([]source.Edit{edit(at, next.Start, "")})
		case !isText:
			around = d.inBody([]source.Edit{edit(at, next.Start, betweenFences(d.Fence.Text, d.Block))})
		case first: // the fence begins below the text
			around[0].Span.Start, around[0].Text = d.Block.Span.Start, ""
		case last: // and ends above it
			around[1].Span.End, around[1].Text = d.Block.Span.End, ""
		}
		edits = append(edits, around...)
		at = next.End
	}
	return withoutEmpty(edits)
}

// several returns the objects that a block contains in place of one, and where they are with what
// is around them.
func (d *Delta) several() (whole source.Span, objects []source.Span) {
	if data := d.Text.Data; d.Syntax != nil {
		if len(d.Swallowed) > 0 || !utf8.Valid(data) {
			return whole, nil
		}
		return source.Trim(data, source.Span{End: len(data)}), d.Sequence()
	}
	_, items := d.Wrapped()
	if d.Root.Is(jsontree.Array) {
		items = d.Root.Items()
	}
	for _, item := range items {
		if !item.Is(jsontree.Object) {
			return whole, nil
		}
		objects = append(objects, item.Span())
	}
	return d.Root.Span(), objects
}

// Separate returns edits of the body that replace the delta, or a block that is not JSON, by other
// objects, each in a fence of its own; nil if that is not possible.
func (d *Delta) Separate(objects [][]byte) []source.Edit {
	inLines := slices.ContainsFunc(objects, func(o []byte) bool { return bytes.IndexByte(o, '\n') >= 0 })
	if !d.Block.Closed && len(objects) > 1 || inLines && (d.Block.InList || d.Block.InQuote) {
		return nil
	}
	whole := d.Root.Span()
	if d.Root == nil {
		whole.End = len(bytes.TrimRight(d.Text.Data, " \t\r\n"))
	}
	text := string(bytes.Join(objects, []byte(betweenFences(d.Fence.Text, d.Block))))
	return d.inBody([]source.Edit{{Span: whole, Text: d.EndLines(text)}})
}

// betweenFences closes the fence of a block and opens another.
func betweenFences(body *source.Text, b *markdown.Block) string {
	below := markdown.Below(body, b.Span.Start)
	marks := b.Marks()
	return below + marks + strings.TrimRight(below, " \t") + below + marks + "delta" + below
}
