package rules_test

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/rules"
)

// TestDraftSuggestions checks every message of the rules' examples as a draft: an agent
// whose message is refused must get a suggestion what to write instead.
func TestDraftSuggestions(t *testing.T) {
	box, err := engine.Open(t.Context(), rules.All(), engine.Options{})
	must.OK(t, err)
	fired := map[string]bool{}
	for _, r := range rules.All() {
		for _, f := range badFiles(t, r) {
			if !strings.HasSuffix(f.Name, ".md") && !strings.HasSuffix(f.Name, "draft.json") {
				continue
			}
			d, err := box.CheckDraft(t.Context(), f.Name, f.Data)
			must.OK(t, err)
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

// TestLongParts checks the advice on outcomes that are next to where they belong, and are too long to be written out.
func TestLongParts(t *testing.T) {
	box, err := engine.Open(t.Context(), rules.All(), engine.Options{})
	must.OK(t, err)
	for _, tt := range []struct {
		said, want string
	}{
		{strings.Repeat("x", 9000), "move them into predictions, with all else"},
		{"x", `write "predictions": {"H1": "x", "H2": "y"}, instead of "H1" and "H2", with all else`},
	} {
		delta := "Subject: DELTA[opus]: x\n\n## Deltas\n\n```delta\n" + `{"operation": "EDIT", "section": "predictions_table", "target_id": "P1", "payload": {"H1": "` +
			tt.said + `", "H2": "y"}, "rationale": "r"}` + "\n```\n"
		d, err := box.CheckDraft(t.Context(), "draft.md", []byte(delta))
		must.OK(t, err)
		i := slices.IndexFunc(d.Findings, func(f *lint.Finding) bool { return f.Rule == "DL-015" })
		if i < 0 || !strings.HasPrefix(d.Findings[i].Suggestion, tt.want) {
			t.Errorf("%d bytes: findings %+v; want the suggestion %q", len(delta), d.Findings, tt.want)
		}
	}
}
