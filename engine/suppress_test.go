package engine

import (
	"bytes"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/source"
)

var threeRules = lint.Catalogue{{ID: "AA-001", Name: "one"}, {ID: "AA-002", Name: "two", Code: "TWO"}, {ID: "BB-001", Name: "three"}}

// isUsed reports whether a suppression matched any finding.
func isUsed(s *suppression) bool { return len(s.used) > 0 }

// FuzzDirectives checks what is true of the suppression comments of any artifact:
// each is either at fault or covers a part of the file for the rules that it
// names, and of findings at all places those are dropped that the covers say.
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
		found := directives(artifact.ParseMarkdown(file.Text(), artifact.Limits{}), "", newRuleList(threeRules))
		for _, s := range found {
			at, ok := s.at.Text.ToFile(s.at.Span)
			if !ok || at.Start < 0 || at.End > len(data) || !bytes.HasPrefix(data[at.Start:], []byte("<!--")) {
				t.Fatalf("a directive is at %v", at)
			}
			if s.fault != 0 {
				if !utf8.ValidString(s.word) && utf8.Valid(data) {
					t.Fatalf("fault %d at %q", s.fault, s.word)
				}
				continue
			}
			if len(s.rules) == 0 || s.span.Start < 0 || s.span.End < s.span.Start || s.span.End > len(data) {
				t.Fatalf("%q covers %v for %v", data[at.Start:at.End], s.span, s.rules)
			}
		}
		checkDropped(t, len(data), found)
	})
}

// checkDropped holds the index of directives against looking at each of them.
func checkDropped(t *testing.T, size int, sups []*suppression) {
	t.Helper()
	var findings []*lint.Finding
	for at := 0; at < size; at += 1 + size/64 {
		for _, r := range threeRules {
			findings = append(findings, &lint.Finding{Rule: r.ID, Path: "a.md", Range: &source.Range{Start: source.Position{Offset: at}}})
		}
	}
	covers := func(s *suppression, f *lint.Finding) bool {
		at := f.Range.Start.Offset
		return s.fault == 0 && s.rules.has(f.Rule) && s.span.Start <= at && at < max(s.span.End, s.span.Start+1)
	}
	x := newDirectiveIndex(sups)
	for _, f := range findings {
		if want := slices.ContainsFunc(sups, func(s *suppression) bool { return covers(s, f) }); x.suppress(f) != want {
			t.Fatalf("%s at %d: dropped %v, want %v", f.Rule, f.Range.Start.Offset, !want, want)
		}
	}
	for _, s := range sups {
		if want := slices.ContainsFunc(findings, func(f *lint.Finding) bool { return covers(s, f) }); isUsed(s) != want {
			t.Fatalf("the directive over %v is used: %v, want %v", s.span, isUsed(s), want)
		}
	}
}
