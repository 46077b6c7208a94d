package markdown

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/source"
)

// checkPieces holds that a text has the same blocks in whatever pieces it is read.
func checkPieces(t *testing.T, data string, pieces ...int) {
	t.Helper()
	whole := parse(source.NewText([]byte(data)), 0, len(data)+1)
	for i := range whole.Blocks {
		checkLines(t, whole, &whole.Blocks[i])
	}
	for _, piece := range pieces {
		if d := cmp.Diff(whole.Blocks, parse(source.NewText([]byte(data)), 0, piece).Blocks); d != "" {
			t.Fatalf("%q read whole, and in pieces of %d:\n%s", data, piece, d)
		}
	}
}

func TestPieces(t *testing.T) {
	parts := []string{
		"text", "more text", "**bold**: text", "** *", "**", "***bold italics***", "    indented", "\ttab", "# heading", "## a #", "===", "---", "***", "- item", "- **bold**: text", "-  two", "-\ttab", "- `a`", "- ", "* item", "+ item", "- a\f", "  - inner", "1. one", "> quoted", "> - both",
		"> ```", "```", "```delta", "~~~", "  ```", "{\"a\": 1}", "<div>", "</div>", "<!-- a", "b -->", "[a]: /b", "'title'", "[a]:", "/url", "|a|b|", "|-|-|", "", "", "", "  ", "a\r", "\r", "\f", "# a\v", "#", "# #", "#\ta", "```a\v", "```a`b", "```\t", "&nbsp;",
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var text strings.Builder
		for range 2 + r.IntN(14) {
			text.WriteString(parts[r.IntN(len(parts))])
			text.WriteByte('\n')
		}
		data := text.String()
		data = data[:max(0, len(data)-r.IntN(4))] // the last line may be cut
		checkPieces(t, data, 1, 8, 20, 50)
		checkPlain(t, data)
	}
}
