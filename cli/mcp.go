package cli

import (
	"github.com/spf13/cobra"

	"github.com/brennerlint/brennerlint/internal/mcpserver"
	"github.com/brennerlint/brennerlint/lint"
)

func newMCP(std streams, rules []*lint.Rule) *cobra.Command {
	return &cobra.Command{
		Use:   "mcp",
		Short: "Run the MCP server (stdio)",
		Long: `mcp serves agents by the Model Context Protocol, on standard input and output: a server with
the tools check_message, check_artifact, replay_thread and explain_rule, so that an agent
can check a message before it sends it.`,
		Example: `  claude mcp add brennerlint -- brennerlint mcp`,
		Args:    takes(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return mcpserver.Serve(cmd.Context(), std.in, std.out, mcpserver.Options{Rules: rules, Version: programVersion()})
		},
	}
}
