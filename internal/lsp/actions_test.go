package lsp

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/brennerlint/brennerlint/brenner/artifact"
	_ "github.com/brennerlint/brennerlint/internal/rapidseed"
	"github.com/brennerlint/brennerlint/source"
)

// faulty returns the example with a fault of each kind of place: the front matter, a
// section, items, a row of the table.
func faulty(t testing.TB) string {
	text := exampleArtifact(t)
	for _, r := range [][2]string{
		{"version: 1\n", ""},
		{"**Anchors**: §161\n", "**Anchors**: §999\n"},
		{"**Claim**: Fate follows ancestry.\n", ""},
		{"H1 vs H2", "H1 vs H9"},
		{"| P3 | Neighbours ablated | no effect | fate lost | delayed |\n", ""},
	} {
		if !strings.Contains(text, r[0]) {
			t.Fatalf("the example lacks %q", r[0])
		}
		text = strings.Replace(text, r[0], r[1], 1)
	}
	return text
}

// TestSuppressions suppresses each finding by its action, with a reason: it goes
// away and no other comes.
func TestSuppressions(t *testing.T) {
	c := start(t, testOptions())
	c.request(0, "initialize", pulling)
	text := faulty(t)
	version := 1
	c.notify("textDocument/didOpen", open(artifactURI, version, text))
	document := map[string]any{"uri": artifactURI}
	diagnostics := func() (out []any) {
		version++
		return c.request(version, "textDocument/diagnostic", map[string]any{"textDocument": document})["result"].(map[string]any)["items"].([]any)
	}
	all := diagnostics()
	tried := 0
	for _, d := range all {
		d := d.(map[string]any)
		version++
		actions := c.request(version, "textDocument/codeAction", map[string]any{"textDocument": document, "range": d["range"], "context": map[string]any{"only": []string{quickFix}}})["result"].([]any)
		for _, a := range actions {
			a := a.(map[string]any)
			if !strings.HasPrefix(a["title"].(string), "suppress "+d["code"].(string)+" ") {
				continue
			}
			edit := a["edit"].(map[string]any)["changes"].(map[string]any)[artifactURI].([]any)[0].(map[string]any)
			newText := edit["newText"].(string)
			version++
			c.notify("textDocument/didChange", change(artifactURI, version, map[string]any{"range": edit["range"], "text": strings.Replace(newText, "--  -->", "-- on purpose -->", 1)}))
			left := diagnostics()
			for _, l := range left {
				if l := l.(map[string]any); l["data"].(map[string]any)["fingerprint"] == d["data"].(map[string]any)["fingerprint"] || l["code"] == "IN-005" {
					t.Errorf("%v: after %q there is %v", d["message"], newText, l["message"])
				}
			}
			if len(left) >= len(all) {
				t.Errorf("%v: %d findings, expected less than %d", d["message"], len(left), len(all))
			}
			version++
			c.notify("textDocument/didChange", change(artifactURI, version, map[string]any{"text": text}))
			tried++
		}
	}
	if tried < 4 {
		t.Errorf("%d findings could be suppressed, expected at least 4", tried)
	}
	c.finish()
}

// TestSuppressionPlace checks where a file is suppressed: below its front matter, and nowhere if
// that cannot be read.
func TestSuppressionPlace(t *testing.T) {
	for text, want := range map[string]string{
		"---\nstatus: active\n---\n\n## 2. Hypothesis Slate\n":  "23 ignore-file",
		"---\nstatus: [active\n---\n\n## 2. Hypothesis Slate\n": "0 ",
		"---\nstatus: active\n\n## 2. Hypothesis Slate\n":       "0 ",
		"---\nstatus: active\n---":                              "0 ",
		"\n## 2. Hypothesis Slate\n":                            "0 ignore-file",
	} {
		a := artifact.ParseMarkdown(source.NewText([]byte(text)), artifact.Limits{})
		at, directive, _ := suppressionPlace(a, 0)
		if got := fmt.Sprint(at, " ", directive); got != want {
			t.Errorf("%q is suppressed at %q, expected %q", text, got, want)
		}
	}
}

// TestLineEdits checks that the edits that make a text another do so, and cut no character.
func TestLineEdits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.SampledFrom([]rune("ab\n\ré𝔊🧪")))
		from, to := text.Draw(t, "from"), text.Draw(t, "to")
		for _, unit := range []encoding{utf16Units, utf8Units} {
			l := newLines([]byte(from), unit)
			got := from
			for _, e := range slices.Backward(lineEdits(&snapshot{text: []byte(from), lines: l}, []byte(to))) {
				span := l.span(e.Range)
				got = got[:span.Start] + e.NewText + got[span.End:]
			}
			if got != to {
				t.Fatalf("%q becomes %q, expected %q", from, got, to)
			}
		}
	})
}
