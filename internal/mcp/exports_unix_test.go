//go:build unix

package mcp

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestExportPipe checks that no tool opens a pipe, which might never give anything.
func TestExportPipe(t *testing.T) {
	dir := folders(t)
	for _, name := range []string{"pipe", "in/pipe.json"} {
		if err := syscall.Mkfifo(filepath.Join(dir, filepath.FromSlash(name)), 0o600); err != nil {
			t.Skipf("no pipes here: %v", err)
		}
	}
	session := serverHere(t, dir)
	for _, path := range []string{"pipe", "in/pipe.json", "./in/../pipe"} {
		text, failed := call(t, session, "replay_thread", map[string]any{"export": path})
		if !failed || !strings.Contains(text, "neither a file nor a folder") {
			t.Errorf("%q is answered with failed %t and %q", path, failed, text)
		}
	}
	if text, failed := call(t, session, "replay_thread", map[string]any{"export": "in"}); failed || !strings.Contains(text, thread) {
		t.Errorf("a folder with a pipe is answered with failed %t and %q", failed, text)
	}
}
