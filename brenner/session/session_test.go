package session

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/source"
)

// message returns a message of that subject and body.
func message(subject, body string) *Message {
	return readMessage(&mail.Message{
		Subject: source.NewText([]byte(subject)), Body: source.NewText([]byte(body)), BodyState: mail.BodyPresent,
	}, "", artifact.Limits{})

}

func TestSections(t *testing.T) {
	m := message("INFO: x", strings.Join([]string{
		"# Title",
		"",
		"## Research Question (Discriminative)",
		"Which?",
		"### Detail",
		"more",
		"",
		"Context",
		"-------",
		"{Background}",
		"<!-- nothing",
		"yet -->",
		"",
		"## **Excerpt**:",
		"> # Quoted",
		"> §42",
		"",
		"```text",
		"## Not a heading",
		"```",
		"## Itemised",
		"## item",
		"",
		"- **`RedLake`**",
		"## State-ments",
		"---",
	}, "\n"))
	type section struct {
		Title, First string
		Level, Line  int
		Empty        bool
	}
	var got []section
	for i := range m.Sections {
		s := &m.Sections[i]
		got = append(got, section{s.Title, s.Text(s.FirstLine()), s.Level, m.Body.Position(s.Content.End).Line, s.Empty()})
	}
	want := []section{
		{"Title", "Research Question (Discriminative)", 1, 26, false},
		{"Research Question (Discriminative)", "Which?", 2, 8, false},
		{"Detail", "more", 3, 8, false},
		{"Context", "", 2, 14, true},
		{"Excerpt", "Quoted", 2, 21, false},
		{"Quoted", "§42", 1, 21, false},
		{"Itemised", "", 2, 22, true},
		{"item", "RedLake", 2, 25, false},
		{"State-ments", "", 2, 26, true},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for name, want := range map[string]string{
		"research question": "Research Question (Discriminative)", "Item": "item", "State": "State-ments", "Not": "", "Research": "Research Question (Discriminative)",
	} {
		s := m.Section(name)
		if s == nil && want != "" || s != nil && s.Title != want {
			t.Errorf("Section(%q) = %+v, want %q", name, s, want)
		}
	}
}
