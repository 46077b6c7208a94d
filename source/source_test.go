package source

import (
	"bytes"
	"testing"
	"unicode/utf8"
)

// TestRuneStart looks for the start of each byte of characters of all lengths, and of bytes
// that are not UTF-8.
func TestRuneStart(t *testing.T) {
	const s = "aé€🙂z"
	start := 0
	for i := range len(s) {
		if utf8.RuneStart(s[i]) {
			start = i
		}
		if got := RuneStart(s, i); got != start {
			t.Errorf("byte %d of %q: %d, want %d", i, s, got, start)
		}
	}
	if got := RuneStart([]byte(s), len(s)); got != len(s) {
		t.Errorf("the end of %q: %d, want %d", s, got, len(s))
	}
	garbage := bytes.Repeat([]byte{0x80}, 8)
	for i := range garbage {
		if got := RuneStart(garbage, i); got != i {
			t.Errorf("byte %d of %q: %d, want %d", i, garbage, got, i)
		}
	}
}
