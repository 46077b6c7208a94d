package report

import (
	"testing"

	"github.com/rivo/uniseg"
)

// TestSimple checks that any two runes that are simple are two characters of a column
// each.
func TestSimple(t *testing.T) {
	var simple []rune
	for r := ' '; r < 0x3000; r++ {
		if isSimple(r) && clean(string(r)) == string(r) {
			simple = append(simple, r)
		}
	}
	for _, a := range simple {
		for _, b := range simple {
			s := string(a) + string(b)
			cluster, rest, width, _ := uniseg.FirstGraphemeClusterInString(s, -1)
			if cluster != string(a) || rest != string(b) || width != 1 {
				t.Fatalf("%q is %d columns of %q, and %q", s, width, cluster, rest)
			}
		}
	}
	for _, s := range []string{"a\u02ff\u0300", "ab\u0300", "a\u0300b"} {
		if width := textWidth(s); width != 2 {
			t.Errorf("two letters of which one has a combining mark, %+q: %d columns", s, width)
		}
	}
}
