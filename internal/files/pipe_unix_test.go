//go:build darwin || linux

package files_test

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/brennerlint/brennerlint/internal/files"
)

// TestPipes checks that opening pipes without a writer does not block: as a file, on the
// path to one, and in place of the folder.
func TestPipes(t *testing.T) {
	dir := tree(t, "in/a.md", "a")
	pipe := filepath.Join(dir, "in", "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	if _, _, err := files.Named(pipe).Open(); !errors.Is(err, files.ErrIrregular) {
		t.Errorf("as a file: %v", err)
	}
	if _, _, err := files.Named(pipe).In("x.md").Open(); err == nil {
		t.Error("on the way to a file: no error")
	}
	if _, err := files.NewDir(filepath.Join(dir, "in")).ReadDir("pipe"); err == nil {
		t.Error("as a folder below: no error")
	}
	if _, err := files.NewDir(pipe).ReadDir("."); err == nil {
		t.Error("as the folder: no error")
	}
	if _, _, err := files.Named(os.DevNull).Open(); !errors.Is(err, files.ErrIrregular) {
		t.Errorf("a device: %v", err)
	}
}
