package cli

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/brennerlint/brennerlint/internal/agenthook"
	"github.com/brennerlint/brennerlint/internal/config"
	"github.com/brennerlint/brennerlint/internal/files"
	"github.com/brennerlint/brennerlint/internal/revision"
)

//go:embed workflow.yml
var workflow []byte

func newInit(s settings) *command {
	var hook string
	var remove bool
	cmd := newCommand("init", takes(0, 0, ""), func(cmd *cobra.Command, _ []string) error {
		switch {
		case hook != "":
			i := slices.IndexFunc(agenthook.Agents, func(a agenthook.Agent) bool { return a.Name == hook })
			return install(s.std, agenthook.Agents[i], remove)
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
	cmd.choice(&hook, "hook", "", "write the hook of `NAME` instead", agentWords()...)
	cmd.add(&remove, "remove", "with --hook: remove the hook", nil)
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
	if _, err := os.Lstat(path); err == nil {
		fmt.Fprintf(std.out, "%s already exists; not changed\n", filepath.ToSlash(path))
		return nil
	}
	if err := writeIn(path, data); err != nil {
		return err
	}
	fmt.Fprintf(std.out, "wrote %s\n", filepath.ToSlash(path))
	return nil
}

// writeIn writes a file in a folder, which it makes if need be.
func writeIn(path string, data []byte) error {
	err := os.MkdirAll(filepath.Dir(path), 0o777)
	if err == nil {
		err = files.Write(path, data)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", filepath.ToSlash(path), err)
	}
	return nil
}

// agentWords completes agent programs.
func agentWords() (out []cobra.Completion) {
	for _, a := range agenthook.Agents {
		out = append(out, cobra.CompletionWithDesc(a.Name, a.Title))
	}
	return out
}

// install writes the hook into the settings of an agent program, or takes it out again.
func install(std streams, a agenthook.Agent, remove bool) error {
	path, shown := filepath.FromSlash(a.File), a.File
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read %s: %w", shown, err)
	}
	task, done := "add the hook to", "added the hook to"
	if remove {
		task, done = "remove the hook from", "removed the hook from"
	}
	settings, err := a.Parse(data)
	switch {
	case err != nil:
	case remove && !settings.RunsPresend:
		fmt.Fprintf(std.out, "%s does not have the hook; not changed\n", shown)
		return nil
	case remove:
		err = settings.RemoveHook()
	case settings.SeesMail:
		fmt.Fprintf(std.out, "%s already has the hook; not changed\n", shown)
		warnOffPath(std)
		return nil
	default:
		settings.AddHook()
	}
	if err != nil {
		return fmt.Errorf("%s %s: %w; the file is not changed", task, shown, err)
	}
	if settings.IsEmpty() {
		if err := os.Remove(path); err != nil {
			return fmt.Errorf("remove %s: %w", shown, err)
		}
		_ = os.Remove(filepath.Dir(path)) // if it is empty now
		fmt.Fprintf(std.out, "removed %s, which had nothing but the hook\n", shown)
		return nil
	}
	if err := writeIn(path, settings.Format(data)); err != nil {
		return err
	}
	fmt.Fprintf(std.out, "%s %s\n", done, shown)
	if !remove {
		warnOffPath(std)
	}
	return nil
}

// warnOffPath says what to do if the agent program will not find the command of the hook: it
// would send all messages unchecked.
func warnOffPath(std streams) {
	if !isOnPath("brennerlint") {
		fmt.Fprintln(std.out, "brennerlint is not on your PATH, so the hook cannot run: add the folder of the program to PATH")
	}
}
