// Package cli is the brennerlint command: flags, commands and wiring. What is
// checked is in lint and rules, how it is shown in report.
//
// [Main] makes a linter of any rules: the catalogue, and your own.
package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/report"
)

// The exit statuses (contract.md, Exit status).
const (
	exitClean    = 0 // nothing at or above --fail-on
	exitFindings = 1 // findings at or above --fail-on
	exitUsage    = 2 // wrong usage or configuration, or an unreadable input
)

// Main is the main function of a brennerlint that checks by rules, usually the catalogue and
// some of your own:
//
//	func main() { cli.Main(append(rules.All(), mine)...) }
//
// It takes flags, configuration, formats, hooks and commands from the arguments of
// the process, and ends it with the exit status of contract.md.
func Main(rules ...*lint.Rule) {
	os.Exit(interruptible(os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr}, rules))
}

// grace is how long an interrupted run may take to end by itself. One that reads
// a pipe without a writer never would.
const grace = time.Second

// interruptible runs the program until it ends, or a signal ends it. A second signal
// ends it at once.
func interruptible(args []string, std streams, rules lint.Catalogue) int {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as nohup does
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	ended := context.AfterFunc(ctx, func() {
		stop()
		time.Sleep(grace)
		os.Exit(std.interrupted())
	})
	defer ended()
	return Run(ctx, args, std.in, std.out, std.err, rules...)
}

// interrupted logs that a signal ended the run, and returns the status to exit with.
func (s streams) interrupted() int {
	s.logf("interrupted")
	return exitUsage
}

// streams are where a command reads and writes.
type streams struct {
	in  io.Reader
	out io.Writer
	err io.Writer
}

// logf writes a notice or an error to standard error, each line with the name of
// the program. It may quote inputs: file names, thread ids, subjects.
func (s streams) logf(format string, args ...any) {
	text := report.Message(fmt.Sprintf(format, args...))
	fmt.Fprintln(s.err, "brennerlint: "+strings.ReplaceAll(text, "\n", "\nbrennerlint: "))
}

// logLines writes notices.
func (s streams) logLines(lines []string) {
	for _, line := range lines {
		s.logf("%s", line)
	}
}

// outcome ends a command with an exit status, perhaps 0. What it has to say has been shown.
type outcome struct {
	status int
	reason string // "" if there is nothing to say
}

// Error is both in words: "exit 1: 3 errors".
func (o outcome) Error() string {
	if o.reason == "" {
		return ""
	}
	return fmt.Sprintf("exit %d: %s", o.status, o.reason)
}

// Run runs the program of [Main] with arguments, without the name of the program, and
// returns its exit status. It ends when the context does.
func Run(ctx context.Context, args []string, in io.Reader, out, errs io.Writer, rules ...*lint.Rule) int {
	std := streams{in, out, errs}
	if err := lint.Catalogue(rules).Validate(); err != nil {
		std.logf("%v", err)
		return exitUsage
	}
	root := newRoot(std, rules)
	root.SetArgs(args)
	var helpErr error // which cobra does not ask for
	root.SetHelpFunc(func(c *cobra.Command, _ []string) { helpErr = writeHelp(std.out, c, false) })
	err := root.ExecuteContext(ctx)
	err = cmp.Or(err, helpErr)
	var ended outcome
	switch {
	case err == nil:
		return exitClean
	case errors.As(err, &ended):
		return ended.status
	case errors.Is(err, syscall.EPIPE), errors.Is(err, io.ErrClosedPipe):
		return exitClean // the reader has seen enough
	case errors.Is(err, context.Canceled):
		return std.interrupted()
	}
	std.logf("%v", err)
	return exitUsage
}

// newRoot returns the program: the check, and the table of the other commands.
func newRoot(std streams, rules lint.Catalogue) *cobra.Command {
	common := settings{std: std, catalogue: rules}
	check := &checkCommand{settings: common}
	root := newCommand("brennerlint", cobra.ArbitraryArgs, check.run)
	root.ValidArgsFunction = cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault) // files beside commands
	root.SilenceErrors, root.SilenceUsage = true, true
	root.Version = programVersion()
	root.SetOut(std.out)
	root.SetErr(std.err)
	root.SetVersionTemplate("brennerlint {{.Version}}\n")
	root.SetFlagErrorFunc(flagError)
	check.flags(root)
	addCommands(root, "Mail and artifacts:", newPresend(common), newWatch(common), newReplay(common), newBlame(common), newCompile(common), newDiff(common))
	addCommands(root, "Rules:", newRules(common), newExplain(common), newConformance(common))
	addCommands(root, "Setup:", newInit(common), newMCP(common), newLSP(common), newCompletion(common), newMan(common), newVersion(common))
	root.SetHelpCommand(newHelp("Setup:").Command)
	return root.Command
}

// addCommands adds commands to another, below a heading of its help.
func addCommands(to *command, heading string, commands ...*command) {
	to.AddGroup(&cobra.Group{ID: heading, Title: heading})
	for _, c := range commands {
		c.GroupID = heading
		to.AddCommand(c.Command)
	}
}
