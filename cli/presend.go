package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/deadline"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/report"
	"github.com/brennerlint/brennerlint/source"
)

// maxDraft bounds what is read of a draft.
const maxDraft = 16 << 20

// presendCommand checks one draft message before it is sent.
type presendCommand struct {
	settings

	hook        string
	thread      []string
	fix         bool
	unsafeFixes bool
	flagFault   error // of a hook; nil if all flags are known and valid
}

func newPresend(s settings) *command {
	p := &presendCommand{settings: s}
	cmd := newCommand("presend", takes(0, 1, "one draft"), p.run)
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		p.flagFault = flagError(cmd, err)
		if p.hook == "" {
			return p.flagFault
		}
		return p.answerHook(cmd, nil) // an error would block the calls of all tools
	})
	cmd.choice(&p.format, "format", "validation-error", "", "validation-error", "text", "json")
	cmd.choice(&p.hook, "hook", "", "answer as a pre-tool hook of `NAME`", agentWords()...)
	cmd.add(&p.thread, "thread", "mail export `PATH` that the draft would join; may be repeated", nil)
	cmd.add(&p.fix, "fix", "print the repaired draft", nil)
	cmd.add(&p.unsafeFixes, "unsafe-fixes", "also apply unsafe fixes (may change the meaning)", nil)
	p.colorFlag(cmd)
	p.redactFlag(cmd)
	p.ruleFlags(cmd)
	p.configFlags(cmd)
	return cmd
}

func (p *presendCommand) run(cmd *cobra.Command, args []string) error {
	if p.hook != "" {
		for _, name := range []string{"format", "fix", "unsafe-fixes", "fail-on"} {
			if cmd.Flags().Changed(name) { // an error would block the calls of all tools
				p.std.logf("--%s has no effect with --hook", name)
			}
		}
		return p.answerHook(cmd, args)
	}
	if p.redact && (p.fix || p.unsafeFixes) {
		return errors.New("--fix prints the draft that --redact hides; use only one of them")
	}
	name, data, err := p.read(args)
	if err := cmp.Or(err, stdinOnce(append(p.thread, name)...)); err != nil {
		return err
	}
	box, err := p.open(cmd, p.thread...)
	if err != nil {
		return err
	}
	defer box.Close()
	if p.fix || p.unsafeFixes {
		return p.repair(cmd.Context(), box, name, data)
	}
	d, err := box.ReviewDraft(cmd.Context(), name, data)
	if err != nil {
		return err
	}
	if err := p.show(d); err != nil {
		return err
	}
	return p.outcome(d.Report)
}

// errLongDraft is the error of a draft that is too long to be checked.
var errLongDraft = fmt.Errorf("larger than %d MiB", maxDraft>>20)

// read reads the draft: the file named, else standard input. Of one that is too long it
// returns the beginning, too.
func (p *presendCommand) read(args []string) (name string, data []byte, err error) {
	in, name := p.std.in, "-"
	if len(args) > 0 && args[0] != "-" {
		name = args[0]
		f, err := os.Open(name)
		if err != nil {
			return "", nil, fmt.Errorf("read draft: %w", err)
		}
		defer f.Close()
		in = f
	}
	data, err = io.ReadAll(io.LimitReader(in, maxDraft+1))
	if err == nil && len(data) > maxDraft {
		err = errLongDraft
	}
	if err != nil {
		err = fmt.Errorf("read draft: %w", err)
	}
	return name, data, err
}

func (p *presendCommand) show(d *lint.Draft) error {
	if p.redact {
		d = report.RedactDraft(d)
	}
	p.std.logLines(d.Notices)
	preview := report.MergePreview(d.Report)
	if p.format == "validation-error" {
		p.std.logLines(preview)
		return p.reply(p.std.out, d)
	}
	opts := p.textOptions()
	opts.Exit = p.outcome(d.Report).Error()
	if err := report.Write(p.std.out, p.format, d.Report, opts); err != nil || p.format == "json" {
		return err
	}
	for _, line := range preview {
		fmt.Fprintln(p.std.out, report.Message(line))
	}
	return nil
}

// reply writes the Validation Error, and to stderr what it leaves out: the warnings of a
// draft that they do not refuse, and on a terminal that a draft is good.
func (p *presendCommand) reply(to io.Writer, d *lint.Draft) error {
	if _, err := io.WriteString(to, report.ValidationError(d, p.refused())); err != nil {
		return err
	}
	p.std.logLines(report.Warnings(d, p.refused()))
	sum := &d.Summary
	switch {
	case !isTerminal(p.std.err) || len(d.Failures) > 0 || sum.Errors > 0 || sum.Warnings > 0:
	case sum.Info > 0:
		p.std.logf("ok: no errors or warnings, %d info; --format text shows it", sum.Info)
	default:
		p.std.logf("ok: no findings")
	}
	return nil
}

// repair prints the draft with its fixes applied, in the form it was given.
func (p *presendCommand) repair(ctx context.Context, box *engine.Mailbox, name string, data []byte) error {
	res, left, err := box.RepairDraft(ctx, name, data, p.unsafeFixes)
	if failure, ok := errors.AsType[*lint.Failure](err); ok {
		return fmt.Errorf("the draft is not repaired: %w", failure)
	}
	if err != nil {
		return err
	}
	if _, err := p.std.out.Write(res.Data); err != nil {
		return err
	}
	if p.format == "validation-error" { // what is left, beside the draft
		err = p.reply(p.std.err, left)
	} else {
		err = report.Write(p.std.err, p.format, left.Report, p.reportOptions())
	}
	if err != nil {
		return err
	}
	return p.outcome(left.Report)
}

// mailboxVariable names the mailbox of hooks in the environment.
const mailboxVariable = "BRENNERLINT_MAILBOX"

// hookTime is how long the check of a hook takes at most, and mailboxTime how long of it
// the mailbox is read: agent programs give a hook ten seconds (agents), and treat a
// timeout as approval.
const (
	hookTime    = 8 * time.Second
	mailboxTime = 5 * time.Second
)

// errLate is the error of a check that takes longer than it may.
var errLate = fmt.Errorf("it takes longer than %s", hookTime)

// answerHook answers a pre-tool hook: it blocks a message with errors, or one that
// could not be checked whole because a rule broke or the time was over. Unrecognised input
// is let through, with a notice. Settings at fault do not turn the hook off.
func (p *presendCommand) answerHook(cmd *cobra.Command, args []string) error {
	letThrough := func(err error) error { //nolint:unparam // what the caller returns: the call goes on
		p.std.logf("the call was not checked: %v", err)
		return nil
	}
	name, data, err := p.read(args)
	if err != nil && !errors.Is(err, errLongDraft) {
		return letThrough(err)
	}
	settingsError := cmp.Or(p.flagFault, p.load(cmd.Flags())) // the message is checked all the same
	passes := p.cfg.Hook.OnFailure == "pass"
	var d *lint.Draft
	var notes []string
	if err == nil {
		ctx, cancel := context.WithTimeoutCause(cmd.Context(), hookTime, errLate)
		defer cancel()
		d, notes, err = p.checkCall(ctx, name, data, p.mailbox())
	}
	if err != nil {
		if (errors.Is(err, errLate) || errors.Is(err, errLongDraft)) && !passes && bodyName().Match(data) {
			p.std.logf("blocked: the message could not be checked (%v); split it into smaller messages", err)
			return outcome{status: exitUsage}
		}
		return letThrough(err)
	}
	if settingsError != nil && d.Hook && d.Sends {
		notes = append(notes, "the settings are at fault: "+settingsError.Error())
	}
	if p.redact {
		d = report.RedactDraft(d)
	}
	failed := len(d.Failures) > 0
	switch {
	case d.Hook && d.Sends && !d.InScope:
		return nil
	case failed && !passes:
		return p.block(d, notes)
	case failed && d.Summary.Errors == 0:
		return letThrough(&d.Failures[0])
	case !d.Hook || d.Unreadable && !d.Sends:
		return letThrough(errors.New("unrecognised hook input (need tool_name and tool_input)"))
	case !d.Sends:
		return nil
	case d.Summary.Errors == 0:
		p.pass(d, notes)
		return nil
	}
	return p.block(d, notes)
}

// bodyName is the name of the member that makes a call ours (decisions.md 36), with any of
// its characters escaped. A call that could not be checked is blocked only if it has this
// member.
var bodyName = text.Pattern(`(?:b|\\u0062)(?:o|\\u006[fF])(?:d|\\u0064)(?:y|\\u0079)(?:_|\\u005[fF])(?:m|\\u006[dD])(?:d|\\u0064)`)

// mailbox returns the mailbox that a message would join, if one is named.
func (p *presendCommand) mailbox() []string {
	if len(p.thread) > 0 {
		return p.thread
	}
	path, ok := os.LookupEnv(mailboxVariable)
	if !ok {
		path = p.cfg.Mailbox()
	}
	switch path {
	case "":
		return nil
	case "-":
		path = "./-" // "-" would be standard input
	}
	return []string{path}
}

// notesOf returns the notices of a draft's check. They leave out texts quoted from a file that
// is no mailbox.
func (p *presendCommand) notesOf(d *lint.Draft) []string {
	if p.redact {
		return report.RedactDraft(d).Notices
	}
	notes := slices.Clone(d.Notices)
	for i := range notes {
		notes[i] = text.Hide(notes[i], d.Quoted, "…")
	}
	return notes
}

// checkCall checks a call: alone and then, if it sends a message of the protocol, with the
// mailbox that it would join. A mailbox that cannot be read is no reason to let the message
// through unchecked, nor to keep it: the message is checked alone, and the notes say so. If the
// time is over by then, what was found alone counts.
func (p *presendCommand) checkCall(ctx context.Context, name string, data []byte, mailbox []string) (d *lint.Draft, notes []string, err error) {
	alone, err := p.inTime(ctx, nil, (*engine.Mailbox).CheckDraft, name, data)
	if err != nil || !alone.Hook || !alone.Sends || !alone.InScope {
		return alone, nil, err
	}
	if len(mailbox) > 0 {
		if d, err = p.reviewWith(ctx, mailbox, mailboxTime, name, data); err == nil {
			return d, p.notesOf(d), nil
		}
		notes = append(notes, fmt.Sprintf("the mailbox cannot be read: %v", err), "the draft was checked alone")
	}
	d, err = p.inTime(ctx, nil, (*engine.Mailbox).ReviewDraft, name, data)
	if errors.Is(err, errLate) {
		return alone, append(notes, "the draft was checked alone: there was no time for more"), nil
	}
	return d, notes, err
}

// reviewWith checks a message with its mailbox, if that can be read in time.
func (p *presendCommand) reviewWith(ctx context.Context, mailbox []string, limit time.Duration, name string, data []byte) (*lint.Draft, error) {
	for _, path := range mailbox {
		info, err := os.Stat(path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, source.Reason(err))
		}
		if !info.IsDir() && !info.Mode().IsRegular() {
			return nil, fmt.Errorf("%s is neither a file nor a folder", path)
		}
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("reading it takes longer than %s", limit))
	defer cancel()
	return p.inTime(ctx, mailbox, (*engine.Mailbox).ReviewDraft, name, data)
}

// inTime opens a mailbox and checks a draft with it until the context is done. The check may go
// on then: a hook ends soon.
func (p *presendCommand) inTime(ctx context.Context, mailbox []string, check func(*engine.Mailbox, context.Context, string, []byte) (*lint.Draft, error), name string, data []byte) (*lint.Draft, error) {
	return deadline.Run(ctx, func(ctx context.Context) (*lint.Draft, error) {
		box, err := engine.Open(ctx, p.rules, p.opts, mailbox...)
		if err != nil {
			return nil, err
		}
		defer box.Close()
		return check(box, ctx, name, data)
	})
}

// block refuses the call: the reason on standard error, exit status 2.
func (p *presendCommand) block(d *lint.Draft, notes []string) error {
	if _, err := io.WriteString(p.std.err, report.ValidationError(d, lint.Error)); err != nil {
		return err
	}
	p.std.logLines(notes)
	return outcome{status: exitUsage}
}

// pass lets the call through. Claude Code reads JSON on standard output then, and
// shows warnings to the user and the agent.
func (p *presendCommand) pass(d *lint.Draft, notes []string) {
	p.std.logLines(notes)
	if p.cfg.Hook.Warnings != "show" || p.hook != "claude" {
		return
	}
	var out struct {
		SystemMessage string `json:"systemMessage"`
		Output        struct {
			Event   string `json:"hookEventName"`
			Context string `json:"additionalContext"`
		} `json:"hookSpecificOutput"`
	}
	out.SystemMessage = report.HookWarnings(d, notes)
	if out.SystemMessage == "" {
		return
	}
	out.Output.Event, out.Output.Context = "PreToolUse", out.SystemMessage
	if err := json.NewEncoder(p.std.out).Encode(&out); err != nil {
		p.std.logf("write warnings: %v", err)
	}
}
