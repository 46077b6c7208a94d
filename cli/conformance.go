package cli

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	suite "github.com/brennerlint/brennerlint/conformance"
	"github.com/brennerlint/brennerlint/internal/conformance"
	"github.com/brennerlint/brennerlint/internal/conformance/answers"
	"github.com/brennerlint/brennerlint/internal/files"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/lint"
)

// conformanceCommand runs the conformance suite against a command, or answers it.
type conformanceCommand struct {
	std     streams
	rules   lint.Catalogue
	kinds   []string
	cases   []string
	format  string
	badge   string
	serve   bool
	perCase bool
	timeout time.Duration
	files   files.Writer
}

func newConformance(s settings) *cobra.Command {
	c := &conformanceCommand{std: s.std, rules: s.catalogue}
	cmd := command("conformance", cobra.ArbitraryArgs, c.run)
	f := flagsOf(cmd)
	f.list(&c.kinds, "kind", "run only cases of this `KIND`; may be repeated: "+strings.Join(kindNames(), ", "), kindNames)
	f.list(&c.cases, "case", "run only the case `ID`; may be repeated", func() []cobra.Completion { return nil })
	f.choice(&c.format, "format", "text", "", conformance.Formats...)
	c.timeout = 10 * time.Second
	f.add(&c.timeout, "timeout", "the longest `TIME` that one case may take", anyWord)
	f.add(&c.perCase, "per-case", "start the command for each case again", nil)
	f.add(&c.badge, "badge", "also write a badge (a shields.io endpoint) to `FILE`", nil)
	f.add(&c.serve, "serve", "answer cases on standard input with this program", nil)
	return cmd
}

func kindNames() []string {
	out := make([]string, len(suite.Kinds))
	for i, k := range suite.Kinds {
		out[i] = string(k)
	}
	return out
}

func (c *conformanceCommand) run(cmd *cobra.Command, args []string) error {
	if c.serve {
		if err := c.onlyServe(cmd, args); err != nil {
			return err
		}
		return conformance.Serve(cmd.Context(), c.std.in, c.std.out, answers.New(c.rules))
	}
	switch dash := cmd.ArgsLenAtDash(); {
	case len(args) == 0:
		return errors.New("conformance expects -- and the COMMAND to run, or --serve; see `brennerlint conformance --help`")
	case dash != 0:
		return fmt.Errorf("conformance expects the COMMAND after --; got %q before it", args[0])
	case c.timeout <= 0:
		return fmt.Errorf("--timeout is %s; expected a time > 0", c.timeout)
	}
	cases, err := c.selected()
	if err != nil {
		return err
	}
	results, err := conformance.Run(cmd.Context(), cases, conformance.Options{Command: args, PerCase: c.perCase, Timeout: c.timeout})
	if err != nil {
		return err
	}
	report := conformance.NewReport(args, results)
	if err := c.writeBadge(report.Badge()); err != nil {
		return fmt.Errorf("write the badge: %w", err)
	}
	if err := report.Write(c.std.out, c.format); err != nil {
		return err
	}
	if !report.Passed() {
		return exitError(exitFindings)
	}
	return nil
}

// writeBadge writes the badge, if one is asked for.
func (c *conformanceCommand) writeBadge(b conformance.Badge) error {
	if c.badge == "" {
		return nil
	}
	var out bytes.Buffer
	if err := b.Write(&out); err != nil {
		return err
	}
	return c.files.Write(c.badge, out.Bytes())
}

// onlyServe returns an error if --serve is given more.
func (c *conformanceCommand) onlyServe(cmd *cobra.Command, args []string) error {
	for _, name := range []string{"kind", "case", "format", "timeout", "per-case", "badge"} {
		if cmd.Flags().Changed(name) {
			return fmt.Errorf("--serve takes no --%s", name)
		}
	}
	return takes(0, 0, "")(cmd, args)
}

// selected returns the cases that the flags ask for.
func (c *conformanceCommand) selected() ([]*suite.Case, error) {
	all, err := suite.Cases()
	if err != nil {
		return nil, err
	}
	kinds := kindNames()
	for _, k := range c.kinds {
		if !slices.Contains(kinds, k) {
			return nil, unknownValue("--kind", k, kinds)
		}
	}
	byID := make([]string, 0, len(all))
	for _, each := range all {
		byID = append(byID, each.ID)
	}
	for _, id := range c.cases {
		if !slices.Contains(byID, id) {
			return nil, unknownCase(id, byID)
		}
	}
	out := slices.DeleteFunc(all, func(each *suite.Case) bool {
		return len(c.kinds) > 0 && !slices.Contains(c.kinds, string(each.Kind)) || len(c.cases) > 0 && !slices.Contains(c.cases, each.ID)
	})
	if len(out) == 0 {
		return nil, errors.New("no case is of the --kind and the --case")
	}
	return out, nil
}

// unknownCase returns the error for a case that the suite does not have; it does not list
// all that it has.
func unknownCase(id string, known []string) error {
	if best := text.Nearest(id, known); best != "" {
		return fmt.Errorf("unknown --case %q; did you mean %s?", id, best)
	}
	return fmt.Errorf("unknown --case %q; `brennerlint conformance --format tap -- COMMAND` names all", id)
}
