package session

import (
	"strings"
	"testing"
)

// TestWhereArtifactsBegin has bodies that differ from an artifact in one thing.
func TestWhereArtifactsBegin(t *testing.T) {
	const meta = "session_id: x\n---\n\n"
	const full = "## Full Artifact\n\n"
	for _, tt := range []struct {
		name, body string
		want       string // how the artifact begins; "" if there is none
	}{
		// front matter begins with --- and a key, at the top of the body
		{"front matter", full + "---\n" + meta + "# Brenner Protocol Artifact: x\n", "---\nsession_id"},
		{"keys of several words", full + "---\nsession-id_2: x\n---\n\n# Brenner Protocol Artifact: x\n", "---\nsession-id_2"},
		{"other rules", full + "***\n" + meta + "# Brenner Protocol Artifact: x\n", "# Brenner"},
		{"longer rules", full + "----\n" + meta + "# Brenner Protocol Artifact: x\n", "# Brenner"},
		{"a quoted rule", full + "> ---\n" + meta + "# Brenner Protocol Artifact: x\n", "# Brenner"},
		{"a rule in a list", full + "- a\n\n  ---\n" + meta + "# Brenner Protocol Artifact: x\n", "# Brenner"},
		{"no colon", full + "---\nprose\n\n# Brenner Protocol Artifact: x\n", "# Brenner"},
		{"no key", full + "---\n: prose\n\n# Brenner Protocol Artifact: x\n", "# Brenner"},
		{"prose before the colon", full + "---\nAs follows: prose\n\n# Brenner Protocol Artifact: x\n", "# Brenner"},
		{"a title in place of the rule", "Session: x\n\n# Brenner Protocol Artifact: x\n", "# Brenner"},
		// headings of artifacts stand at H1 and H2, the title at H1 (decisions.md 30)
		{"a section at H2", full + "## Research Thread\n", "## Research"},
		{"a section at H3", full + "### Research Thread\n", ""},
		{"a title at H2", full + "## Brenner Protocol Artifact: x\n", ""},
		{"a quoted section", full + "> ## Research Thread\n", ""},
		{"a section in a list", full + "- ## Research Thread\n", ""},
		{"a section as a paragraph", full + "Research Thread\n", ""},
		// Full Artifact is a heading, and nobody else's
		{"a quoted heading", "> ## Full Artifact\n\n## Research Thread\n", ""},
		{"a paragraph Full Artifact", "Full Artifact\n\n## Research Thread\n", ""},
		// without it, more than half of the sections make an artifact
		{"three sections", "# Research Thread\n# Hypothesis Slate\n# Predictions Table\n", ""},
		{"three sections, one twice", "# Research Thread\n# Hypothesis Slate\n# Predictions Table\n# Predictions Table\n", ""},
		{"four sections", "x\n# Research Thread\n# Hypothesis Slate\n# Predictions Table\n# Anomaly Register\n", "# Research"},
		// fences
		{"a fenced section at H3", full + "```\n### Research Thread\n```\n", ""},
		{"a fenced section without sign", full + "```\nResearch Thread\n```\n", ""},
		{"a fenced section at H2", full + "```\n## Research Thread\n```\n", "## Research"},
		{"a fenced title", full + "```\n# Brenner Protocol Artifact: x\n```\n", "# Brenner"},
		{"a fence of another heading", full + "```\n# Notes\n```\n", ""},
		{"fenced JSON of something else", full + "```json\n{\"a\": 1}\n```\n", ""},
		{"fenced text with the word sections", full + "```\nthe \"sections\"\n```\n", ""},
		{"JSON on a later line", full + "```\nnote\n{\"sections\": {}}\n```\n", ""},
		{"indented code", full + "    # Research Thread\n", ""},
	} {
		m := message("COMPILED: v2 x", tt.body)
		got := ""
		if m.Artifact != nil {
			got = string(m.Artifact.Text.Bytes(m.Artifact.Span))
		}
		if !strings.HasPrefix(got, tt.want) || tt.want == "" && m.Artifact != nil {
			t.Errorf("%s: the artifact begins %.30q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestFencedForms: an artifact in a fence is JSON if it reads as JSON.
func TestFencedForms(t *testing.T) {
	for body, want := range map[string]int{
		"```json\n{\"metadata\": {\"session_id\": \"x\"}, \"sections\": {\"hypothesis_slate\": []}}\n```\n": 1,
		"```\n# Brenner Protocol Artifact: x\n\n## 2. Hypothesis Slate\n\n```\n":                            1,
	} {
		m := message("COMPILED: v2 x", "## Full Artifact\n\n"+body)
		if m.Artifact == nil || len(m.Artifact.Sections) != want {
			t.Errorf("%q: read as %+v", body, m.Artifact)
		}
	}
}
