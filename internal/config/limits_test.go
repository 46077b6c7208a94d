package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestManyFaults reads files with very many faults on one line. Only a few are shown, each
// with the part of the line around it.
func TestManyFaults(t *testing.T) {
	for name, c := range map[string]struct{ before, repeated, after string }{
		"unknown keys":    {"{", "k: 1, ", "}"},
		"unknown rules":   {"rules: {ignore: [", "x, ", "]}"},
		"one word":        {"rules: {ignore: ['", "x,", "']}"},
		"globs":           {"exclude: [", "'[',", "]"},
		"long keys":       {"{", strings.Repeat("k", 1000) + ": 1, ", "}"},
		"missing members": {"suppress: [", "{},", "]"},
		"suppressions":    {"suppress: [", "{rule: MB-001, reason: x},", "]"},
		"wide characters": {"{", "é\u202e: 1, ", "}"},
	} {
		text := c.before + strings.Repeat(c.repeated, 60_000/len(c.repeated)) + c.after
		_, err := Parse("c.yaml", []byte(text), testRules)
		if err == nil {
			t.Errorf("%s: no fault", name)
			continue
		}
		lines := strings.Split(err.Error(), "\n")
		if len(lines) != 3*shownFaults+1 && len(lines) != 3 {
			t.Errorf("%s: %d lines", name, len(lines))
		}
		for _, l := range lines {
			if len(l) > 600 {
				t.Errorf("%s: a line of %d bytes: %.80s…", name, len(l), l)
			}
		}
	}
	_, err := Parse("c.yaml", []byte("{"+strings.Repeat("abc: 1, ", 30)+"}"), testRules)
	want := `c.yaml:1:154: unknown key "abc"; expected include, exclude, scope, fail-on, rules, include-rules, overrides, agents, roles, corpus-size, artifacts-dir, limits, suppress, hook
  1 | … 1` + strings.Repeat(", abc: 1", 18) + `, }
    | ` + strings.Repeat(" ", 61) + `^^^
and 10 more`
	if got := err.Error(); !strings.HasSuffix(got, want) {
		t.Errorf("the error is %s\nwant at its end %s", got, want)
	}
}

// TestManyGlobs reads a configuration with as many globs as it may have, and with one more.
func TestManyGlobs(t *testing.T) {
	const before, after = "exclude: [", "]\nsuppress: [{rule: MB-001, path: b.md, reason: x}]\n"
	if _, err := Parse("c.yaml", []byte(before+strings.Repeat("a.md, ", maxGlobs-1)+after), testRules); err != nil {
		t.Errorf("%d globs: %v", maxGlobs, err)
	}
	_, err := Parse("c.yaml", []byte(before+strings.Repeat("a.md, ", maxGlobs)+after), testRules)
	if want := "c.yaml:2:33: too many globs; expected at most 1000 in a configuration\n  2 | suppress: [{rule: MB-001, path: b.md, reason: x}]\n    |                                 ^^^^"; err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("the error is %v\nwant at its end %s", err, want)
	}
}

// TestManySuppressions reads a configuration with as many suppressions as it may have, and
// with one more.
func TestManySuppressions(t *testing.T) {
	text := func(n int) []byte {
		return []byte("suppress: [\n" + strings.Repeat("{rule: MB-001, reason: r},\n", n) + "]\n")
	}
	if _, err := Parse("c.yaml", text(maxSuppressions), testRules); err != nil {
		t.Errorf("%d suppressions: %v", maxSuppressions, err)
	}
	_, err := Parse("c.yaml", text(maxSuppressions+5), testRules)
	if want := "c.yaml:1002:1: too many suppressions; expected at most 1000 in a configuration\n  1002 | {rule: MB-001, reason: r},\n       | ^"; err == nil || err.Error() != want {
		t.Errorf("the error is %v\nwant %s", err, want)
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

// TestLinks reads configurations that are links. What lies elsewhere is not shown
// in errors: it may be a secret.
func TestLinks(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	link := func(name, target string) string {
		path := filepath.Join(root, name)
		if err := os.Symlink(target, path); err != nil {
			t.Skip(err)
		}
		return path
	}
	write("secret.txt", "top: secret\n")
	write("project/shared.yaml", "top: secret\n")
	good := write("good.yaml", "corpus-size: 3\n")
	t.Chdir(filepath.Join(root, "project"))
	outside := link("project/outside.yaml", "../secret.txt")
	if _, err := Load(outside, testRules); err == nil || strings.Contains(err.Error(), "top") || !strings.Contains(err.Error(), "outside.yaml:1:1: not a valid configuration; the file is a link") {
		t.Errorf("outside: %v", err)
	}
	for _, path := range []string{link("project/inside.yaml", "shared.yaml"), write("project/plain.yaml", "top: secret\n")} {
		if _, err := Load(path, testRules); err == nil || !strings.Contains(err.Error(), `unknown key "top"`) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if c, err := Load(link("project/elsewhere.yaml", good), testRules); err != nil || c.CorpusSize != 3 {
		t.Errorf("a good one elsewhere: %v", err)
	}
}
