package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/brennerlint/brennerlint/internal/customrules"
	"github.com/brennerlint/brennerlint/internal/files"
	"github.com/brennerlint/brennerlint/internal/rulepage"
	"github.com/brennerlint/brennerlint/internal/ruletest"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/report"
)

// rulesTest is a run of `rules test`.
type rulesTest struct {
	settings
	dir    string // the pages are there; "" if they are where PagePath says
	update bool
	files  files.Writer

	passed, failed, untested int
}

func newRulesTest(s settings) *cobra.Command {
	t := &rulesTest{settings: s}
	cmd := command("rules test", takes(0, 1, "one DIR"), func(_ *cobra.Command, args []string) error {
		if len(args) > 0 {
			t.dir = args[0]
		}
		return t.run()
	})
	f := flagsOf(cmd)
	f.add(&t.update, "update", "write what is found into the pages; read it then", nil)
	t.configFlags(f)
	return cmd
}

func (t *rulesTest) run() error {
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
	temp, err := os.MkdirTemp("", "brennerlint-rules-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	for _, r := range custom {
		if err := t.rule(temp, r); err != nil {
			return err
		}
	}
	if err := t.strays(custom); err != nil {
		return err
	}
	fmt.Fprintf(t.std.out, "%s: %d passed, %d failed, %d untested\n", text.Count(len(custom), "rule", "rules"), t.passed, t.failed, t.untested)
	if t.failed > 0 {
		return exitError(exitFindings)
	}
	return nil
}

// pagePath returns where the page of a rule is.
func (t *rulesTest) pagePath(r *lint.Rule) string {
	if t.dir != "" {
		return filepath.Join(t.dir, r.ID+".md")
	}
	return filepath.FromSlash(t.cfg.PagePath(r.ID))
}

// maxRulePage bounds a page.
const maxRulePage = 4 << 20

// rule tests one rule.
func (t *rulesTest) rule(temp string, r *lint.Rule) error {
	name := t.pagePath(r)
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		t.untested++
		t.say("untested %s %s: there is no %s", r.ID, r.Name, text.QuotePath(filepath.ToSlash(name)))
		return nil
	case err == nil && (!info.Mode().IsRegular() || info.Size() > maxRulePage):
		err = errors.New("not a file of at most 4 MB")
	}
	var data []byte
	if err == nil {
		data, err = os.ReadFile(name)
	}
	if err != nil {
		return fmt.Errorf("read %s: %w", text.QuotePath(filepath.ToSlash(name)), err)
	}
	page, problems := rulepage.Parse(data)
	tester := &ruletest.Tester{Rule: r, Rules: t.rules, Update: t.update, Temp: func() (string, error) { return os.MkdirTemp(temp, "") }}
	found, changed := tester.RunAll(page)
	if changed && len(problems) == 0 { // else what could not be read would be lost
		if err := t.files.Write(name, page.Format()); err != nil {
			return err
		}
		t.say("wrote %s", text.QuotePath(filepath.ToSlash(name)))
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
func (t *rulesTest) strays(custom lint.Catalogue) error {
	var dirs []string
	for _, r := range custom {
		if dir := filepath.Dir(t.pagePath(r)); !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	slices.Sort(dirs)
	for _, dir := range dirs {
		names, err := filepath.Glob(filepath.Join(dir, "*.md"))
		if err != nil {
			return nil //nolint:nilerr // no name that a glob can have
		}
		for _, name := range names {
			id := strings.TrimSuffix(filepath.Base(name), ".md")
			if customrules.ID().MatchString(id) && !slices.ContainsFunc(custom, func(r *lint.Rule) bool { return r.ID == id }) {
				t.failed++
				t.say("FAILED   %s: the configuration defines no rule %s", text.QuotePath(path.Clean(filepath.ToSlash(name))), text.Quote(id))
			}
		}
	}
	return nil
}
