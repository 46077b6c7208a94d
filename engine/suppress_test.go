package engine

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

var threeRules = lint.Catalogue{{ID: "AA-001", Name: "one"}, {ID: "AA-002", Name: "two", Code: "TWO"}, {ID: "BB-001", Name: "three"}}

// FuzzDirectives checks what is true of the suppression comments of any artifact:
// each is either at fault or covers a part of the file for the rules that it names.
func FuzzDirectives(f *testing.F) {
	for _, s := range []string{
		"---\nversion: 1\n---\n<!-- brennerlint:ignore-file AA -- x -->\n## 2. Hypothesis Slate\n<!-- brennerlint:ignore AA-001,BB-001 -- x -->\n### H1: x\n**Claim**: x\n### H2: y\n",
		"## 1. Research Thread\n<!-- brennerlint:ignore two -- é -->\n**RT**: x\n<!-- brennerlint:ignore TWO -- x --><!-- brennerlint:ignore BB --x-->\n## 3. Predictions Table\n<!--brennerlint:ignore AA-001 -- x-->\n| ID | H1 |\n|--|--|\n| P1 | x |\n",
		"<!-- brennerlint:ignore-all AA-001 -- x -->\n<!-- brennerlint:ignore -- x -->\n<!-- brennerlint:ignore AA-001 -->\n<!-- x -->\n<!-- brennerlint:ignore-file ZZ-9 -- x -->",
		"<!-- brennerlint:ignore AA -- x", "> <!-- brennerlint:ignore AA -- x -->\n> ### H1: x\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<14 {
			return
		}
		file := source.NewFile("a.md", data)
		found := directives(artifact.ParseMarkdown(file.Text(), artifact.Limits{}), "", threeRules)
		for _, s := range found {
			at, ok := s.At.Text.ToFile(s.At.Span)
			if !ok || at.Start < 0 || at.End > len(data) || !bytes.HasPrefix(data[at.Start:], []byte("<!--")) {
				t.Fatalf("a directive is at %v", at)
			}
			if s.Fault != 0 {
				if !utf8.ValidString(s.Word) && utf8.Valid(data) {
					t.Fatalf("fault %d at %q", s.Fault, s.Word)
				}
				continue
			}
			if len(s.rules) == 0 || s.span.Start < 0 || s.span.End < s.span.Start || s.span.End > len(data) {
				t.Fatalf("%q covers %v for %v", data[at.Start:at.End], s.span, s.rules)
			}
		}
	})
}

// TestTooManyDirectives checks that the directives of a file are bounded, and that the first
// without effect is reported.
func TestTooManyDirectives(t *testing.T) {
	text := strings.Repeat("<!-- brennerlint:ignore AA-001 -- x -->\n", maxDirectives+2) + "## 2. Hypothesis Slate\n"
	found := directives(artifact.ParseMarkdown(source.NewFile("a.md", []byte(text)).Text(), artifact.Limits{}), "", threeRules)
	if len(found) != maxDirectives+1 {
		t.Fatalf("%d directives are read, want %d", len(found), maxDirectives+1)
	}
	for i, s := range found {
		if want := i == maxDirectives; (s.Fault == lint.TooManyDirectives) != want || !want && s.Fault != 0 {
			t.Errorf("directive %d has fault %d", i, s.Fault)
		}
	}
}
