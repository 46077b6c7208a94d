package markdown

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark/text"

	"github.com/brennerlint/brennerlint/source"
)

// checkPlain holds that blocks read without a tree are those that goldmark reads.
func checkPlain(t *testing.T, data string) {
	t.Helper()
	doc := Parse(source.NewText([]byte(data)).Normalize())
	w := &walker{text: doc.Text, src: doc.Text.Data, blocks: []Block{}}
	w.children(blockParser.Parse(text.NewReader(w.src)), Block{Marker: NoMarker})
	if d := cmp.Diff(w.blocks, doc.Blocks); d != "" {
		t.Fatalf("%q as goldmark reads it, and here:\n%s", data, d)
	}
	for i := range doc.Blocks {
		checkLines(t, doc, &doc.Blocks[i])
	}
}

// checkLines holds that the lines of a block are what its parts have, and end where lines of
// the text do.
func checkLines(t *testing.T, doc *Document, b *Block) {
	t.Helper()
	var text strings.Builder
	for l := range doc.Lines(b) {
		line := strings.TrimRight(doc.Text.Slice(l), "\r\n")
		if strings.ContainsAny(line, "\r\n") {
			t.Errorf("%q: line %q of %v has line ends", doc.Text.Data, line, *b)
		}
		text.WriteString(doc.Text.Slice(l))
	}
	if got, want := text.String(), doc.Content(b).String(); got != want {
		t.Errorf("%q: the lines of %v have %q, its parts %q", doc.Text.Data, *b, got, want)
	}
}

// TestPlain checks which lines are read without goldmark.
func TestPlain(t *testing.T) {
	for _, c := range []struct {
		text  string
		plain string // what is read so from its start
	}{
		{"# a\n\n**b**: c\nd\n\n## e\n", "# a\n\n**b**: c\nd\n\n## e\n"},
		{"```delta\n{}\n\n# b\n```\n \t\nc", "```delta\n{}\n\n# b\n```\n \t\nc"},
		{"~~~~\n```\n~~~~\n", "~~~~\n```\n~~~~\n"},
		{"```\nnot closed", ""},
		{"a:\n- b\n- **c**\nlazy\n\n- d\n\n\ne", "a:\n- b\n- **c**\nlazy\n\n- d\n\n\ne"},
		{"12\na\n\n3b\n", ""},
		{"1. a\n", ""},
		{"a\n\n> b\n> c\n>\n> \n> **c**\n\n> d\n# e\n", "a\n\n"},
		{"> a\nlazy\n", ""},
		{"a\n===\n", ""},
		{"a\n-\n", ""},
		{"# a\n# b #\n", "# a\n"},
		{"- a\n  b\n", ""},
		{"- a\n\n  b\n", ""},
		{"- a\n1. b\n", ""},
		{"```\n ```\n", ""},
		{"```\n``\n", ""},
		{"```a`b\n", ""},
		{"    code\n", ""},
		{"#a\n", ""},
		{"<!-- a\n", ""},
		{"---\n", ""},
	} {
		checkPlain(t, c.text)
		w, at := walker{src: []byte(c.text)}, 0
		for at < len(w.src) {
			next := w.plain(at)
			if next == at {
				break
			}
			at = next
		}
		if got := c.text[:at]; got != c.plain {
			t.Errorf("%q: %q is read without goldmark, want %q", c.text, got, c.plain)
		}
	}
}

// TestLines reads texts of lines of all kinds as goldmark does.
func TestLines(t *testing.T) {
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
		checkPlain(t, data)
	}
}
