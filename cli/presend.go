package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/fix"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/report"
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

func newPresend(s settings) *cobra.Command {
	p := &presendCommand{settings: s}
	cmd := command("presend", takes(0, 1, "one draft"), p.run)
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		p.flagFault = flagError(cmd, err)
		if p.hook == "" {
			return p.flagFault
		}
		return p.answerHook(cmd, nil) // an error would block the calls of all tools
	})
	f := flagsOf(cmd)
	f.choice(&p.format, "format", "validation-error", "", "validation-error", "text", "json")
	f.choice(&p.hook, "hook", "", "answer as a pre-tool hook of `NAME`", agentWords()...)
	f.add(&p.thread, "thread", "mail export `PATH` that the draft would join; may be repeated", nil)
	f.add(&p.fix, "fix", "print the repaired draft", nil)
	f.add(&p.unsafeFixes, "unsafe-fixes", "also apply unsafe fixes (may change the meaning)", nil)
	p.colorFlag(f)
	p.redactFlag(f)
	p.ruleFlags(f)
	p.configFlags(f)
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
	if err != nil {
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
	return p.outcome(d.Report).err()
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
	opts := p.reportOptions()
	switch p.format {
	case "json":
		return report.Write(p.std.out, "json", d.Report, opts)
	case "text":
		opts.Exit = p.outcome(d.Report).String()
		p.terminal(&opts)
		if err := report.Write(p.std.out, "text", d.Report, opts); err != nil {
			return err
		}
		for _, line := range report.MergePreview(d.Report) {
			fmt.Fprintln(p.std.out, report.Message(line))
		}
		return nil
	default:
		p.std.logLines(report.MergePreview(d.Report))
		return p.reply(p.std.out, d)
	}
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
	res, err := fix.All(data, p.unsafeFixes, fix.OfDraft(ctx, name, box.CheckDraft))
	if failure, ok := errors.AsType[*lint.Failure](err); ok {
		return fmt.Errorf("the draft is not repaired: %w", failure)
	}
	if err != nil {
		return err
	}
	if _, err := p.std.out.Write(res.Data); err != nil {
		return err
	}
	left, err := box.ReviewDraft(ctx, name, res.Data)
	if err != nil {
		return err
	}
	res.Explain(left.Findings)
	if p.format == "validation-error" { // what is left, beside the draft
		err = p.reply(p.std.err, left)
	} else {
		err = report.Write(p.std.err, p.format, left.Report, p.reportOptions())
	}
	if err != nil {
		return err
	}
	return p.outcome(left.Report).err()
}
