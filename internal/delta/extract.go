package delta

import (
	"bytes"

	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/internal/protocol"
)

// Extract finds the delta blocks of a body, reads them and says what is wrong
// with each. Blocks are fenced code blocks whose info string's first word is
// exactly "delta", in lists and quotations too (decisions.md 8). A nil document
// has none.
func Extract(doc *markdown.Document) []*Delta {
	if doc == nil {
		return nil
	}
	var out []*Delta
	for i := range doc.Blocks {
		b := &doc.Blocks[i]
		if b.Kind != markdown.Fence || string(tag(doc.Text.Bytes(b.Info))) != "delta" {
			continue
		}
		d := &Delta{Index: len(out) + 1, Block: b, Text: doc.Content(b)}
		d.Root, d.Syntax = jsontree.Parse(d.Text.Data, jsontree.Options{})
		d.read()
		out = append(out, d)
	}
	return out
}

// tag is the first word of an info string.
func tag(info []byte) []byte {
	if i := bytes.IndexAny(info, " \t"); i >= 0 {
		return info[:i]
	}
	return info
}

// read fills in what the JSON object says, as far as it can be read.
func (d *Delta) read() {
	if !d.Root.Is(jsontree.Object) {
		return
	}
	for _, op := range []Operation{Add, Edit, Kill} {
		if d.Root.Get("operation").Str() == op.String() {
			d.Operation = op
		}
	}
	d.Section = protocol.SectionByID(d.Root.Get("section").Str())
	d.TargetID = d.Root.Get("target_id").Str()
	if id, ok := protocol.ParseItemID(d.TargetID); ok && id.Section == d.Section {
		d.Target = id
	}
	if p := d.Root.Get("payload"); p.Is(jsontree.Object) {
		d.Payload = p
	}
	if d.Operation == Kill {
		d.Reason = d.Payload.Get("reason").Str()
	}
	d.DeltaID = d.Root.Get("delta_id").Str()
	d.Agent = d.Root.Get("agent").Str()
	if ts, ok := protocol.ParseTime(d.Root.Get("timestamp").Str()); ok {
		d.Time, d.HasTime = ts.Time, true
	}
}
