package report

import (
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/diff"
)

// TestDiffShowsHiddenCharacters checks that no comparison for readers holds a character of
// the mail that reorders or hides text, and that only line breaks of its own break lines.
func TestDiffShowsHiddenCharacters(t *testing.T) {
	const hidden = "Lin\u202eeage\u200b\x1b[2J\n::error::x"
	before := brenner.NewItem(brenner.ItemID{Section: brenner.HypothesisSlate, Number: 1}, map[string]any{"name": "Lineage", "claim": "x"})
	after := brenner.NewItem(before.ID, map[string]any{"name": hidden, "claim": hidden})
	c := &Comparison{A: DiffSide{What: hidden}, B: DiffSide{What: "b"}, Changes: []diff.Change{
		{Kind: diff.ItemEdited, ID: before.ID, Before: before, After: after, Fields: []diff.FieldChange{
			{Key: "claim", Before: "x", After: hidden}, {Key: "anchors", Before: []any{}, After: []any{hidden}},
		}},
		{Kind: diff.ItemAdded, ID: before.ID, After: after, Fields: []diff.FieldChange{{Key: hidden, After: hidden}}},
	}}
	for format, out := range map[string]string{"markdown": DiffMarkdown(c), "text": DiffText(c, Options{})} {
		if strings.ContainsAny(out, "\u202e\u200b\x1b") || strings.Contains(out, "\n::") || !strings.Contains(out, "Lin<U+202E>eage<U+200B>") {
			t.Errorf("%s shows\n%q", format, out)
		}
	}
}

// TestDiffReferences checks that a code host finds no reference in a comparison in Markdown.
func TestDiffReferences(t *testing.T) {
	for _, s := range references {
		before := brenner.NewItem(brenner.ItemID{Section: brenner.HypothesisSlate, Number: 1}, map[string]any{"name": s, "claim": "x"})
		after := brenner.NewItem(before.ID, map[string]any{"name": s, "claim": s})
		out := DiffMarkdown(&Comparison{A: DiffSide{What: s}, B: DiffSide{What: "b"}, Changes: []diff.Change{
			{Kind: diff.ItemEdited, ID: before.ID, Before: before, After: after, Fields: []diff.FieldChange{{Key: "claim", Before: "x", After: s}}},
		}})
		for line := range strings.Lines(out) {
			line = "x " + strings.TrimLeft(strings.Replace(line, "**H1**", "", 1), "#- ")
			if found := readable.FindString(readBack(t, []byte(line))); found != "" {
				t.Errorf("%q has the reference %q in\n%s", s, found, out)
			}
		}
		if !strings.HasPrefix(out, "## ") || !strings.Contains(out, "\n### Modified items\n- **H1**") {
			t.Errorf("%q changes the headings of\n%s", s, out)
		}
	}
}
