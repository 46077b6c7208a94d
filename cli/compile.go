package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/files"
	"github.com/brennerlint/brennerlint/report"
)

// compileCommand prints the COMPILED that publishes a version of a thread.
type compileCommand struct {
	settings

	thread      mail.Ref
	compile     replay.CompileOptions
	at          string
	output      string
	force       bool
	keepUnknown bool
}

func newCompile(s settings) *command {
	c := &compileCommand{settings: s}
	cmd := newCommand("compile", takes(1, math.MaxInt, "MAIL: an export with the thread"), c.run)
	cmd.choice(&c.format, "format", "markdown", "what to print", "markdown", "json", "artifact")
	cmd.add(&c.output, "output,o", "write to `FILE` instead of standard output", nil)
	cmd.add(&c.thread.Thread, "thread", "compile the thread `ID` (default: the only one)", anyWord)
	cmd.add(&c.thread.Project, "project", "compile the thread of project `NAME` (slug or path)", anyWord)
	cmd.add(&c.compile.Version, "version", "compile version `N`: the next (default), or a published one as it should be", anyWord)
	cmd.add(&c.compile.Compiler, "compiler", "`NAME` of the publishing agent (default: who published before, or sent the KICKOFF)", anyWord)
	cmd.add(&c.at, "at", "`TIME` of the compilation in ISO 8601 (default: that of the latest message)", anyWord)
	cmd.add(&c.force, "force", "also publish fields with a CONFLICT and sections with too few items", nil)
	cmd.add(&c.keepUnknown, "keep-unknown", "keep the text of an existing artifact FILE that no delta knows: comments, remarks, sections and fields", nil)
	c.inputFlags(cmd)
	c.configFlags(cmd)
	return cmd
}

func (c *compileCommand) run(cmd *cobra.Command, args []string) error {
	if err := c.prepare(cmd); err != nil {
		return err
	}
	box, err := c.open(cmd, args...)
	if err != nil {
		return err
	}
	defer box.Close()
	thread, err := box.Thread(cmd.Context(), c.thread)
	if err == nil {
		err = thread.Err()
	}
	if err == nil && c.format != "artifact" { // an artifact may be among the inputs
		err = box.Overwrites(c.output)
	}
	if err != nil {
		return err
	}
	c.std.logLines(box.Notices())
	r, err := thread.Compile(c.compile)
	var nothing *replay.NothingError
	switch {
	case errors.As(err, &nothing):
		c.std.logf("%v", nothing)
		c.std.logLines(report.NotApplied(nothing.NotApplied))
		return outcome{status: exitFindings}
	case err != nil:
		return err
	}
	ready := r.Publishable() || c.force
	if !ready {
		c.std.logf("v%d of thread %s is not ready to be published; --force publishes it all the same", r.Version, r.Thread)
		c.std.logLines(r.Obstacles())
	}
	c.std.logLines(r.Notes())
	c.std.logLines(report.NotApplied(r.NotApplied))
	if !ready {
		return outcome{status: exitFindings}
	}
	return c.write(cmd.Context(), r)
}

// prepare reads the flags that are not words of a choice.
func (c *compileCommand) prepare(cmd *cobra.Command) error {
	if cmd.Flags().Changed("compiler") && strings.TrimSpace(c.compile.Compiler) == "" {
		return errors.New("--compiler is empty; expected the name of an agent")
	}
	if c.output == "-" {
		c.output = ""
	}
	if c.keepUnknown && (c.format != "artifact" || c.output == "") {
		return errors.New("--keep-unknown works with --format artifact and --output only")
	}
	if !cmd.Flags().Changed("at") {
		return nil
	}
	at, ok := brenner.ParseISO(c.at)
	if !ok || !at.HasTime {
		return fmt.Errorf("--at is %q; expected an ISO 8601 time such as %s", c.at, "2025-12-30T14:00:00Z")
	}
	c.compile.At = at.Time
	return nil
}

// write prints the result, or writes it to the file of --output.
func (c *compileCommand) write(ctx context.Context, r *replay.Compiled) error {
	data := r.Artifact
	switch c.format {
	case "json":
		data = []byte(report.MessageJSON(r.CompiledMessage))
	case "markdown":
		data = []byte(report.MessageMarkdown(r.CompiledMessage))
	}
	if c.output == "" {
		return c.std.printData(string(data))
	}
	if info, err := os.Stat(c.output); err == nil && info.Mode().IsRegular() { // a pipe has nothing to lose
		switch kind := c.outputKind(ctx); {
		case kind == engine.AsMail:
			return fmt.Errorf("%s is not written: it is mail; write to another file", c.output)
		case c.format == "artifact":
			return c.update(r)
		case kind == engine.AsArtifact:
			return fmt.Errorf("%s is not written: it is an artifact; add --format artifact, or write to another file", c.output)
		}
	}
	if err := files.Write(c.output, data); err != nil {
		return fmt.Errorf("write %s: %w", c.output, err)
	}
	return nil
}

// outputKind returns what the file of --output is; 0 if it is none of ours, or a message in
// Markdown, which may hold an artifact.
func (c *compileCommand) outputKind(ctx context.Context) engine.Kind {
	data, err := os.ReadFile(c.output)
	if err != nil || bytes.HasPrefix(data, []byte("Subject:")) {
		return 0
	}
	box, err := engine.OpenContent(ctx, c.rules, engine.Options{}, c.output, data)
	if err != nil {
		return 0
	}
	defer box.Close()
	if inputs, _ := box.Inputs(); len(inputs) > 0 {
		return inputs[0].Kind
	}
	return 0
}

// update writes the artifact over that of a file. The file must still be what was read.
func (c *compileCommand) update(r *replay.Compiled) error {
	old, err := os.ReadFile(c.output)
	if err != nil {
		return fmt.Errorf("read %s: %w", c.output, err)
	}
	data, err := r.Update(old, c.keepUnknown)
	if err != nil {
		return fmt.Errorf("%s is not written: %w", c.output, err)
	}
	if bytes.Equal(old, data) {
		return nil
	}
	if err := files.Replace(files.Named(c.output), old, data); err != nil {
		return fmt.Errorf("write %s: %w", c.output, err)
	}
	return nil
}
