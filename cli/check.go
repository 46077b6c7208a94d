package cli

import (
	"cmp"
	"context"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/config"
	"github.com/brennerlint/brennerlint/internal/files"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/report"
)

// checkCommand is the main job: check what lies at the paths.
type checkCommand struct {
	settings

	outputs          []string
	helpAll          bool
	showConfig       bool
	failOnEmpty      bool
	writeBaseline    string
	addToBaseline    []string
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
	timings timings
	shown   *progress // of the check that runs
	files   files.Writer
	refused int // artifact files that could not be changed
}

// flags are those of the check (contract.md, Flags of the check).
func (c *checkCommand) flags(f *flags) {
	f.heading("Report")
	f.choice(&c.format, "format", "text", "format of the report", formatWords()...)
	f.StringArrayVarP(&c.outputs, "output", "o", nil, "write the report to `FILE`, or FORMAT=FILE, which may be repeated")
	f.declared("output", completeOutput)
	f.choice(&c.level, "level", "", "show only findings at `LEVEL` or above; the summary counts all", levelWords()...)
	f.choice(&c.statistics, "statistics", "", "count findings instead of listing them (formats text and json), by `WHAT`", statisticsWords()...)
	f.Lookup("statistics").NoOptDefVal = report.StatisticsBy[0]
	f.number(&c.maxFindings, "max-findings", "list at most `N` findings, the most severe (formats text and agent; default: all)")
	c.colorFlag(f)
	c.redactFlag(f)
	f.BoolVarP(&c.quiet, "quiet", "q", false, "print nothing but findings and errors")
	f.declared("quiet", nil)
	f.BoolVarP(&c.verbose, "verbose", "v", false, "print timings and progress to stderr")
	f.declared("verbose", nil)

	c.ruleFlags(f)
	f.bool(&c.failOnEmpty, "fail-on-empty", "exit with status 2 if there is nothing to check")

	c.inputFlags(f)
	c.kindFlag(f)
	f.string(&c.stdinName, "stdin-filename", "file `NAME` to use for standard input", nil)
	f.bool(&c.skipUnrecognized, "skip-unrecognized", "skip named files that are not recognised, with a notice instead of exit status 2")

	f.heading("Baseline and changes")
	c.baselineFlag(f)
	f.string(&c.writeBaseline, "write-baseline", "write a baseline `FILE` of all findings; if there is one, keep its entries", nil)
	f.list(&c.addToBaseline, "baseline-add", "with --write-baseline, add new findings of these `RULES` (or: all) to an existing baseline", func() []cobra.Completion {
		return append(described("all", "all new findings"), c.ruleWords()...)
	})
	f.bool(&c.pruneBaseline, "prune-baseline", "remove the entries of the baseline that no longer match")
	f.choice(&c.showOnly, "show-only", "", "with a baseline, show the findings that are new (default) or those that it accepts",
		described(showNew, "findings that the baseline does not have", showBaseline, "findings that the baseline accepts")...)
	f.string(&c.newFrom, "new-from", "show only findings created after git revision `REV`",
		cobra.FixedCompletions(described("HEAD", "the last commit"), cobra.ShellCompDirectiveNoFileComp))

	f.heading("Fixes")
	f.bool(&c.fix, "fix", "apply safe fixes to artifact files")
	f.bool(&c.unsafeFixes, "unsafe-fixes", "also apply unsafe fixes (may change the meaning)")
	f.bool(&c.diff, "diff", "print the changes that --fix or --unsafe-fixes would make, without making them")

	c.configFlags(f)
	f.bool(&c.showConfig, "show-config", "print the effective configuration and exit")

	f.heading("Help")
	f.BoolP("help", "h", false, "print the flags that people use most")
	f.declared("help", nil)
	f.bool(&c.helpAll, "help-all", "print all flags")
	f.BoolP("version", "V", false, "print the version")
	f.declared("version", nil)
}

// formatWords completes the formats of reports.
func formatWords() []cobra.Completion {
	var out []cobra.Completion
	for _, f := range report.Formats {
		out = append(out, cobra.CompletionWithDesc(f.Name, f.Description))
	}
	return out
}

// statisticsWords completes what findings are counted by.
func statisticsWords() []cobra.Completion {
	about := map[string]string{
		"rule": "which rules are broken", "agent": "who sent what is wrong", "thread": "in which threads", "file": "in which files", "message-type": "in which kinds of messages",
	}
	var out []cobra.Completion
	for _, word := range report.StatisticsBy {
		out = append(out, cobra.CompletionWithDesc(word, about[word]))
	}
	return out
}

func (c *checkCommand) run(cmd *cobra.Command, args []string) error {
	c.started = time.Now()
	if c.helpAll {
		return writeHelp(cmd.OutOrStdout(), cmd, true)
	}
	if err := cmp.Or(misspeltCommand(cmd, args), c.checkFlags(cmd.Flags(), args)); err != nil {
		return err
	}
	if err := c.findBaseline(); err != nil {
		return err
	}
	opts, cfg, err := c.options(cmd.Flags(), c.rules)
	if err != nil {
		return err
	}
	if c.showConfig {
		return c.printConfig(cfg)
	}
	outputs, err := c.prepare(&opts, cmd.Flags().Changed("format"))
	if err != nil {
		return err
	}
	paths := checked(args, cfg)
	if err := c.onlyNew(cmd.Context(), &opts, paths); err != nil {
		return err
	}
	box, rep, err := c.check(cmd.Context(), outputs, func() (*engine.Mailbox, error) { return engine.Open(cmd.Context(), c.rules, opts, paths...) })
	if err != nil {
		return err
	}
	defer func() { box.Close() }()
	if c.writeBaseline != "" {
		return c.acceptFindings(rep)
	}
	if c.pruneBaseline {
		if err := c.prune(rep.Baseline); err != nil {
			return err
		}
	}
	if c.fixes() {
		fixed, err := c.applyFixes(cmd.Context(), box, rep, opts)
		if err != nil {
			return err
		}
		if c.diff {
			return c.diffed(rep, fixed)
		}
		if why := mailStays(rep); fixed == 0 && why != "" && !c.quiet {
			c.std.logf("nothing to fix%s", why)
		}
		if fixed > 0 {
			c.std.logf("%d fixed", fixed)
			again, after, err := c.check(cmd.Context(), outputs, func() (*engine.Mailbox, error) { return box.Reopen(cmd.Context()) })
			if err != nil {
				return err
			}
			box.Close()
			box, rep = again, after
		}
	}
	start := time.Now()
	if err := c.write(rep, outputs); err != nil {
		return err
	}
	c.logTimings(time.Since(start))
	return c.outcome(rep).err()
}

// fixes reports whether fixes are applied or shown.
func (c *checkCommand) fixes() bool { return c.fix || c.unsafeFixes || c.diff }

// prepare puts the flags that only the check has into opts, and returns the outputs to write.
func (c *checkCommand) prepare(opts *engine.Options, formatGiven bool) ([]output, error) {
	outputs, err := parseOutputs(c.outputs, c.format, formatGiven)
	if err != nil {
		return nil, err
	}
	if err := c.checkFormats(outputs); err != nil {
		return nil, err
	}
	if err := checkOutputs(outputs, map[string]string{"baseline": c.baseline, "configuration": c.configFile}); err != nil {
		return nil, err
	}
	if b := opts.Baseline; b != nil {
		b.Today, b.Prune = time.Now(), c.pruneBaseline
	}
	opts.SkipUnrecognized = c.skipUnrecognized
	counts := c.statistics != "" && !slices.ContainsFunc(outputs, func(o output) bool { return o.format != "text" && o.format != "json" })
	if counts || c.writeBaseline != "" {
		opts.Limits.Findings = engine.AllFindings
	}
	opts.Trace = &engine.Trace{Progress: func(done, total int) { c.shown.update(done, total) }}
	if c.verbose {
		opts.Trace.Timed = c.timings.add
	}
	return outputs, nil
}

// checked returns the paths to check: those given, else those of the configuration.
func checked(args []string, cfg *config.Config) []string {
	switch {
	case len(args) > 0:
		return args
	case cfg != nil && len(cfg.Include) > 0:
		return cfg.Include
	default:
		return []string{"."}
	}
}

// check opens a mailbox, checks it, and shows how far it is.
func (c *checkCommand) check(ctx context.Context, outputs []output, open func() (*engine.Mailbox, error)) (*engine.Mailbox, *lint.Report, error) {
	tuneGC()
	if !c.quiet {
		c.shown = startProgress(c.std.err)
		defer c.shown.stop()
	}
	box, err := open()
	if err != nil {
		return nil, nil, err
	}
	rep, err := box.Check(ctx)
	if err == nil {
		err = box.Overwrites(c.writes(outputs, rep)...)
	}
	if err == nil {
		err = box.Show(ctx, rep, needs(outputs))
	}
	if err != nil {
		box.Close()
		return nil, nil, err
	}
	return box, rep, nil
}

// writes returns the files that are written after a check, except those that --fix changes.
func (c *checkCommand) writes(outputs []output, rep *lint.Report) []string {
	paths := written(outputs, c.writeBaseline)
	if rep.Baseline != nil && (c.pruneBaseline || c.writeBaseline != "") {
		paths = append(paths, c.baseline)
	}
	return paths
}

// needs returns what the formats of outputs need of a report.
func needs(outputs []output) (data lint.Data) {
	for _, f := range report.Formats {
		if slices.ContainsFunc(outputs, func(o output) bool { return o.format == f.Name }) {
			data.Threads, data.LineHashes = data.Threads || f.Needs.Threads, data.LineHashes || f.Needs.LineHashes
		}
	}
	return data
}

// printConfig shows the settings in force.
func (c *checkCommand) printConfig(cfg *config.Config) error {
	if cfg == nil {
		cfg = &config.Config{}
	}
	var shown strings.Builder
	if err := cfg.Write(&shown); err != nil {
		return err
	}
	_, err := io.WriteString(c.std.out, report.Message(shown.String()))
	return err
}
