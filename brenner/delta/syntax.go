package delta

import (
	"bytes"
	"iter"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/source"
)

// checkSyntax records why the block is not JSON: its content, or a fence that is not
// closed before the next block, so that both deltas are lost (decisions.md 46).
func (d *Delta) checkSyntax() {
	f := Fault{Kind: InvalidJSON, At: d.Text.Place(d.Syntax.Span)}
	swallowed := d.Swallowed()
	marks := d.WrongMarks()
	switch {
	case d.OnFence:
	case marks.Why != 0:
		f.At = d.Text.Place(marks.At)
	case len(swallowed) > 0:
		f.Kind, f.At = UnclosedFence, d.Text.Place(swallowed[0])
	case len(bytes.TrimSpace(d.Text.Data)) == 0:
		f.Kind, f.At = BlankBlock, d.Fence
	}
	d.Faults = append(d.Faults, f)
}

// IsSequence reports whether a block that is not JSON contains a valid object, followed
// by another one.
func (d *Delta) IsSequence() bool {
	if d.Syntax == nil || d.Syntax.ValueEnd == 0 {
		return false
	}
	return bytes.HasPrefix(bytes.TrimLeft(d.Text.Data[d.Syntax.ValueEnd:], ", \t\r\n"), []byte("{"))
}

// Sequence returns the objects of delta form in a block that is not JSON, if there are several with
// nothing but what separates them between them: commas, rules, numbers of a list, headings.
func (d *Delta) Sequence() []source.Span {
	if d.Syntax == nil || !bytes.Contains(d.Text.Data, []byte("}")) {
		return nil
	}
	data := d.Text.Data
	objects := objectsIn(data, slices.Collect(lines(data)))
	end := 0
	for _, o := range append(objects, source.Span{Start: len(data), End: len(data)}) {
		if o.Start < end || !separator().Match(data[end:o.Start]) {
			return nil
		}
		end = o.End
	}
	if len(objects) < 2 {
		return nil
	}
	return objects
}

// separator is what separates several deltas in a block.
var separator = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:[\s,;]|-{3,}|\*{3,}|_{3,}|={3,}|[-*+•]\s|(?m:^)[ \t]*(?:[0-9]+[.):]|(?:#|//)[^\n]*(?:\n|$)))*$`)
})

// CutOff reports whether a block ends in the middle: of its JSON more than closing brackets is
// missing, or these and the closing fence, or all of it and the closing fence.
func (d *Delta) CutOff() bool {
	isBlank := len(bytes.TrimSpace(d.Text.Data)) == 0
	return d.Syntax != nil && (d.Syntax.CutOff || (d.Syntax.Open != "" || isBlank) && !d.Block.Closed)
}

// LacksRest reports whether a block that is cut off ends where a comma may be: with the brackets
// alone it would be JSON, but not a delta.
func (d *Delta) LacksRest() bool {
	root := jsontree.Recover(d.Text.Data, *d.json).Root
	return root.Get("operation") == nil || root.Get("section") == nil || root.Get("payload") == nil
}

// Repair returns edits of the delta's text that turn a block that is not JSON into
// JSON; nil if there are none. They are safe if they only change how it is written
// (jsontree.Recover).
func (d *Delta) Repair() (edits []source.Edit, safe bool) {
	if d.Syntax == nil {
		return nil, false
	}
	data := d.Text.Data
	if marks := d.WrongMarks(); marks.Why != 0 {
		// They and what follows are text of the message.
		value := marks.value
		edits := []source.Edit{{Span: source.Span{End: value.Start}}}
		for _, e := range jsontree.Recover(data[value.Start:value.End], *d.json).Edits {
			edits = append(edits, source.Edit{Span: source.Span{Start: value.Start + e.Span.Start, End: value.Start + e.Span.End}, Text: e.Text})
		}
		return append(edits, source.Edit{Span: source.Span{Start: value.End, End: len(data)}}), false
	}
	r := jsontree.Recover(data, *d.json)
	switch {
	case r.Certain:
		return r.Edits, true
	case !d.Block.Closed && d.Syntax.ValueEnd > 0:
		return nil, false // what follows the value is text of the message
	case holdsFence(data) && !bytes.Contains(data, bytes.TrimSpace(r.Text)):
		return nil, false // the fence may be what is wrong
	}
	return r.Edits, false
}

// holdsFence reports whether a block contains something like a fence.
func holdsFence(data []byte) bool {
	return bytes.Contains(data, []byte("```")) || bytes.Contains(data, []byte("~~~"))
}

// splitSequence returns edits of the body that put each of several objects in a block
// into its own fence; nil if the block contains anything else (Sequence). What is certain to be
// meant as JSON is corrected.
func (d *Delta) splitSequence() []source.Edit {
	if !d.Block.Closed || len(d.Swallowed()) > 0 || !utf8.Valid(d.Text.Data) {
		return nil
	}
	data := d.Text.Data
	objects := d.Sequence()
	var edits []source.Edit
	end := 0
	for i, object := range objects {
		gap := source.Edit{Span: source.Span{Start: end, End: object.Start}}
		if i > 0 {
			gap.Text = d.betweenBlocks()
		}
		r := jsontree.Recover(data[object.Start:object.End], *d.json)
		if len(r.Mistakes) > 0 && !r.Certain {
			return nil
		}
		if i > 0 || len(bytes.TrimSpace(data[:object.Start])) > 0 {
			edits = append(edits, gap)
		}
		for _, e := range r.Edits {
			edits = append(edits, source.Edit{Span: source.Span{Start: object.Start + e.Span.Start, End: object.Start + e.Span.End}, Text: e.Text})
		}
		end = object.End
	}
	rest := source.Span{Start: end, End: len(bytes.TrimRight(data, " \t\r\n"))}
	if len(objects) == 0 {
		return nil
	}
	if !rest.Empty() {
		edits = append(edits, source.Edit{Span: rest}) // a comma
	}
	for i, e := range edits {
		edits[i].Span = source.Span{Start: d.inBody(e.Span.Start), End: d.inBody(e.Span.End)}
	}
	return edits
}

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

// betweenBlocks closes the block's fence and opens another.
func (d *Delta) betweenBlocks() string {
	fence := strings.Repeat(string(d.Block.FenceChar), int(d.Block.FenceLen))
	below := markdown.Below(d.Fence.Text, d.Fence.Span.Start)
	return below + fence + strings.TrimRight(below, " \t") + below + fence + "delta" + below
}

// Wrapped returns the deltas that an object has instead of being one, and the name of its member
// that has them: {"delta": {…}} or {"version": 1, "deltas": [{…}, …]}. Those of other objects are
// nil.
func (d *Delta) Wrapped() (name string, deltas []*jsontree.Node) {
	for _, m := range firstMembers(d.Root) {
		items := m.Value.Items()
		switch {
		case m.Value.Is(jsontree.Object):
			items = []*jsontree.Node{m.Value}
		case IsMember(m.Name) && slices.Contains([]string{"operation", "section", "target_id"}, m.Name):
			return "", nil // of the object itself
		case !m.Value.Is(jsontree.Array):
			continue
		}
		isOther := func(n *jsontree.Node) bool { return n.Get("operation") == nil || n.Get("section") == nil }
		if len(items) == 0 || deltas != nil || slices.ContainsFunc(items, isOther) {
			return "", nil
		}
		name, deltas = m.Name, items
	}
	return name, deltas
}

// Split returns edits of the body that put each object of an array, of several in sequence,
// or of those that another one wraps, into its own fence; nil if the block contains anything
// else, or its fence is not closed.
func (d *Delta) Split() []source.Edit {
	if d.Syntax != nil {
		return d.splitSequence()
	}
	_, items := d.Wrapped()
	if d.Root.Is(jsontree.Array) {
		items = d.Root.Items()
	}
	if len(items) == 0 || !d.Block.Closed {
		return nil
	}
	for _, item := range items {
		if !item.Is(jsontree.Object) {
			return nil
		}
	}
	between := d.betweenBlocks()
	edits := []source.Edit{{Span: source.Span{Start: d.Root.Span().Start, End: items[0].Span().Start}}}
	for i := 1; i < len(items); i++ {
		gap := source.Span{Start: items[i-1].Span().End, End: items[i].Span().Start}
		edits = append(edits, source.Edit{Span: gap, Text: between})
	}
	edits = append(edits, source.Edit{Span: source.Span{Start: items[len(items)-1].Span().End, End: d.Root.Span().End}})
	for i := range edits { // in the body, with the markers of the lines
		edits[i].Span = source.Span{Start: d.inBody(edits[i].Span.Start), End: d.inBody(edits[i].Span.End)}
	}
	return edits
}

// Separate returns the edits of the body that write other objects instead of the delta, each in a
// fence of its own; nil if that is not possible.
func (d *Delta) Separate(objects [][]byte) []source.Edit {
	if !d.Block.Closed && len(objects) > 1 {
		return nil
	}
	text := string(bytes.Join(objects, []byte(d.betweenBlocks())))
	at := source.Span{Start: d.inBody(d.Root.Span().Start), End: d.inBody(d.Root.Span().End)}
	return []source.Edit{{Span: at, Text: text}}
}

// inBody returns an offset of the delta's text in the body.
func (d *Delta) inBody(off int) int {
	s, _ := d.Text.Within(d.Fence.Text, source.Span{Start: off, End: off})
	return s.Start
}
