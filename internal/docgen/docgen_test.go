package docgen

import (
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/internal/ledger"
	"github.com/brennerlint/brennerlint/lint"
)

func TestRulePages(t *testing.T) {
	r := &lint.Rule{
		ID: "ZZ-001", Name: "example", Severity: lint.Error, About: lint.DeltaScope,
		SpecRef: "delta_output_format#A | B; artifact_format", Summary: "Ids are P<n>, as in `P<n>`.",
		Page: func() []byte { return []byte("# ZZ-001 example\n\nWhy.\n\n`a.md`, fixed:\n") },
	}
	page := RulePage(r)
	for _, want := range []string{
		"# ZZ-001 example\n\n> Ids are P\\<n>, as in `P<n>`.\n",
		"| Specification | [`delta_output_format`](" + specifications + "delta_output_format_v0.1.md), A \\| B; [`artifact_format`](" + ownPages + "artifact_format.md) |\n",
		"| Fix | of drafts, by `presend --fix` or `presend --unsafe-fixes` |\n\nWhy.\n",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q:\n%s", want, page)
		}
	}
}

func TestLedgerPage(t *testing.T) {
	page := LedgerPage([]ledger.Line{
		{Document: "a", Heading: "First", Number: 3, Fact: "x | y", Rules: []string{"MB-001", "MB-002"}, Held: "`TestX`"},
		{Document: "a", Heading: "First", Number: 4, Fact: "z", Held: "no mail shows it"},
		{Document: "b", Heading: "First", Number: 1, Fact: "z", Rules: []string{"MB-001"}},
	})
	for _, want := range []string{"## a\n\n### First\n\n| Line |", "| 3 | x \\| y | [MB-001](../rules/doc/MB-001.md) [MB-002](../rules/doc/MB-002.md) | `TestX` |\n| 4 | z |  | no mail shows it |\n", "## b\n\n### First\n"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q:\n%s", want, page)
		}
	}
}
