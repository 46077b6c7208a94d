package brenner

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/brennerlint/brennerlint/internal/rapidseed"
)

// TestHasPrefixFold checks the test of the first bytes against the comparison itself,
// also for letters that are ASCII in one case only.
func TestHasPrefixFold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.SampledFrom([]rune("kKsS@`[{_ \u212a\u017fäÄ")), 0, 4, -1)
		s, prefix := text.Draw(t, "s"), text.Draw(t, "prefix")
		want := len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
		if got := HasPrefixFold(s, prefix); got != want {
			t.Fatalf("%q begins with %q: %v, want %v", s, prefix, got, want)
		}
	})
}
