package rulepage

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// TestRoundTrip writes a page of everything that files may hold, and reads it again.
func TestRoundTrip(t *testing.T) {
	page := &Page{
		Title: "ZZ-001 example", Prose: "Why.\n\n- `a`\n\n## More\n\n```md\n## Reported\n```",
		Examples: []*Example{
			{Kind: Bad, Title: "One case", Findings: "a.md:1:1-1:2: `no`\n  fix: x\n", Fixed: map[string]string{"a.md": "y\n\n\n"}, Files: []txtar.File{
				{Name: "a.md", Data: []byte("```delta\n`````\n# x\n\n\n")}, {Name: "b/c.json", Data: []byte("\n  {\"a\": \"\\u2026\"}\t\n")},
			}},
			{Kind: Good, Title: "Other bytes", Fixed: map[string]string{}, Files: []txtar.File{
				{Name: "a", Data: []byte("\xff\xfe\\x41\\\r\nx\x00\u200b\ufeff\\u200b\n")}, {Name: "empty.yaml", Data: []byte{}},
			}},
		},
	}
	data := page.Format()
	got, problems := Parse(data)
	if d := cmp.Diff(page, got); d != "" || problems != nil {
		t.Errorf("%q\n%s\n%s", problems, d, data)
	}
	for _, want := range []string{
		"# ZZ-001 example\n\nWhy.\n", "\n## Reported\n\n### One case\n\n`a.md`:\n\n``````markdown\n```delta\n`````\n", "\n`b/c.json`:\n\n```json\n",
		"\nFindings:\n\n```text\na.md:1:1-1:2: `no`\n", "\n`a.md`, fixed:\n\n```markdown\ny\n\n\n```\n",
		"```text escaped\n\\xff\\xfe\\x5cx41\\\\x0d\nx\\x00\\xe2\\x80\\x8b\\xef\\xbb\\xbf\\u200b\n```\n",
	} {
		if !strings.Contains(string(data), want) {
			t.Errorf("the page lacks %q:\n%s", want, data)
		}
	}
	if !HasFix(data) || got.Examples[0].Name() != "one-case" {
		t.Errorf("HasFix is %v, the name %q", HasFix(data), got.Examples[0].Name())
	}
	if crlf, _ := Parse([]byte(strings.ReplaceAll(string(data), "\n", "\r\n"))); !cmp.Equal(page, crlf) {
		t.Error("with CR LF, the page is another")
	}
}

// TestProblems checks the problems that are reported for malformed pages.
func TestProblems(t *testing.T) {
	const start = "# ZZ-001 x\n\nWhy.\n\n## Reported\n\n"
	for name, c := range map[string]struct{ page, want string }{
		"no heading":       {start + "`a.md`:\n", "line 7: expected the heading of an example"},
		"a paragraph":      {start + "### A\n\nText.\n", "line 9: expected a file"},
		"no label":         {start + "### A\n\n```\nx\n```\n", "line 9: expected a file"},
		"two labels":       {start + "### A\n\n`a.md`:\n\n`b.md`:\n", "line 11: expected a file"},
		"no fence":         {start + "### A\n\n`a.md`:\n", "a file without a fence"},
		"outside":          {start + "### A\n\n`../a.md`:\n\n```\nx\n```\n", `file "../a.md" is not below`},
		"another section":  {start + "## Other\n", "expected the heading of an example"},
		"only documented":  {"Why.\n", ""},
		"examples and all": {start + "### A\n\n`a.md`:\n\n~~~\nx\n~~~\n\nFindings:\n\n```\nx\n```\n", ""},
	} {
		page, problems := Parse([]byte(c.page))
		if all := strings.Join(problems, "\n"); (c.want == "") != (all == "") || !strings.Contains(all, c.want) {
			t.Errorf("%s: the problems are %q, expected %q", name, all, c.want)
		}
		if page.Prose != "Why." {
			t.Errorf("%s: the prose is %q", name, page.Prose)
		}
	}
}
