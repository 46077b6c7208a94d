package artifact

import (
	"fmt"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/source"
)

// TestMarks reads values with marks around them, and values that differ from them in one
// thing (decisions.md 62 to 64): the field, its text and its entries.
func TestMarks(t *testing.T) {
	const active, killed = "### H1: n\n", "### ~~H1: n~~ [KILLED]\n"
	for in, want := range map[string]string{
		active + "**Third alternative**: `true`":                      "third_alternative=true",
		active + "**Third alternative**: **`true`**":                  "third_alternative=true",
		active + "**Third alternative**: **true** or **":              "third_alternative=**true** or **",
		active + "**Claim**: `all`":                                   "claim=`all`", // free text
		active + "**Anchors**: `§1`, **§2**":                          "anchors=`§1`, **§2** [§1 §2]",
		active + "**Anchors**: **§1** and **§2**":                     "anchors=**§1** and **§2** [**§1** and **§2**]",
		active + "**Anchors**: **§1, §2**":                            "anchors=**§1, §2** [§1 §2]",
		active + "**Anchors**:\n-\n- §1\n- §2":                        "anchors=-\n- §1\n- §2 [§1 §2]",
		active + "**Third alternative**: true\\":                      "third_alternative=true",
		"### ~~H1: n~~ **[KILLED]**\n**Claim**: ~~a~~":                "claim=a",
		"### ~~H1: n~~ `[killed]`\n**Claim**: ~~a~~":                  "claim=a",
		active + "**Claim**\u00a0:\u00a0x\u2003":                      "claim=x",
		active + "**Third \u00a0 alternative**: true":                 "third_alternative=true",
		active + "**Thirdalternative**: true":                         "Thirdalternative=true",
		active + "**Claim**: a <!-- b --> c":                          "claim=a c",
		active + "**Claim**: a <!-- b":                                "claim=a <!-- b",
		active + `**Claim**: a \<!-- b -->`:                           "claim=a <!-- b -->",
		active + "**Claim**: ```<!-- b -->":                           "claim=```",
		active + "**Claim**: a ~~b~~ c":                               "claim=a ~~b~~ c", // the writer's own
		killed + "**Claim**: ~~a~~":                                   "claim=a",
		killed + "**Claim**: ~~a~~ and ~~b~~":                         "claim=a and b",
		killed + "**Claim**: ~~a~~\n~~b~~\n\n~~c~~":                   "claim=a\nb\n\nc",
		killed + "~~**Claim**: a~~":                                   "claim=a",
		killed + `**Claim**: ~~a \~\~ b~~`:                            "claim=a ~~ b",
		killed + "**Anchors**: ~~§1~~, ~~§2~~":                        "anchors=§1, §2 [§1 §2]",
		killed + "**Claim**: a\n- **Killed by**: `A`":                 "claim=a killed_by=A",
		killed + "**Claim**: a\n1. **Killed by**: A":                  "claim=a\n1. **Killed by**: A",
		killed + "**Claim**: a\n- **Note**: b":                        "claim=a\n- **Note**: b",
		killed + "- **Claim**: a\n- **Note**: b":                      "claim=a Note=b",
		killed + "- **Claim**: a\n  - **Note**: b":                    "claim=a\n  - **Note**: b",
		"### ~~H1: n~~ (KILLED)\n**Claim**: ~~a~~":                    "claim=a",
		"### ~~H1: n~~ ~~[KILLED]~~\n**Claim**: ~~a~~":                "claim=a",
		"### ~~H1: n~~ \\[KILLED\\]\n**Claim**: ~~a~~":                "claim=a",
		"### ~~H1: n~~ \\[killed]\n**Claim**: ~~a~~":                  "claim=a",
		"### ~H1: n~ [KILLED]\n**Claim**: ~a~\n**Anchors**: ~§1, §2~": "claim=a anchors=§1, §2 [§1 §2]",
		killed + "**Claim**: ~a~\n- **Killed by**: A":                 "claim=a killed_by=A",
		killed + "**Claim**: ~a~ and ~b~":                             "claim=~a~ and ~b~",
		killed + `**Claim**: ~~\~5\~~~`:                               "claim=~5~",
		active + "**Claim**: ~a~":                                     "claim=~a~",
		"### ~~H1: n~~ — Killed\n**Claim**: ~~a~~":                    "claim=a",
		"### H1\\: n\n**Claim**: a":                                   "claim=a",
		active + "**Claim**: a\n- **Killed by**: A":                   "claim=a\n- **Killed by**: A",
		"### H1:\u00a0n\n**Claim**: a":                                "claim=a",
		"### **H1:** n\n**Claim**: a":                                 "claim=a",
		"### ~~H1:~~ ~~n~~\n**Claim**: ~~a~~":                         "claim=a",
		"### `H1` — n\n**Claim**: a":                                  "claim=a",
		"### ***H1***: n <!-- was: m -->\n**Claim**: a":               "claim=a",
	} {
		a := ParseMarkdown(source.NewText([]byte("## 2. Hypothesis Slate\n\n"+in+"\n")), Limits{})
		if s := a.Sections[0]; len(s.Items) != 1 || s.Items[0].Name != "n" || len(s.Malformed) > 0 {
			t.Errorf("%q: the heading is not read", in)
			continue
		}
		var got []string
		for _, f := range a.Sections[0].Items[0].Fields {
			text := f.Key + "=" + f.Text
			if f.Key == "anchors" {
				var entries []string
				for _, e := range f.Entries {
					entries = append(entries, e.Text)
				}
				text += fmt.Sprintf(" [%s]", strings.Join(entries, " "))
			}
			got = append(got, text)
		}
		if got := strings.Join(got, " "); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
		checkSpans(t, a)
	}
}

// TestConflicts reads both versions of a conflict, and lines that only look like markers.
func TestConflicts(t *testing.T) {
	for in, want := range map[string]string{
		"<<<<<<< HEAD\n**Claim**: a\n=======\n**Claim**: b\n>>>>>>> theirs": "1 a/b",
		"<<<<<<<\r\n**Claim**: a\r\n>>>>>>>\r":                              "1 a",
		"**Claim**: a\n<<<<<< HEAD\n=======\n":                              "0 a\n<<<<<< HEAD",
		"**Claim**: a\n```\n<<<<<<< HEAD\n```":                              "0 a\n```\n<<<<<<< HEAD\n```",
		"<<<<<<< a\n**Claim**: a\n>>>>>>> b\n<<<<<<< c\n**Claim**: b":       "2 a/b",
	} {
		a := ParseMarkdown(source.NewText([]byte("## 2. Hypothesis Slate\n\n### H1: n\n"+in+"\n")), Limits{})
		var texts []string
		for _, f := range a.Sections[0].Items[0].Fields {
			texts = append(texts, f.Text)
		}
		if got := fmt.Sprintf("%d %s", len(a.Conflicts), strings.Join(texts, "/")); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
		checkSpans(t, a)
	}
	fenced := ParseMarkdown(source.NewText([]byte("```md\n## 2. Hypothesis Slate\n\n### H1: n\n<<<<<<< HEAD\n**Claim**: a\n>>>>>>> theirs\n```\n")), Limits{})
	if len(fenced.Hidden) != 1 || len(fenced.Conflicts) != 1 || fenced.Sections[0].Items[0].Text("claim") != "a" {
		t.Errorf("in a fence: %+v, conflicts %v", fenced.Hidden, fenced.Conflicts)
	}
}

// TestStruckScore reads headings of killed tests whose score is struck through with the name,
// or by itself (decisions.md 63), and one whose name ends in a mark.
func TestStruckScore(t *testing.T) {
	for heading, want := range map[string]string{
		"~~T3~~: ~~Grid (Score: 7/12)~~ [KILLED]":       "Grid, 7, struck",
		"~~T3: Grid (Score: 7/12)~~ ~~[KILLED]~~":       "Grid, 7, struck",
		"~~T3~~: ~~Grid~~ ~~(Score: 7/12)~~ [KILLED]":   "Grid, 7, struck",
		"~~T3: Grid~~ (~~Score: 7/12~~)":                "Grid, 7, struck",
		"~~T3: Grid (Score: 7/12)~~":                    "Grid, 7, struck",
		"T3: ~~Grid (Score: 7/12)~~":                    "Grid, 7, in part",
		"T3: Grid~ (Score: 7/12)":                       "Grid~, 7",
		`~~T3: Grid~~ (Score: 7/12) \[KILLED\]`:         "Grid, 7, struck",
		`~~T3: Grid~~ (Score: 7/12) \[killed]`:          "Grid, 7, struck",
		`~~T3: Grid \[KILLED]~~ (Score: 7/12) [KILLED]`: "Grid [KILLED], 7, struck",
		"~T3: Grid~ (Score: 7/12) [KILLED]":             "Grid, 7, struck",
		"~T3: Grid (Score: 7/12)":                       "Grid, 7",
		`T3: ~Grid~ \[KILLED] (Score: 7/12)`:            "~Grid~ [KILLED], 7",
	} {
		it := ParseMarkdown(source.NewText([]byte("## 4. Discriminative Tests\n### "+heading+"\n")), Limits{}).Item(brenner.ItemID{Section: brenner.DiscriminativeTests, Number: 3})
		got := it.Name + ", " + it.Total
		if it.Struck {
			got += ", struck"
		}
		if it.HalfStruck {
			got += ", in part"
		}
		if got != want {
			t.Errorf("%s: %s, want %s", heading, got, want)
		}
	}
}

// TestMisheadings reads lines that are headings of an item or section except for their
// form, and lines that differ from them in one thing.
func TestMisheadings(t *testing.T) {
	const field = "\n**Claim**: c\n"
	for text, want := range map[string]string{
		"#### H1: Name":             "H1 Name 1/4 ####",
		"## H1: Name ##":            "H1 Name 1/2 ##",
		"# H1":                      "H1  1/1 #",
		"H1: Name\n---":             "",
		"H1: Name\n---" + field:     "H1 Name 1/2 H1: Name",
		"###### ~~H1: Name~~":       "H1 Name killed 1/6 ######",
		"#### H1 and others":        "",
		"#### T1: Name":             "",
		"#### h1: Name":             "",
		"> #### H1: Name":           "",
		"- #### H1: Name":           "",
		"#### H9: Name":             "", // there is a proper one
		"###H1: Name":               "H1 Name 2/3 ###",
		"#H1: Name":                 "H1 Name 2/1 #",
		"#H1 is a tag":              "",
		"#######H1: Name":           "",
		"text\n##H1: Name":          "H1 Name 2/2 ##",
		"    ###H1: Name":           "",
		"**H1: Name**":              "H1 Name 3/0 **H1: Name**",
		"__H1: Name__":              "H1 Name 3/0 __H1: Name__",
		"**H1: Name** [KILLED]":     "H1 Name killed 3/0 **H1: Name** [KILLED]",
		"**~~H1: Name~~**":          "H1 Name killed 3/0 **~~H1: Name~~**",
		"~~**H1: Name**~~":          "H1 Name killed 3/0 ~~**H1: Name**~~",
		"**H1: Name** and text":     "",
		"**H1**: text":              "",
		"**H1**: Name" + field:      "H1 Name 3/0 **H1**: Name",
		"**H1:** Name\n" + field:    "H1 Name 3/0 **H1:** Name",
		"H1: text":                  "",
		"H1: Name" + field:          "", // text, whatever follows (decisions.md 65)
		"H1: Name\n\n" + field:      "",
		"H1 - Name" + field:         "",
		"*H1: Name*" + field:        "",
		"_H1: Name_" + field:        "",
		"~~H1: Name~~" + field:      "",
		"`H1: Name`" + field:        "",
		"- H1: Name" + field:        "",
		"***H1: Name***":            "H1 Name 3/0 ***H1: Name***",
		"#### ~~H1~~: ~~Name~~":     "H1 Name killed 1/4 ####",
		"**~~H1~~**: ~~Name~~":      "",
		"#### **H1**: Name":         "H1 Name 1/4 ####",
		"####\u00a0H1: Name":        "H1 Name 2/4 ####",
		"H1: text\n**Clam**: c":     "",
		"H1 and H2" + field:         "",
		"### Anomaly Register":      "section 6 1/3 ###",
		"##6. Anomaly Register":     "section 6 2/2 ##",
		"**Anomaly Register**":      "section 6 3/0 **Anomaly Register**",
		"Anomaly Register":          "section 6 4/0 Anomaly Register",
		"6. Anomaly Register":       "section 6 4/0 6. Anomaly Register",
		"5. Anomaly Register":       "",
		"- Anomaly Register":        "",
		"1. x\n6. Anomaly Register": "",
		"the Anomaly Register":      "",
		"x\nAnomaly Register":       "",
		"Hypothesis Slate":          "", // there is a proper one
	} {
		a := ParseMarkdown(source.NewFile("a.md", []byte("## 2. Hypothesis Slate\n\n### H9: Last\n\n"+text+"\n")).Text(), Limits{})
		var got []string
		for _, s := range a.Sections {
			if m := s.Misheaded; m != nil {
				got = append(got, fmt.Sprintf("section %d %d/%d %s", s.Kind, m.Form, m.Level, a.Text.Slice(m.Mark)))
			}
			for _, it := range s.Items {
				if m := it.Misheaded; m != nil {
					killed := ""
					if it.Killed {
						killed = "killed "
					}
					got = append(got, fmt.Sprintf("%s %s %s%d/%d %s", it.ID, it.Name, killed, m.Form, m.Level, a.Text.Slice(m.Mark)))
				}
			}
		}
		if got := strings.Join(got, "; "); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// TestTwiceMisheaded checks that one section is found once, in any form.
func TestTwiceMisheaded(t *testing.T) {
	a := ParseMarkdown(source.NewFile("a.md", []byte("Hypothesis Slate\n\n**Hypothesis Slate**\n")).Text(), Limits{})
	if len(a.Sections) != 1 {
		t.Errorf("got %d sections", len(a.Sections))
	}
}

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

// TestDetachedRows reads what is below a predictions table.
func TestDetachedRows(t *testing.T) {
	const head = "## 3. Predictions Table\n\n| ID | C | H1 | H2 |\n|---|---|---|---|\n| P1 | c | a | b |\n"
	for below, want := range map[string]string{
		"\n| P2 | c | a | b |":                         "P2",
		"\n| P2 | c | a | b |\n| ~~P3~~ | c | a | b |": "P2 P3",
		"\n| P1 | c | a | b |":                         "P1", // reported by ES-004
		"\nP2 | c | a | b":                             "P2",
		"\nP2 | c":                                     "",
		"\nP2":                                         "",
		"\n| 2 | c | a | b |":                          "",
		"\n| H2 | c | a | b |":                         "",
		"\n- | P2 | c | a | b |":                       "",
		"<!-- x -->\n| P2 | c | a | b |":               "P2",
		"\n| ID | C | H2 | H1 |\n|---|---|---|---|\n| P2 |x|b|a|": "P2",
		"\n| ID | C | H1 |\n|---|---|---|\n| P1 |x|b|":            "",
		"\n| No | C | H1 |\n|---|---|---|\n| P2 |x|b|":            "",
		"\n## 4. Discriminative Tests\n\n| P2 | c | a | b |":      "",
	} {
		a := ParseMarkdown(source.NewFile("a.md", []byte(head+below+"\n")).Text(), Limits{})
		var got []string
		for _, it := range a.Sections[0].Items {
			if it.Detached {
				got = append(got, it.ID.String())
			}
			if o := it.Field("predictions"); it.ID.Number == 2 && (o.Entries[0].Key != "H1") != strings.Contains(below, "H2 |") {
				t.Errorf("%q: the outcomes of P2 begin with %s", below, o.Entries[0].Key)
			}
		}
		if got := strings.Join(got, " "); got != want {
			t.Errorf("%q: got %q, want %q", below, got, want)
		}
	}
}

// TestHeaders reads the headers of outcomes.
func TestHeaders(t *testing.T) {
	for header, want := range map[string]string{
		"H1 (a) | H2 predicts":          "H1 H2",
		"Hypothesis H1 | If H2":         "H1? H2?",
		"[H1](#h1) | h2 | H3<br/>c":     "H1? H2? H3",
		"H1 | If H1 | h1":               "H1 If H1 h1",
		"h1 | H1":                       "h1 H1",
		"h1 | If H1":                    "H1? If H1",
		"\u00a0H1\u00a0 | H2":           "H1 H2",
		"Notes on H1 | T1 | against":    "Notes on H1 T1 against",
		"\\Hypothesis H1 | \\h2 | - | ": "Hypothesis H1 h2 -",
	} {
		a := ParseMarkdown(source.NewFile("a.md", []byte("## 3. Predictions Table\n\n| ID | C | "+header+" |\n|---|---|---|\n")).Text(), Limits{})
		var got []string
		for _, c := range a.Sections[0].Table.Columns {
			if c.Meant {
				c.Key += "?"
			}
			got = append(got, c.Key)
		}
		if got := strings.TrimSpace(strings.Join(got, " ")); got != want {
			t.Errorf("%q: got %q, want %q", header, got, want)
		}
	}
}
