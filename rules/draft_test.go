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
	linter := engine.MustNew(rules.All(), engine.Options{})
	fired := map[string]bool{}
	for _, r := range rules.All() {
		for _, f := range txtar.Parse(r.Archive()).Files {
			if !strings.HasPrefix(f.Name, "bad/") || !strings.HasSuffix(f.Name, ".md") && !strings.HasSuffix(f.Name, "draft.json") {
				continue
			}
			d, err := linter.CheckDraft(t.Context(), f.Name, f.Data)
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
