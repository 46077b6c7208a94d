package rules_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/rules"
)

// claim is a row of docs/conformance.md: a line of a specification, the rules that
// enforce it, and what checks that they do, or why no machine can.
type claim struct {
	key   string // specification:line
	quote string
	rules string
	held  string
}

var (
	claimRow  = regexp.MustCompile(`^\| (\d+) \| (.*) \| (.*) \| (.+) \|$`)
	ruleLink  = regexp.MustCompile(`\[([A-Z]{2}-[A-Z]?\d{2,3})\]\(\.\./rules/doc/([A-Z0-9-]+)\.md\)`)
	testNamed = regexp.MustCompile("`(Test[A-Z]\\w*)`")
)

// readClaims reads docs/conformance.md: each specification is a section titled
// by its name.
func readClaims(t *testing.T, text string) []claim {
	t.Helper()
	var out []claim
	spec := ""
	for _, line := range strings.Split(text, "\n") {
		if title, ok := strings.CutPrefix(line, "## "); ok {
			spec = title
		}
		if m := claimRow.FindStringSubmatch(line); m != nil {
			out = append(out, claim{spec + ":" + m[1], strings.ReplaceAll(m[2], `\|`, "|"), m[3], m[4]})
		}
	}
	return out
}

// TestConformance compares docs/conformance.md with the specifications, the rules and
// the tests: each requirement of the specifications has its line, no rule is missing,
// and everything named exists.
func TestConformance(t *testing.T) {
	data, err := os.ReadFile("../docs/conformance.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	claims := map[string]claim{}
	for _, c := range readClaims(t, text) {
		if _, ok := claims[c.key]; ok {
			t.Errorf("conformance.md has two lines for %s", c.key)
		}
		claims[c.key] = c
		if !ruleLink.MatchString(c.rules) && c.rules != "—" {
			t.Errorf("%s: rules are %q, expected links to rules or —", c.key, c.rules)
		}
	}
	for _, n := range readNormative(t) {
		c, ok := claims[n.key()]
		if !ok {
			t.Errorf("conformance.md lacks a line for %s: %s", n.key(), n.text)
			continue
		}
		delete(claims, n.key())
		if start := strings.TrimSuffix(c.quote, " …"); !strings.HasPrefix(quoted(n.text), start) || len(start) < min(len(quoted(n.text)), 20) {
			t.Errorf("%s is quoted as %q, but says %q", n.key(), c.quote, quoted(n.text))
		}
	}
	for key := range claims {
		t.Errorf("conformance.md has a line for %s, which asks for nothing", key)
	}
	checkNames(t, text)
}

// checkNames checks that every rule is named, and that the rules and tests that are
// named exist.
func checkNames(t *testing.T, text string) {
	t.Helper()
	built := map[string]bool{}
	for _, r := range rules.All() {
		built[r.ID] = true
	}
	named := map[string]bool{}
	for _, m := range ruleLink.FindAllStringSubmatch(text, -1) {
		named[m[1]] = true
		if m[1] != m[2] {
			t.Errorf("the link of %s leads to %s", m[1], m[2])
		}
	}
	for id := range catalogue(t) {
		if !named[id] {
			t.Errorf("conformance.md does not name %s", id)
		}
		delete(named, id)
		if !built[id] {
			continue // TestCatalogue reports it
		}
		if _, err := os.Stat("doc/" + id + ".md"); err != nil {
			t.Errorf("%s has no page: %v", id, err)
		}
	}
	for id := range named {
		t.Errorf("conformance.md names %s, which is no rule", id)
	}
	tests := testNames(t)
	for _, m := range testNamed.FindAllStringSubmatch(text, -1) {
		if !tests[m[1]] {
			t.Errorf("conformance.md names %s, which is no test", m[1])
		}
	}
}

// catalogue returns the set of ids in testdata/rules.tsv.
func catalogue(t *testing.T) map[string]bool {
	t.Helper()
	data, err := os.ReadFile("testdata/rules.tsv")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]bool{}
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n")[1:] {
		id, _, _ := strings.Cut(line, "\t")
		out[id] = true
	}
	return out
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
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// listMark begins an item of a list, which may be a task.
var listMark = regexp.MustCompile(`^([-*]|\d+\.) (\[ \] )?`)

// quoted returns a line of a specification as conformance.md quotes it: the cells of a
// row joined, without list marker or emphasis.
func quoted(text string) string {
	if row, ok := strings.CutPrefix(text, "|"); ok {
		row = strings.ReplaceAll(strings.TrimSuffix(row, "|"), `\|`, "\x00")
		cells := strings.Split(row, " | ")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		text = strings.ReplaceAll(strings.Join(cells, " · "), "\x00", "|")
	}
	return strings.ReplaceAll(listMark.ReplaceAllString(text, ""), "**", "")
}
