package session

import (
	"bytes"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/source"
)

func TestVersion(t *testing.T) {
	for _, tt := range []struct {
		subject string
		number  int
		ok      bool
		text    string
	}{
		{"COMPILED: v1 artifact", 1, true, "v1"},
		{"COMPILED: v12", 12, true, "v12"},
		{"COMPILED:v3\tartifact", 3, true, "v3"},
		{"compiled : v2 x", 2, true, "v2"},
		{"COMPILED: V2 x", 2, false, "V2"},
		{"COMPILED: v02 x", 0, false, "v02"},
		{"COMPILED: v0", 0, false, "v0"},
		{"COMPILED: v2: x", 2, false, "v2"},
		{"COMPILED: v2.1", 0, false, "v2"},
		{"COMPILED: v999999999999999999999999 x", brenner.MaxItemNumber, true, "v999999999999999999999999"},
		{"COMPILED: version 2", 0, false, ""},
		{"COMPILED: v", 0, false, ""},
		{"COMPILED:", 0, false, ""},
		{"INFO: v2", 0, false, ""},
		{"COMPILED: 2 artifact", 0, false, ""},
		{"COMPILED: x2", 0, false, ""},
		{"COMPILED: rev2", 0, false, ""},
	} {
		v := message(tt.subject, "").Version
		if text := tt.subject[v.Span.Start:v.Span.End]; v.Number != tt.number || v.OK != tt.ok || text != tt.text {
			t.Errorf("%q: version %d, %v at %q; want %d, %v at %q", tt.subject, v.Number, v.OK, text, tt.number, tt.ok, tt.text)
		}
	}
}

func TestFindVersion(t *testing.T) {
	for text, want := range map[string]int{
		"in v2 of it": 2, "(v3)": 3, "V4.": 4, "rev2 of TV5, then v6": 6, "survey7": 0, "v1x": 0, "v": 0, "": 0, "év1 v8": 8,
	} {
		n, at, ok := FindVersion(text)
		if n != want || ok != (want > 0) || ok && !strings.EqualFold(text[at.Start:at.End][:1], "v") {
			t.Errorf("FindVersion(%q) = %d at %v, %v; want %d", text, n, at, ok, want)
		}
	}
	for _, c := range []string{"_", "a", "z", "A", "Z", "0", "9", "é"} {
		if n, _, ok := FindVersion(c + "v2"); ok {
			t.Errorf("%q holds version %d", c+"v2", n)
		}
		if n, _, ok := FindVersion("v2" + c); ok && c != "0" && c != "9" {
			t.Errorf("%q holds version %d", "v2"+c, n)
		}
	}
	for _, c := range []string{"`", "{", "@", "[", "/", ":", "^", "-", " ", "\x7f"} {
		if n, _, ok := FindVersion(c + "v2" + c); n != 2 || !ok {
			t.Errorf("%q holds version %d, %v", c+"v2"+c, n, ok)
		}
	}
}

const inline = "---\nsession_id: \"RS-20251230-cell-fate\"\nversion: 2\n---\n\n# Brenner Protocol Artifact: RS-20251230-cell-fate\n\n" +
	"## 1. Research Thread\n\n**RT**: Lineage or position?\n\n## Contributors\n\nno section of the message\n"

// TestInlineArtifact checks where the message ends and the artifact begins.
func TestInlineArtifact(t *testing.T) {
	head := "# Compiled Artifact v2\n\n## Contributors\n- BlueLake\n\n"
	_, bare, _ := strings.Cut(inline, "---\n\n")
	for _, tt := range []struct {
		name, body string
		artifact   string // how the artifact begins; "" if there is none
		sections   string // of the message
		meta       bool
	}{
		{"after the heading", head + "## Full Artifact\n\n" + inline, "---\nsession_id", "Compiled Artifact v2|Contributors|Full Artifact", true},
		{"right after the heading", head + "## Full Artifact\n" + inline, "---\nsession_id", "Compiled Artifact v2|Contributors|Full Artifact", true},
		{"after a remark", head + "## Full Artifact (v2)\n\nAs merged:\n\n" + inline, "---\nsession_id", "Compiled Artifact v2|Contributors|Full Artifact (v2)", true},
		{"without front matter", head + "Full Artifact\n-------------\n" + bare, "# Brenner", "Compiled Artifact v2|Contributors|Full Artifact", false},
		{"sections alone", head + "## Full Artifact\n## 1. Research Thread\n**RT**: x", "## 1.", "Compiled Artifact v2|Contributors|Full Artifact", false},
		{"fenced", head + "## Full Artifact\n\n~~~markdown\n" + inline + "~~~\n\n## Notes\nx", "---\nsession_id", "Compiled Artifact v2|Contributors|Full Artifact|Notes", true},
		{"fenced in a list", head + "## Full Artifact\n\n- ```\n  # Hypothesis Slate\n  ```", "# Hypothesis", "Compiled Artifact v2|Contributors|Full Artifact", false},
		{"fenced JSON", head + "## Full Artifact\n\n```json\n{\"metadata\": {\"session_id\": \"x\"}, \"sections\": {}}\n```", "{\"metadata\"", "Compiled Artifact v2|Contributors|Full Artifact", true},
		{"sections below", "# Compiled Artifact v2\n\n## Full Artifact\n\n" + inline + "\n## Notes\nx\n\n## Statistics\nx", "---\nsession_id", "Compiled Artifact v2|Full Artifact|Contributors|Notes|Statistics", true},
		{"sections between its own", head + "## Full Artifact\n\n" + inline + "\n## Statistics\nx\n\n## 7. Adversarial Critique\n", "---\nsession_id", "Compiled Artifact v2|Contributors|Full Artifact", true},
		{"a section of another title below", head + "## Full Artifact\n\n" + inline + "\n## Statistics of the assay\nx", "---\nsession_id", "Compiled Artifact v2|Contributors|Full Artifact", true},
		{"bare", inline, "---\nsession_id", "", true},
		{"bare below a remark", "As merged:\n\n" + inline, "---\nsession_id", "Contributors", true},
		{"bare below sections", head + inline, "---\nsession_id", "Compiled Artifact v2|Contributors", true},
		{"front matter above a section", "---\nnote: x\n---\n\n## Notes\n\n---\nnote: x\n---\n\n## Summary\n\n" + bare, "---\nnote: x\n---\n\n## Notes", "", true},
		{"a rule above a title", "As merged:\n\n---\nSummary: x\n\n" + bare, "# Brenner", "Contributors", false},
		{"bare without front matter", bare, "# Brenner", "", false},
		{"bare sections", "Summary of v2\n\n# Research Thread\n# Hypothesis Slate\n# Predictions Table\n# Discriminative Tests\n", "# Research Thread", "", false},
		{"a link", head + "## Full Artifact\nartifacts/x.md\n\n## Persistence\nx", "", "Compiled Artifact v2|Contributors|Full Artifact|Persistence", false},
		{"a summary that names a section", head + "## Hypothesis Slate\n3 of them", "", "Compiled Artifact v2|Contributors|Hypothesis Slate", false},
		{"a fence of something else", head + "## Full Artifact\n```\nls artifacts\n```", "", "Compiled Artifact v2|Contributors|Full Artifact", false},
		{"the heading in a fence", head + "```\n## Full Artifact\n\n" + inline, "", "Compiled Artifact v2|Contributors", false},
		{"a rule in the body", head + "---\n\n*Compiled from 3 contributions.*", "", "Compiled Artifact v2|Contributors", false},
	} {
		m := message("COMPILED: v2 x", tt.body)
		var titles []string
		for i := range m.Sections {
			titles = append(titles, m.Sections[i].Title)
			if end := m.Sections[i].Content.End; end > len(tt.body) {
				t.Errorf("%s: section %q ends at %d", tt.name, m.Sections[i].Title, end)
			}
		}
		if got := strings.Join(titles, "|"); got != tt.sections {
			t.Errorf("%s: sections %q, want %q", tt.name, got, tt.sections)
		}
		if m.Artifact == nil {
			if tt.artifact != "" {
				t.Errorf("%s: no artifact is found", tt.name)
			}
			continue
		}
		data := m.Artifact.Text.Bytes(m.Artifact.Span)
		if tt.artifact == "" || !bytes.HasPrefix(data, []byte(tt.artifact)) {
			t.Errorf("%s: the artifact begins %.30q, want %q", tt.name, data, tt.artifact)
		}
		if (m.Artifact.Meta != nil) != tt.meta {
			t.Errorf("%s: front matter found: %v", tt.name, m.Artifact.Meta != nil)
		}
		if at := m.Artifact.Text.Place(source.Span{Start: m.Artifact.Span.Start, End: m.Artifact.Span.Start + 1}); !standsIn(m, at) {
			t.Errorf("%s: the artifact has no place in the body", tt.name)
		}
	}
	if m := message("INFO: x", inline); m.Artifact != nil {
		t.Error("an INFO holds an artifact")
	}
}

func standsIn(m *Message, at source.Place) bool {
	_, ok := at.Text.Within(m.Body, at.Span)
	return ok
}

func FuzzMessage(f *testing.F) {
	f.Add("COMPILED: v2 x", "# Compiled Artifact v2\n\n## Contributors\n| Agent | Delta Count |\n|---|---|\n| a | 1 |\n\n## Full Artifact\n\n"+inline)
	f.Add("KICKOFF: x", "## Context\n> # q\n\n- **a**: `b` c\n\n```delta\n{}\n")
	f.Add("COMPILED: v1", inline)
	f.Fuzz(func(t *testing.T, subject, body string) {
		m := message(subject, body)
		for i := range m.Sections {
			s := &m.Sections[i]
			if s.Content.Start > s.Content.End || s.Content.End > len(body) || s.Heading.End > s.Content.Start {
				t.Errorf("section %q: heading %v, content %v", s.Title, s.Heading, s.Content)
			}
			line := s.FirstLine()
			_ = s.Text(line)
			for _, c := range s.Contributors(nil) {
				if s.Text(c.Span) != c.Name {
					t.Errorf("contributor %q is at %q", c.Name, s.Text(c.Span))
				}
			}
			for _, p := range s.Pairs() {
				if s.Text(p.Value) != p.Text || brenner.FoldSpace(s.Text(p.Label)) != p.Name {
					t.Errorf("pair %q: %q is at %q", p.Name, p.Text, s.Text(p.Value))
				}
			}
		}
		for _, p := range m.Fields {
			if m.Body.Slice(p.Value) != p.Text || brenner.FoldSpace(m.Body.Slice(p.Label)) != p.Name {
				t.Errorf("field %q: %q is at %q", p.Name, p.Text, m.Body.Slice(p.Value))
			}
		}
	})
}
