package cli

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/brennerlint/brennerlint/internal/lsp"
	"github.com/brennerlint/brennerlint/lint"
)

func newLSP(std streams, rules lint.Catalogue) *cobra.Command {
	s := &settings{std: std, rules: rules}
	cmd := &cobra.Command{
		Use:     "lsp",
		Short:   "Run the language server (stdio)",
		GroupID: groupSetup,
		Long: `lsp serves editors by the Language Server Protocol 3.17, on standard input and output: it
checks artifacts, drafts, messages and threads while they are written. It reads the
configuration of the workspace folder, again whenever it changes, and writes no file:
edits are made by the editor. Relative paths of flags are from the workspace folder.
docs/editors.md has the settings of editors.`,
		Example: `  brennerlint lsp
  brennerlint lsp --baseline .brennerlint-baseline.json`,
		Args: takes(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			tuneGC()
			opts := lsp.Options{Rules: rules, Version: programVersion()}
			opts.Load = func(root string) (lsp.Settings, error) {
				if root != "" {
					// Paths of findings, and the search for a configuration, begin there.
					if err := os.Chdir(root); err != nil {
						return lsp.Settings{}, fmt.Errorf("open the workspace folder: %w", err)
					}
				}
				o, cfg, err := s.options(cmd.Flags(), rules)
				o.GitIgnore = true
				return lsp.Settings{Options: o, Rules: s.rules, RuleFiles: s.ruleFiles, Paths: checked(nil, cfg)}, err
			}
			err := lsp.Serve(cmd.Context(), std.in, std.out, opts)
			if errors.Is(err, lsp.ErrNoShutdown) {
				return exitError(exitFindings) // as the protocol says
			}
			return err
		},
	}
	f := flagsOf(cmd)
	s.baselineFlag(f)
	s.excludeFlag(f)
	s.ruleFlags(f)
	s.configFlags(f)
	f.Bool("stdio", true, "serve on standard input and output, as always") // clients add it
	f.Lookup("stdio").Hidden = true
	f.Lookup("fail-on").Hidden = true // the rest of the flags for rules hold
	return cmd
}
