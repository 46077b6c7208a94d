package markdown

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/source"
)

// FuzzParse checks what is true of every Markdown text: blocks follow each other,
// lie in the text on the borders of characters and around what they hold, and
// the cells of a table lie in their row.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"# a #\n\nb\n===\n\n> - ```x y\n>   z\n>   ```\n", "|a|b\\||\n|-|-|\n|c|\nd", "- \ta\n\n      b\n1) c\n", "<!-- x\n\ny -->\n<div>\n\n***\n\t\tcode", "> ~~~\nx\n\n[a]: b\n'c'\nd\n-", "\xff> \x00`\r\n```é\r",
		"```a\nb\n  ", "# a\n\n**b**: c\nd\n- e\n- **f**\n\n---\n~~~\n", "- a\n\n ", "```\n```", "> a\n> 1\n>\n> b \n\n> c\n12\n- 3\n\n> d\n# e", "a\n" + strings.Repeat(">", maxDepth+12),
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
