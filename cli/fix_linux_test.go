package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
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
		if readFile(t, at(name)) != broken {
			t.Errorf("%s was changed", name)
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
	if readFile(t, filepath.Join(dir, name)) == broken {
		t.Error("it is as it was")
	}
	if _, err := os.Stat(filepath.Join(dir, report)); err != nil {
		t.Error(err)
	}
}
