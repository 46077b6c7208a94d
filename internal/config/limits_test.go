package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestManyFaults reads a file with many faults on one line. Only a few are shown, each with
// the part of the line around it.
func TestManyFaults(t *testing.T) {
	_, err := Parse("c.yaml", []byte("{"+strings.Repeat("abc: 1, ", 30)+"}"), testRules)
	want := `c.yaml:1:154: unknown key "abc"; expected include, exclude, scope, fail-on, rules, include-rules, overrides, agents, roles, corpus-size, artifacts-dir, limits, suppress, hook
  1 | … 1` + strings.Repeat(", abc: 1", 18) + `, }
    | ` + strings.Repeat(" ", 61) + `^^^
and 10 more`
	if got := err.Error(); strings.Count(got, "\n") != 3*shownFaults || !strings.HasSuffix(got, want) {
		t.Errorf("the error is %s\nwant at its end %s", got, want)
	}
	// Characters of several bytes are not cut, and controls not shown.
	_, err = Parse("c.yaml", []byte("{"+strings.Repeat("é\u202e: 1, ", 300)+"}"), testRules)
	if got := err.Error(); !utf8.ValidString(got) || strings.Contains(got, "\u202e") || strings.Count(got, "\n") != 3*shownFaults {
		t.Errorf("the error is %s", got)
	}
}

// TestLargeFile reads a file that is larger than a configuration may be, as far as
// is needed to tell.
func TestLargeFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 1<<40); err != nil {
		t.Skip(err) // no sparse files
	}
	if _, err := Load(path, testRules); err == nil || !strings.HasSuffix(err.Error(), "is larger than 1048576 bytes") {
		t.Errorf("error %v", err)
	}
}
