package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/newfrom"
	"github.com/brennerlint/brennerlint/internal/revision"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/report"
)

// checkCommand is the main job: check the inputs at the paths.
type checkCommand struct {
	settings

	outputs          []string
	helpAll          bool
	showConfig       bool
	writeBaseline    string
	addToBaseline    words
	pruneBaseline    bool
	showOnly         string
	newFrom          string
	fix              bool
	unsafeFixes      bool
	diff             bool
	statistics       string
	level            string
	skipUnrecognized bool
	maxFindings      int
	quiet            bool
	verbose          bool

	started time.Time
	box     *engine.Mailbox // of the last check; nil before the first
	timings timings
	shown   progress // of the check that runs
}

// flags declares the flags of the check (contract.md, Flags of the check).
func (c *checkCommand) flags(cmd *command) {
	cmd.heading = "Report"
	cmd.choice(&c.format, "format", "text", "format of the report", formatWords()...)
	cmd.add(&c.outputs, "output,o", "write the report to `FILE`, or FORMAT=FILE, which may be repeated", completeOutput)
	cmd.choice(&c.level, "level", "", "show only findings at `LEVEL` or above; the summary counts all", levels...)
	cmd.choice(&c.statistics, "statistics", "", "count findings instead of listing them (text) or in addition (json), by `WHAT`",
		"rule\twhich rules are broken", "agent\twho sent what is wrong", "thread\tin which threads", "file\tin which files", "message-type\tin which kinds of messages")
	cmd.Flags().Lookup("statistics").NoOptDefVal = report.StatisticsBy[0]
	cmd.add(&c.maxFindings, "max-findings", "list at most `N` findings, the most severe (formats text and agent; default: all)", anyWord)
	c.colorFlag(cmd)
	c.redactFlag(cmd)
	cmd.add(&c.quiet, "quiet,q", "print nothing but findings and errors", nil)
	cmd.add(&c.verbose, "verbose,v", "print timings and progress to stderr", nil)

	c.ruleFlags(cmd)
	cmd.add(&c.failOnEmpty, "fail-on-empty", "exit with status 2 if there is nothing to check", nil)

	c.inputFlags(cmd)
	c.kindFlag(cmd)
	cmd.add(&c.stdinName, "stdin-filename", "file `NAME` to use for standard input", nil)
	cmd.add(&c.skipUnrecognized, "skip-unrecognized", "skip named files that are not recognised, with a notice instead of exit status 2", nil)

	cmd.heading = "Baseline and changes"
	c.baselineFlag(cmd)
	cmd.add(&c.writeBaseline, "write-baseline", "write a baseline `FILE` of all findings; if there is one, keep its entries", nil)
	cmd.add(&c.addToBaseline, "baseline-add", "with --write-baseline, accept only new findings of these `RULES` (or: all)", listOf(func() []cobra.Completion {
		return append([]cobra.Completion{"all\tall new findings"}, c.ruleWords()...)
	}))
	cmd.add(&c.pruneBaseline, "prune-baseline", "remove the entries of the baseline that no longer match", nil)
	cmd.choice(&c.showOnly, "show-only", "", "with a baseline, show the findings that are new (default) or those that it accepts",
		"new\tfindings that the baseline does not have", "baseline\tfindings that the baseline accepts")
	cmd.add(&c.newFrom, "new-from", "show only findings created after git revision `REV`",
		cobra.FixedCompletions([]cobra.Completion{"HEAD\tthe last commit"}, cobra.ShellCompDirectiveNoFileComp))

	cmd.heading = "Fixes"
	cmd.add(&c.fix, "fix", "apply safe fixes to artifact files", nil)
	cmd.add(&c.unsafeFixes, "unsafe-fixes", "also apply unsafe fixes (may change the meaning)", nil)
	cmd.add(&c.diff, "diff", "print the changes that --fix or --unsafe-fixes would make, without making them", nil)

	c.configFlags(cmd)
	cmd.add(&c.showConfig, "show-config", "print the effective configuration and exit", nil)

	cmd.heading = "Help"
	cmd.add(new(bool), "help,h", "print the most common flags", nil)
	cmd.add(&c.helpAll, "help-all", "print all flags", nil)
	cmd.add(new(bool), "version,V", "print the version", nil)
}

// checkFlags refuses flags that contradict each other or have no effect together: a
// user who writes one expects something of it.
func (c *checkCommand) checkFlags(flags *pflag.FlagSet, args []string) error {
	switch {
	case c.redact && c.diff:
		return errors.New("--diff shows the texts that --redact hides; use only one of them")
	case c.stdinName != "" && !slices.Contains(args, "-"):
		return errors.New("--stdin-filename has no effect without the path -")
	case c.showOnly == "baseline" && (c.fix || c.unsafeFixes || c.diff):
		return errors.New("--show-only baseline shows findings that --fix leaves alone; leave out --baseline to fix them")
	case flags.Changed("baseline") && c.baseline == "":
		return errors.New("--baseline is empty; leave it out, or give it a value")
	case c.writeBaseline == "-":
		return errors.New("--write-baseline writes a file; give it a name other than -")
	}
	for _, idle := range []struct {
		with  string
		flags []string
	}{
		{"write-baseline", []string{"format", "output", "statistics", "max-findings", "level", "fix", "unsafe-fixes", "diff", "fail-on", "show-only"}},
		{"diff", []string{"format", "output", "statistics", "max-findings", "level"}},
		{"statistics", []string{"max-findings"}},
		{"show-config", []string{
			"format", "output", "select", "ignore", "severity", "fail-on", "scope", "exclude", "level", "statistics", "max-findings",
			"write-baseline", "prune-baseline", "baseline", "new-from", "fix", "unsafe-fixes", "diff",
		}},
	} {
		for _, name := range idle.flags {
			if flags.Changed(idle.with) && flags.Changed(name) {
				return fmt.Errorf("--%s has no effect with --%s", name, idle.with)
			}
		}
	}
	for _, idle := range []struct{ name, without string }{{"baseline-add", "write-baseline"}, {"prune-baseline", "baseline"}, {"show-only", "baseline"}} {
		if flags.Changed(idle.name) && !flags.Changed(idle.without) && !flags.Changed("write-baseline") {
			return fmt.Errorf("--%s has no effect without --%s", idle.name, idle.without)
		}
	}
	return nil
}

func (c *checkCommand) run(cmd *cobra.Command, args []string) error {
	c.started = time.Now()
	if c.helpAll {
		return writeHelp(cmd.OutOrStdout(), cmd, true)
	}
	if err := cmp.Or(misspeltCommand(cmd, args), c.checkFlags(cmd.Flags(), args)); err != nil {
		return err
	}
	c.findBaseline()
	if err := c.load(cmd.Flags()); err != nil {
		return err
	}
	if c.showConfig {
		return c.printConfig()
	}
	outputs, err := c.prepare(cmd.Flags().Changed("format"))
	if err != nil {
		return err
	}
	paths := c.paths(args)
	if err := c.onlyNew(cmd.Context(), paths); err != nil {
		return err
	}
	defer func() {
		if c.box != nil {
			c.box.Close()
		}
	}()
	rep, err := c.check(cmd.Context(), paths, outputs)
	if _, ok := errors.AsType[*input.UsageError](err); ok && len(args) == 0 && len(c.cfg.Include) > 0 {
		return fmt.Errorf("%s: include: %w", c.configFile, err)
	}
	if err != nil {
		return err
	}
	start := time.Now()
	defer func() { c.logTimings(time.Since(start)) }()
	if c.writeBaseline != "" {
		return c.acceptFindings(rep)
	}
	if c.pruneBaseline {
		if err := c.prune(rep.Baseline); err != nil {
			return err
		}
	}
	if c.fix || c.unsafeFixes || c.diff {
		fixed, err := c.applyFixes(cmd.Context(), rep)
		switch why := c.mailStays(rep); {
		case err != nil:
			return err
		case c.diff:
			return c.diffed(rep, fixed)
		case fixed > 0:
			c.note("%d fixed", fixed)
			if rep, err = c.check(cmd.Context(), paths, outputs); err != nil {
				return err
			}
		case why != "":
			c.note("nothing to fix%s", why)
		}
	}
	start = time.Now()
	if err := c.write(rep, outputs); err != nil {
		return err
	}
	return c.outcome(rep)
}

// onlyNew makes the check of paths report what is new since --new-from.
func (c *checkCommand) onlyNew(ctx context.Context, paths []string) error {
	if c.newFrom == "" {
		return nil
	}
	rev, err := revision.Open(ctx, ".", c.newFrom)
	if err != nil {
		return fmt.Errorf("--new-from: %w", err)
	}
	c.opts.OnlyNew = func(ctx context.Context, box *engine.Mailbox, findings []*lint.Finding) ([]*lint.Finding, error) {
		findings, err := newfrom.Choose(ctx, rev, newfrom.Options{
			Check: c.opts, Rules: c.rules, Catalogue: c.catalogue, ConfigFile: c.configFile, Paths: paths,
			Logf: func(format string, args ...any) { c.std.logf("--new-from: "+format, args...) },
		}, box, findings)
		if err != nil {
			return nil, fmt.Errorf("--new-from: %w", err)
		}
		return findings, nil
	}
	return nil
}

// prepare puts the flags that only the check has into its options, and returns the outputs to
// write.
func (c *checkCommand) prepare(formatGiven bool) ([]output, error) {
	outputs, err := parseOutputs(c.outputs, c.format, formatGiven)
	if err == nil {
		err = c.checkOutputs(outputs)
	}
	if err != nil {
		return nil, err
	}
	if b := c.opts.Baseline; b != nil {
		b.Today, b.Prune = time.Now(), c.pruneBaseline
	}
	c.opts.SkipUnrecognized = c.skipUnrecognized
	counts := c.statistics != "" && !slices.ContainsFunc(outputs, func(o output) bool { return o.format != "text" && o.format != "json" })
	if counts || c.writeBaseline != "" {
		c.opts.Limits.Findings = engine.MaxFindings
	}
	c.opts.Trace = &engine.Trace{Progress: func(done, total int) { c.shown.update(done, total) }}
	if c.verbose {
		c.timings.spent = map[string]time.Duration{}
		c.opts.Trace.Timed = c.timings.add
	}
	return outputs, nil
}

// check checks the mailbox at the paths, opened again if it was checked before, and shows how far
// it is.
func (c *checkCommand) check(ctx context.Context, paths []string, outputs []output) (rep *lint.Report, err error) {
	if !c.quiet {
		c.shown.start(c.std.err)
		defer c.shown.stop()
	}
	if before := c.box; before != nil {
		defer before.Close()
		c.box, err = before.Reopen(ctx)
	} else {
		c.box, err = engine.Open(ctx, c.rules, c.opts, paths...)
	}
	if err != nil {
		return nil, err
	}
	if rep, err = c.box.Check(ctx); err != nil {
		return nil, err
	}
	var needs lint.Data
	written := []string{c.writeBaseline} // except what --fix changes
	for _, o := range outputs {
		f, _ := report.Find(o.format) // it is one
		needs.Threads, needs.LineHashes = needs.Threads || f.Needs.Threads, needs.LineHashes || f.Needs.LineHashes
		written = append(written, o.path)
	}
	if c.pruneBaseline && c.writeBaseline == "" {
		written = append(written, c.baseline)
	}
	if err := c.box.Overwrites(written...); err != nil {
		return nil, err
	}
	return rep, c.box.Show(ctx, rep, needs)
}

// printConfig shows the settings in force.
func (c *checkCommand) printConfig() error {
	var shown strings.Builder
	if err := c.cfg.Write(&shown); err != nil {
		return err
	}
	return c.std.print(report.Message(shown.String()))
}
