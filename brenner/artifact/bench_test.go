package artifact

import (
	"os"
	"testing"

	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/source"
)

func benchText(b *testing.B) *source.Text {
	data, err := os.ReadFile(corpus + "artifacts/RS-20251230-role-prompting.md")
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	return source.NewText(data)
}

// BenchmarkBlocks is the baseline: what goldmark needs for the blocks.
func BenchmarkBlocks(b *testing.B) {
	t := benchText(b)
	for b.Loop() {
		markdown.Parse(t)
	}
}

func BenchmarkParseMarkdown(b *testing.B) {
	t := benchText(b)
	for b.Loop() {
		ParseMarkdown(t, Limits{})
	}
}

func BenchmarkFrontMatter(b *testing.B) {
	t := benchText(b)
	for b.Loop() {
		newParser(t, 0, Limits{}).frontMatter(0)
	}
}

func BenchmarkState(b *testing.B) {
	a := ParseMarkdown(benchText(b), Limits{})
	for b.Loop() {
		a.State()
	}
}

func BenchmarkRender(b *testing.B) {
	s := ParseMarkdown(benchText(b), Limits{}).State()
	for b.Loop() {
		Render(s, RenderMeta{SessionID: "RS-20251230-role-prompting"})
	}
}
