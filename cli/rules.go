package cli

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/brennerlint/brennerlint/internal/config"
	"github.com/brennerlint/brennerlint/internal/customrules"
	"github.com/brennerlint/brennerlint/internal/files"
	"github.com/brennerlint/brennerlint/internal/rulepage"
	"github.com/brennerlint/brennerlint/internal/ruletest"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/report"
	"github.com/brennerlint/brennerlint/source"
)

func newRules(s settings) *command {
	cmd := newCommand("rules", nil, func(_ *cobra.Command, args []string) error { return s.listRules(args) })
	cmd.ValidArgsFunction = s.completeRules
	cmd.choice(&s.format, "format", "text", "", "text", "json", "markdown")
	s.configFlags(cmd)
	addCommands(cmd, "Commands:", newRulesTest(s), newRulesNew(s))
	return cmd
}

// completeRules completes the arguments of a command that takes rules.
func (s *settings) completeRules(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return s.ruleWords(), cobra.ShellCompDirectiveNoFileComp
}

func (s *settings) listRules(args []string) error {
	if err := s.loadConfig(); err != nil {
		return err
	}
	rules := s.rules
	if len(args) > 0 {
		named, err := rules.Select(strings.Split(strings.Join(args, ","), ",")...) // as --select does
		if err != nil {
			return err
		}
		rules = slices.DeleteFunc(slices.Clone(rules), func(r *lint.Rule) bool { return !named[r.ID] })
	}
	switch s.format {
	case "json":
		return rulesJSON(s.std.out, rules)
	case "markdown":
		return s.std.print(rulesMarkdown(rules))
	}
	return rulesText(s.std.out, rules)
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
		out = append(out, ruleJSON{r.ID, r.Name, string(r.Scope()), r.Severity.String(), r.Code, r.Summary, r.SpecRef, r.Fixable()})
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(out)
}

func rulesMarkdown(all lint.Catalogue) string {
	var b strings.Builder
	b.WriteString("| Rule | Name | Scope | Severity | What is checked |\n|---|---|---|---|---|\n")
	for _, r := range all {
		fmt.Fprintf(&b, "| %s | `%s` | %s | %s | %s |\n", r.ID, r.Name, r.Scope(), r.Severity, strings.ReplaceAll(r.Summary, "|", `\|`))
	}
	return b.String()
}

func newExplain(s settings) *command {
	cmd := newCommand("explain", takes(1, 1, "a RULE such as MB-005"), func(_ *cobra.Command, args []string) error {
		if err := s.loadConfig(); err != nil {
			return err
		}
		found := s.rules.Match(args[0])
		if len(found) == 0 {
			return s.rules.Unknown(args[0])
		}
		var pages []string
		for _, r := range found {
			pages = append(pages, report.Explain(r))
		}
		return s.std.print(strings.Join(pages, "\n"))
	})
	cmd.ValidArgsFunction = s.completeRules
	s.configFlags(cmd)
	return cmd
}

// The skeleton of a rule of the configuration: a rule that works, and its page.
var (
	//go:embed newrule.yaml
	newRule string
	//go:embed newrule.md
	newPage string
)

func newRulesNew(s settings) *command {
	cmd := newCommand("rules new", takes(1, 1, "an ID such as GRP-001"), func(_ *cobra.Command, args []string) error { return s.writeRule(args[0]) })
	cmd.ValidArgsFunction = anyWord
	s.configFlags(cmd)
	return cmd
}

// writeRule writes the skeleton of a rule.
func (s *settings) writeRule(id string) error {
	if err := s.loadConfig(); err != nil {
		if faults, ok := errors.AsType[*config.Error](err); !ok || !faults.OnlyMissing() { // else it includes files that are not there yet
			return err
		}
	}
	for _, r := range s.rules {
		if r.ID == id {
			return fmt.Errorf("there is a rule %s already: %s", id, r.Name)
		}
	}
	if message := customrules.BadID(id, s.catalogue); message != "" {
		return errors.New(message)
	}
	named := strings.NewReplacer("GRP-001", id, "test-names-budget", strings.ToLower(id))
	base := filepath.Join(filepath.Dir(s.configFile), config.RulesDir, id)
	files := [][2]string{{base + ".yaml", newRule}, {base + ".md", newPage}}
	for _, f := range files {
		if _, err := os.Lstat(f[0]); err == nil {
			return fmt.Errorf("%s already exists", text.QuotePath(filepath.ToSlash(f[0])))
		}
	}
	for _, f := range files {
		if err := create(s.std, f[0], []byte(named.Replace(f[1]))); err != nil {
			return err
		}
	}
	file := cmp.Or(s.configFile, config.FileName)
	if err := s.loadConfig(); err != nil || s.cfg.PagePath(id) == "" {
		fmt.Fprintf(s.std.out, "now let the configuration include it, in %s:\n\ninclude-rules: [%q]\n", filepath.ToSlash(file), path.Join(config.RulesDir, "*.yaml"))
	}
	return nil
}

// rulesTest is a run of `rules test`.
type rulesTest struct {
	settings
	dir    string // the pages are there; "" if they are where PagePath says
	update bool

	passed, failed, untested int
}

func newRulesTest(s settings) *command {
	t := &rulesTest{settings: s}
	cmd := newCommand("rules test", takes(0, 1, "one DIR"), t.run)
	cmd.add(&t.update, "update", "write what is found into the pages; read it then", nil)
	t.configFlags(cmd)
	return cmd
}

func (t *rulesTest) run(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		t.dir = args[0]
	}
	if err := t.loadConfig(); err != nil {
		return err
	}
	custom := t.cfg.CustomRules()
	if len(custom) == 0 {
		return errors.New("there are no rules to test: the configuration defines none; `brennerlint rules new ID` writes one")
	}
	if t.dir != "" {
		if info, err := os.Stat(t.dir); err != nil || !info.IsDir() {
			return fmt.Errorf("%s is not a folder", text.QuotePath(t.dir))
		}
	}
	for _, r := range custom {
		if err := t.rule(r); err != nil {
			return err
		}
	}
	t.strays(custom)
	fmt.Fprintf(t.std.out, "%s: %d passed, %d failed, %d untested\n", text.Count(len(custom), "rule", "rules"), t.passed, t.failed, t.untested)
	if t.failed > 0 {
		return outcome{status: exitFindings}
	}
	return nil
}

// pagePath returns where the page of a rule is, with slashes.
func (t *rulesTest) pagePath(r *lint.Rule) string {
	if t.dir != "" {
		return path.Join(filepath.ToSlash(t.dir), r.ID+".md")
	}
	return t.cfg.PagePath(r.ID)
}

// rule tests one rule.
func (t *rulesTest) rule(r *lint.Rule) error {
	name := t.pagePath(r)
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		t.untested++
		t.say("untested %s %s: there is no %s", r.ID, r.Name, text.QuotePath(name))
		return nil
	}
	if err != nil {
		return fmt.Errorf("read %s: %w", text.QuotePath(name), source.Reason(err))
	}
	page, problems := rulepage.Parse(data)
	found, changed := ruletest.Run(page, r, t.rules, t.update)
	if changed && len(problems) == 0 { // else what could not be read would be lost
		if err := files.Write(name, page.Format()); err != nil {
			return err
		}
		t.say("wrote %s", text.QuotePath(name))
	}
	t.outcome(r, page, append(problems, found...), ruletest.Missing(page))
	return nil
}

// outcome says how a rule did.
func (t *rulesTest) outcome(r *lint.Rule, page *rulepage.Page, problems, missing []string) {
	count := map[string]int{}
	for _, ex := range page.Examples {
		count[ex.Kind]++
	}
	switch {
	case len(problems) > 0:
		t.failed++
		t.say("FAILED   %s %s", r.ID, r.Name)
		for _, p := range problems {
			t.say("  %s", strings.ReplaceAll(strings.TrimRight(p, "\n"), "\n", "\n  "))
		}
	case len(missing) > 0:
		t.untested++
		t.say("untested %s %s: %s", r.ID, r.Name, strings.Join(missing, "; "))
	default:
		t.passed++
		t.say("passed   %s %s: %d bad, %d good", r.ID, r.Name, count["bad"], count["good"])
	}
}

// say writes a line; it may quote inputs.
func (t *rulesTest) say(format string, args ...any) {
	fmt.Fprintln(t.std.out, report.Message(fmt.Sprintf(format, args...)))
}

// strays reports pages without a rule in the folders that have pages of rules.
func (t *rulesTest) strays(custom lint.Catalogue) {
	known, dirs := map[string]bool{}, map[string]bool{}
	for _, r := range custom {
		known[r.ID], dirs[path.Dir(t.pagePath(r))] = true, true
	}
	for _, dir := range slices.Sorted(maps.Keys(dirs)) {
		names, _ := filepath.Glob(filepath.Join(dir, "*.md")) // an error is that dir has what globs cannot say
		for _, name := range names {
			if id := strings.TrimSuffix(filepath.Base(name), ".md"); customrules.ID().MatchString(id) && !known[id] {
				t.failed++
				t.say("FAILED   %s: the configuration defines no rule %s", text.QuotePath(path.Clean(filepath.ToSlash(name))), text.Quote(id))
			}
		}
	}
}
