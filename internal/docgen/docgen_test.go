package docgen

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"

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
	table := RulesPage(lint.Catalogue{r}, "../pages")
	if want := "| [ZZ-001](../pages/ZZ-001.md) | `example` | delta | error | yes | Ids are P\\<n>, as in `P<n>`. |\n"; !strings.Contains(table, want) {
		t.Errorf("the table lacks %q:\n%s", want, table)
	}
}

func TestCommandsPage(t *testing.T) {
	root := &cobra.Command{Use: "tool [PATH...]", Short: "Do it", Run: func(*cobra.Command, []string) {}}
	root.Flags().StringP("out", "o", "-", "write `FILE`, a|b or **")
	sub := &cobra.Command{Use: "sub", Example: "  tool sub\n  tool", Run: root.Run}
	sub.Flags().StringP("out", "o", "-", "write `FILE`, a|b or **")
	sub.Flags().Bool("all", false, "write all")
	root.AddCommand(&cobra.Command{Use: "secret", Hidden: true, Run: root.Run}, sub)
	page := CommandsPage(root)
	for _, want := range []string{
		"\n## tool\n\nDo it.\n",
		"| `-o, --out FILE` | write FILE, a\\|b or \\*\\*; default `-` |\n",
		"\n## tool sub\n",
		"```sh\ntool sub\ntool\n```\n\n| Flag | Meaning |\n|---|---|\n| `--all` | write all |\n\nAs [above](#tool): `--out`.\n",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q:\n%s", want, page)
		}
	}
	if strings.Contains(page, "secret") {
		t.Error("the page tells of a hidden command")
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
