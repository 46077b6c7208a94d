package artifact

import (
	"fmt"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/source"
)

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
