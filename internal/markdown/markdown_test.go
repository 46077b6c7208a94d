package markdown

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/source"
)

// TestDepth nests containers so deep that a parse whose time grows with the
// square of the depth would not end.
func TestDepth(t *testing.T) {
	for _, unit := range []string{"> ", "1. ", "- + ", "> - "} {
		text := strings.Repeat(unit, 1<<20/len(unit))
		Parse(source.NewText([]byte(text + "\n" + text + "x\n")))
	}
	// What is nested as people nest is read.
	for quotes, want := range map[int]bool{40: true, maxDepth: true, maxDepth + 1: false} {
		doc := Parse(source.NewText([]byte(strings.Repeat("> ", quotes) + "```delta\n")))
		if fence := len(doc.Blocks) == 1 && doc.Blocks[0].Kind == Fence; fence != want {
			t.Errorf("in %d quotations the blocks are %+v", quotes, doc.Blocks)
		}
	}
}

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

func TestTable(t *testing.T) {
	tests := []struct {
		name, in string
		want     [][]string // header first; nil if it is no table
	}{
		{"plain", "| ID | c |\n| --- | :-: |\n| P1 | a |\n", [][]string{{"ID", "c"}, {"P1", "a"}}},
		{"without outer bars", "ID | c\n---|---\nP1 | a\n", [][]string{{"ID", "c"}, {"P1", "a"}}},
		{"missing and surplus cells", "| ID | c |\n|---|---|\n| P1 |\n| P2 | a | b |\n||\n", [][]string{{"ID", "c"}, {"P1"}, {"P2", "a", "b"}, {""}}},
		{"escaped bars", "| ID | c |\n|---|---|\n| P1 | a \\| b |\n| P2 | c \\|\n", [][]string{{"ID", "c"}, {"P1", `a \| b`}, {"P2", `c \|`}}},
		{"a delimiter row of another length", "| ID | c |\n|---|\n| P1 | a |\n", [][]string{{"ID", "c"}, {"P1", "a"}}},
		{"words above", "words\n| ID |\n|---|\n| P1 |\n", [][]string{{"ID"}, {"P1"}}},
		{"empty cells, tabs", "|\tID\t|  |\n|---|---|\n", [][]string{{"ID", ""}}},
		{"a thematic break below", "| ID | c |\n|---|---|\n| P1 | a |\n---\n", [][]string{{"ID", "c"}, {"P1", "a"}}},
		{"two dashes below", "| ID | c |\n|---|---|\n| P1 | a |\n--\n", [][]string{{"ID", "c"}, {"P1", "a"}, {"--"}}},
		{"equals signs below", "> | ID | c |\n> |---|---|\n> ===\n", [][]string{{"ID", "c"}, {"==="}}},
		{"a heading: the delimiter row is short", "| ID | c |\n|---|\n---\n", nil},
		{"no delimiter row", "| ID |\n| P1 |\n", nil},
		{"nothing above the delimiter row", "|---|\n| P1 |\n", nil},
		{"no bar above the delimiter row", "words\n|---|\n", nil},
		{"a fence", "```\n| ID |\n|---|\n```\n", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			doc := Parse(source.NewText([]byte(tt.in)))
			table, ok := doc.Table(&doc.Blocks[0])
			if ok != (tt.want != nil) {
				t.Fatalf("a table: %v", ok)
			}
			if !ok {
				return
			}
			var got [][]string
			for _, r := range append([]Row{table.Header}, table.Rows...) {
				var cells []string
				for _, c := range r.Cells {
					cells = append(cells, doc.Text.Slice(c))
				}
				got = append(got, cells)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// FuzzParse checks what is true of every Markdown text: blocks follow each other,
// lie in the text on the borders of characters and around what they hold, and
// the cells of a table lie in their row.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"# a #\n\nb\n===\n\n> - ```x y\n>   z\n>   ```\n", "|a|b\\||\n|-|-|\n|c|\nd", "- \ta\n\n      b\n1) c\n", "<!-- x\n\ny -->\n<div>\n\n***\n\t\tcode", "> ~~~\nx\n\n[a]: b\n'c'\nd\n-", "\xff> \x00`\r\n```é\r",
		"```a\nb\n  ", "# a\n\n**b**: c\nd\n- e\n- **f**\n\n---\n~~~\n", "- a\n\n ", "```\n```", "> a\n> 1\n>\n> b \n\n> c\n12\n- 3\n\n> d\n# e", "a\n" + strings.Repeat(">", maxDepth+12), "a\n** *\n\nb\n**\n", "a\n\f\nb", "- a\n  ```\n# b\n", "  ~~~\n# b\n", "> a\n#b\n####### c\n#",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d := Parse(source.NewText(data))
		checkPlain(t, string(data))
		check := func(what string, s, in source.Span) {
			if s.Start < 0 || s.End < s.Start || !in.Contains(s) {
				t.Fatalf("%s at %v is not in %v", what, s, in)
			}
			for _, at := range [...]int{s.Start, s.End} {
				if utf8.Valid(data) && at < len(data) && !utf8.RuneStart(data[at]) {
					t.Fatalf("%s at %v cuts a character", what, s)
				}
			}
		}
		end := 0
		for i := range d.Blocks {
			b := &d.Blocks[i]
			check("block", b.Span, source.Span{Start: end, End: len(data)})
			check("info", b.Info, source.Span{End: len(data)})
			if b.Kind == Fence && (b.FenceLen < 3 || data[b.Span.Start] != b.FenceChar) || b.Kind == Heading && (b.Level < 1 || b.Level > 6) {
				t.Fatalf("block %+v", b)
			}
			if b.Marker != NoMarker && (!b.InList || int(b.Marker) >= len(data)) {
				t.Fatalf("block %+v has a mark", b)
			}
			at := 0
			for _, l := range b.Parts {
				check("line", l, source.Span{Start: at, End: len(data)})
				at = l.End
			}
			d.HeadingText(b)
			d.Content(b)
			if table, ok := d.Table(b); ok {
				for _, row := range append([]Row{table.Header}, table.Rows...) {
					check("row", row.Span, b.Span)
					at := row.Span.Start
					for _, cell := range row.Cells {
						check("cell", cell, source.Span{Start: at, End: row.Span.End})
						at = cell.End
					}
				}
			}
			end = b.Span.End
		}
	})
}
