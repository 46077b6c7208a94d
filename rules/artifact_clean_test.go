package rules_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/rules"
	"github.com/brennerlint/brennerlint/source"
)

var cleanArtifact = filepath.Join("testdata", "artifacts", "RS-20251230-cell-fate.md")

// TestCleanArtifact checks that an artifact with everything the protocol requires,
// killed items included, has no finding at all.
func TestCleanArtifact(t *testing.T) {
	if got := lintFile(t, cleanArtifact); len(got) > 0 {
		t.Errorf("got %q", got)
	}
}

// artifactChecks returns the checks of artifacts, and a pass with the clean one.
func artifactChecks(t testing.TB) (map[string]lint.ArtifactCheck, *lint.ArtifactPass) {
	t.Helper()
	data, err := os.ReadFile(cleanArtifact)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.ToSlash(cleanArtifact)
	p := &lint.ArtifactPass{
		Pass:     lint.Pass{RuleConfig: &lint.DefaultRuleConfig},
		Artifact: artifact.ParseMarkdown(source.NewFile(path, data).Text(), artifact.Limits{}),
		Path:     path,
	}
	checks := map[string]lint.ArtifactCheck{}
	for _, r := range rules.All() {
		if c, ok := r.Check.(lint.ArtifactCheck); ok {
			checks[r.ID] = c
		}
	}
	return checks, p
}

// TestArtifactRulesAllocateLittle guards against rules that copy what they check: they
// run on thousands of artifacts without findings.
func TestArtifactRulesAllocateLittle(t *testing.T) {
	checks, p := artifactChecks(t)
	total := 0.0
	for id, check := range checks {
		n := testing.AllocsPerRun(5, func() { check(p) })
		if total += n; n > 0 {
			t.Logf("%s allocates %v times", id, n)
		}
	}
	if total > 150 {
		t.Errorf("the rules allocate %v times on an artifact without findings", total)
	}
}

func BenchmarkArtifactRules(b *testing.B) {
	checks, p := artifactChecks(b)
	b.ReportAllocs()
	for b.Loop() {
		for _, check := range checks {
			check(p)
		}
	}
}
