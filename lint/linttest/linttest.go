// Package linttest runs rules over the examples of their pages, as analysistest does
// for analyzers.
//
// The page of a rule (Markdown) is its documentation and its test. It says what the rule is for.
// Below "## Reported" are examples with the fault, with their findings and the fixed files.
// Below "## Not reported" are examples in which the rule finds nothing. rules/doc/README.md
// describes the form.
package linttest

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/brennerlint/brennerlint/internal/rulepage"
	"github.com/brennerlint/brennerlint/internal/ruletest"
	"github.com/brennerlint/brennerlint/lint"
)

// PageDir is the folder of the pages, in the folder of the test. With -update, a test writes the
// findings into the pages (ID.md). The test package must define the flag:
//
//	var _ = flag.Bool("update", false, "write the pages")
const PageDir = "doc"

// Run runs each rule over the examples of its own page (Rule.Page), as a subtest. In a bad
// example it must find exactly what the page says, and in a good one nothing. There must be at
// least one of each. All rules run, but only findings of the page's rule count.
func Run(t *testing.T, rules ...*lint.Rule) {
	t.Helper()
	for _, r := range rules {
		t.Run(r.ID, func(t *testing.T) {
			t.Parallel()
			if r.Page == nil {
				t.Fatalf("rule %s has no page", r.ID)
			}
			page := runPage(t, filepath.Join(PageDir, r.ID+".md"), r.Page(), r, rules)
			for _, missing := range ruletest.Missing(page) {
				t.Errorf("the page of %s: %s", r.ID, missing)
			}
		})
	}
}

// RunFile runs a rule over the examples of a file in the form of a page. There must be at least
// one example. All of rules run, and the rule is one of them: only its own findings count.
func RunFile(t *testing.T, path string, rule *lint.Rule, rules ...*lint.Rule) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if page := runPage(t, path, data, rule, rules); len(page.Examples) == 0 {
		t.Errorf("%s has no examples", path)
	}
}

// runPage runs a rule over the examples of a page, and writes the page on -update.
func runPage(t *testing.T, path string, data []byte, rule *lint.Rule, rules lint.Catalogue) *rulepage.Page {
	t.Helper()
	page, faults := rulepage.Parse(data)
	update := flag.Lookup("update")
	problems, changed := ruletest.Run(page, rule, rules, update != nil && update.Value.String() == "true")
	for _, p := range slices.Concat(faults, problems) {
		t.Error(p)
	}
	if changed && !t.Failed() {
		if err := os.WriteFile(path, page.Format(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return page
}
