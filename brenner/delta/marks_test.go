package delta

import (
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/source"
)

// TestMarks fixes marks that are meant for a fence and misread: what the fix of one fault
// leaves is as it should have been written.
func TestMarks(t *testing.T) {
	const (
		object = `{"operation": "KILL", "section": "x"}`
		blanks = "{\n  \"operation\": \"KILL\",\n\n  \"section\": \"x\"\n}"
		block  = "```delta\n" + object + "\n```\n"
		next   = "\n```delta\n{\"operation\": \"ADD\", \"section\": \"y\"}\n```\n"
	)
	for _, test := range []struct{ name, body, want string }{
		{"glued", "```delta\n" + object + "```\n", block},
		{"glued before a block", "```delta\n" + object + "```\n" + next, block + next},
		{"glued before text", "```delta\n" + object + " ```\n\nText.\n", block + "\nText.\n"},
		{"glued with text", "```delta\n" + object + "``` Done.\n", block + "\nDone.\n"},
		{"glued in a list", "- ```delta\n  " + object + "```\n", "- ```delta\n  " + object + "\n  ```\n"},
		{"glued above the closing marks", "```delta\n" + object + "```\n```\n", block},
		{"followed", "```delta\n" + object + "\n``` and that is it\n" + next, block + "\nand that is it\n" + next},
		{"followed by a word", "```delta\n" + object + "\n```end\n" + next, block + "\nend\n" + next},
		{"escaped", "```delta\n" + object + "\n\\`\\`\\`\n" + next, block + next},
		{"indented", "```delta\n" + object + "\n    ```\n" + next, block + next},
		{"others", "```delta\n" + object + "\n~~~\n" + next, block + next},
		{"quotes", "```delta\n" + object + "\n'''\n" + next, block + next},
		{"on the opening line", "```delta " + object + "\n```\n", block},
		{"on the opening line, in lines", "```delta {\n\"operation\": 1}\n```\n", "```delta\n{\n\"operation\": 1}\n```\n"},
		{"on the opening line of a tag glued to it", "```delta" + object + "\n```\n", block},
		{"on the opening line of another tag", "```json " + object + "\n```\n", block},
		{"HTML above", "<details>\n```delta\n" + blanks + "\n```\n</details>\n" + next, "<details>\n\n```delta\n" + blanks + "\n```\n</details>\n" + next},
		{"HTML above, without a blank line", "<b>\n```delta\n" + object + "\n```\n" + next, "<b>\n\n" + block + next},
		{"comment above", "<!-- one\n```delta\n" + blanks + "\n```\n", "<!-- one -->\n```delta\n" + blanks + "\n```\n"},
		{"text before", "Here: ```delta\n" + object + "\n```\n" + next, "Here:\n\n" + block + next},
		{"text before and after", "Here: ```delta\n" + object + "\n``` Done.\n" + next, "Here:\n\n" + block + "\nDone.\n" + next},
		{"opening and closing escaped", "\\`\\`\\`delta\n" + object + "\n\\`\\`\\`\n" + next, block + next},
		{"opening indented", "    ```delta\n    " + object + "\n    ```\n" + next, block + next},
		{"two marks", "``delta\n" + object + "\n``\n" + next, block + next},
		{"quotes around", "'''delta\n" + object + "\n'''\n" + next, block + next},
		{"a byte order mark before", "\ufeff" + block + next, block + next},
		{"colons", ":::{delta}\n" + object + "\n:::\n" + next, block + next},
		{"full width", "｀｀｀delta\n" + object + "\n｀｀｀\n" + next, block + next},
		{"full width at the end", "```delta\n" + object + "\n｀｀｀\n" + next, block + next},
		{"a semicolon", "\\`\\`\\`delta\n" + object + ";\n\\`\\`\\`\n\nEnd.\n", block + "\nEnd.\n"},
		{"none before the next block", "Here: ```delta\n" + object + "\n" + next, "Here:\n\n" + block + next},
		{"two tags", "```json delta\n" + object + "\n```\n", block},
		{"tag below", "```json\ndelta\n" + object + "\n```\n", block},
		{"fence in the fence", "~~~delta\n```json\n" + object + "\n```\n~~~\n", "~~~delta\n" + object + "\n~~~\n"},
		{"fence of the same marks in the fence", "```delta\n```json\n" + object + "\n```\n```\n", block},
		{"fence of the same marks in the fence, other line ends", "```delta\r\n```json\r\n" + object + "\r\n```\r\n```\r\n\r\nEnd.", strings.ReplaceAll(block, "\n", "\r\n") + "\r\nEnd."},
		{"fence of the same marks around the fence", "```json\n" + block + "```\n\nEnd.\n", block + "\nEnd.\n"},
		{"two with commas", "```delta\n" + object + ",\n" + object + ",\n```\n", block + "\n" + block},
		{"two, the second with a comma too many", "```delta\n" + object + "\n" + strings.Replace(object, "}", ",}", 1) + "\n```\n", block + "\n" + block},
	} {
		got, left := fixMarks(t, test.body)
		if got != test.want || left > 0 {
			t.Errorf("%s: fixed to %q, with %d faults left, want %q", test.name, got, left, test.want)
		}
	}
	for _, body := range []string{
		block + object, "Use ```delta for a block.\n", block + "```\ncode\n```\n", "<b>\n\n" + block, "- one\n    ```delta\n    " + object + "\n    ```\n",
	} {
		for _, d := range Extract(document(body), jsontree.Options{}) {
			if m := d.Marks; m.Why != NoMarks || d.OnFence {
				t.Errorf("%q: marks %+v", body, m)
			}
		}
		for _, m := range FindMisplaced(document(body), jsontree.Options{}) {
			if m.Marks.Why != NoMarks {
				t.Errorf("%q: marks %+v", body, m.Marks)
			}
		}
	}
}

// fixMarks makes the edits of the one fault that a body has, and counts what is left.
func fixMarks(t *testing.T, body string) (fixed string, left int) {
	t.Helper()
	doc := document(body)
	var edits [][]source.Edit
	for _, d := range Extract(doc, jsontree.Options{}) {
		switch {
		case d.OnFence:
			at, _ := d.Text.Within(doc.Text, source.Span{})
			edits = append(edits, []source.Edit{{Span: source.Span{Start: d.Fence.Span.End, End: at.Start}, Text: "\n"}})
		case d.Marks.Why != NoMarks:
			closing, _ := d.CloseFence()
			edits = append(edits, closing)
		case d.Syntax != nil:
			edits = append(edits, d.Split())
		}
	}
	for _, m := range FindMisplaced(doc, jsontree.Options{}) {
		edits = append(edits, m.Edits)
	}
	if len(edits) != 1 {
		t.Errorf("%q has %d faults", body, len(edits))
		return body, len(edits)
	}
	fixed = string(source.Apply(doc.Text.Data, edits[0]))
	doc = document(fixed)
	for _, d := range Extract(doc, jsontree.Options{}) {
		if d.Syntax != nil || !d.Block.Closed {
			left++
		}
	}
	return fixed, left + len(FindMisplaced(doc, jsontree.Options{}))
}

// TestOpensJSON tells the marks that open the next block from those that should close this one.
func TestOpensJSON(t *testing.T) {
	for _, test := range []struct {
		line, below string
		want        bool
	}{
		{"```delta", "{\"operation\": \"ADD\"}\n", true},
		{"```delta", "operation: ADD\n", true},
		{"```delta", "\nThis is all.\n", false},
		{"```delta", "\nThis is all.\n\n```delta\n{\"operation\": \"ADD\"}\n```\n", false},
		{"```json", "[1]\n", true},
		{"```json", "operation: ADD\n", false},
		{"```that is all", "[1]\n", false},
	} {
		if got := opensJSON([]byte(test.line), []byte(test.below)); got != test.want {
			t.Errorf("%q above %q opens JSON: %v, want %v", test.line, test.below, got, test.want)
		}
	}
}
