package cli

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/brennerlint/brennerlint/internal/config"
	"github.com/brennerlint/brennerlint/internal/files"
	"github.com/brennerlint/brennerlint/internal/revision"
)

//go:embed workflow.yml
var workflow []byte

func newInit(s settings) *cobra.Command {
	var hook string
	var remove bool
	cmd := command("init", takes(0, 0, ""), func(cmd *cobra.Command, _ []string) error {
		switch {
		case hook != "":
			i := slices.IndexFunc(agents, func(a agent) bool { return a.name == hook })
			return agents[i].install(s.std, remove)
		case remove:
			return errors.New("--remove takes a hook out again; name it with --hook")
		}
		name := config.FileName
		if _, err := os.Lstat(config.ShortFileName); err == nil {
			name = config.ShortFileName // it is there, and stays as it is
		}
		if err := create(s.std, name, config.Template); err != nil {
			return err
		}
		folder := revision.Prefix(cmd.Context(), ".")
		root := strings.Repeat("../", strings.Count(folder, "/")) // elsewhere GitHub reads no workflows
		return create(s.std, filepath.Join(filepath.FromSlash(root), ".github", "workflows", "brennerlint.yml"),
			workflowFor(revision.DefaultBranch(cmd.Context(), "."), folder))
	})
	f := flagsOf(cmd)
	f.choice(&hook, "hook", "", "write the hook of `NAME` instead", agentWords()...)
	f.add(&remove, "remove", "with --hook: remove the hook", nil)
	return cmd
}

// workflowFor returns the workflow for a folder of a repository with a default branch; "" if it is
// unknown, or if the folder is its root.
func workflowFor(branch, folder string) []byte {
	out := workflow
	if branch != "" && branch != "main" {
		out = bytes.Replace(out, []byte("branches: [main]"), fmt.Appendf(nil, "branches: [%q]", branch), 1)
	}
	if folder != "" {
		paths := []byte("          paths: .\n")
		out = bytes.Replace(out, paths, fmt.Appendf(paths, "          working-directory: %q\n", folder), 1)
	}
	return out
}

// create writes a file that is not there yet, and says what it did.
func create(std streams, path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if _, err := os.Lstat(path); err == nil {
		fmt.Fprintf(std.out, "%s already exists; not changed\n", filepath.ToSlash(path))
		return nil
	}
	if err := files.Write(path, data); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	fmt.Fprintf(std.out, "wrote %s\n", filepath.ToSlash(path))
	return nil
}
