//go:build darwin || linux

package input_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/must"
)

// TestSwappedWhileReading replaces files and folders that a walk has found by links and pipes, before
// they are read.
func TestSwappedWhileReading(t *testing.T) {
	tree(t, "out/artifacts/RS-20251230-secret.md", artifactMD, "out/artifacts/x.md", artifactMD, "out/mail.json", threadJSON,
		"in/0.md", artifactMD, "in/a.md", artifactMD, "in/b.md", artifactMD, "in/c/x.md", artifactMD, "in/d/x.md", artifactMD)
	swap := sync.OnceValue(func() error {
		return errors.Join(
			os.Remove("in/a.md"), os.Symlink("../out/artifacts/RS-20251230-secret.md", "in/a.md"),
			os.Remove("in/b.md"), syscall.Mkfifo("in/b.md", 0o600),
			os.RemoveAll("in/c"), os.Symlink("../out/artifacts", "in/c"),
			os.RemoveAll("in/d"), syscall.Mkfifo("in/d", 0o600),
		)
	})
	var visited []string
	set, err := input.Discover(context.Background(), []string{"in"}, input.Options{Workers: 1}, func(in *input.Input) {
		if err := swap(); err != nil {
			t.Error(err)
		}
		if _, err := in.Bytes(); err != nil {
			t.Error(err)
		}
		visited = append(visited, filepath.Base(in.Path()))
	})
	must.OK(t, err)
	defer set.Close()
	if !slices.Equal(visited, []string{"0.md"}) {
		t.Errorf("visited %s", visited)
	}
	var problems []string
	for _, f := range set.Faults {
		problems = append(problems, f.Error())
	}
	same(t, `
in/a.md: cannot be read: it is a link that leads out of the folder
in/b.md: cannot be read: it is not a regular file
in/c/x.md: cannot be read: it is a link that leads out of the folder
in/d/x.md: cannot be read: not a directory`, strings.Join(problems, "\n"))
}

// TestSwappedBeforeReadingAgain checks that a second read does not follow a link.
func TestSwappedBeforeReadingAgain(t *testing.T) {
	tree(t, "in/a.json", threadJSON, "in/b.json", threadJSON, "out/mail.json", threadJSON+"  secret")
	for _, path := range []string{"in", "in/*.json", "in/a.json"} {
		set, err := input.Discover(context.Background(), []string{path}, input.Options{}, nil)
		if err != nil || len(set.Inputs) == 0 {
			t.Fatal(path, err)
		}
		in := set.Inputs[0]
		must.OK(t, errors.Join(os.Remove("in/a.json"), os.Symlink("../out/mail.json", "in/a.json")))
		if data, err := in.Bytes(); err == nil {
			t.Errorf("%s: read %q", path, data)
		}
		must.OK(t, errors.Join(os.Remove("in/a.json"), syscall.Mkfifo("in/a.json", 0o600)))
		if data, err := in.Bytes(); err == nil {
			t.Errorf("%s: read %q", path, data)
		}
		set.Close()
		must.OK(t, errors.Join(os.Remove("in/a.json"), os.WriteFile("in/a.json", []byte(threadJSON), 0o600)))
	}
}

// TestPipeAsMessage tells a pipe in the place of a message, which may have been one, and no other.
func TestPipeAsMessage(t *testing.T) {
	const month = "projects/p/messages/2025/12/"
	tree(t, month+"2025-12-30T10-00-00Z__x__1.md", "---json\n{}\n---\n")
	must.OK(t, errors.Join(syscall.Mkfifo(month+"2025-12-30T10-01-00Z__x__2.md", 0o600), syscall.Mkfifo(month+"x.md", 0o600)))
	var visited []string
	set, err := input.Discover(context.Background(), []string{"."}, input.Options{Workers: 1}, func(in *input.Input) {
		visited = append(visited, filepath.Base(in.Path()))
	})
	must.OK(t, err)
	defer set.Close()
	if want := []string{"2025-12-30T10-00-00Z__x__1.md", "2025-12-30T10-01-00Z__x__2.md"}; !slices.Equal(visited, want) {
		t.Errorf("visited %s, want %s", visited, want)
	}
}
