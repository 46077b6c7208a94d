package report

import (
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	gfm "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"github.com/brennerlint/brennerlint/lint"
)

// TestMarkdownAttacks puts each attack everywhere: the report stays the same
// blocks, its table has a row of as many cells for each finding, and nothing of
// the text becomes a link, an image or markup.
func TestMarkdownAttacks(t *testing.T) {
	want := shape(t, everywhere("x"))
	if !strings.Contains(want, "Table") || !strings.Contains(want, "TableRow") {
		t.Fatalf("no table: %s", want)
	}
	for _, s := range append(attacks, injections...) {
		if strings.TrimSpace(s) == "" { // what has no text is left out
			continue
		}
		if got := shape(t, everywhere(s)); got != want {
			t.Errorf("%.60q: the report is\n%s, want\n%s", s, got, want)
		}
	}
}

// shape is what a code host makes of the Markdown of a report: its nodes but for
// texts, and all markup.
func shape(t *testing.T, r *lint.Report) string {
	t.Helper()
	data := write(t, "markdown", r, Options{})
	doc := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(data))
	var b strings.Builder
	err := ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering || n.Kind() == ast.KindText || n.Kind() == ast.KindString {
			return ast.WalkContinue, nil
		}
		b.WriteString(n.Kind().String() + " ")
		switch n := n.(type) {
		case *ast.RawHTML:
			b.Write(n.Segments.Value(data))
		case *ast.Link:
			b.Write(n.Destination)
		case *gfm.TableRow:
			b.WriteByte('\n')
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
