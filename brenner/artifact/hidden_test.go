package artifact

import (
	"fmt"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/source"
)

// allSections is an artifact in which every section has its items.
const allSections = `## 1. Research Thread

**RT**: q

## 2. Hypothesis Slate

### H1: a
**Claim**: c

## 3. Predictions Table

| ID | C | H1 |
|---|---|---|
| P1 | c | a |

## 4. Discriminative Tests

### T1: t

## 5. Assumption Ledger

### A1: a

## 6. Anomaly Register

None registered

## 7. Adversarial Critique

### C1: c
**Attack**: a

### C2: c
`

// TestHidden hides parts of an artifact and reads them anyway.
func TestHidden(t *testing.T) {
	const meta = "---\nsession_id: s\n---\n"
	after := func(mark, add string) string { return strings.Replace(allSections, mark, mark+add, 1) }
	before := func(mark, add string) string { return strings.Replace(allSections, mark, add+mark, 1) }
	code := "\n```sh\n## 3. Predictions Table\n```\n"
	for name, c := range map[string]struct{ text, want string }{
		"as it is":              {meta + allSections, ""},
		"in a fence":            {"```markdown\n" + meta + allSections + "```\n", "1 fence [1 2 3 4 5 6 7]"},
		"below a remark":        {"Here it is:\n\n~~~~\n" + meta + allSections + "~~~~\n\nDone.", "3 fence [1 2 3 4 5 6 7]"},
		"below front matter":    {meta + "\n```\n" + allSections + "```\n", "5 fence [1 2 3 4 5 6 7]"},
		"in a fence with code":  {"```md\n" + meta + after("### T1: t", code) + "```\n", "1 fence open [1 2 3 4]"},
		"in a longer fence":     {"````md\n" + meta + after("### T1: t", code) + "````\n", "1 fence [1 2 3 4 5 6 7]"},
		"fence left open":       {meta + after("**Claim**: c", "\n```\nx = 1"), "12 fence open [3 4 5 6 7]"},
		"open above code":       {meta + strings.Replace(after("**Claim**: c", "\n```\nx = 1"), "### T1: t", "### T1: t"+code, 1), "12 fence open [3 4]"},
		"open above plain code": {meta + strings.Replace(after("**Claim**: c", "\n```\nx = 1"), "### T1: t", "### T1: t\n```\ny\n```\n", 1), "12 fence open [3 4]"},
		"open in the last":      {meta + after("**Attack**: a", "\n```"), "35 fence open [] C2"},
		"closed in the last":    {meta + strings.Replace(after("**Attack**: a", "\n```"), "### C2: c", "### C3: c\n```\n### C2: c", 1), ""},
		"open at the end":       {meta + allSections + "```\n", ""},
		"in a list":             {meta + after("**Attack**: a", "\n- ```\n  ### C9: c"), ""},
		"comment left open":     {meta + before("## 6. ", "<!-- later\n"), "27 comment [6 7]"},
		"closed by another":     {meta + strings.Replace(before("## 6. ", "<!-- later\n"), "### C1", "<!-- x -->\n### C1", 1), "27 comment [6 7]"},
		"section commented out": {meta + strings.Replace(before("## 6. ", "<!--\n"), "## 7. ", "-->\n## 7. ", 1), ""},
		"comment in the last":   {meta + before("### C2", "<!-- later\n"), "36 comment [] C2"},
		"below a line of HTML":  {meta + before("## 6. ", "<details>\n<summary>s</summary>\n"), "28 html [6]"},
		"item below HTML":       {meta + before("### T1", "<br>\n"), "21 html [] T1"},
		"table below HTML":      {meta + before("| ID |", "<div>\n"), "15 html table []"},
		"in HTML left open":     {meta + before("### T1", "<pre>\n"), "21 html [5 6 7]"},
		"text in <pre>":         {meta + after("**Claim**: c", "\n\n<pre>\nlog\n\n### H9: x\n</pre>"), ""},
		"below open <pre>":      {meta + after("**Claim**: c", "\n\n<pre>\nlog\n"), "13 html [3 4 5 6 7]"},
		"closed headings":       {meta + strings.NewReplacer("Ledger\n", "Ledger ##\n", "Register\n", "Register <!-- x -->\n").Replace(after("### T1: t", "\n```")), "22 fence open [5 6 7]"},
		"apart from HTML":       {meta + before("## 6. ", "<details>\n\n"), ""},
		"text below HTML":       {meta + before("## 6. ", "<br>\n### A1: a\n# x\n| a | b |\n|---|---|\n\n"), ""},
		"twice open":            {meta + before("### C2", "<!-- later\n```\n"), "36 comment [] C2; 37 fence open [] C2"},
	} {
		t.Run(name, func(t *testing.T) {
			a := ParseMarkdown(source.NewFile("a.md", []byte(c.text)).Text(), Limits{})
			var got []string
			for _, h := range a.Hidden {
				what := "fence"
				switch {
				case h.HTML:
					what = "html"
				case h.Comment:
					what = "comment"
				case !h.Closed:
					what = "fence open"
				}
				if h.Table {
					what += " table"
				}
				numbers := []int{}
				for _, s := range h.Sections {
					numbers = append(numbers, int(s))
				}
				got = append(got, strings.TrimSpace(fmt.Sprint(a.Text.Position(h.Line.Start).Line, " ", what, " ", numbers)+" "+strings.Trim(fmt.Sprint(h.Items), "[]")))
			}
			for i, g := range got {
				if !strings.Contains(g, "[]") { // items matter only where no section is hidden
					got[i], _, _ = strings.Cut(g, "] ")
					got[i] = strings.TrimSuffix(got[i], "]") + "]"
				}
			}
			if got := strings.Join(got, "; "); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if a.Meta == nil {
				t.Error("no front matter")
			}
			want := 7
			if name == "section commented out" {
				want = 6
			}
			if len(a.Sections) != want {
				t.Errorf("got %d sections", len(a.Sections))
			}
		})
	}
}
