package markdown

import (
	"testing"

	"github.com/brennerlint/brennerlint/source"
)

// TestFences checks spans, info strings and closing of fences in containers.
func TestFences(t *testing.T) {
	for _, c := range []struct {
		text, span, info string
		closed           bool
	}{
		{"```a b\nx\n```\n", "```a b\nx\n```", "a b", true},
		{"~~~~\nx\n~~~\n~~~~~\n", "~~~~\nx\n~~~\n~~~~~", "", true},
		{"```a\r\nx\r\n```\r\n", "```a\r\nx\r\n```", "a", true},
		{"```a\nx\n", "```a\nx", "a", false},
		{"```a\nx\n\n\n", "```a\nx", "a", false},
		{"```", "```", "", false},
		{"```a\n```", "```a\n```", "a", true},
		{"> ```a\n> x\n> ```\n", "```a\n> x\n> ```", "a", true},
		{"> ```a\n> x\n```\ny\n", "```a\n> x", "a", false},
		{"- ```a\n  x\n  ```\n", "```a\n  x\n  ```", "a", true},
		{"- ```a\n  x\n```\ny\n", "```a\n  x", "a", false},
		{">\t```a\n> x\n> ```\n", "```a\n> x\n> ```", "a", true},
		{"-\t```a\n\tx\n\t```\n", "```a\n\tx\n\t```", "a", true},
		{"> - \t~~~\n>   \tx\n", "~~~\n>   \tx", "", false},
	} {
		doc := Parse(source.NewText([]byte(c.text)))
		b := doc.Blocks[0]
		if b.Kind != Fence || doc.Text.Slice(b.Span) != c.span || doc.Text.Slice(b.Info) != c.info || b.Closed != c.closed {
			t.Errorf("%q: span %q, info %q, closed %v", c.text, doc.Text.Slice(b.Span), doc.Text.Slice(b.Info), b.Closed)
		}
	}
}

// TestTabs checks that a tab after a container's mark moves no heading.
func TestTabs(t *testing.T) {
	for text, want := range map[string]string{
		">\t#": "#", ">\t# a": "# a", ">\t## a\n> b": "## a", "-\t# a": "# a", "> - \t# a\n": "# a", ">\t***\n": "***",
	} {
		doc := Parse(source.NewText([]byte(text)))
		if got := doc.Text.Slice(doc.Blocks[0].Span); got != want {
			t.Errorf("%q: the block is %q, want %q", text, got, want)
		}
	}
}
