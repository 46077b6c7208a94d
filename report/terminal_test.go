package report

import "testing"

// TestTextWidth checks that a letter and its combining marks are one character.
func TestTextWidth(t *testing.T) {
	for _, s := range []string{"a\u02ff\u0300", "ab\u0300", "a\u0300b"} {
		if width := textWidth(s); width != 2 {
			t.Errorf("two letters of which one has a combining mark, %+q: %d columns", s, width)
		}
	}
}
