package rules_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/rules"
)

const claimOf99 = "# Compiled Artifact v1\n\n## Validation Status\n- Linter: 99 warnings, 99 errors\n\n## Full Artifact\n\n"

// TestInlineOnce checks that rules examine an inline artifact once, although their
// findings are both reported and counted, and once more only where they yield to the
// replay.
func TestInlineOnce(t *testing.T) {
	added := deltaBlock("ADD", "null", `{"name": "One", "claim": "c", "mechanism": "m", "anchors": ["§1"]}`)
	slate := "# Brenner Protocol Artifact: x\n\n## 2. Hypothesis Slate\n\n### H1: One\n**Claim**: c\n**Mechanism**: m\n**Anchors**: §1\n\n"
	predictions := "## 3. Predictions Table\n\n| ID | Condition | H1 | H2 |\n|---|---|---|---|\n"
	for _, tt := range []struct {
		name, deltas, artifact string
		looks                  int
	}{
		{"nothing yields", added, slate, 1},
		{"a rule yields to MR-011", added + added, slate + predictions, 2},
	} {
		mail := []mailOf{
			{subject: "DELTA[opus]: x", body: "## Deltas\n\n" + tt.deltas},
			{subject: "COMPILED: v1 x", body: claimOf99 + tt.artifact, time: "2025-12-30T11:00:00Z"},
		}
		looks := map[string]int{}
		full := threadReport(t, watched(looks), engine.Severities{}, "", mail)
		if looks["ES-001"] != tt.looks {
			t.Errorf("%s: ES-001 looks %d times at the artifact, want %d", tt.name, looks["ES-001"], tt.looks)
		}
		for rule, n := range looks {
			if n > tt.looks {
				t.Errorf("%s: %s looks %d times at the artifact, want at most %d", tt.name, rule, n, tt.looks)
			}
		}
		// What is counted does not depend on which rules run.
		want := claims(full)
		if len(want) != 1 {
			t.Errorf("%s: the claims are met with %q, want one finding", tt.name, want)
		}
		for _, levels := range []engine.Severities{
			{Select: map[string]bool{"AP-019": true}},
			{Ignore: map[string]bool{"WS-102": true, "EH-003": true}},
			{Severity: map[string]lint.Severity{"EH-003": lint.Info}},
		} {
			if got := claims(threadReport(t, rules.All(), levels, "", mail)); !slices.Equal(got, want) {
				t.Errorf("%s: with %+v the claims are met with %q, want %q", tt.name, levels, got, want)
			}
		}
	}
}

// watched returns the rules, counting how often each examines an inline artifact.
func watched(looks map[string]int) []*lint.Rule {
	all := slices.Clone(rules.All())
	for i, r := range all {
		check, ok := r.Check.(lint.ArtifactCheck)
		if !ok {
			continue
		}
		w := *r
		w.Check = lint.ArtifactCheck(func(p *lint.ArtifactPass) {
			looks[r.ID]++
			check(p)
		})
		all[i] = &w
	}
	return all
}

// claims returns the findings about claims of a COMPILED.
func claims(rep *lint.Report) []string {
	var out []string
	for _, f := range rep.Findings {
		if f.Rule == "AP-019" {
			out = append(out, fmt.Sprintf("%d:%d %s", f.Body.Line, f.Body.Column, f.Message))
		}
	}
	return out
}
