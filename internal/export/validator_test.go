package export

import (
	"testing"

	"github.com/brennerlint/brennerlint/source"
)

// TestValidator checks that the result for a stream is that for the whole text, wherever it
// is cut.
func TestValidator(t *testing.T) {
	for _, text := range []string{"", "a§…😀", "a§\xffb", "😀\xf0\x9f", "\xe2\x80", "\xf0\x9f§", "\x80", "😀😀\xc2a"} {
		for first := range len(text) + 1 {
			for second := first; second <= len(text); second++ {
				var v validator
				for _, part := range []string{text[:first], text[first:second], text[second:]} {
					if n, err := v.Write([]byte(part)); n != len(part) || err != nil {
						t.Fatal(n, err)
					}
				}
				want := source.ValidLen([]byte(text))
				if at, found := v.fault(); found != (want < len(text)) || found && at != want {
					t.Errorf("%q cut at %d and %d: fault at %d (%v), want %d", text, first, second, at, found, want)
				}
			}
		}
	}
}
