package cli

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/engine"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/report"
)

// diffCommand compares two artifacts.
type diffCommand struct {
	settings

	mail    []string
	project string
}

func newDiff(s settings) *command {
	c := &diffCommand{settings: s}
	cmd := newCommand("diff", takes(2, 2, "two artifacts or versions, A and B"), c.run)
	cmd.choice(&c.format, "format", "text", "", "text", "json", "markdown")
	cmd.add(&c.mail, "mail", "mail `PATH` that has the threads of A and B (default: the current folder); may be repeated", nil)
	cmd.add(&c.project, "project", "take threads of project `NAME` (slug or path)", anyWord)
	c.colorFlag(cmd)
	c.inputFlags(cmd)
	c.configFlags(cmd)
	return cmd
}

func (c *diffCommand) run(cmd *cobra.Command, args []string) error {
	if err := cmp.Or(stdinOnce(slices.Concat(args, c.mail)...), c.load(cmd.Flags())); err != nil {
		return err
	}
	if len(c.mail) == 0 {
		c.mail = []string{"."}
	}
	var sides [2]*side
	for i, name := range args {
		var err error
		if sides[i], err = c.side(cmd.Context(), name); err != nil {
			return err
		}
	}
	a, b := sides[0], sides[1]
	for i, s := range sides {
		if err := c.readThread(cmd.Context(), s, sides[1-i]); err != nil {
			return err
		}
	}
	out := &report.Comparison{A: a.described(), B: b.described(), Changes: engine.Diff(a.version, b.version)}
	var shown string
	switch c.format {
	case "json":
		shown = report.DiffJSON(out)
	case "markdown":
		shown = report.DiffMarkdown(out)
	default:
		shown = report.DiffText(out, c.textOptions())
	}
	err := c.std.print(shown)
	if err == nil && len(out.Changes) > 0 {
		return outcome{status: exitFindings}
	}
	return err
}

// side is one side of a comparison.
type side struct {
	name    string   // as given
	ref     mail.Ref // of a thread
	number  int      // of the version of the thread, 0 for the thread as it is now
	isMail  bool     // it names mail that has the thread of the other side
	version *engine.Version
}

// side reads an artifact file, or the name of a thread.
func (c *diffCommand) side(ctx context.Context, name string) (*side, error) {
	s := &side{name: name}
	if _, err := os.Lstat(name); err != nil && name != "-" {
		return s, s.parse()
	}
	box, err := engine.Open(ctx, c.rules, c.opts, name)
	if err != nil {
		return nil, err
	}
	defer box.Close()
	if s.version, err = box.ArtifactVersion(ctx); s.version != nil {
		s.ref.Thread = s.version.Thread
	}
	s.isMail = s.version == nil
	inputs, _ := box.Inputs()
	if err == nil && s.isMail && len(inputs) > 0 && !slices.ContainsFunc(inputs, func(in engine.Input) bool { return in.Kind == engine.AsMail }) {
		err = fmt.Errorf("%s is neither one artifact nor mail", text.QuotePath(name))
	}
	return s, err
}

// parse reads the name of a thread, or of a version of it.
func (s *side) parse() error {
	if ext := filepath.Ext(s.name); ext == ".md" || ext == ".json" || strings.ContainsAny(s.name, `/\`) {
		return fmt.Errorf("no file named %s", text.Quote(s.name))
	}
	thread, version, ok := strings.Cut(s.name, "@")
	if s.ref.Thread = thread; !ok && thread != "" {
		return nil
	}
	version = strings.TrimPrefix(strings.ToLower(version), "v")
	n, digits := session.ParseVersion(version)
	if s.number = n; thread == "" || digits == 0 || digits < len(version) {
		return fmt.Errorf("%s is neither a file nor a version of a thread such as RS-20251230-cell-fate@v1", text.Quote(s.name))
	}
	return nil
}

// readThread reads a side that is a thread: from its own mail or that of the other side, else
// from --mail.
func (c *diffCommand) readThread(ctx context.Context, s, other *side) error {
	if s.version != nil {
		return nil
	}
	from := c.mail
	if s.isMail {
		if s.ref.Thread = other.ref.Thread; s.ref.Thread == "" {
			return fmt.Errorf("%s is mail; the other side must be an artifact or a thread of it", s.name)
		}
		from = []string{s.name}
	} else if other.isMail {
		from = []string{other.name}
	}
	box, err := engine.Open(ctx, c.rules, c.opts, from...)
	if err != nil {
		return err
	}
	defer box.Close()
	thread, err := box.Thread(ctx, mail.Ref{Project: c.project, Thread: s.ref.Thread})
	if err != nil {
		return err
	}
	s.version, err = thread.Version(s.number)
	return err
}

// described says what a side is.
func (s *side) described() report.DiffSide {
	v := s.version
	out := report.DiffSide{Name: s.name, Thread: v.Thread, Version: v.Number, MessageID: v.MessageID}
	switch {
	case v.IsFile:
		out.What = s.name
		if v.Number > 0 {
			out.What += fmt.Sprintf(", version %d", v.Number)
		}
	case v.Number > 0 && v.Merged:
		out.What = fmt.Sprintf("thread %s, v%d as merged; message %s holds no artifact", v.Thread, v.Number, v.MessageID)
	case v.Number > 0:
		out.What = fmt.Sprintf("thread %s, v%d as message %s published it", v.Thread, v.Number, v.MessageID)
	default:
		out.What = fmt.Sprintf("thread %s now, with %s", v.Thread, text.Count(v.Pending, "pending delta", "pending deltas"))
	}
	return out
}
