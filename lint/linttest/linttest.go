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

	"golang.org/x/tools/txtar"

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
			page := parse(t, r.Page())
			for _, missing := range ruletest.Missing(page) {
				t.Errorf("the page of %s: %s", r.ID, missing)
			}
			checkExamples(t, filepath.Join(PageDir, r.ID+".md"), page, r, rules)
		})
	}
}

// RunFile runs a rule over the examples of a file in the form of a page. There must be at least
// one example. Other rules may run too; only the rule's own findings count.
func RunFile(t *testing.T, path string, rule *lint.Rule, others ...*lint.Rule) {
	t.Helper()
	rules := others
	if !slices.Contains(rules, rule) {
		rules = append(lint.Catalogue{rule}, others...)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	page := parse(t, data)
	if len(page.Examples) == 0 {
		t.Fatalf("%s has no examples", path)
	}
	checkExamples(t, path, page, rule, rules)
}

// Example is one example of a page: a small tree of files.
type Example = rulepage.Example

// Examples returns the examples of a page, in order.
func Examples(t *testing.T, page []byte) []*Example {
	t.Helper()
	return parse(t, page).Examples
}

func parse(t *testing.T, data []byte) *rulepage.Page {
	t.Helper()
	page, problems := rulepage.Parse(data)
	for _, p := range problems {
		t.Error(p)
	}
	return page
}

// Check writes files into a folder and checks them by rules. A rule that panics
// is an error of the test.
func Check(t *testing.T, dir string, files []txtar.File, rules ...*lint.Rule) []*lint.Finding {
	t.Helper()
	findings, err := ruletest.Check(dir, files, rules...)
	if err != nil {
		t.Fatal(err)
	}
	return findings
}

// Format returns findings as pages show them, with paths relative to dir.
func Format(dir string, findings []*lint.Finding) string { return ruletest.Findings(dir, findings) }

// updating reports whether the test has a flag -update and was given it.
func updating() bool {
	f := flag.Lookup("update")
	return f != nil && f.Value.String() == "true"
}

// checkExamples checks the examples of a page, and writes it on -update.
func checkExamples(t *testing.T, path string, page *rulepage.Page, rule *lint.Rule, rules lint.Catalogue) {
	t.Helper()
	tester := &ruletest.Tester{Rule: rule, Rules: rules, Update: updating(), Temp: func() (string, error) { return t.TempDir(), nil }}
	problems, changed := tester.RunAll(page)
	for _, p := range problems {
		t.Error(p)
	}
	if changed && !t.Failed() {
		if err := os.WriteFile(path, page.Format(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
