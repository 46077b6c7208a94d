package report

import (
	"bytes"
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	gfm "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/diff"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/lint"
)

// TestMarkdownAttacks puts each attack everywhere: the report stays the same
// blocks, its table has a row of as many cells for each finding, and nothing of
// the text becomes a link, an image or markup.
func TestMarkdownAttacks(t *testing.T) {
	want := shape(t, everywhere("x"))
	if n := strings.Count(shape(t, sample()), "TableRow"); n != len(sample().Findings) {
		t.Errorf("%d rows of %d findings", n, len(sample().Findings))
	}
	if !strings.Contains(want, "Table") || !strings.Contains(want, "TableRow") {
		t.Fatalf("no table: %s", want)
	}
	for _, s := range slices.Concat(attacks, injections, references) {
		if strings.TrimSpace(s) == "" { // what has no text is left out
			continue
		}
		if got := shape(t, everywhere(s)); got != want {
			t.Errorf("%.60q: the report is\n%s, want\n%s", s, got, want)
		}
	}
}

// shape returns what a code host makes of the Markdown of a report: its nodes but for
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
	must.OK(t, err)
	return b.String()
}

// references are what code hosts make of a text wherever it is.
var references = []string{
	"@someone", "by @org/team.", "mail a@b.example", "#12", "see owner/repo#12", "GH-12", "gh-7 and GH-8", "x GH-1x", "!12", "$12", "~bug", "%\"a milestone\"", "&3",
	"https://evil.example/x", "HTTP://evil.example", "ftp://x.example", "www.evil.example", "WWW.evil.example", "_www.evil.example_", "mailto:a@b.example", "xmpp:a@b.example/x",
	"1234567890abcdef1234567890abcdef12345678", "see a1b2c3d.", "owner/repo@a1b2c3d", ":tada: :+1:", "![x](https://evil.example/x.png)", "[x](y)", "[x][1]", "<https://evil.example>",
	"<img src=x>", "<!-- x -->", "&copy; &#64;someone", "$x$ and $$y$$", "`@someone`", "**b** __b__ _i_ *i* ~~s~~ a_b_c", "- item", "+ item", "* item", "1. item", "2) item", "> quoted", "=", "# heading",
	"- [ ] task", "| a | b |", "\\@someone", "\\", "[^1]", "```suggestion", "---", "\t- item",
}

// readable are the references that a reader of the finished text finds.
var readable = regexp.MustCompile(`(?i)@\w|#\d|\bgh-\d|[!$~%&]["\w]|://|www\.|\b[0-9]*[a-f][0-9a-f]{6,39}\b|:[\w+-]*[a-z][\w+-]*:`)

// TestReferences checks that a code host finds no reference in the texts of the
// formats that it shows as Markdown, and that people read the same as elsewhere.
func TestReferences(t *testing.T) {
	for _, s := range slices.Concat(references, attacks, injections) {
		want := strings.Join(strings.Fields(clean(s)), " ")
		if want == "" {
			continue
		}
		for name, text := range map[string]string{"markdown": "x " + MarkdownText(s), "rdjson": markdownProse(s)} {
			got := readBack(t, []byte(text))
			if found := readable.FindString(got); found != "" {
				t.Errorf("%s of %.60q has the reference %q", name, s, found)
			}
			if got = strings.ReplaceAll(got, unlinked, ""); name == "markdown" {
				got = strings.TrimPrefix(got, "x ")
			}
			if got = strings.Join(strings.Fields(got), " "); got != want {
				t.Errorf("%s of %.60q reads\n%.200q, want\n%.200q", name, s, got, want)
			}
		}
	}
}

// TestReferencesStayReadable checks how little is changed of what needs no escape.
func TestReferencesStayReadable(t *testing.T) {
	for _, s := range []string{"T2 potency_check is not what the deltas say", "mail/x.json:41:330", "2025-12-30T10:00:00Z", "50 % & more", "sha256 of 1234567", "a - b > c", "Hello! (x)"} {
		if got := markdownProse(s); got != s {
			t.Errorf("%q is shown as %q", s, got)
		}
	}
}

// readBack returns the text of Markdown that is one paragraph of text only.
func readBack(t *testing.T, src []byte) string {
	t.Helper()
	md := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote))
	doc := md.Parser().Parse(text.NewReader(src))
	err := ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n.(type) {
		case *ast.Document, *ast.Paragraph, *ast.Text, *ast.String:
		default:
			t.Errorf("%.80q becomes %s", src, n.Kind())
		}
		return ast.WalkContinue, nil
	})
	must.OK(t, err)
	var b bytes.Buffer
	must.OK(t, md.Renderer().Render(&b, src, doc))
	return html.UnescapeString(strings.TrimSuffix(strings.TrimPrefix(b.String(), "<p>"), "</p>\n"))
}

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
