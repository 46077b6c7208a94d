package cli

import (
	"bytes"
	"io"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/brennerlint/brennerlint/rules"
)

// TestBrokenOutput writes to a full disk and to a pipe without a reader.
func TestBrokenOutput(t *testing.T) {
	commands := [][]string{{"--no-config", fixable}, {"--no-config", "--fix", "--diff", ""}, {"rules"}, {"explain", "SU-001"}, {"replay", "../examples"}, {"--show-config"}, {"--version"}, {"--help"}, {"completion", "bash"}}
	for _, format := range formatNames() {
		commands = append(commands, []string{"--no-config", "--format", format, "../testdata/corpus/artifacts/golden-example-cell-fate.md", "../testdata/corpus/realmail/json/inbox-GreenDog.json"})
	}
	broken := filepath.Join(t.TempDir(), "RS-20251230-cell-fate.md")
	fixableCopy(t, broken)
	commands[1][3] = broken
	for _, args := range commands {
		for _, left := range []int{0, 100} {
			var errs bytes.Buffer
			status := run(t.Context(), args, streams{strings.NewReader(""), &failing{left, syscall.ENOSPC}, &errs}, rules.All())
			if status != 2 || !strings.Contains(errs.String(), "no space left") {
				var out bytes.Buffer
				if run(t.Context(), args, streams{strings.NewReader(""), &out, io.Discard}, rules.All()); out.Len() > left {
					t.Errorf("%q on a full disk: status %d, %q", args, status, errs.String())
				}
			}
			errs.Reset()
			status = run(t.Context(), args, streams{strings.NewReader(""), &failing{left, syscall.EPIPE}, &errs}, rules.All())
			if status == 2 || strings.Contains(errs.String(), "pipe") {
				t.Errorf("%q into a closed pipe: status %d, %q", args, status, errs.String())
			}
		}
	}
}
