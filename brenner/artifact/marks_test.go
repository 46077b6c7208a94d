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
		active + "**Third alternative**: `true`":         "third_alternative=true",
		active + "**Third alternative**: **`true`**":     "third_alternative=true",
		active + "**Third alternative**: **true** or **": "third_alternative=**true** or **",
		active + "**Claim**: `all`":                      "claim=`all`", // free text
		active + "**Anchors**: `§1`, **§2**":             "anchors=`§1`, **§2** [§1 §2]",
		active + "**Anchors**: **§1** and **§2**":        "anchors=**§1** and **§2** [**§1** and **§2**]",
		active + "**Anchors**: **§1, §2**":               "anchors=**§1, §2** [§1 §2]",
		active + "**Anchors**:\n-\n- §1\n- §2":           "anchors=-\n- §1\n- §2 [§1 §2]",
		active + "**Third alternative**: true\\":         "third_alternative=true",
		"### ~~H1: n~~ **[KILLED]**\n**Claim**: ~~a~~":   "claim=a",
		"### ~~H1: n~~ `[killed]`\n**Claim**: ~~a~~":     "claim=a",
		active + "**Claim**\u00a0:\u00a0x\u2003":         "claim=x",
		active + "**Third \u00a0 alternative**: true":    "third_alternative=true",
		active + "**Thirdalternative**: true":            "Thirdalternative=true",
		active + "**Claim**: a <!-- b --> c":             "claim=a c",
		active + "**Claim**: a <!-- b":                   "claim=a <!-- b",
		active + `**Claim**: a \<!-- b -->`:              "claim=a <!-- b -->",
		active + "**Claim**: ```<!-- b -->":              "claim=```",
		active + "**Claim**: a ~~b~~ c":                  "claim=a ~~b~~ c", // the writer's own
		killed + "**Claim**: ~~a~~":                      "claim=a",
		killed + "**Claim**: ~~a~~ and ~~b~~":            "claim=a and b",
		killed + "**Claim**: ~~a~~\n~~b~~\n\n~~c~~":      "claim=a\nb\n\nc",
		killed + "~~**Claim**: a~~":                      "claim=a",
		killed + `**Claim**: ~~a \~\~ b~~`:               "claim=a ~~ b",
		killed + "**Anchors**: ~~§1~~, ~~§2~~":           "anchors=§1, §2 [§1 §2]",
		killed + "**Claim**: a\n- **Killed by**: `A`":    "claim=a killed_by=A",
		killed + "**Claim**: a\n1. **Killed by**: A":     "claim=a\n1. **Killed by**: A",
		killed + "**Claim**: a\n- **Note**: b":           "claim=a\n- **Note**: b",
		killed + "- **Claim**: a\n- **Note**: b":         "claim=a Note=b",
		killed + "- **Claim**: a\n  - **Note**: b":       "claim=a\n  - **Note**: b",
		"### ~~H1: n~~ (KILLED)\n**Claim**: ~~a~~":       "claim=a",
		"### ~~H1: n~~ ~~[KILLED]~~\n**Claim**: ~~a~~":   "claim=a",
		"### ~~H1: n~~ — Killed\n**Claim**: ~~a~~":       "claim=a",
		"### H1\\: n\n**Claim**: a":                      "claim=a",
		active + "**Claim**: a\n- **Killed by**: A":      "claim=a\n- **Killed by**: A",
		"### H1:\u00a0n\n**Claim**: a":                   "claim=a",
		"### **H1:** n\n**Claim**: a":                    "claim=a",
		"### ~~H1:~~ ~~n~~\n**Claim**: ~~a~~":            "claim=a",
		"### `H1` — n\n**Claim**: a":                     "claim=a",
		"### ***H1***: n <!-- was: m -->\n**Claim**: a":  "claim=a",
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
		"~~T3~~: ~~Grid (Score: 7/12)~~ [KILLED]":     "Grid, 7, struck",
		"~~T3: Grid (Score: 7/12)~~ ~~[KILLED]~~":     "Grid, 7, struck",
		"~~T3~~: ~~Grid~~ ~~(Score: 7/12)~~ [KILLED]": "Grid, 7, struck",
		"~~T3: Grid~~ (~~Score: 7/12~~)":              "Grid, 7, struck",
		"~~T3: Grid (Score: 7/12)~~":                  "Grid, 7, struck",
		"T3: ~~Grid (Score: 7/12)~~":                  "Grid, 7, in part",
		"T3: Grid~ (Score: 7/12)":                     "Grid~, 7",
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
