package artifact

import (
	"testing"

	"github.com/brennerlint/brennerlint/protocol"
	"github.com/brennerlint/brennerlint/source"
)

// TestLabels reads labels in both bold marks of Markdown (decisions.md 42), and lines
// that differ from them in one thing.
func TestLabels(t *testing.T) {
	for line, want := range map[string]string{
		"**Claim**: x":       "x",
		"**Claim:** x":       "x",
		"__Claim__: x":       "x",
		"__Claim:__ x":       "x",
		"__claim__ : x":      "x",
		"- __Claim__: x":     "x",
		"__Claim__:\nx":      "x",
		"__Claim__ x":        "",
		"__Claim**: x":       "",
		"_Claim_: x":         "",
		"___Claim__: x":      "",
		"Claim: x":           "",
		"    __Claim__: x":   "",
		"text __Claim__: x":  "",
		"text\n__Claim__: x": "x",
	} {
		a := ParseMarkdown(source.NewFile("a.md", []byte("## 2. Hypothesis Slate\n\n### H1: n\n"+line+"\n")).Text(), Limits{})
		if got := a.Sections[0].Items[0].Text("claim"); got != want {
			t.Errorf("%q: got %q, want %q", line, got, want)
		}
	}
	a := ParseMarkdown(source.NewFile("a.md", []byte("## 4. Discriminative Tests\n\n### T1: n\n__Expected outcomes__:\n__H1__: a\n__H2:__ b\n- __H3__: c\n__Score__:\n- __Cost__: 2\n- __Speed:__ 3\n")).Text(), Limits{})
	it := a.Sections[0].Items[0]
	for i, want := range []Entry{{Key: "H1", Text: "a"}, {Key: "H2", Text: "b"}, {Key: "H3", Text: "c"}} {
		if got := it.Field("expected_outcomes").Entries[i]; got.Key != want.Key || got.Text != want.Text {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
	for i, want := range []Entry{{Key: "cost", Text: "2"}, {Key: "speed", Text: "3"}} {
		if got := it.Field("score").Entries[i]; got.Key != want.Key || got.Text != want.Text {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
}

// TestLabelsAreNoHeadings checks what the parser relies on: that no line with the label
// of a known field is the heading of an item or a section.
func TestLabelsAreNoHeadings(t *testing.T) {
	for _, kind := range protocol.Sections {
		for _, f := range kind.Fields() {
			for _, label := range append([]string{f.Label}, f.Synonyms...) {
				if id, _ := headingID("**" + label + "**: x"); id.Section > protocol.ResearchThread {
					t.Errorf("label %q of %s begins with the id of an item", label, kind)
				}
				if protocol.SectionByTitle(label) != 0 {
					t.Errorf("label %q of %s is the title of a section", label, kind)
				}
			}
		}
	}
}
