package cli

import (
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
)

// conformanceCommand runs the conformance suite against a command, or answers it.
type conformanceCommand struct {
	settings

	kinds words
	cases words
	badge string
	serve bool
	opts  conformance.Options
}

func newConformance(s settings) *command {
	c := &conformanceCommand{settings: s, opts: conformance.Options{Timeout: 10 * time.Second}}
	cmd := newCommand("conformance", cobra.ArbitraryArgs, c.run)
	cmd.add(&c.kinds, "kind", "run only cases of this `KIND`; may be repeated: "+strings.Join(kindNames(), ", "), listOf(kindNames))
	cmd.add(&c.cases, "case", "run only the case `ID`; may be repeated", anyWord)
	cmd.choice(&c.format, "format", "text", "", conformance.Formats...)
	cmd.add(&c.opts.Timeout, "timeout", "the longest `TIME` that one case may take", anyWord)
	cmd.add(&c.opts.PerCase, "per-case", "start the command for each case again", nil)
	cmd.add(&c.badge, "badge", "also write a badge (a shields.io endpoint) to `FILE`", nil)
	cmd.add(&c.serve, "serve", "answer cases on standard input with this program", nil)
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
		for _, name := range []string{"kind", "case", "format", "timeout", "per-case", "badge"} {
			if cmd.Flags().Changed(name) {
				return fmt.Errorf("--serve takes no --%s", name)
			}
		}
		if len(args) > 0 {
			return fmt.Errorf("--serve takes no COMMAND; got %q", args[0])
		}
		return conformance.Serve(cmd.Context(), c.std.in, c.std.out, answers.New(c.catalogue))
	}
	switch dash := cmd.ArgsLenAtDash(); {
	case len(args) == 0:
		return errors.New("conformance expects -- and the COMMAND to run, or --serve; see `brennerlint conformance --help`")
	case dash != 0:
		return fmt.Errorf("conformance expects the COMMAND after --; got %q before it", args[0])
	case c.opts.Timeout <= 0:
		return fmt.Errorf("--timeout is %s; expected a time > 0", c.opts.Timeout)
	}
	cases, err := c.selectedCases()
	if err != nil {
		return err
	}
	c.opts.Command = args
	results, err := conformance.Run(cmd.Context(), cases, c.opts)
	if err != nil {
		return err
	}
	report := conformance.NewReport(args, results)
	if c.badge != "" {
		if err := files.WriteFrom(c.badge, report.Badge().Write); err != nil {
			return fmt.Errorf("write badge %s: %w", c.badge, err)
		}
	}
	if err := report.Write(c.std.out, c.format); err != nil {
		return err
	}
	if !report.Passed() {
		return outcome{status: exitFindings}
	}
	return nil
}

// selectedCases returns the cases that the flags ask for.
func (c *conformanceCommand) selectedCases() ([]*suite.Case, error) {
	all, err := suite.Cases()
	if err != nil {
		return nil, err
	}
	kinds, ids := kindNames(), make([]string, len(all))
	for i, each := range all {
		ids[i] = each.ID
	}
	for _, k := range c.kinds {
		if !slices.Contains(kinds, k) {
			return nil, text.Unknown("--kind", k, kinds)
		}
	}
	for _, id := range c.cases {
		if slices.Contains(ids, id) {
			continue
		}
		if best := text.Nearest(id, ids); best != "" {
			return nil, fmt.Errorf("unknown --case %q; did you mean %s?", id, best)
		}
		return nil, fmt.Errorf("unknown --case %q; `brennerlint conformance --format tap -- COMMAND` names all", id)
	}
	out := slices.DeleteFunc(all, func(each *suite.Case) bool {
		return len(c.kinds) > 0 && !slices.Contains(c.kinds, string(each.Kind)) || len(c.cases) > 0 && !slices.Contains(c.cases, each.ID)
	})
	if len(out) == 0 {
		return nil, errors.New("no case is of the --kind and the --case")
	}
	return out, nil
}
