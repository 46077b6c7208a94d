package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/report"
)

// diffCommand compares two artifacts.
type diffCommand struct {
	settings

	mail    []string
	project string
}

func newDiff(std streams, rules []*lint.Rule) *cobra.Command {
	c := &diffCommand{settings: settings{std: std, rules: rules}}
	cmd := &cobra.Command{
		Use:     "diff [flags] A B",
		Short:   "Compare two artifacts, item by item and field by field",
		GroupID: groupMail,
		Long: `diff prints in which items and fields two artifacts differ. A and B are each an artifact
file, a thread as it is now (RS-20251230-cell-fate), a version of a thread as it was
published (RS-20251230-cell-fate@v1), or mail that has the thread of the other one.

The exit status is 0 if they are the same, 1 if they differ.`,
		Example: `  brennerlint diff artifacts/RS-20251230-cell-fate.md mailbox/
  brennerlint diff --mail mail/ RS-20251230-cell-fate@v1 artifacts/RS-20251230-cell-fate.md
  brennerlint diff --format markdown artifacts/RS-20251230-cell-fate.md mailbox/`,
		Args: takes(2, 2, "two artifacts or versions, A and B"),
		RunE: c.run,
	}
	f := flagsOf(cmd)
	f.choice(&c.format, "format", "text", "", "text", "json", "markdown")
	f.strings(&c.mail, "mail", "mail `PATH` that has the threads of A and B (default: the current folder); may be repeated", nil)
	f.string(&c.project, "project", "take threads of the project `NAME`, its slug or its path, where several have them", anyWord)
	c.colorFlag(f)
	c.inputFlags(f)
	c.configFlags(f)
	return cmd
}

func (c *diffCommand) run(cmd *cobra.Command, args []string) error {
	opts, _, err := c.options(cmd.Flags(), c.rules)
	if err != nil {
		return err
	}
	if len(c.mail) == 0 {
		c.mail = []string{"."}
	}
	r, err := engine.MustNew(c.rules, opts).Diff(cmd.Context(), engine.DiffOptions{A: args[0], B: args[1], Project: c.project}, c.mail...)
	if err != nil {
		return err
	}
	out := &report.Comparison{A: sideOf(&r.A), B: sideOf(&r.B), Changes: r.Changes}
	switch c.format {
	case "json":
		err = report.DiffJSON(c.std.out, out)
	case "markdown":
		err = report.DiffMarkdown(c.std.out, out)
	default:
		ropts := c.reportOptions()
		c.terminal(c.std.out, &ropts)
		err = report.DiffText(c.std.out, out, ropts)
	}
	if err == nil && len(r.Changes) > 0 {
		return exitError(exitFindings)
	}
	return err
}

// sideOf says what one side is.
func sideOf(s *engine.DiffSide) report.DiffSide {
	out := report.DiffSide{Name: s.Name, Thread: s.Thread, Version: s.Version, MessageID: s.MessageID}
	switch {
	case s.IsArtifact():
		out.What = s.Name
		if s.Version > 0 {
			out.What += fmt.Sprintf(", version %d", s.Version)
		}
	case s.Version > 0:
		out.What = fmt.Sprintf("thread %s, v%d as message %s published it", s.Thread, s.Version, s.MessageID)
		if s.Merged {
			out.What = fmt.Sprintf("thread %s, v%d as merged; message %s holds no artifact", s.Thread, s.Version, s.MessageID)
		}
	default:
		out.What = fmt.Sprintf("thread %s now, with %s", s.Thread, text.Count(s.Pending, "pending delta", "pending deltas"))
	}
	return out
}
