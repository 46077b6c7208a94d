package source

import (
	"bytes"
	"testing"
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
