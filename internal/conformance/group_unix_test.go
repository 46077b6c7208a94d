//go:build unix

package conformance_test

import (
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/brennerlint/brennerlint/internal/conformance"
	"github.com/brennerlint/brennerlint/internal/must"
)

// TestKillsWhatTheCommandStarts checks that a process that the command started, and
// that holds its output open, is killed with it.
func TestKillsWhatTheCommandStarts(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "fifo")
	must.OK(t, syscall.Mkfifo(fifo, 0o600))
	t.Setenv("CONFORMANCE_TEST_FIFO", fifo)
	ended := make(chan error, 1)
	go func() { // the child opens the other end, which closes when it dies
		f, err := os.Open(fifo)
		if err == nil {
			_, err = io.Copy(io.Discard, f)
			f.Close()
		}
		ended <- err
	}()
	results := runMode(t, "child", threeCases(), conformance.Options{Timeout: 3 * time.Second})
	if results[1].Status != conformance.Timeout || results[2].Status != conformance.Pass {
		t.Errorf("%v", results)
	}
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Error("what the command started lives on")
	}
}
