package markdown

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/brennerlint/brennerlint/source"
)

// plainParser is goldmark's parser of blocks as it is.
var plainParser = parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...))

// checkPlain holds that the lines of paragraphs and fences which are read at once are
// those that goldmark reads one by one.
func checkPlain(t *testing.T, data string) {
	t.Helper()
	w := walker{src: source.NormalizedLines([]byte(data))}
	w.children(plainParser.Parse(text.NewReader(w.src)), Block{Marker: -1})
	if d := cmp.Diff(w.blocks, Parse(source.NewText([]byte(data))).Blocks); d != "" {
		t.Fatalf("%q as goldmark reads it, and here:\n%s", data, d)
	}
}

// TestParagraphs holds which lines go on with a paragraph.
func TestParagraphs(t *testing.T) {
	for _, c := range []struct {
		text  string
		lines int // of the first block
	}{
		{"a\nb", 2},
		{"a\nb\n", 2},
		{"a\r\n**b**\r\n", 2},
		{"a\n**b**: c\n|d|\né", 4},
		{"a\n***", 1},
		{"a\n** *", 1},
		{"a\n**", 2},
		{"a\n* b", 1},
		{"a\nb\n===\n", 2},
		{"a\n\f\nb", 3},
		{"a\n \nb", 1},
		{"- a\nb\n", 2},
		{"> a\nb\n> c\n", 3},
	} {
		checkPlain(t, c.text)
		if got := len(Parse(source.NewText([]byte(c.text))).Blocks[0].Lines); got != c.lines {
			t.Errorf("%q: %d lines, want %d", c.text, got, c.lines)
		}
	}
}
