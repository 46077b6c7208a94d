package cli

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/brennerlint/brennerlint/internal/mcp"
	"github.com/brennerlint/brennerlint/lint"
)

func newMCP(std streams, rules lint.Catalogue) *cobra.Command {
	var root string
	cmd := &cobra.Command{
		Use:     "mcp",
		Short:   "Run the MCP server (stdio)",
		GroupID: groupSetup,
		Long: `mcp serves agents by the Model Context Protocol, on standard input and output: a server with
the tools check_message, check_artifact, replay_thread, compile_thread and explain_rule, so
that an agent can check a message before it sends it. It offers the rules' pages as resources,
and the prompts "repair this draft" and "compile this thread". The tools read files of one
folder only.`,
		Example: `  claude mcp add brennerlint -- brennerlint mcp
  brennerlint mcp --root ~/projects/cell-fate`,
		Args: takes(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if root != "" {
				// Paths in reports, and the search for a configuration, begin there too.
				if err := os.Chdir(root); err != nil {
					return fmt.Errorf("--root: %w", err)
				}
			}
			return mcp.Serve(cmd.Context(), std.in, std.out, mcp.Options{Rules: rules, Version: programVersion()})
		},
	}
	flagsOf(cmd).string(&root, "root", "the `FOLDER` that the tools read, and no other (default: the current folder)", folders)
	return cmd
}
