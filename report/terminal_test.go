package report

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// TestSimple checks that any two runes that are simple are two characters of a column
// each.
func TestSimple(t *testing.T) {
	for a := ' '; isSimple(a); a++ {
		for b := ' '; isSimple(b); b++ {
			s := string(a) + string(b)
			if clean(s) != s {
				continue
			}
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

// TestFits checks that no character takes more columns for its bytes than fits says, and
// that lines of the widest one are cut.
func TestFits(t *testing.T) {
	for r := ' '; r <= utf8.MaxRune; r++ {
		if s := string(r); 3*textWidth(s) > 4*len(s) {
			t.Fatalf("%U takes %d columns for %d bytes", r, textWidth(s), len(s))
		}
	}
	widest := strings.Repeat("\u2e3b", 13)
	if w := textWidth(truncateColumns(widest, 40)); w > 40 {
		t.Errorf("cut to %d columns, expected 40 at most", w)
	}
	if part, rest := splitAt(strings.Repeat("\u2e3b ", 11)+"\u2e3b", 50); textWidth(part) > 50 || rest == "" {
		t.Errorf("split into %q and %q", part, rest)
	}
}
