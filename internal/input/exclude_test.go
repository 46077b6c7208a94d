package input

import (
	"fmt"
	"path"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/brennerlint/brennerlint/internal/rapidseed"
)

// TestExcludesMatchEach compares the index with trying each pattern in turn.
func TestExcludesMatchEach(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.SampledFrom([]string{"a", "b", "ab", "*", "**", "a*", "*b", "{a,b}", "/", "/", "./"})
		patterns := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string {
			return rapid.SampledFrom([]string{"", "", "!"}).Draw(t, "again") + strings.Join(rapid.SliceOfN(part, 1, 5).Draw(t, "parts"), "")
		}), 0, 8).Draw(t, "patterns")
		rel := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "ab", "bab"}), 1, 4).Draw(t, "rel"), "/")
		shown := rapid.SampledFrom([]string{"", "./", "a/", "../b/", "a/../", "/"}).Draw(t, "root") + rel
		dir := rapid.Bool().Draw(t, "dir")
		ex := newExcludes(patterns)
		want := false
		for i := range ex.list {
			if e := &ex.list[i]; (dir || !e.folder) && e.matches(path.Clean(shown), rel) {
				want = !e.again
			}
		}
		if got := ex.matchPath(shown, rel, dir); got != want {
			t.Fatalf("%q, %q below it: %v by %q, want %v", shown, rel, got, patterns, want)
		}
	})
}

// TestManyExcludes checks that the number of patterns tried for a path, and the memory
// allocated, are the same as for few patterns.
func TestManyExcludes(t *testing.T) {
	const shown = "project/mail/RS-20251230-x0007/messages/7.md"
	work := func(n int) (tried int, allocated float64) {
		var patterns []string
		for i := range n {
			patterns = append(patterns, fmt.Sprintf("RS-%05d.json", i), fmt.Sprintf("mail/RS-*-x%04d/**", i), fmt.Sprintf("**/RS-*-y%05d", i), fmt.Sprintf("old%d/", i))
		}
		ex := newExcludes(patterns)
		allocated = testing.AllocsPerRun(10, func() { ex.matchPath(shown, shown, false) })
		return len(ex.index.Candidates(shown)), allocated
	}
	few, little := work(10)
	many, much := work(10_000)
	if many > few || much > little {
		t.Errorf("%d patterns tried and %.0f allocations; with 10 patterns %d and %.0f", many, much, few, little)
	}
}
