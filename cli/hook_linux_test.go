package cli

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestHookOfSpecialFiles checks that a hook waits for no pipe and reads no device.
func TestHookOfSpecialFiles(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "storage.sqlite3")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	for _, path := range []string{pipe, "/dev/zero", "/dev/stdin"} {
		_, stderr, status := hookAnswer(t, "claude", recorded(t, "claude", "send"), path)
		if status != exitClean || !strings.Contains(stderr, "is neither a file nor a folder") || !strings.Contains(stderr, "the draft was checked alone") {
			t.Errorf("%s: status %d, stderr %q", path, status, stderr)
		}
	}
}
