package rules_test

import (
	"flag"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	udiff "github.com/aymanbagabas/go-udiff"

	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/lint/linttest"
	"github.com/brennerlint/brennerlint/rules"
)

var update = flag.Bool("update", false, "write what the pages and goldens should hold")

// TestPages runs every rule over the examples of its own page.
func TestPages(t *testing.T) {
	linttest.Run(t, rules.All()...)
	if err := rules.All().Validate(); err != nil {
		t.Error(err)
	}
	for _, path := range files(t, "doc/*.md") {
		id := strings.TrimSuffix(filepath.Base(path), ".md")
		if id != "README" && len(rules.All().Match(id)) != 1 {
			t.Errorf("%s is the page of no rule", path)
		}
	}
	for _, r := range rules.All() {
		if len(r.Page()) == 0 {
			t.Errorf("doc/%s.md is missing", r.ID)
			continue
		}
		if title := "# " + r.ID + " " + r.Name + "\n"; !strings.HasPrefix(string(r.Page()), title) {
			t.Errorf("doc/%s.md does not begin with %q", r.ID, title)
		}
		if !strings.HasSuffix(r.URL, "/rules/doc/"+r.ID+".md") {
			t.Errorf("%s says that its page is %q", r.ID, r.URL)
		}
		count := map[string]int{}
		names := map[string]bool{}
		for _, ex := range examplesIn(t, r.Page()) {
			count[ex.Kind]++
			if key := ex.Kind + " " + ex.Name(); names[key] {
				t.Errorf("doc/%s.md has two examples %q", r.ID, ex.Title)
			} else {
				names[key] = true
			}
		}
		for _, kind := range []string{"bad", "good"} {
			if count[kind] < 2 {
				t.Errorf("doc/%s.md has %d %s examples, expected at least 2", r.ID, count[kind], kind)
			}
		}
	}
}

// files returns the files that a pattern matches: one or more.
func files(t *testing.T, pattern string) []string {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("no file is called %s: %v", pattern, err)
	}
	return paths
}

// TestEdges runs rules over the examples of testdata/edges, which have the form of
// pages. They test the conditions of a rule exactly, each side of a boundary and
// each operand, where that would make its page long.
func TestEdges(t *testing.T) {
	for _, path := range files(t, "testdata/edges/*.md") {
		id := strings.TrimSuffix(filepath.Base(path), ".md")
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			at := slices.IndexFunc(rules.All(), func(r *lint.Rule) bool { return r.ID == id })
			if at < 0 {
				t.Fatalf("%s is the id of no rule", id)
			}
			linttest.RunFile(t, path, rules.All()[at], rules.All()...)
		})
	}
}

// compareGolden compares what was found with a golden file, and writes it on -update.
func compareGolden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		must.Write(t, file, got)
	}
	want := must.Read(t, file)
	if diff := udiff.Unified("want", "got", string(want), got); diff != "" {
		t.Errorf("read this, then go test ./rules -run %s -update:\n%s", t.Name(), diff)
	}
}
