package cli

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/brennerlint/brennerlint/internal/testenv"
)

// TestFixRefuses checks that --fix leaves a file that it cannot keep as it is, says
// so, goes on with the others, and ends with status 2.
func TestFixRefuses(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	broken := fixableCopy(t, at("a.md"))
	fixableCopy(t, at("b.md"))
	if err := os.Link(at("a.md"), at("other-name")); err != nil {
		t.Skip(err)
	}
	stdout, stderr, status := runProgram(t, program(dir, "--no-config", "--fix", "a.md", "b.md"))
	if status != exitUsage || !strings.Contains(stderr, "a.md is not fixed: it has other names (hard links)") || !strings.Contains(stderr, "1 fixed") {
		t.Errorf("status %d, %s", status, stderr)
	}
	if !strings.Contains(stdout, "a.md") || strings.Contains(stdout, "b.md") {
		t.Errorf("the report is\n%s", stdout)
	}
	for _, name := range []string{"a.md", "other-name"} {
		if data, err := os.ReadFile(at(name)); err != nil || !bytes.Equal(data, broken) {
			t.Errorf("%s was changed: %v", name, err)
		}
	}
}

// TestFixLongName fixes a file whose name is as long as a name may be.
func TestFixLongName(t *testing.T) {
	dir := t.TempDir()
	name := strings.Repeat("x", 252) + ".md"
	broken := fixableCopy(t, filepath.Join(dir, name))
	report := strings.Repeat("y", 255)
	if _, stderr, status := runProgram(t, program(dir, "--no-config", "--fix", "--output", report, name)); status != exitClean || stderr != "brennerlint: 1 fixed\nbrennerlint: no findings in 1 artifact\n" {
		t.Errorf("status %d, %s", status, stderr)
	}
	if data, err := os.ReadFile(filepath.Join(dir, name)); err != nil || bytes.Equal(data, broken) {
		t.Errorf("it is as it was: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, report)); err != nil {
		t.Error(err)
	}
}

// TestLeftovers checks that the next run removes what one has left that was killed.
func TestLeftovers(t *testing.T) {
	for _, args := range [][]string{{"--fix", "a.md"}, {"--output", "report.json", "a.md"}, {"--write-baseline", "report.json", "a.md"}} {
		dir := t.TempDir()
		fixableCopy(t, filepath.Join(dir, "a.md"))
		left := filepath.Join(dir, ".brennerlint-00112233445566ff.tmp")
		if err := os.WriteFile(left, []byte("half a rep"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, stderr, status := runProgram(t, program(dir, append(args, "--no-config")...)); status == exitUsage {
			t.Errorf("%q: %s", args, stderr)
		}
		if _, err := os.Stat(left); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%q: it is still there", args)
		}
	}
}

// TestFixWhileSwapped swaps files and folders for links to what is outside, all the
// while --fix runs. Whenever it looks, nothing outside is changed, and nothing hangs.
func TestFixWhileSwapped(t *testing.T) {
	testenv.SkipUnderRace(t)
	for _, path := range []string{".", "**/*.md"} {
		top := t.TempDir()
		in, out := filepath.Join(top, "in"), filepath.Join(top, "out")
		for _, dir := range []string{filepath.Join(in, "artifacts"), out} {
			if err := os.MkdirAll(dir, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		outside := fixableCopy(t, filepath.Join(out, "a.md"))
		var stop atomic.Bool
		done := make(chan struct{})
		go func() {
			defer close(done)
			swapUntil(t, in, &stop)
		}()
		for range 25 {
			_, status := ended(t, in, "--no-config", "--fix", path)
			if status < 0 {
				t.Errorf("%s: status %d", path, status)
			}
		}
		stop.Store(true)
		<-done
		if data, err := os.ReadFile(filepath.Join(out, "a.md")); err != nil || !bytes.Equal(data, outside) {
			t.Errorf("%s: the file outside was changed: %v", path, err)
		}
		if left, err := os.ReadDir(out); err != nil || len(left) != 1 {
			t.Errorf("%s: left outside: %v, %v", path, left, err)
		}
	}
}

// swapUntil puts a file, a link to one outside, a pipe, and a folder that is a link
// in each other's place.
func swapUntil(t *testing.T, in string, stop *atomic.Bool) {
	t.Helper()
	dir := filepath.Join(in, "artifacts")
	file, kept := filepath.Join(dir, "a.md"), filepath.Join(in, "kept")
	fixableCopy(t, kept)
	data, err := os.ReadFile(kept)
	if err != nil {
		t.Error(err)
		return
	}
	for !stop.Load() {
		for _, step := range []func() error{
			func() error { return os.WriteFile(file, data, 0o600) },
			func() error { return os.Remove(file) },
			func() error { return os.Symlink("../../out/a.md", file) },
			func() error { return os.Remove(file) },
			func() error { return syscall.Mkfifo(file, 0o600) },
			func() error { return os.Remove(file) },
			func() error { return os.Rename(dir, dir+".away") },
			func() error { return os.Symlink("../out", dir) },
			func() error { return os.Remove(dir) },
			func() error { return os.Rename(dir+".away", dir) },
		} {
			// What is in the way of a step, such as a file just fixed, is of no
			// concern: the next round begins again.
			_ = step()
		}
	}
}
