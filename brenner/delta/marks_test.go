package delta

import (
	"testing"

	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/source"
)

// TestMarks fixes the marks of testdata/marks.txtar, which are meant for a fence and misread: what
// the fix of one fault leaves is as it should have been written.
func TestMarks(t *testing.T) {
	for _, ex := range must.Examples(t, "testdata/marks.txtar") {
		got, left := fixMarks(t, ex.In)
		if got != ex.Want || left > 0 {
			t.Errorf("%s: fixed to %q, with %d faults left, want %q", ex.Name, got, left, ex.Want)
		}
	}
	const (
		object = `{"operation": "KILL", "section": "x"}`
		block  = "```delta\n" + object + "\n```\n"
	)
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
