package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"github.com/spf13/cobra"

	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/report"
	"github.com/brennerlint/brennerlint/rules"
)

// inputFlags are the flags of commands that read mail beside the check.
func (c *checkCommand) inputFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&c.format, "format", "text", "text or json")
	f.StringVar(&c.configPath, "config", "", "read the configuration from `FILE`")
	f.BoolVar(&c.noConfig, "no-config", false, "read no configuration")
	f.StringVar(&c.scope, "scope", "auto", "which mail of a whole mailbox is read: auto, protocol or all")
	f.StringArrayVar(&c.exclude, "exclude", nil, "leave out paths that match `GLOB`; may be repeated")
	f.IntVar(&c.jobs, "jobs", 0, "number of threads side by side (default: one a processor)")
	f.StringVar(&c.color, "color", "auto", "colour: auto, always or never")
}

func newReplay(std streams) *cobra.Command {
	c := &checkCommand{std: std, failOn: "never", kind: "auto"}
	var opts lint.ReplayOptions
	cmd := &cobra.Command{
		Use:   "replay [flags] PATH...",
		Short: "Replay the merges of threads, window by window",
		Long: `replay merges the deltas of each thread again and tells for each COMPILED the base, the
deltas applied and rejected, the state hash, and whether the published artifact matches.
The exit status is 1 if one does not.`,
		Example: `  brennerlint replay mail/
  brennerlint replay --thread RS-20251230-cell-fate --artifact mail.json > artifact.md`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return c.replay(cmd, opts, args) },
	}
	c.inputFlags(cmd)
	cmd.Flags().StringVar(&opts.Thread, "thread", "", "only the thread `ID`")
	cmd.Flags().BoolVar(&opts.Artifact, "artifact", false, "print the canonical Markdown of the last state instead")
	cmd.Flags().IntVar(&opts.Permutations, "permutations", 0, "shuffle the messages `N` times and tell whether every hash is the same")
	return cmd
}

func (c *checkCommand) linter(cmd *cobra.Command) (*lint.Linter, error) {
	if formats := []string{"text", "json"}; c.format != formats[0] && c.format != formats[1] {
		return nil, unknownValue("--format", c.format, formats)
	}
	opts, _, err := c.options(cmd.Flags(), rules.All())
	if err != nil {
		return nil, err
	}
	return lint.New(rules.All(), opts), nil
}

func (c *checkCommand) replay(cmd *cobra.Command, opts lint.ReplayOptions, paths []string) error {
	linter, err := c.linter(cmd)
	if err != nil {
		return err
	}
	r, err := linter.Replay(cmd.Context(), opts, paths...)
	if err != nil {
		return err
	}
	for _, n := range r.Notices {
		c.std.tell("%s", n)
	}
	switch {
	case opts.Artifact && len(r.Threads) != 1:
		ids := make([]string, 0, len(r.Threads))
		for _, t := range r.Threads {
			ids = append(ids, t.Thread)
		}
		return fmt.Errorf("--artifact prints one thread, the inputs hold %d; name one with --thread: %s", len(ids), strings.Join(ids, ", "))
	case opts.Artifact:
		text := string(r.Threads[0].Artifact)
		if isTerminal(c.std.out) { // elsewhere its bytes count
			text = report.Message(text)
		}
		_, err = io.WriteString(c.std.out, text)
	case c.format == "json":
		err = report.ReplayJSON(c.std.out, r)
	default:
		ropts := c.reportOptions()
		ropts.Color, ropts.Width = c.terminal(c.std.out)
		err = report.ReplayText(c.std.out, r, ropts)
	}
	switch {
	case err != nil:
		return err
	case r.Unreadable:
		return exitError(exitUsage)
	case !r.Matches():
		return exitError(exitFindings)
	}
	return nil
}

func newBlame(std streams) *cobra.Command {
	c := &checkCommand{std: std, failOn: "never", kind: "auto"}
	cmd := &cobra.Command{
		Use:   "blame [flags] ARTIFACT [PATH...]",
		Short: "Tell for every field of an artifact which delta set it",
		Long: `blame tells for every item and field of an artifact the agent, message, delta and time
that set it, of killed items who killed them, and marks what no delta explains. The PATHs
hold the mail of the artifact's thread; without one it is looked for in the current folder.`,
		Example: `  brennerlint blame artifacts/RS-20251230-cell-fate.md mail/`,
		Args:    cobra.MinimumNArgs(1),
		RunE:    c.blame,
	}
	c.inputFlags(cmd)
	return cmd
}

func (c *checkCommand) blame(cmd *cobra.Command, args []string) error {
	linter, err := c.linter(cmd)
	if err != nil {
		return err
	}
	paths := args[1:]
	if len(paths) == 0 {
		paths = []string{"."}
	}
	r, err := linter.Blame(cmd.Context(), args[0], paths...)
	if err != nil {
		return err
	}
	if c.format == "json" {
		return report.BlameJSON(c.std.out, r)
	}
	opts := c.reportOptions()
	opts.Color, opts.Width = c.terminal(c.std.out)
	if opts.Width == 0 {
		return report.BlameText(c.std.out, r, opts)
	}
	return c.page(func() error { return report.BlameText(c.std.out, r, opts) }, func(w *os.File) error {
		return report.BlameText(w, r, opts)
	})
}

// page writes through the user's pager, as git does on a terminal: PAGER, else
// less, which ends by itself where one screen is enough.
func (c *checkCommand) page(plain func() error, write func(*os.File) error) error {
	pager := os.Getenv("PAGER")
	if pager == "" {
		pager = "less"
	}
	words := strings.Fields(pager)
	path, err := exec.LookPath(words[0])
	if err != nil || pager == "cat" {
		return plain()
	}
	r, w, err := os.Pipe()
	if err != nil {
		return plain()
	}
	p := exec.Command(path, words[1:]...)
	p.Stdin, p.Stdout, p.Stderr = r, c.std.out, c.std.err
	p.Env = os.Environ()
	if os.Getenv("LESS") == "" {
		p.Env = append(p.Env, "LESS=FRX")
	}
	if err := p.Start(); err != nil {
		return errors.Join(plain(), r.Close(), w.Close())
	}
	r.Close()
	err = write(w)
	w.Close()
	if isClosedPipe(err) {
		err = nil // the reader has seen enough
	}
	return errors.Join(err, p.Wait())
}
