package artifact

import (
	"fmt"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/internal/testenv"
	"github.com/brennerlint/brennerlint/markdown"
	"github.com/brennerlint/brennerlint/protocol"
	"github.com/brennerlint/brennerlint/source"
)

func TestEmptyValueHasAPlace(t *testing.T) {
	const in = "## 5. Assumption Ledger\n### A1: n\n**Test**: \n**Load**:\n**Status**: x\n"
	a := ParseMarkdown(source.NewText([]byte(in)), Limits{})
	it := a.Item(protocol.ItemID{Section: protocol.AssumptionLedger, Number: 1})
	for key, before := range map[string]string{"test": "**Test**: ", "load": "**Load**:"} {
		v := it.Field(key).Value
		if !v.Empty() || !strings.HasSuffix(in[:v.Start], before) {
			t.Errorf("%s stands after %q", key, in[:v.Start])
		}
	}
}

func TestByteOrderMark(t *testing.T) {
	const in = "\ufeff---\nsession_id: a\n---\n# Research Thread\n**RT**: b\n"
	a := ParseMarkdown(source.NewText([]byte(in)), Limits{})
	if v := a.Meta.Get("session_id"); v == nil || a.Text.Slice(v.Span) != "a" {
		t.Errorf("session_id is %v", v)
	}
	if a.Section(protocol.ResearchThread) == nil || ParseMarkdown(source.NewText([]byte("\ufeff# Research Thread\n")), Limits{}).Section(protocol.ResearchThread) == nil {
		t.Error("the section is not found")
	}
}

func TestNoneRegistered(t *testing.T) {
	for in, want := range map[string]bool{
		"None registered.": true, "*none registered*": true, "No anomalies registered": true, "No idea": false, "": false, "### X1: None registered": false,
	} {
		a := ParseMarkdown(source.NewText([]byte("## 6. Anomaly Register\n\n"+in+"\n")), Limits{})
		if got := a.Section(protocol.AnomalyRegister).NoneRegistered; got != want {
			t.Errorf("%q: %v, want %v", in, got, want)
		}
	}
}

func TestFrontMatterPlaces(t *testing.T) {
	tests := []struct{ name, in, fault, body string }{
		{"none", "# Title\n## 1. Research Thread\n**RT**: a\n", "", "a"},
		{"broken", "---\na: [\nb: c\n---\n## 1. Research Thread\n**RT**: a\n", "front matter is not YAML: did not find expected ',' or ']' [c]", "a"},
		{"no mapping", "---\n- a\n---\n## 1. Research Thread\n**RT**: a\n", "front matter is not a mapping of keys to values [- a]", "a"},
		{"empty", "---\n---\n## 1. Research Thread\n**RT**: a\n", "front matter is empty [---\n---]", "a"},
		{"not closed", "---\nsession_id: a\n## 1. Research Thread\n**RT**: a\n", "front matter is not closed by a line --- [---]", "a"},
		{"a rule above the text", "---\n\n## 1. Research Thread\n**RT**: a\n\n---\n\nb\n", "", "a\n\n---\n\nb"},
		{"blank lines before", "\n\n---\nsession_id: a\n---\n## 1. Research Thread\n**RT**: a\n", "", "a"},
		{"a fence in a string", "---\nsession_id: \"\n  ```\n  \"\n---\n## 1. Research Thread\n**RT**: a\n", "", "a"},
		{"closed by points", "---\nsession_id: a\n...\n## 1. Research Thread\n**RT**: a\n", "", "a"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := ParseMarkdown(source.NewText([]byte(tt.in)), Limits{})
			fault := ""
			if a.MetaFault != nil {
				fault = a.MetaFault.Message + " [" + a.Text.Slice(a.MetaFault.Span) + "]"
			}
			if fault != tt.fault {
				t.Errorf("fault %q, want %q", fault, tt.fault)
			}
			if got := a.Section(protocol.ResearchThread).Items[0].Text("statement"); got != tt.body {
				t.Errorf("RT reads %q, want %q", got, tt.body)
			}
			checkSpans(t, a)
		})
	}
}

// TestFromDocument reads an artifact in a message whose body is already parsed.
func TestFromDocument(t *testing.T) {
	const before = "# Compiled Artifact v1\n\n## Full Artifact\n\n"
	for _, artifact := range []string{
		"---\nsession_id: a\n---\n\n## 1. Research Thread\n**RT**: a\n",
		"---\nsession_id: \"\n```\n\"\n---\n\n## 1. Research Thread\n**RT**: a\n", // a fence, if read as Markdown
		"# Brenner Protocol Artifact: x\n## 1. Research Thread\n**RT**: a\n",
	} {
		text := source.NewText([]byte(before + artifact))
		a := FromDocument(markdown.Parse(text), len(before), Limits{})
		if got := a.Section(protocol.ResearchThread); got == nil || got.Items[0].Text("statement") != "a" {
			t.Errorf("%q: read %s", artifact, brief(a))
		}
		if hasMeta := strings.HasPrefix(artifact, "---"); hasMeta != (a.Meta != nil) || hasMeta && a.Text.Slice(a.Meta.Span)[:3] != "---" {
			t.Errorf("%q: front matter %v", artifact, a.Meta)
		}
		checkSpans(t, a)
	}
}

// TestLinear reads and renders texts for which a careless parser takes quadratic time:
// then this test does not end.
func TestLinear(t *testing.T) {
	testenv.SkipUnderRace(t)
	const size = 1 << 18
	item := "## 4. Discriminative Tests\n### T1: n\n**Procedure**: x\n"
	for _, in := range []struct{ before, unit string }{
		{"", "---\n"}, {"---\n", "a: b\n"}, {"---\na: [", "[1, é], "}, {"---\na: ", "[[[["}, {"---\n", "- a: b\n  c: d\n"}, {"---\na: &a [x]\n", "b: *a\n"}, {"---\n", "? "}, {"---\na: \"", "\\"},
		{"", "## 2. Hypothesis Slate\n"}, {"## 2. Hypothesis Slate\n", "### H1: ~~\n"}, {"## 4. Discriminative Tests\n", "### T1: (Score\n"}, {"## 4. Discriminative Tests\n### T1: ", "(score: "},
		{item, "**Procedure**: y\n"}, {item, "**a**: "}, {item, "# c\n"}, {item, "```a\n"}, {item, "\\```\n````\n"}, {item, "<!-- -->\n\n"}, {item, "---\n\n"}, {item, "- "}, {item, "> "}, {item, "\\"}, {item, "<br/>"},
		{item + "**Expected outcomes**:\n", "- a: b\n"}, {item + "**Expected outcomes**:\n- a", ": "}, {item + "**Evidence-per-week score**: ", "LR=1, "}, {item + "**Anchors**: ", "§1 (, "}, {item + "**Anchors**: ", "[inference] — "},
		{"## 3. Predictions Table\n| ID | c | H1 |\n|---|---|---|\n", "| P1 | a | b |\n"}, {"## 3. Predictions Table\n| ID | c |\n|---|---|\n| P1 ", "| a "}, {"## 3. Predictions Table\n", "|---|\n"},
	} {
		text := in.before + strings.Repeat(in.unit, size/len(in.unit))
		a := ParseMarkdown(source.NewText([]byte(text)), Limits{})
		Render(a.State(), RenderMeta{})
		if strings.HasPrefix(in.before, "---\n") {
			ParseMarkdown(source.NewText([]byte(text+"\n---\n")), Limits{})
		}
	}
	var descending strings.Builder
	for n := 50_000; n > 0; n-- {
		fmt.Fprintf(&descending, "### H%d: n\n", n)
	}
	if s := ParseMarkdown(source.NewText([]byte("## 2. Hypothesis Slate\n"+descending.String())), Limits{}).State(); len(s.Items(protocol.HypothesisSlate)) != 50_000 {
		t.Error("items are missing")
	}
}
