package rules_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/linttest"
	"github.com/brennerlint/brennerlint/result"
	"github.com/brennerlint/brennerlint/rules"
	"github.com/brennerlint/brennerlint/source"
)

// TestFacts checks the data of the archives' findings that people do not read: where
// the fault ends, thread, message, delta, item, field, the fix, and the related places.
func TestFacts(t *testing.T) {
	var out strings.Builder
	for _, r := range rules.All() {
		for _, ex := range examplesOf(t, r) {
			if ex.Kind == "bad" {
				dir := t.TempDir()
				fmt.Fprintf(&out, "%s %s\n%s", r.ID, ex.Name, facts(dir, findingsOf(r, linttest.Check(t, dir, ex.Files, rules.All()...))))
			}
		}
	}
	compareGolden(t, "testdata/facts.txt", out.String())
}

func facts(dir string, findings []*result.Finding) string {
	dir = filepath.ToSlash(dir) + "/"
	var b strings.Builder
	for _, f := range findings {
		words := slices.DeleteFunc([]string{
			where(dir, f.Path, f.Range), f.Thread, f.MessageID, deltaNumber(f.Delta), f.Item, f.Field,
		}, func(s string) bool { return s == "" })
		fmt.Fprintf(&b, "  %s\n", strings.Join(words, " "))
		if f.Fix != nil {
			fmt.Fprintf(&b, "    fix: %s%s\n", f.Fix.Description, map[bool]string{true: " (unsafe)"}[f.Fix.Unsafe])
		}
		for _, r := range f.Related {
			fmt.Fprintf(&b, "    %s: %s\n", where(dir, r.Path, r.Range), r.Message)
		}
	}
	return b.String()
}

func where(dir, path string, r *source.Range) string {
	path = strings.TrimPrefix(path, dir)
	if r == nil {
		return path
	}
	return fmt.Sprintf("%s:%d:%d-%d:%d", path, r.Start.Line, r.Start.Column, r.End.Line, r.End.Column)
}

func deltaNumber(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("delta %d", n)
}

func findingsOf(rule *lint.Rule, findings []*result.Finding) []*result.Finding {
	return slices.DeleteFunc(findings, func(f *result.Finding) bool { return f.Rule != rule.ID })
}
