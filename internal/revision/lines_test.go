package revision

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/brennerlint/brennerlint/internal/rapidseed"
)

func TestNewLines(t *testing.T) {
	for name, c := range map[string]struct {
		old, text string
		want      []int
	}{
		"same":             {"a b c", "a b c", nil},
		"line ends":        {"a\r b", "a b\r", nil},
		"added":            {"a b", "x a y b z", []int{1, 3, 5}},
		"removed":          {"a b c", "a c", nil},
		"changed":          {"a b c", "a x c", []int{2}},
		"from nothing":     {"", "a b", []int{1, 2}},
		"repeated":         {"x - x - x", "x - x - x - x", []int{6, 7}},
		"repeated, apart":  {"a x b x c", "c x a x b", []int{1, 2}},
		"only repetitions": {"x x y y", "y y x x", []int{3, 4}},
	} {
		lines := func(s string) []byte { return []byte(strings.ReplaceAll(s, " ", "\n")) }
		if got := slices.Sorted(maps.Keys(NewLines(lines(c.old), lines(c.text)))); !slices.Equal(got, c.want) {
			t.Errorf("%s: new are %v, want %v", name, got, c.want)
		}
	}
}

// TestNewLinesKeep checks that what is not new is in the old text, in its order.
func TestNewLinesKeep(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.SampledFrom(strings.Fields("a b c d e f x y")), 0, 30)
		old, text := words.Draw(t, "old"), words.Draw(t, "text")
		fresh := NewLines([]byte(strings.Join(old, "\n")), []byte(strings.Join(text, "\n")))
		rest := append([]string{}, old...)
		if len(old) == 0 {
			rest = []string{""}
		}
		for i, line := range text {
			if fresh[i+1] {
				continue
			}
			at := slices.Index(rest, line)
			if at < 0 {
				t.Fatalf("line %d, %q, is not new, but not in %q", i+1, line, rest)
			}
			rest = rest[at+1:]
		}
	})
}

// TestNewLinesOfLargeTexts counts the comparisons of texts that repeat few lines.
func TestNewLinesOfLargeTexts(t *testing.T) {
	old := []byte(strings.Repeat("a\nb\n", 50_000))
	text := []byte(strings.Repeat("b\na\na\n", 50_000))
	if n := len(NewLines(old, text)); n == 0 {
		t.Error("nothing is new")
	}
}
