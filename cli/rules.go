package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/report"
)

func newRules(std streams, rules lint.Catalogue) *cobra.Command {
	var format string
	s := &settings{std: std}
	cmd := &cobra.Command{
		Use:     "rules [flags] [RULES...]",
		Short:   "List the rules; test and write rules of your own",
		GroupID: groupRules,
		Long: `rules lists all rules, or those that are named: by id, name, specification code, or a family
such as MB. It lists the rules that the configuration defines, too: ` + "`brennerlint rules test`" + `
runs their examples, and ` + "`brennerlint rules new`" + ` writes a rule.`,
		Example: `  brennerlint rules MB
  brennerlint rules --format json MR-001 delta-json`,
		ValidArgsFunction: func(_ *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
			return describedRules(rules), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			rules, err := s.everyRule(rules)
			if err != nil {
				return err
			}
			if len(args) > 0 {
				named, err := findRules(rules, args)
				if err != nil {
					return err
				}
				rules = slices.DeleteFunc(slices.Clone(rules), func(r *lint.Rule) bool { return !named[r.ID] })
			}
			switch format {
			case "json":
				return rulesJSON(std.out, rules)
			case "markdown":
				return rulesMarkdown(std.out, rules)
			}
			return rulesText(std.out, rules)
		},
	}
	f := flagsOf(cmd)
	f.choice(&format, "format", "text", "", "text", "json", "markdown")
	s.configFlags(f)
	cmd.AddCommand(newRulesTest(std, rules), newRulesNew(std, rules))
	return cmd
}

// everyRule returns the rules of the program and of the configuration.
func (s *settings) everyRule(catalogue lint.Catalogue) (lint.Catalogue, error) {
	cfg, err := s.loadConfig(catalogue)
	return cfg.AllRules(catalogue), err
}

func rulesText(w io.Writer, all lint.Catalogue) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, r := range all {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", r.ID, r.Name, r.Severity, r.Scope())
	}
	return t.Flush()
}

// ruleJSON is a rule as `rules --format json` lists it (contract.md).
type ruleJSON struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Scope    string `json:"scope"`
	Severity string `json:"severity"`
	Code     string `json:"code"`
	Summary  string `json:"summary"`
	Source   string `json:"source"`
	Fixable  bool   `json:"fixable"`
}

func rulesJSON(w io.Writer, all lint.Catalogue) error {
	out := make([]ruleJSON, 0, len(all))
	for _, r := range all {
		out = append(out, ruleJSON{r.ID, r.Name, r.Scope().String(), r.Severity.String(), r.Code, r.Summary, r.SpecRef, r.Fixable()})
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(out)
}

func rulesMarkdown(w io.Writer, all lint.Catalogue) error {
	var b strings.Builder
	b.WriteString("| Rule | Name | Scope | Severity | What is checked |\n|---|---|---|---|---|\n")
	for _, r := range all {
		fmt.Fprintf(&b, "| %s | `%s` | %s | %s | %s |\n", r.ID, r.Name, r.Scope(), r.Severity, strings.ReplaceAll(r.Summary, "|", `\|`))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func newExplain(std streams, rules lint.Catalogue) *cobra.Command {
	s := &settings{std: std}
	cmd := &cobra.Command{
		Use:     "explain RULE",
		Short:   "Document a rule, by id, name or specification code",
		GroupID: groupRules,
		Args:    takes(1, 1, "a RULE such as MB-005"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return describedRules(rules), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			rules, err := s.everyRule(rules)
			if err != nil {
				return err
			}
			found := rules.Match(args[0])
			if len(found) == 0 {
				return unknownRule(rules, args[0])
			}
			for i, r := range found {
				if i > 0 {
					fmt.Fprintln(std.out)
				}
				if err := report.Explain(std.out, r); err != nil {
					return err
				}
			}
			return nil
		},
	}
	s.configFlags(flagsOf(cmd))
	return cmd
}

// wordsFor returns the words by which rules can be named.
func wordsFor(rules lint.Catalogue) []string {
	var out []string
	for _, r := range rules {
		out = append(out, r.ID, r.Name)
		if r.Code != "" {
			out = append(out, r.Code)
		}
	}
	return out
}

// unknownRule returns the error for a word that names no rule.
func unknownRule(rules lint.Catalogue, word string) error {
	if family := strings.TrimRight(word, "-*"); family != word && len(rules.Match(family)) > 0 { // MB-*
		return fmt.Errorf("unknown rule %q; did you mean %s?", word, family)
	}
	if len(word) == 1 { // ruff selects by letters
		var families []string
		for _, r := range rules {
			if f := r.Family(); strings.HasPrefix(f, strings.ToUpper(word)) && !slices.Contains(families, f) {
				families = append(families, f)
			}
		}
		if len(families) > 0 {
			return fmt.Errorf("unknown rule %q; did you mean %s?", word, text.Or(families))
		}
	}
	if best := text.Nearest(word, wordsFor(rules)); best != "" {
		return fmt.Errorf("unknown rule %q; did you mean %s?", word, best)
	}
	return fmt.Errorf("unknown rule %q; `brennerlint rules` lists them", word)
}
