package session

import (
	"testing"
)

// TestVersionWords holds where the word vN begins and ends.
func TestVersionWords(t *testing.T) {
	for _, c := range []string{"_", "a", "z", "A", "Z", "0", "9", "é"} {
		if n, _, ok := FindVersion(c + "v2"); ok {
			t.Errorf("%q holds version %d", c+"v2", n)
		}
		if n, _, ok := FindVersion("v2" + c); ok && c != "0" && c != "9" {
			t.Errorf("%q holds version %d", "v2"+c, n)
		}
	}
	for _, c := range []string{"`", "{", "@", "[", "/", ":", "^", "-", " ", "\x7f"} {
		if n, _, ok := FindVersion(c + "v2" + c); n != 2 || !ok {
			t.Errorf("%q holds version %d, %v", c+"v2"+c, n, ok)
		}
	}
	for _, subject := range []string{"COMPILED: 2 artifact", "COMPILED: x2", "COMPILED: rev2"} {
		if v := message(subject, "").Version; v != (Version{}) {
			t.Errorf("%q gives version %+v", subject, v)
		}
	}
}
