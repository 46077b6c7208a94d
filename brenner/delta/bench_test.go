package delta

import (
	"testing"

	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/source"
)

// BenchmarkExtract reads the deltas of a long message whose blocks are known.
func BenchmarkExtract(b *testing.B) {
	data := must.Read(b, "../../testdata/corpus/realmail/archive/projects/data-projects-bio-inspired-nanochat/messages/2026/01/2026-01-02T14-09-27Z__delta-test_designer-discriminative-tests-and-predictions__1221.md")
	doc := markdown.Parse(source.NewText(data))
	deltas := len(Extract(doc, jsontree.Options{}))
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if len(Extract(doc, jsontree.Options{})) != deltas {
			b.Fatal("the deltas differ")
		}
	}
}
