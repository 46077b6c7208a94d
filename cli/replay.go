package cli

import (
	"errors"
	"math"
	"os"
	"os/exec"
	"strings"

	"github.com/spf13/cobra"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/report"
)

func newReplay(s settings) *command {
	var opts engine.ReplayOptions
	cmd := newCommand("replay", takes(1, math.MaxInt, "a PATH with mail"), func(cmd *cobra.Command, args []string) error {
		return s.replay(cmd, opts, args)
	})
	cmd.choice(&s.format, "format", "text", "", "text", "json")
	cmd.add(&opts.Thread, "thread", "replay only the thread `ID`", anyWord)
	cmd.add(&opts.Project, "project", "replay only threads of project `NAME` (slug or path)", anyWord)
	cmd.add(&opts.Artifact, "artifact", "print the canonical Markdown of the last state instead", nil)
	cmd.add(&opts.Permutations, "permutations", "shuffle the messages `N` times and check that every hash stays the same", anyWord)
	s.mailFlags(cmd)
	return cmd
}

// mailFlags declares the flags of a command that reads mail and prints a report of its own.
func (s *settings) mailFlags(cmd *command) {
	s.colorFlag(cmd)
	s.redactFlag(cmd)
	s.inputFlags(cmd)
	s.configFlags(cmd)
}

func (s *settings) replay(cmd *cobra.Command, opts engine.ReplayOptions, paths []string) error {
	switch {
	case opts.Artifact && s.redact:
		return errors.New("--artifact prints the texts that --redact hides; use only one of them")
	case opts.Artifact && s.format == "json":
		return errors.New("--format json has no effect with --artifact")
	}
	box, err := s.open(cmd, paths...)
	if err != nil {
		return err
	}
	defer box.Close()
	r, err := box.Replay(cmd.Context(), opts)
	if err != nil {
		return err
	}
	if s.redact {
		r = report.RedactReplay(r)
	}
	s.std.logLines(r.Notices)
	for _, err := range r.Failures {
		s.std.logf("%v", err)
	}
	switch {
	case opts.Artifact && len(r.Threads) == 0:
		return errors.New("the inputs have only a part of the thread")
	case opts.Artifact:
		err = s.std.printData(string(r.Threads[0].Artifact))
	case s.format == "json":
		err = s.std.print(report.ReplayJSON(r))
	default:
		err = s.std.print(report.ReplayText(r, s.textOptions()))
	}
	switch {
	case err != nil:
		return err
	case r.Unreadable || len(r.Failures) > 0:
		return outcome{status: exitUsage}
	case !r.Matches():
		return outcome{status: exitFindings}
	}
	return nil
}

func newBlame(s settings) *command {
	project, history := "", false
	cmd := newCommand("blame", takes(1, math.MaxInt, "an ARTIFACT"), func(cmd *cobra.Command, args []string) error {
		return s.blame(cmd, args[0], args[1:], project, history)
	})
	cmd.choice(&s.format, "format", "text", "", "text", "json")
	cmd.add(&project, "project", "take the thread of project `NAME` (slug or path)", anyWord)
	cmd.add(&history, "history", "also list what each field was set to before, by whom and when", nil)
	s.mailFlags(cmd)
	return cmd
}

func (s *settings) blame(cmd *cobra.Command, artifact string, paths []string, project string, history bool) error {
	if len(paths) == 0 {
		paths = []string{"."}
	}
	if err := stdinOnce(append(paths, artifact)...); err != nil {
		return err
	}
	box, err := s.open(cmd, paths...)
	if err != nil {
		return err
	}
	defer box.Close()
	r, err := box.Blame(cmd.Context(), artifact, project, history)
	if err != nil {
		return err
	}
	if s.redact {
		r = report.RedactBlame(r)
	}
	if s.format == "json" {
		return s.std.print(report.BlameJSON(r))
	}
	opts := s.textOptions()
	text := report.BlameText(r, opts)
	if pager := findPager(); pager != nil && opts.Width > 0 {
		return s.std.page(pager, text)
	}
	return s.std.print(text)
}

// findPager returns the command of the user's pager, like git: PAGER, else less. With a blank
// PAGER, or cat, there is no pager.
func findPager() []string {
	pager, ok := os.LookupEnv("PAGER")
	if !ok {
		pager = "less"
	}
	words := strings.Fields(pager)
	if len(words) == 0 || words[0] == "cat" {
		return nil
	}
	return words
}

// isOnPath reports whether a program is on the PATH.
func isOnPath(program string) bool {
	_, err := exec.LookPath(program)
	return err == nil
}

// page writes a text through a pager, or without it if it cannot be started. How it ends does not
// count, as with git. less ends by itself where one screen is enough.
func (s streams) page(pager []string, text string) error {
	p := exec.Command(pager[0], pager[1:]...)
	p.Stdin, p.Stdout, p.Stderr = strings.NewReader(text), s.out, s.err
	p.Env = os.Environ()
	if os.Getenv("LESS") == "" {
		p.Env = append(p.Env, "LESS=FRX")
	}
	if p.Start() != nil {
		return s.print(text)
	}
	_ = p.Wait()
	return nil
}
