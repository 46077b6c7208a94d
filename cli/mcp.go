package cli

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"
)

// mcpServer is the program that serves agents. It is a module of its own (mcp/):
// the library of the Model Context Protocol would make this binary half as
// large again.
const mcpServer = "brennerlint-mcp"

func newMCP(std streams) *cobra.Command {
	return &cobra.Command{
		Use:   "mcp",
		Short: "Run the MCP server (stdio)",
		Long: `mcp starts ` + mcpServer + `, which is in the folder of brennerlint or on the PATH: a server with the
tools check_message, check_artifact, replay_thread and explain_rule, so that an agent can
check a message before it sends it.`,
		Example: `  claude mcp add brennerlint -- brennerlint mcp`,
		Args:    takes(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			path, err := findMCPServer()
			if err != nil {
				return err
			}
			server := exec.CommandContext(cmd.Context(), path)
			server.Stdin, server.Stdout, server.Stderr = std.in, std.out, std.err
			var exit *exec.ExitError
			switch err := server.Run(); {
			case errors.As(err, &exit):
				return exitError(exitUsage) // the server has said why
			case err != nil:
				return fmt.Errorf("start %s: %w", mcpServer, err)
			}
			return nil
		},
	}
}

// findMCPServer finds the server beside this program, else on the PATH.
func findMCPServer() (string, error) {
	name := mcpServer
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if own, err := os.Executable(); err == nil {
		for _, dir := range []string{filepath.Dir(own), filepath.Dir(resolved(own))} {
			if path := filepath.Join(dir, name); isProgram(path) {
				return path, nil
			}
		}
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("find %s: it is neither beside brennerlint nor on the PATH; the release archives hold it, and from a checkout of the source `go -C mcp install ./cmd/%[1]s` installs it", mcpServer)
	}
	return path, nil
}

// resolved is a path without symbolic links, where that can be told.
func resolved(path string) string {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		return target
	}
	return path
}

func isProgram(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
