package engine

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/brennerlint/brennerlint/lint"
)

// TestCustomRulesDoNotCount: what a COMPILED claims of its validation is about the rules
// of the protocol (AP-019), not about those of a group.
func TestCustomRulesDoNotCount(t *testing.T) {
	r := &lint.Rule{ID: "GRP-001", Protocol: true, Severity: lint.Error, Check: lint.ArtifactCheck(func(*lint.ArtifactPass) {})}
	if p := newPlan(lint.Catalogue{r}, &Severities{}); len(p.counted) != 1 || len(p.artifact) != 1 {
		t.Errorf("a rule of the protocol: %d counted, %d run", len(p.counted), len(p.artifact))
	}
	r.Protocol = false
	if p := newPlan(lint.Catalogue{r}, &Severities{}); len(p.counted) != 0 || len(p.artifact) != 1 {
		t.Errorf("a custom rule: %d counted, %d run", len(p.counted), len(p.artifact))
	}
}

// TestStoppedRule: a rule that is stopped is reported once, whatever the number of
// inputs and workers, and what it had found before stays.
func TestStoppedRule(t *testing.T) {
	dir := t.TempDir()
	for i := range 20 {
		text := fmt.Sprintf("# Brenner Protocol Artifact: x%d\n\n## 2. Hypothesis Slate\n\n### H1: A\n**Claim**: x\n", i)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("a%02d.md", i)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r := &lint.Rule{
		ID: "GRP-001", Name: "a", Severity: lint.Warning, SpecRef: "custom rules", Summary: "x",
		Check: lint.ArtifactCheck(func(p *lint.ArtifactPass) {
			p.Report(lint.Diagnostic{At: p.Artifact.Text.WholePos(), Message: "found"})
			p.Stop("too slow")
			p.Stop("again")
		}),
	}
	for _, workers := range []int{1, 8} {
		rep, err := Check(context.Background(), lint.Catalogue{r}, Options{Workers: workers}, dir)
		if err != nil {
			t.Fatal(err)
		}
		if len(rep.Failures) != 1 || !rep.Failures[0].Stopped || rep.Failures[0].Reason != "too slow" || filepath.Base(rep.Failures[0].Path) != "a00.md" {
			t.Errorf("%d workers: %+v", workers, rep.Failures)
		}
		if len(rep.Findings) != 20 || rep.Summary.Valid {
			t.Errorf("%d workers: %d findings, valid %v", workers, len(rep.Findings), rep.Summary.Valid)
		}
	}
}
