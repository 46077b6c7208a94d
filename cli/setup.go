package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/brennerlint/brennerlint/internal/lsp"
	"github.com/brennerlint/brennerlint/internal/mcp"
	"github.com/brennerlint/brennerlint/internal/text"
)

func newLSP(s settings) *command {
	cmd := newCommand("lsp", takes(0, 0, ""), func(cmd *cobra.Command, _ []string) error {
		opts := lsp.Options{Rules: s.catalogue, Version: programVersion()}
		opts.Load = func(root string) (lsp.Settings, error) {
			if root != "" { // paths of findings, and the search for a configuration, begin there
				if err := os.Chdir(root); err != nil {
					return lsp.Settings{}, fmt.Errorf("open the workspace folder: %w", err)
				}
			}
			err := s.load(cmd.Flags())
			s.opts.Files.GitIgnore = true
			return lsp.Settings{Options: s.opts, Rules: s.rules, RuleFiles: s.ruleFiles, Paths: s.paths(nil)}, err
		}
		err := lsp.Serve(cmd.Context(), s.std.in, s.std.out, opts)
		if errors.Is(err, lsp.ErrNoShutdown) {
			return outcome{status: exitFindings} // as the protocol says
		}
		return err
	})
	s.baselineFlag(cmd)
	s.excludeFlag(cmd)
	s.ruleFlags(cmd)
	s.configFlags(cmd)
	cmd.Flags().Bool("stdio", true, "serve on standard input and output, as always") // clients add it
	cmd.Flags().Lookup("stdio").Hidden = true
	cmd.Flags().Lookup("fail-on").Hidden = true // the rest of the flags for rules hold
	return cmd
}

func newMCP(s settings) *command {
	var root string
	cmd := newCommand("mcp", takes(0, 0, ""), func(cmd *cobra.Command, _ []string) error {
		if root != "" { // paths in reports, and the search for a configuration, begin there too
			if err := os.Chdir(root); err != nil {
				return fmt.Errorf("--root: %w", err)
			}
		}
		if err := s.load(cmd.Flags()); err != nil {
			return err
		}
		return mcp.Serve(cmd.Context(), s.std.in, s.std.out, mcp.Options{Rules: s.rules, Checks: s.opts, Version: programVersion()})
	})
	cmd.add(&root, "root", "the `FOLDER` that the tools read, and no other (default: the current folder)", folders)
	return cmd
}

func newCompletion(s settings) *command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	cmd := newCommand("completion", takes(1, 1, "a SHELL: "+text.Or(shells)), func(cmd *cobra.Command, args []string) error {
		root := cmd.Root()
		switch args[0] {
		case "bash":
			return root.GenBashCompletionV2(s.std.out, true)
		case "zsh":
			return root.GenZshCompletion(s.std.out)
		case "fish":
			return root.GenFishCompletion(s.std.out, true)
		case "powershell":
			return root.GenPowerShellCompletionWithDesc(s.std.out)
		}
		return text.Unknown("shell", args[0], shells)
	})
	cmd.ValidArgs = shells
	return cmd
}

// newMan returns the command man, which is for packages.
func newMan(s settings) *command {
	cmd := newCommand("man", takes(1, 1, "a DIR"), func(cmd *cobra.Command, args []string) error {
		err := os.MkdirAll(args[0], 0o777)
		if err == nil {
			cmd.Root().DisableAutoGenTag = true
			escapeStars(cmd.Root())
			header := &doc.GenManHeader{Section: "1", Source: "brennerlint " + cmd.Root().Version, Manual: "brennerlint"}
			err = doc.GenManTree(cmd.Root(), header, args[0])
		}
		if err != nil {
			return fmt.Errorf("write manual pages: %w", err)
		}
		_, err = fmt.Fprintf(s.std.out, "wrote %s\n", filepath.ToSlash(filepath.Join(args[0], "brennerlint*.1")))
		return err
	})
	cmd.Hidden = true
	cmd.ValidArgsFunction = folders
	return cmd
}

// escapeStars keeps the stars of globs in descriptions, which the manual takes for
// Markdown.
func escapeStars(c *cobra.Command) {
	c.Long = strings.ReplaceAll(c.Long, "*", `\*`)
	for _, sub := range c.Commands() {
		escapeStars(sub)
	}
}

// version is set by release builds; others show what the module knows.
var version = ""

// programVersion returns the version to show and to write into reports, everywhere
// without the v of the module's tag.
func programVersion() string {
	if version != "" {
		return strings.TrimPrefix(version, "v")
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return strings.TrimPrefix(info.Main.Version, "v")
	}
	return "0.1.0-dev"
}

func newVersion(s settings) *command {
	cmd := newCommand("version", takes(0, 0, ""), func(*cobra.Command, []string) error {
		_, err := fmt.Fprintf(s.std.out, "brennerlint %s (%s, %s/%s)\n", programVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
		return err
	})
	cmd.ValidArgsFunction = anyWord
	return cmd
}
