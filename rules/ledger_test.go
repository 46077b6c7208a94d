package rules_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/internal/ledger"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/rules"
)

func readLedger(t *testing.T) []ledger.Line {
	t.Helper()
	data := must.Read(t, filepath.Join("..", filepath.FromSlash(ledger.Path)))
	lines, err := ledger.Parse(data)
	must.OK(t, err)
	return lines
}

// TestLedger compares the ledger with the catalogue and the tests: what lines name exists.
// That each rule cites a passage that exists is TestPassages.
func TestLedger(t *testing.T) {
	known, tests := map[string]bool{}, testNames(t)
	for _, r := range rules.All() {
		known[r.ID] = true
	}
	testNamed := regexp.MustCompile("`(Test[A-Z]\\w*)`")
	seen := map[string]bool{}
	for _, l := range readLedger(t) {
		if seen[l.Key()] {
			t.Errorf("the ledger has two lines for %s", l.Key())
		}
		seen[l.Key()] = true
		if l.Fact == "" || len(l.Rules) == 0 && l.Held == "" {
			t.Errorf("%s has no fact, or neither rules nor why there are none", l.Key())
		}
		for _, id := range l.Rules {
			if !known[id] {
				t.Errorf("%s names %s, which is no rule", l.Key(), id)
			}
		}
		for _, m := range testNamed.FindAllStringSubmatch(l.Held, -1) {
			if !tests[m[1]] {
				t.Errorf("%s names %s, which is no test", l.Key(), m[1])
			}
		}
	}
}

// testNames returns the names of all tests of the module.
func testNames(t *testing.T) map[string]bool {
	t.Helper()
	declared := regexp.MustCompile(`(?m)^func (Test\w+)\(t \*testing\.T\)`)
	out := map[string]bool{}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		data, err := os.ReadFile(path)
		for _, m := range declared.FindAllStringSubmatch(string(data), -1) {
			out[m[1]] = true
		}
		return err
	})
	must.OK(t, err)
	return out
}
