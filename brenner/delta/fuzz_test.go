package delta

import (
	"testing"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/source"
)

// FuzzExtract checks what is true of every body: spans are within the body, at character
// boundaries, faults are in order, and edits can be applied.
func FuzzExtract(f *testing.F) {
	for _, s := range []string{
		block(`{"operation":"ADD","section":"hypothesis_slate","payload":{` + goodH + `}}`),
		"> - ```delta\n>   {\"section\":\n>    \"hypotheses\",}\n", "~~~delta\r\n[{\"a\":1},{\"b\":\"§\"}]\r\n~~~", "```delta",
		"{\"operation\": \"ADD\",\n\n    \"section\": \"x\"}\n---\n:::delta\n{}\n:::\nDELTA[x]: y\n```json\n{\"operation\":1,\"section\":\"é\"}",
		block(`{"operation":"EDIT","section":"discriminative_tests","target_id":"T1","payload":{"score":{"cost":9},"anchors":[1,"é"],"x_replace":2}}`),
		"## {\"operation\": \"ADD\", \"section\":", "I add {\"operation\": 1, \"section\": 2\n---\n", "a {\n\n# {\"operation\": 1, \"section\": 2",
		block("{\"operation\":\"KILL\" /* § */, // é\n \"section\":\"research_thread\", \"target_id\":\"\xff\"}"),
		"```delta\n{\"a\": 1}\n}\n```delta\n{\"b\": 2}\n```\n", "```delta\n{}#\n```0\n{0", "```delta\n{\n```\u00a0\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		doc := markdown.Parse(source.NewText(data))
		check := func(p source.Place) {
			s, ok := p.Text.Within(doc.Text, p.Span)
			if !ok || s.Start < 0 || s.Start > s.End || s.End > len(data) {
				t.Fatalf("span %v of %d bytes", s, len(data))
			}
			if utf8.Valid(data) && (s.Start < len(data) && !utf8.RuneStart(data[s.Start]) || s.End < len(data) && !utf8.RuneStart(data[s.End])) {
				t.Fatalf("span %v is not on the border of characters", s)
			}
		}
		for i, d := range Extract(doc, jsontree.Options{}) {
			if d.Index != i+1 || (d.Root == nil) != (d.Syntax != nil) {
				t.Fatalf("delta %d: %+v", i, d)
			}
			check(d.Fence)
			for j, f := range d.Faults {
				check(f.At)
				if j > 0 && f.At.Span.Start < d.Faults[j-1].At.Span.Start {
					t.Fatalf("fault %s is before %s", f.Kind, d.Faults[j-1].Kind)
				}
			}
			edits, _ := d.Repair()
			source.Apply(d.Text.Data, edits)
			source.Apply(doc.Text.Data, d.Split())
			edits, _ = d.CloseFence()
			source.Apply(doc.Text.Data, edits)
		}
		end := 0
		for _, m := range FindMisplaced(doc, jsontree.Options{}) {
			check(doc.Text.Place(m.Span))
			check(doc.Text.Place(m.Tag))
			for _, e := range m.Edits {
				check(doc.Text.Place(e.Span))
			}
			if m.Span.Start < end {
				t.Fatalf("%v begins before %d", m.Span, end)
			}
			end = m.Span.End
		}
	})
}
