package cli

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/report"
)

// replayCommand reads mail as the check does, and shows what the deltas in it
// make.
type replayCommand struct{ settings }

func (c *replayCommand) flags(f *flags) {
	c.colorFlag(f)
	c.redactFlag(f)
	c.inputFlags(f)
	c.configFlags(f)
}

func newReplay(std streams, rules lint.Catalogue) *cobra.Command {
	c := &replayCommand{settings{std: std, rules: rules}}
	var opts engine.ReplayOptions
	cmd := &cobra.Command{
		Use:     "replay [flags] PATH...",
		Short:   "Replay the merges of threads, window by window",
		GroupID: groupMail,
		Long: `replay merges the deltas of each thread again and prints for each COMPILED the base, the
deltas applied and rejected, the state hash, and whether the published artifact matches.
The exit status is 1 if an artifact does not match.`,
		Example: `  brennerlint replay mail/
  brennerlint replay --thread RS-20251230-cell-fate --artifact mail/ > artifact.md`,
		Args: takes(1, math.MaxInt, "a PATH with mail"),
		RunE: func(cmd *cobra.Command, args []string) error { return c.replay(cmd, opts, args) },
	}
	f := flagsOf(cmd)
	f.choice(&c.format, "format", "text", "", "text", "json")
	f.string(&opts.Thread, "thread", "replay only the thread `ID`", anyWord)
	f.string(&opts.Project, "project", "replay only threads of the project `NAME`: its slug or its path", anyWord)
	f.bool(&opts.Artifact, "artifact", "print the canonical Markdown of the last state instead")
	f.number(&opts.Permutations, "permutations", "shuffle the messages `N` times and check that every hash stays the same")
	c.flags(f)
	return cmd
}

func (c *replayCommand) replay(cmd *cobra.Command, opts engine.ReplayOptions, paths []string) error {
	if opts.Artifact && c.redact {
		return errors.New("--artifact prints the texts that --redact hides; use only one of them")
	}
	box, err := c.open(cmd, paths...)
	if err != nil {
		return err
	}
	defer box.Close()
	r, err := box.Replay(cmd.Context(), opts)
	if err != nil {
		return err
	}
	if c.redact {
		r = report.RedactReplay(r)
	}
	for _, n := range r.Notices {
		c.std.logf("%s", n)
	}
	for _, err := range r.Failures {
		c.std.logf("%v", err)
	}
	switch {
	case opts.Artifact && len(r.Threads) != 1:
		return errWhichThread(r.Threads)
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
		c.terminal(c.std.out, &ropts)
		err = report.ReplayText(c.std.out, r, ropts)
	}
	switch {
	case err != nil:
		return err
	case r.Unreadable || len(r.Failures) > 0:
		return exitError(exitUsage)
	case !r.Matches():
		return exitError(exitFindings)
	}
	return nil
}

// errWhichThread says that --artifact needs one thread, and which there are.
func errWhichThread(threads []replay.ThreadResult) error {
	if len(threads) == 0 {
		return errors.New("--artifact prints one thread, but the inputs have no protocol thread")
	}
	var ids, projects []string
	for _, t := range threads {
		ids, projects = append(ids, t.Thread), append(projects, t.Project)
	}
	if ids = slices.Compact(ids); len(ids) == 1 {
		return fmt.Errorf("--artifact prints one thread, but %s is in several projects; choose one with --project: %s", ids[0], short(projects))
	}
	return fmt.Errorf("--artifact prints one thread, but the inputs have %d; choose one with --thread: %s", len(threads), short(ids))
}

// short lists the first of many words.
func short(words []string) string {
	const most = 6
	if n := len(words) - most; n > 1 {
		words = append(words[:most:most], fmt.Sprintf("%d more", n))
	}
	return strings.Join(words, ", ")
}

func newBlame(std streams, rules lint.Catalogue) *cobra.Command {
	c := &replayCommand{settings{std: std, rules: rules}}
	history := false
	cmd := &cobra.Command{
		Use:     "blame [flags] ARTIFACT [PATH...]",
		Short:   "Show which delta set each field of an artifact",
		GroupID: groupMail,
		Long: `blame prints for every item and field of an artifact the agent, message, delta and time
that set it (for killed items, who killed them), and marks what no delta explains. The
PATHs have the mail of the artifact's thread; the default is the current folder.

With --history it also prints what each field was set to before: by which delta, and where
a COMPILED published another value.`,
		Example: `  brennerlint blame artifacts/RS-20251230-cell-fate.md mail/
  brennerlint blame --history artifacts/RS-20251230-cell-fate.md mail/`,
		Args: takes(1, math.MaxInt, "an ARTIFACT"),
		RunE: func(cmd *cobra.Command, args []string) error { return c.blame(cmd, args, history) },
	}
	f := flagsOf(cmd)
	f.choice(&c.format, "format", "text", "", "text", "json")
	f.bool(&history, "history", "also list what each field was set to before, by whom and when")
	c.flags(f)
	return cmd
}

func (c *replayCommand) blame(cmd *cobra.Command, args []string, history bool) error {
	paths := args[1:]
	if len(paths) == 0 {
		paths = []string{"."}
	}
	box, err := c.open(cmd, paths...)
	if err != nil {
		return err
	}
	defer box.Close()
	r, err := box.Blame(cmd.Context(), args[0], history)
	if err != nil {
		return err
	}
	if c.redact {
		r = report.RedactBlame(r)
	}
	if c.format == "json" {
		return report.BlameJSON(c.std.out, r)
	}
	opts := c.reportOptions()
	c.terminal(c.std.out, &opts)
	if opts.Width == 0 {
		return report.BlameText(c.std.out, r, opts)
	}
	return c.page(func() error { return report.BlameText(c.std.out, r, opts) }, func(w *os.File) error {
		return report.BlameText(w, r, opts)
	})
}

// page writes through the user's pager, as git does on a terminal: PAGER, else
// less, which ends by itself where one screen is enough. A blank PAGER is none.
func (c *replayCommand) page(plain func() error, write func(*os.File) error) error {
	pager, ok := os.LookupEnv("PAGER")
	if !ok {
		pager = "less"
	}
	words := strings.Fields(pager)
	if len(words) == 0 || words[0] == "cat" {
		return plain()
	}
	path, err := exec.LookPath(words[0])
	if err != nil {
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
