package slips

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	udiff "github.com/aymanbagabas/go-udiff"
)

//go:generate go test -run ^TestDetection$ -update .

var update = flag.Bool("update", false, "write docs/testing.md")

const page = "../../docs/testing.md"

// The page is written by hand above this line.
const generated = "<!-- What follows is written by go generate ./internal/slips -->\n"

// tally is how often a slip was tried, and found as expected.
type tally struct{ found, tried int }

// checkPage checks that docs/testing.md shows all slips and their results, or writes
// it. -v prints the table.
func checkPage(t *testing.T, results map[*slip]tally) {
	t.Helper()
	old, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	head, _, ok := strings.Cut(string(old), generated)
	if !ok {
		t.Fatalf("%s lacks the line %s", page, generated)
	}
	table := table(results)
	if testing.Verbose() {
		fmt.Print(table)
	}
	text := head + generated + table
	if *update {
		if err := os.WriteFile(page, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if d := udiff.Unified("docs/testing.md", "now", string(old), text); d != "" {
		t.Errorf("run go generate ./internal/slips and read what it wrote:\n%s", d)
	}
}

// table shows the slips in Markdown, one section per family.
func table(results map[*slip]tally) string {
	var b strings.Builder
	n, found, tried := 0, 0, 0
	reporting := map[string]bool{}
	for _, f := range families {
		fmt.Fprintf(&b, "\n### %s\n\n| Slip | Rule | Also reported | Fix | Found |\n|---|---|---|---|---|\n", f.title)
		for i := range f.slips {
			sl := &f.slips[i]
			r := results[sl]
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %d of %d |\n", sl.name, link(sl.rule), sl.alsoReported(), sl.fix, r.found, r.tried)
			n, found, tried = n+1, found+r.found, tried+r.tried
			reporting[sl.rule] = true
			for _, f := range sl.also {
				reporting[f.rule] = true
			}
		}
	}
	return fmt.Sprintf("\n%d slips for %d rules, tried %d times with fixed seeds: %d were found as expected.\n", n, len(reporting), tried, found) + b.String()
}

func link(rule string) string { return fmt.Sprintf("[%s](rules/%[1]s.md)", rule) }

// alsoReported lists the findings that the law requires in addition to the slip's rule.
func (sl *slip) alsoReported() string {
	var out []string
	for _, f := range sl.also {
		out = append(out, fmt.Sprintf("%s (decision %s)", link(f.rule), f.law))
	}
	return strings.Join(out, ", ")
}

// String returns the fix as the table shows it.
func (r repair) String() string { return [...]string{"", "safe", "unsafe"}[r] }
