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
			return exitError(exitUsage)
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
	return exitError(exitUsage)
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
	answer, err := json.Marshal(&out)
	if err == nil {
		_, err = fmt.Fprintf(p.std.out, "%s\n", answer)
	}
	if err != nil {
		p.std.logf("write warnings: %v", err)
	}
}
