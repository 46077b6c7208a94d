package session

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSectionChoice: one with content before an empty one, the exact title
// before a longer one, the first before later ones.
func TestSectionChoice(t *testing.T) {
	for body, want := range map[string]string{
		"## Context\n## Context (more)\nx":     "Context (more)",
		"## Context (more)\nx\n## Context\ny":  "Context",
		"## Context (more)\nx\n## Context\n":   "Context (more)",
		"## Context (a)\nx\n## Context (b)\ny": "Context (a)",
		"## Context\nx\n## context\ny":         "Context",
		"## Context (a)\n## Context\n":         "Context",
		"## Contexts\nx":                       "",
		"## Context+\nx":                       "Context+",
		"## Context: more\nx":                  "Context: more",
		"## Scope\nx\n## Context (a)\n":        "Context (a)",
		"## Scope\nx":                          "Scope",
	} {
		got := ""
		if s := message("INFO: x", body).Section("Context", "Scope"); s != nil {
			got = s.Title
		}
		if got != want {
			t.Errorf("%q: section %q, want %q", body, got, want)
		}
	}
}

// TestEmptySections: comments, rules and placeholders are no content
// (decisions.md 5).
func TestEmptySections(t *testing.T) {
	for content, want := range map[string]bool{
		"": true, "\n\n": true, "---": true, "<!-- x -->": true, "{what}": true, "<!-- a -->\n{what}": true, "{what\nelse}": true,
		"x": false, "### x": false, "{what} x": false, "x {what}": false, "<b>x</b>": false, "<!-- a --> x": false,
		"```\n{what}\n```": false, "```\n```": true, "{\"a\": 1}": false, "- {what}": true, "{}": false,
	} {
		if got := message("INFO: x", "## Context\n"+content+"\n").Section("Context").Empty(); got != want {
			t.Errorf("%q: empty is %v", content, got)
		}
	}
	for text, want := range map[string]bool{"a}": false, "xa}": false, "{ab": false, "{a}": true, "{}": false} {
		if IsPlaceholder(text) != want {
			t.Errorf("IsPlaceholder(%q) = %v", text, !want)
		}
	}
}

func TestFirstLineConditions(t *testing.T) {
	for content, want := range map[string]string{
		"<b>\n\nx":        "x",
		"<!-- a -->\n\nx": "x",
		"```\n\n x\n```":  "x",
		"---\n`x`":        "x",
		"*x":              "*x",
		"**":              "**",
		"*_x_*":           "x",
		"{what}\n\nx":     "x",
	} {
		s := message("INFO: x", "## Context\n"+content+"\n").Section("Context")
		if got := s.Text(s.FirstLine()); got != want {
			t.Errorf("%q: first line %q, want %q", content, got, want)
		}
	}
}

// TestNestedSections: a heading in a list or quotation ends no section outside.
func TestNestedSections(t *testing.T) {
	for body, want := range map[string][]string{
		"## A\n> # B\n\nx":  {"A false", "B true"},
		"## A\n- # B\n\nx":  {"A false", "B true"},
		"## A\n\n## B\n\nx": {"A false", "B false"},
	} {
		m := message("INFO: x", body)
		var got []string
		for i := range m.Sections {
			nested := " false"
			if m.Sections[i].Nested {
				nested = " true"
			}
			got = append(got, m.Sections[i].Title+nested)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s", body, diff)
		}
		if a := m.Section("A"); m.Sections[1].Nested != (a.Content.End == len(body)) {
			t.Errorf("%q: A ends at %d", body, a.Content.End)
		}
	}
}
