package delta

import (
	"slices"

	"github.com/brennerlint/brennerlint/source"
)

func edit(start, end int, text string) source.Edit {
	return source.Edit{Span: source.Span{Start: start, End: end}, Text: text}
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
	out := make([]source.Edit, len(edits))
	for i, e := range edits {
		start, _ := d.Text.Within(d.Fence.Text, source.Span{Start: e.Span.Start, End: e.Span.Start})
		end, _ := d.Text.Within(d.Fence.Text, source.Span{Start: e.Span.End, End: e.Span.End})
		out[i] = edit(start.Start, end.Start, e.Text)
	}
	return out
}
