package source

import (
	"bytes"
	"slices"
	"testing"
	"unicode/utf8"
)

// TestASCIILen puts a byte that is not ASCII at every place of texts of several
// lengths.
func TestASCIILen(t *testing.T) {
	for size := range 80 {
		text := bytes.Repeat([]byte{0x7f}, size)
		if n := ASCIILen(text); n != size {
			t.Errorf("%d bytes of ASCII: %d", size, n)
		}
		for at := range size {
			for _, c := range []byte{0x80, 0xc3, 0xff} {
				b := bytes.Clone(text)
				b[at], b[size-1] = c, max(c, b[size-1]) // a later one does not count
				if n := ASCIILen(b); n != at {
					t.Errorf("%d bytes with %#x at %d: %d", size, c, at, n)
				}
			}
		}
	}
}

// TestPrintableLen puts every byte at every place of texts of several lengths, before one
// that is not printable.
func TestPrintableLen(t *testing.T) {
	for size := range 20 {
		text := bytes.Repeat([]byte{'~'}, size)
		if n := PrintableLen(text); n != size {
			t.Errorf("%d printable bytes: %d", size, n)
		}
		for at := range size {
			for c := range 0x100 {
				b := bytes.Clone(text)
				b[size-1], b[at] = 0xff, byte(c)
				want := slices.IndexFunc(b, func(c byte) bool { return c < ' ' || c > '~' })
				if want < 0 {
					want = size
				}
				if n := PrintableLen(b); n != want {
					t.Errorf("%d bytes with %#x at %d: %d, want %d", size, c, at, n, want)
				}
			}
		}
	}
}

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
