package globs

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/bmatcuk/doublestar/v4"
	"pgregory.net/rapid"

	_ "github.com/brennerlint/brennerlint/internal/rapidseed"
)

// tails returns a path and what follows each of its slashes.
func tails(path string) []string {
	out := []string{path}
	for i, c := range path {
		if c == '/' {
			out = append(out, path[i+1:])
		}
	}
	return out
}

// TestCandidates checks that no glob is left out that matches.
func TestCandidates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SampledFrom([]string{"a", "b", "/", "/", "*", "**", "?", "[ab]", "{a,b}", "{a/b,b}", "{**,b}", "**/", "/**", "[!a]", `\a`, `\*`, ",", "}", "]", ""})
		path := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "ab", "*", ","}), 1, 4).Draw(t, "path"), "/")
		var x Index
		var globs []string
		for range rapid.IntRange(0, 6).Draw(t, "globs") {
			g := strings.Join(rapid.SliceOfN(words, 1, 6).Draw(t, "glob"), "")
			globs = append(globs, g)
			x.Add(g)
		}
		got := x.Candidates(path)
		if !slices.IsSorted(got) {
			t.Fatalf("not in order: %v", got)
		}
		for i, g := range globs {
			for _, tail := range tails(path) {
				if ok, err := doublestar.Match(g, tail); ok && err == nil && !slices.Contains(got, i) {
					t.Fatalf("%q matches %q of %q and is no candidate", g, tail, path)
				}
			}
		}
	})
}

// TestFewCandidates counts the globs that have to be tried.
func TestFewCandidates(t *testing.T) {
	var x Index
	for i := range 1000 {
		name := fmt.Sprintf("%03d", i)
		for _, g := range []string{
			"artifacts/RS-" + name + ".md", "mail" + name + "/**/*.json", "**/" + name + "y.md", "RS-" + name + "-*.md", "*-" + name + ".txt",
			"**/RS-*-" + name + ".md", "**/drafts/" + name + "*",
		} {
			x.Add(g)
		}
	}
	x.Add("**/*.md")
	for _, path := range []string{
		"artifacts/RS-002.md", "a/b/artifacts/RS-002.md", "mail002/a/b.json", "c/003y.md", "z", "a/RS-004-x.md", "b/a-005.txt", "RS-1-006.md",
		"x/drafts/007.json", strings.Repeat("a/", 2000) + "z.md",
	} {
		if got := x.Candidates(path); len(got) > 4 {
			t.Errorf("%.40s: %d candidates of 7001", path, len(got))
		}
	}
	if got := new(Index).Candidates("a/b"); len(got) > 0 {
		t.Errorf("an empty index has %v", got)
	}
}
