package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/brennerlint/brennerlint/internal/config"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/report"
	"github.com/brennerlint/brennerlint/rules"
)

// checkCommand is the main job: check what lies at the paths.
type checkCommand struct {
	std streams

	format        string
	outputs       []string
	configPath    string
	noConfig      bool
	showConfig    bool
	selected      []string
	ignored       []string
	severities    []string
	failOn        string
	failOnEmpty   bool
	kind          string
	stdinName     string
	scope         string
	exclude       []string
	jobs          int
	color         string
	baseline      string
	writeBaseline string
	fix           bool
	unsafeFixes   bool
	diff          bool
	statistics    bool
	maxFindings   int
	quiet         bool
	verbose       bool

	started time.Time
}

// flags are those of the check (contract.md, Flags of the check).
func (c *checkCommand) flags(f *pflag.FlagSet) {
	f.SortFlags = false
	f.StringVar(&c.format, "format", "text", "format of the report: "+strings.Join(formatNames(), ", "))
	f.StringArrayVarP(&c.outputs, "output", "o", nil, "write the report to `FILE`, or FORMAT=FILE, which may be repeated")
	f.StringVar(&c.configPath, "config", "", "read the configuration from `FILE` instead of looking for "+config.FileName)
	f.BoolVar(&c.noConfig, "no-config", false, "read no configuration")
	f.BoolVar(&c.showConfig, "show-config", false, "print the settings in force and end")
	f.StringSliceVar(&c.selected, "select", nil, "run only these `RULES`: ids, names, codes or prefixes such as MB, comma separated")
	f.StringSliceVar(&c.ignored, "ignore", nil, "do not run these `RULES`")
	f.StringArrayVar(&c.severities, "severity", nil, "`RULE=LEVEL`: error, warning, info or off; may be repeated")
	f.StringVar(&c.failOn, "fail-on", "error", "exit with 1 from this `LEVEL` on: error, warning, info or never")
	f.BoolVar(&c.failOnEmpty, "fail-on-empty", false, "exit with 2 if there is nothing to check")
	f.StringVar(&c.kind, "kind", "auto", "what the inputs are: auto, artifact, mail or draft")
	f.StringVar(&c.stdinName, "stdin-filename", "", "`NAME` under which standard input is shown and recognised")
	f.StringVar(&c.scope, "scope", "auto", "which mail of a whole mailbox is checked: auto, protocol or all")
	f.StringArrayVar(&c.exclude, "exclude", nil, "leave out paths that match `GLOB`; may be repeated")
	f.IntVar(&c.jobs, "jobs", 0, "number of checks side by side (default: one a processor)")
	f.StringVar(&c.color, "color", "auto", "colour: auto, always or never")
	f.StringVar(&c.baseline, "baseline", "", "leave out the findings that `FILE` accepts")
	f.StringVar(&c.writeBaseline, "write-baseline", "", "accept all findings of this run in `FILE`")
	f.BoolVar(&c.fix, "fix", false, "mend artifact files where that does not change what is meant")
	f.BoolVar(&c.unsafeFixes, "unsafe-fixes", false, "mend artifact files where that may change what is meant, too")
	f.BoolVar(&c.diff, "diff", false, "show what --fix (or --unsafe-fixes) would change, and change nothing")
	f.BoolVar(&c.statistics, "statistics", false, "count the findings of each rule in place of showing them (text report)")
	f.IntVar(&c.maxFindings, "max-findings", 0, "show at most `N` findings in the text report (default: all)")
	f.BoolVarP(&c.quiet, "quiet", "q", false, "print nothing where there is nothing to report")
	f.BoolVarP(&c.verbose, "verbose", "v", false, "tell on standard error what was done and where time went")
}

func (c *checkCommand) run(cmd *cobra.Command, args []string) error {
	c.started = time.Now()
	if !slices.Contains(formatNames(), c.format) {
		return unknownValue("--format", c.format, formatNames())
	}
	all := rules.All()
	opts, cfg, err := c.options(cmd.Flags(), all)
	if err != nil {
		return err
	}
	if c.showConfig {
		return c.printConfig(cfg)
	}
	outputs, err := parseOutputs(c.outputs, c.format, cmd.Flags().Changed("format"))
	if err != nil {
		return err
	}
	opts.Threads = slices.ContainsFunc(outputs, func(o output) bool { return o.format == "html" })
	opts.LineHashes = slices.ContainsFunc(outputs, func(o output) bool { return o.format == "sarif" })
	paths := args
	if len(paths) == 0 {
		paths = []string{"."}
		if cfg != nil && len(cfg.Include) > 0 {
			paths = cfg.Include
		}
	}
	if c.verbose {
		opts.Profile = &lint.Profile{}
	}
	rep, err := c.watched(cmd.Context(), all, opts, paths)
	if err != nil {
		return err
	}
	if c.writeBaseline != "" {
		return c.acceptAll(rep)
	}
	if c.fix || c.unsafeFixes || c.diff {
		mended, err := c.mend(cmd.Context(), rep, opts)
		if err != nil {
			return err
		}
		if c.diff {
			return c.status(rep)
		}
		if mended > 0 {
			c.std.tell("%d mended", mended)
			if rep, err = c.watched(cmd.Context(), all, opts, paths); err != nil {
				return err
			}
		}
	}
	start := time.Now()
	if err := c.write(rep, outputs); err != nil {
		return err
	}
	c.tellTimes(opts.Profile, time.Since(start))
	return c.status(rep)
}

// watched checks the paths and shows how far it is.
func (c *checkCommand) watched(ctx context.Context, all []*lint.Rule, opts lint.Options, paths []string) (*lint.Report, error) {
	var shown *progress
	if !c.quiet {
		shown = startProgress(c.std.err)
		defer shown.stop()
	}
	opts.Progress = func(done, total int) {
		if total > largeCheck {
			ballast.Store(nil)
		}
		shown.update(done, total)
	}
	return lint.New(all, opts).Check(ctx, paths...)
}

// options are the settings of configuration and flags; flags win.
func (c *checkCommand) options(flags *pflag.FlagSet, all []*lint.Rule) (lint.Options, *config.Config, error) {
	opts := lint.Options{
		Settings: lint.DefaultSettings, Limits: lint.DefaultLimits,
		Stdin: c.std.in, StdinName: c.stdinName, Workers: c.jobs,
	}
	cfg, err := c.loadConfig(all)
	if err != nil {
		return opts, nil, err
	}
	if cfg != nil {
		cfg.Apply(&opts, all)
		if cfg.FailOn != "" && !flags.Changed("fail-on") {
			c.failOn = cfg.FailOn
		}
	}
	for _, check := range []func(*lint.Options, *pflag.FlagSet, []*lint.Rule) error{c.enums, c.levels} {
		if err := check(&opts, flags, all); err != nil {
			return opts, nil, err
		}
	}
	opts.Exclude = append(opts.Exclude, c.exclude...)
	if c.baseline != "" {
		f, err := os.Open(c.baseline)
		if err != nil {
			return opts, nil, fmt.Errorf("read baseline: %w", err)
		}
		defer f.Close()
		if opts.Baseline, err = lint.ReadBaseline(f); err != nil {
			return opts, nil, fmt.Errorf("%s: %w", c.baseline, err)
		}
	}
	return opts, cfg, nil
}

func (c *checkCommand) loadConfig(all []*lint.Rule) (*config.Config, error) {
	path := c.configPath
	if c.noConfig {
		return nil, nil
	}
	if path == "" {
		var err error
		if path, err = config.Find("."); err != nil || path == "" {
			return nil, err
		}
		path = relative(path)
	}
	return config.Load(path, all)
}

// enums checks the flags that take one of a few words.
func (c *checkCommand) enums(opts *lint.Options, flags *pflag.FlagSet, _ []*lint.Rule) error {
	for _, e := range []struct {
		flag, value string
		known       []string
	}{
		{"fail-on", c.failOn, []string{"error", "warning", "info", "never"}},
		{"kind", c.kind, []string{"auto", "artifact", "mail", "draft"}},
		{"scope", c.scope, []string{"auto", "protocol", "all"}},
		{"color", c.color, []string{"auto", "always", "never"}},
	} {
		if !slices.Contains(e.known, e.value) {
			return unknownValue("--"+e.flag, e.value, e.known)
		}
	}
	if c.jobs < 0 {
		return fmt.Errorf("--jobs is %d; expected a number from 0 on", c.jobs)
	}
	opts.Kind = map[string]lint.Kind{"auto": lint.Auto, "artifact": lint.AsArtifact, "mail": lint.AsMail, "draft": lint.AsDraft}[c.kind]
	if flags.Changed("scope") {
		opts.Mail = config.MailScope(c.scope)
	}
	return nil
}

// levels applies --select, --ignore and --severity.
func (c *checkCommand) levels(opts *lint.Options, _ *pflag.FlagSet, all []*lint.Rule) error {
	find := func(words []string) (map[string]bool, error) {
		found, err := lint.MatchAll(all, words)
		var unknown *lint.UnknownRuleError
		if errors.As(err, &unknown) {
			return nil, unknownRule(unknown.Word)
		}
		return found, err
	}
	l := &opts.Levels
	if len(c.selected) > 0 {
		found, err := find(c.selected)
		if err != nil {
			return err
		}
		l.Select, l.Ignore = found, nil // what the user names runs, whatever the configuration ignores
	}
	found, err := find(c.ignored)
	if err != nil {
		return err
	}
	l.Ignore = union(l.Ignore, found)
	for _, s := range c.severities {
		word, level, ok := strings.Cut(s, "=")
		if !ok {
			return fmt.Errorf("--severity %q: expected RULE=LEVEL", s)
		}
		found, err := find([]string{word})
		if err != nil {
			return err
		}
		if level == "off" {
			l.Ignore = union(l.Ignore, found)
			continue
		}
		severity, err := lint.ParseSeverity(level)
		if err != nil {
			return fmt.Errorf("--severity %q: unknown level %q; expected error, warning, info or off", s, level)
		}
		if l.Severity == nil {
			l.Severity = map[string]lint.Severity{}
		}
		for id := range found {
			l.Severity[id] = severity
		}
	}
	return nil
}

func union(a, b map[string]bool) map[string]bool {
	out := make(map[string]bool, len(a)+len(b))
	for _, m := range []map[string]bool{a, b} {
		for id := range m {
			out[id] = true
		}
	}
	return out
}

// write writes the report in every format asked for, to files at once or not
// at all.
func (c *checkCommand) write(rep *lint.Report, outputs []output) error {
	for _, n := range rep.Notices {
		c.std.tell("%s", n)
	}
	for _, f := range rep.Failures {
		c.std.tell("internal error: rule %s failed on %s; please report this\n%s", f.Rule, f.Path, f.Reason)
	}
	for _, o := range outputs {
		opts := c.reportOptions()
		if o.path != "" {
			var buf bytes.Buffer
			if err := report.Write(&buf, o.format, rep, opts); err != nil {
				return err
			}
			if err := writeFile(o.path, buf.Bytes()); err != nil {
				return err
			}
			continue
		}
		opts.Color, opts.Width = c.terminal(c.std.out)
		if err := report.Write(c.std.out, o.format, rep, opts); err != nil {
			return err
		}
		if o.format == "github" {
			if err := c.jobSummary(rep, opts); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *checkCommand) reportOptions() report.Options {
	opts := report.Options{
		Version: programVersion(), Quiet: c.quiet, Statistics: c.statistics, MaxFindings: c.maxFindings,
		Notice: func(text string) { c.std.tell("%s", text) },
	}
	if c.verbose {
		opts.Elapsed = time.Since(c.started)
	}
	if wd, err := os.Getwd(); err == nil {
		opts.Dir = filepath.ToSlash(wd)
		opts.Root = filepath.ToSlash(repositoryRoot(wd))
	}
	return opts
}

// repositoryRoot is the folder of the repository that dir lies in; "" if none.
func repositoryRoot(dir string) string {
	for {
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// jobSummary adds a table of the findings to the summary of the job, where the
// runner offers it.
func (c *checkCommand) jobSummary(rep *lint.Report, opts report.Options) error {
	path := os.Getenv("GITHUB_STEP_SUMMARY")
	if path == "" {
		return nil
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return fmt.Errorf("write job summary: %w", err)
	}
	if err := errors.Join(report.JobSummary(f, rep, opts), f.Close()); err != nil {
		return fmt.Errorf("write job summary: %w", err)
	}
	return nil
}

// terminal tells whether a stream takes colour, and how wide it is (0: unknown).
func (c *checkCommand) terminal(w io.Writer) (color bool, width int) {
	color = c.color == "always"
	if !isTerminal(w) {
		return color, 0
	}
	if c.color == "auto" && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" {
		color = true
	}
	width, _, _ = term.GetSize(int(w.(*os.File).Fd()))
	return color, width
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// acceptAll writes the baseline.
func (c *checkCommand) acceptAll(rep *lint.Report) error {
	var buf bytes.Buffer
	if err := lint.NewBaseline(rep).Write(&buf); err != nil {
		return err
	}
	if err := writeFile(c.writeBaseline, buf.Bytes()); err != nil {
		return err
	}
	c.std.tell("%d findings accepted in %s", len(rep.Findings), c.writeBaseline)
	return nil
}

// status is the exit status, computed here and nowhere else.
func (c *checkCommand) status(rep *lint.Report) error {
	switch {
	case rep.Unreadable || len(rep.Failures) > 0:
		return exitError(exitUsage)
	case rep.Summary.Files == 0 && c.failOnEmpty:
		return exitError(exitUsage)
	case c.failOn == "never":
		return nil
	}
	limit, err := lint.ParseSeverity(c.failOn)
	if err != nil {
		return err
	}
	for _, f := range rep.Findings {
		if f.Severity <= limit {
			return exitError(exitFindings)
		}
	}
	return nil
}

// printConfig shows the settings in force.
func (c *checkCommand) printConfig(cfg *config.Config) error {
	if cfg == nil {
		cfg = &config.Config{}
	}
	return cfg.Write(c.std.out)
}

// formatNames lists the formats of reports, the default one first.
func formatNames() []string {
	names := make([]string, 0, len(report.Formats))
	for _, f := range report.Formats {
		names = append(names, f.Name)
	}
	return names
}
