// Command brennersite writes the pages of the site that are made of data, those of the rules and of
// the ledger, to a folder: go run ./cmd/brennersite DIR. site/build calls it.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/brennerlint/brennerlint/internal/docgen"
	"github.com/brennerlint/brennerlint/internal/ledger"
	"github.com/brennerlint/brennerlint/rules"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: brennersite DIR")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "brennersite:", err)
		os.Exit(1)
	}
}

func run(dir string) error {
	lines, err := ledger.Read(".")
	if err != nil {
		return err
	}
	pages := map[string]string{
		"docs/conformance.md": docgen.LedgerPage(lines),
		// the table with the search above it (site/.vitepress/theme/RuleFilter.vue)
		"docs/rules.md": strings.Replace(docgen.RulesPage(rules.All(), "../rules/doc"), "\n|", "\n<RuleFilter />\n\n|", 1),
	}
	for _, r := range rules.All() {
		pages["rules/doc/"+r.ID+".md"] = docgen.RulePage(r)
	}
	for name, text := range pages {
		to := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(to, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
