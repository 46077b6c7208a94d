package rules_test

import (
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/rules"
)

// TestDraftSuggestions checks every message of the rules' examples as a draft: an agent
// whose message is refused must get a suggestion what to write instead.
func TestDraftSuggestions(t *testing.T) {
	box, err := engine.Open(t.Context(), rules.All(), engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	fired := map[string]bool{}
	for _, r := range rules.All() {
		for _, f := range badFiles(t, r) {
			if !strings.HasSuffix(f.Name, ".md") && !strings.HasSuffix(f.Name, "draft.json") {
				continue
			}
			d, err := box.CheckDraft(t.Context(), f.Name, f.Data)
			if err != nil {
				t.Fatal(err)
			}
			for _, found := range d.Findings {
				if found.Severity != lint.Error {
					continue
				}
				fired[found.Rule] = true
				if found.Suggestion == "" {
					t.Errorf("%s %s: %s: %s: no suggestion", r.ID, f.Name, found.Rule, found.Message)
				}
			}
		}
	}
	if len(fired) < 50 {
		t.Errorf("only %d rules fired on drafts", len(fired))
	}
}

// badFiles returns the files that a rule's page reports.
func badFiles(t *testing.T, r *lint.Rule) (out []txtar.File) {
	t.Helper()
	for _, ex := range examplesIn(t, r.Page()) {
		if ex.Kind == "bad" {
			out = append(out, ex.Files...)
		}
	}
	return out
}
