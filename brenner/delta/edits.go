package delta

import (
	"slices"

	"github.com/brennerlint/brennerlint/source"
)

func edit(start, end int, text string) source.Edit {
	return source.Edit{Span: source.Span{Start: start, End: end}, Text: text}
}

// moved returns edits of one text as edits of another, where each place is elsewhere.
func moved(edits []source.Edit, to func(int) int) []source.Edit {
	out := make([]source.Edit, len(edits))
	for i, e := range edits {
		out[i] = edit(to(e.Span.Start), to(e.Span.End), e.Text)
	}
	return out
}

// apart returns the edits that leave only some objects of a text, with another text between
// them.
func apart(whole source.Span, objects []source.Span, between string) []source.Edit {
	var edits []source.Edit
	at, text := whole.Start, ""
	for _, o := range objects {
		edits = append(edits, edit(at, o.Start, text))
		at, text = o.End, between
	}
	edits = append(edits, edit(at, whole.End, ""))
	return withoutEmpty(edits)
}

// withoutEmpty leaves out the edits that change nothing.
func withoutEmpty(edits []source.Edit) []source.Edit {
	return slices.DeleteFunc(edits, func(e source.Edit) bool { return e.Span.Empty() && e.Text == "" })
}

// inBody returns edits of the delta's text as edits of the body.
func (d *Delta) inBody(edits []source.Edit) []source.Edit {
	return moved(edits, func(off int) int {
		s, _ := d.Text.Within(d.Fence.Text, source.Span{Start: off, End: off})
		return s.Start
	})
}

// inBlock returns edits of a part of the delta's text that begins at an offset as edits of all of it.
func inBlock(edits []source.Edit, start int) []source.Edit {
	return moved(edits, func(off int) int { return start + off })
}
