package input

import (
	"path"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/brennerlint/brennerlint/internal/rapidseed"
)

// TestExcludesMatchEach checks that the last pattern that matches decides.
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
		for i := range ex {
			if e := &ex[i]; (dir || !e.folder) && e.matches(path.Clean(shown), rel) {
				want = !e.again
			}
		}
		if got := isExcluded(ex, shown, rel, dir); got != want {
			t.Fatalf("%q, %q below it: %v by %q, want %v", shown, rel, got, patterns, want)
		}
	})
}
