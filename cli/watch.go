package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/config"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/internal/watch"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/report"
)

// watchCommand checks again what changes.
type watchCommand struct {
	settings

	command         string
	commandArgs     []string
	onceClean       bool
	validationError bool
	poll            time.Duration

	watched         []string // the paths
	noticed         map[string]bool
	previous        engine.Previous   // what the last check left
	source          string            // of the configuration then
	settingsError   string            // why the settings cannot be read, "" if they can
	checkedMessages map[mail.Ref]bool // since the last report
}

func newWatch(s settings) *command {
	w := &watchCommand{settings: s, poll: 2 * time.Second, noticed: map[string]bool{}, checkedMessages: map[mail.Ref]bool{}}
	cmd := newCommand("watch", cobra.ArbitraryArgs, w.run)
	cmd.choice(&w.format, "format", "text", "", "text", "json")
	cmd.add(&w.poll, "poll", "poll interval, a `TIME` such as 500ms", anyWord)
	w.baselineFlag(cmd)
	w.redactFlag(cmd)

	cmd.heading = "Events"
	cmd.add(&w.command, "exec", "run the program `CMD` for each event, with the event as JSON on its standard input", anyWord)
	cmd.add(&w.commandArgs, "exec-arg", "give the program of --exec the argument `ARG`; may be repeated", anyWord)
	cmd.add(&w.onceClean, "once-clean", "end with status 0 as soon as nothing at or above --fail-on is left", nil)
	cmd.add(&w.validationError, "validation-error", "print the Validation Error reply to each new message with errors, ready to be sent", nil)

	w.ruleFlags(cmd)
	w.inputFlags(cmd)
	w.kindFlag(cmd)
	w.configFlags(cmd)
	return cmd
}

func (w *watchCommand) run(cmd *cobra.Command, args []string) error {
	switch {
	case w.poll < time.Millisecond:
		return fmt.Errorf("--poll is %s; expected a time >= 1ms", w.poll)
	case w.command == "" && len(w.commandArgs) > 0:
		return errors.New("--exec-arg has no effect without --exec")
	case slices.Contains(args, "-"):
		return errors.New("standard input can be read only once; watch expects files and folders")
	}
	reload := func() error { return w.reload(cmd.Flags(), args) }
	if err := reload(); err != nil {
		return err
	}
	if w.command != "" {
		if _, err := exec.LookPath(w.command); err != nil {
			return fmt.Errorf("--exec: %w", err)
		}
	}
	defer w.previous.Close()
	notifier, err := watch.NewNotifier(w.poll)
	if err != nil {
		w.std.logf("the system reports no changes (%v); looking for them every %s", err, w.poll)
	}
	defer notifier.Close()
	last, err := watch.Run(cmd.Context(), watch.Options{
		Look: func(ctx context.Context) (watch.Look, error) {
			look, err := watch.LookAt(ctx, w.watched, w.opts)
			for _, path := range w.settingFiles() {
				look.Add(path)
			}
			notifier.Follow(look, w.watched)
			return look, err
		},
		Check: func(ctx context.Context) (*lint.Report, map[mail.Ref]bool, error) {
			switch err := reload(); { // settings at fault change nothing
			case err == nil:
				w.settingsError = ""
			case err.Error() != w.settingsError:
				w.settingsError = err.Error()
				w.std.logf("keeping the previous settings: %v", err)
			}
			return w.check(ctx)
		},
		Wait:    notifier.Wait,
		Report:  w.report,
		OnError: func(err error) { w.std.logf("%v; waiting for the next change", err) },
	})
	if err != nil {
		return err
	}
	return w.outcome(last)
}

// reload reads the settings. If they are at fault, the ones before stay.
func (w *watchCommand) reload(flags *pflag.FlagSet, args []string) error {
	before := w.setup
	if err := w.load(flags); err != nil {
		before.ruleFiles = w.ruleFiles // the fault may be in one of them
		w.setup = before
		return err
	}
	w.watched = w.paths(args)
	if source := w.cfg.Source(); source != w.source {
		w.previous.Close()
		w.source = source
	}
	return nil
}

// settingFiles returns the files that the settings are in: the configuration, the files
// with rules that it includes, and the baseline.
func (w *watchCommand) settingFiles() []string {
	out := []string{w.baseline}
	if file := w.configPath; !w.noConfig {
		if file == "" {
			file, _ = config.Find(".") // it may be that there is none
		}
		out = append(out, relative(file))
		dir := filepath.Dir(file)
		for _, glob := range w.ruleFiles {
			names, _ := fs.Glob(os.DirFS(dir), path.Clean(filepath.ToSlash(glob)))
			for _, name := range names {
				out = append(out, relative(filepath.Join(dir, name)))
			}
		}
	}
	return slices.DeleteFunc(out, func(path string) bool { return path == "" })
}

// check checks all paths.
func (w *watchCommand) check(ctx context.Context) (*lint.Report, map[mail.Ref]bool, error) {
	messages := w.checkedMessages
	var mu sync.Mutex
	opts := w.opts
	if opts.Baseline != nil {
		opts.Baseline.Today = time.Now()
	}
	if w.validationError {
		opts.Trace = &engine.Trace{Message: func(m mail.Ref) {
			mu.Lock()
			defer mu.Unlock()
			messages[mail.Ref{Project: strings.Clone(m.Project), Thread: strings.Clone(m.Thread), ID: strings.Clone(m.ID)}] = true
		}}
	}
	box, err := w.previous.Open(ctx, w.rules, opts, w.watched...)
	if err != nil {
		return nil, nil, err
	}
	defer box.Close()
	rep, err := box.Check(ctx)
	if err == nil && w.redact {
		rep = report.Redact(rep)
	}
	return rep, messages, err
}

// report prints what a check found that is new or resolved.
func (w *watchCommand) report(ctx context.Context, r *watch.Round) (bool, error) {
	w.checkedMessages = map[mail.Ref]bool{}
	for _, n := range slices.Concat(r.Report.Notices, failuresOf(r.Report)) {
		w.notice(n)
	}
	var events []report.Event
	for _, f := range r.Resolved {
		events = append(events, report.Event{Event: report.Resolved, Finding: f})
	}
	for _, f := range r.Appeared {
		events = append(events, report.Event{Event: report.Appeared, First: r.First, Finding: f})
	}
	for _, m := range r.Replies {
		body := report.ValidationReply(m.Message.ID, m.Findings, w.refused())
		if w.validationError && body != "" {
			events = append(events, report.Event{Event: report.Reply, Thread: m.Message.Thread, MessageID: m.Message.ID, Body: body})
		}
	}
	for _, event := range events {
		if err := w.print(ctx, event); err != nil {
			return true, err
		}
	}
	if w.format == "text" && (r.First || len(r.Resolved)+len(r.Appeared) > 0) {
		line := report.Summary(r.Report)
		if !r.First {
			line = fmt.Sprintf("%s: %d appeared, %d resolved; %s", changedPaths(r.Changed), len(r.Appeared), len(r.Resolved), line)
		}
		if _, err := fmt.Fprintln(w.std.out, report.Message(line)); err != nil {
			return true, err
		}
	}
	return w.onceClean && w.outcome(r.Report).status == exitClean, nil
}

// changedPaths names the files that changed, of many the first.
func changedPaths(paths []string) string {
	if len(paths) == 0 {
		return "read again"
	}
	line := paths[0]
	if n := len(paths) - 1; n > 0 {
		line += " and " + text.Count(n, "other file", "other files")
	}
	return line + " changed"
}

// notice writes a notice that was not written before.
func (w *watchCommand) notice(text string) {
	if !w.noticed[text] {
		w.noticed[text] = true
		w.std.logf("%s", text)
	}
}

// print prints an event, and runs the program for it.
func (w *watchCommand) print(ctx context.Context, e report.Event) error {
	line := e.JSON()
	printed := string(line)
	if w.format == "text" {
		printed = e.Text()
	}
	if _, err := io.WriteString(w.std.out, printed); err != nil {
		return err
	}
	if w.command == "" || ctx.Err() != nil {
		return nil //nolint:nilerr // it is the caller that ends
	}
	// No shell is involved, and no part of the event is in the arguments.
	program := exec.CommandContext(ctx, w.command, w.commandArgs...)
	program.Stdin, program.Stdout, program.Stderr, program.WaitDelay = bytes.NewReader(line), w.std.err, w.std.err, lastWords
	if err := program.Run(); err != nil && ctx.Err() == nil {
		w.std.logf("%s: %v", w.command, err)
	}
	return nil
}

// lastWords is how long an interrupted program may keep its streams open.
const lastWords = 200 * time.Millisecond
