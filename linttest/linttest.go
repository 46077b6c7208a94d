// Package linttest runs rules over the examples of their archives, as
// analysistest does for analyzers.
//
// An archive (txtar) is a rule's documentation, its examples and its test. Its
// comment says what the rule is for; its files are examples:
//
//	bad/NAME/FILE   an input with the fault
//	bad/NAME/want   the findings of this rule: FILE:LINE:COL: message, then, if
//	                there is a suggestion, a line "    = suggestion"
//	good/NAME/FILE  an input in which the rule finds nothing
//	fixed/NAME/FILE a file of bad/NAME after the rule's fixes, unsafe ones included
//
// A file .brennerlint.yaml of an example is its configuration.
package linttest

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/brennerlint/brennerlint/internal/ruletest"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/result"
)

// ArchiveDir is the folder of the archives, below that of the test. They are
// written there, as ID.txtar, by a test that has a flag -update and is given it:
//
//	var _ = flag.Bool("update", false, "write the archives")
const ArchiveDir = "doc"

// Run runs each rule over the examples of its own archive (Rule.Archive), as a
// subtest: it finds what the bad ones say, exactly, and nothing in the good ones.
// There must be at least one of each. All rules run; of each example only the
// findings of the archive's rule count.
func Run(t *testing.T, rules ...*lint.Rule) {
	t.Helper()
	for _, r := range rules {
		t.Run(r.ID, func(t *testing.T) {
			t.Parallel()
			if r.Archive == nil {
				t.Fatalf("rule %s has no archive", r.ID)
			}
			a := txtar.Parse(r.Archive())
			examples := Examples(t, a)
			for _, missing := range ruletest.Missing(r, a, examples) {
				t.Errorf("the archive of %s: %s", r.ID, missing)
			}
			checkExamples(t, filepath.Join(ArchiveDir, r.ID+".txtar"), a, examples, r, rules)
		})
	}
}

// RunFile runs a rule over the examples of a file in the form of an archive, of which
// there must be at least one. Other rules may run with it; only its own findings count.
func RunFile(t *testing.T, path string, rule *lint.Rule, others ...*lint.Rule) {
	t.Helper()
	rules := others
	if !slices.Contains(rules, rule) {
		rules = append([]*lint.Rule{rule}, others...)
	}
	a, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	examples := Examples(t, a)
	if len(examples) == 0 {
		t.Fatalf("%s has no examples", path)
	}
	checkExamples(t, path, a, examples, rule, rules)
}

// Example is one example of an archive: a small tree of files.
type Example = ruletest.Example

// Examples returns those of an archive, in order.
func Examples(t *testing.T, a *txtar.Archive) []*Example {
	t.Helper()
	out, problems := ruletest.Examples(a)
	for _, p := range problems {
		t.Error(p)
	}
	return out
}

// Check writes files into a folder and checks them by rules. A rule that panics
// is an error of the test.
func Check(t *testing.T, dir string, files []txtar.File, rules ...*lint.Rule) []*result.Finding {
	t.Helper()
	findings, err := ruletest.Check(dir, files, rules...)
	if err != nil {
		t.Fatal(err)
	}
	return findings
}

// Format is findings as archives show them; paths are relative to dir.
func Format(dir string, findings []*result.Finding) string { return ruletest.Findings(dir, findings) }

// updating reports whether the test has a flag -update and was given it.
func updating() bool {
	f := flag.Lookup("update")
	return f != nil && f.Value.String() == "true"
}

// checkExamples checks the examples of an archive, and writes it on -update.
func checkExamples(t *testing.T, path string, a *txtar.Archive, examples []*Example, rule *lint.Rule, rules []*lint.Rule) {
	t.Helper()
	tester := &ruletest.Tester{Rule: rule, Rules: rules, Update: updating(), Temp: func() (string, error) { return t.TempDir(), nil }}
	changed := false
	for _, ex := range examples {
		problems, updated := tester.Run(ex)
		for _, p := range problems {
			t.Error(p)
		}
		changed = changed || updated
	}
	if changed {
		if err := os.WriteFile(path, ruletest.Format(a.Comment, examples), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
