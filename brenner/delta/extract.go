package delta

import (
	"bytes"
	"slices"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/source"
)

// Extract finds the delta blocks of a body, reads them and records what is wrong with
// each. Blocks are fenced code blocks whose info string's first word is exactly
// "delta", also in lists and quotations (decisions.md 8). A nil document has none.
func Extract(doc *markdown.Document, opts jsontree.Options) []*Delta {
	if doc == nil {
		return nil
	}
	var out []*Delta
	for i := range doc.Blocks {
		b := &doc.Blocks[i]
		if b.Kind == markdown.Fence && isDelta(doc, b) {
			d := read(doc, b, len(out)+1, &opts)
			d.Outside, d.Hidden = outside(doc, i)
			out = append(out, d)
		}
	}
	return out
}

func isDelta(doc *markdown.Document, b *markdown.Block) bool {
	return doc.Text.Slice(tagSpan(doc, b)) == "delta"
}

// tagSpan returns the first word of a fence's info string.
func tagSpan(doc *markdown.Document, b *markdown.Block) source.Span {
	if n := bytes.IndexAny(doc.Text.Bytes(b.Info), " \t"); n >= 0 {
		return source.Span{Start: b.Info.Start, End: b.Info.Start + n}
	}
	return b.Info
}

// jsonInInfo returns the JSON on the line that opens a fence, with its line end; the empty
// span if there is none.
func jsonInInfo(doc *markdown.Document, b *markdown.Block) source.Span {
	info := doc.Text.Bytes(b.Info)
	brace := bytes.IndexAny(info, "{[")
	if brace < 0 || len(bytes.TrimLeft(info[brace+1:], " \t")) > 0 && bytes.IndexByte(info[brace:], '"') < 0 {
		return source.Span{}
	}
	end := min(source.LineEnd(doc.Text.Data, b.Info.End)+1, doc.Text.Len())
	return source.Span{Start: b.Info.Start + brace, End: end}
}

func read(doc *markdown.Document, b *markdown.Block, index int, opts *jsontree.Options) *Delta {
	fence := b.Opening()
	d := &Delta{Index: index, Block: b, json: opts}
	parts := b.Parts
	if json := jsonInInfo(doc, b); !json.Empty() && !isJSON(doc.Text.Join(parts).Data) { // else an attribute: ```delta {lang="json"}
		d.OnFence = true
		fence.End = tagSpan(doc, b).End
		parts = slices.Insert(slices.Clone(parts), 0, json)
	}
	d.Fence = doc.Text.Place(fence)
	if len(parts) > 0 {
		d.Text = doc.Text.Join(parts)
	} else {
		d.Text = doc.Text.Sub(source.Span{Start: fence.End, End: fence.End})
	}
	d.Root, d.Syntax = jsontree.Parse(d.Text.Data, *opts)
	if d.OnFence { // a compiler reads what is below
		d.Root, d.Syntax = nil, &jsontree.SyntaxError{
			Span: source.Span{End: 1}, Message: "it begins on the line that opens the fence", Hint: "begin the JSON on the next line",
		}
	}
	d.readFields()
	d.check()
	return d
}

// readFields reads the fields of the JSON object, as far as possible.
func (d *Delta) readFields() {
	text := func(member string) string { return d.Root.Get(member).StringOr("") }
	if op := text("operation"); slices.Contains(Operations, op) {
		d.Operation = brenner.Operation(op)
	}
	d.Section = brenner.SectionByID(text("section"))
	d.TargetID = text("target_id")
	if id, ok := brenner.ParseItemID(d.TargetID); ok && id.Section == d.Section {
		d.Target = id
	}
	if n := d.Root.Get("payload"); n.Is(jsontree.Object) {
		d.Payload = n
	}
	if d.Operation == brenner.Kill {
		d.Reason = d.Payload.Get("reason").StringOr("")
	}
	if !Blank(d.Root.Get("agent")) { // " " counts as "" (decisions.md 54)
		d.Agent = text("agent")
	}
	if ts, ok := brenner.ParseTimestamp(text("timestamp")); ok {
		d.Time, d.HasTime = ts.Time, true
	}
}
