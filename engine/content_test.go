package engine_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/rules"
)

// TestOpenContent checks that a content is checked as the file with that content is:
// with its path, what the configuration says of it, and the baseline.
func TestOpenContent(t *testing.T) {
	path := filepath.ToSlash(filepath.Join("..", "examples", "mail", "RS-20251230-cell-fate.json"))
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	check := func(opts engine.Options) (file, content []*lint.Finding) {
		t.Helper()
		a, err := engine.Check(t.Context(), rules.All(), opts, path)
		if err != nil {
			t.Fatal(err)
		}
		b, err := checkContent(t, opts, path, data)
		if err != nil {
			t.Fatal(err)
		}
		return a.Findings, b.Findings
	}
	all, content := check(engine.Options{})
	if diff := cmp.Diff(all, content); diff != "" || len(all) == 0 {
		t.Errorf("%d findings in the file; in the content: %s", len(all), diff)
	}
	file, content := check(engine.Options{Baseline: engine.NewBaseline(all[:1])})
	if diff := cmp.Diff(file, content); diff != "" || len(file) != len(all)-1 {
		t.Errorf("with a baseline %d findings in the file; in the content: %s", len(file), diff)
	}
	off := engine.SeverityOverride{Paths: []string{"mail/**"}, Ignore: map[string]bool{all[0].Rule: true}}
	file, content = check(engine.Options{Severities: engine.Severities{Overrides: []engine.SeverityOverride{off}}})
	if diff := cmp.Diff(file, content); diff != "" || len(file) >= len(all) {
		t.Errorf("with an override %d findings in the file; in the content: %s", len(file), diff)
	}
}

// TestOpenContentScope checks which contents are left alone.
func TestOpenContentScope(t *testing.T) {
	draft := []byte(`{"to": ["BlueLake"], "thread_id": "RS-20251230-x", "subject": "DELTA[gpt]: x", "body_md": "no delta"}`)
	for _, c := range []struct {
		name, path string
		exclude    []string
		data       []byte
		found      bool
	}{
		{"a draft", "drafts/a.json", nil, draft, true},
		{"a draft that is excluded", "drafts/a.json", []string{"a.json"}, draft, false},
		{"a draft in a folder that is excluded", "drafts/new/a.json", []string{"drafts/"}, draft, false},
		{"a draft beside what is excluded", "drafts/a.json", []string{"other/", "b.json"}, draft, true},
		{"other JSON", "package.json", nil, []byte(`{"name": "x"}`), false},
		{"other Markdown", "README.md", nil, []byte("# Readme\n\n## Hypothesis\n"), false},
		{"nothing", "artifacts.md", nil, nil, false},
	} {
		rep, err := checkContent(t, engine.Options{Exclude: c.exclude}, c.path, c.data)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if found := slices.ContainsFunc(rep.Findings, func(f *lint.Finding) bool { return f.Path == c.path }); found != c.found {
			t.Errorf("%s: findings: %v, expected %v", c.name, found, c.found)
		}
	}
}

func checkContent(t *testing.T, opts engine.Options, path string, data []byte) (*lint.Report, error) {
	t.Helper()
	box, err := engine.OpenContent(t.Context(), rules.All(), opts, path, data)
	if err != nil {
		return nil, err
	}
	defer box.Close()
	return box.Check(t.Context())
}
