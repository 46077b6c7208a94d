package source

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// ASCIILen is the length of the ASCII prefix of b: len(b) if all of b is ASCII. Eight
// bytes are looked at in one step, for nearly all text is ASCII.
func ASCIILen(b []byte) int {
	const notASCII = 0x8080808080808080 // the bits that no ASCII byte has
	end := 8
	for ; end <= len(b); end += 8 {
		if found := binary.LittleEndian.Uint64(b[end-8:end]) & notASCII; found != 0 {
			return end - 8 + bits.TrailingZeros64(found)/8
		}
	}
	n := end - 8
	for n < len(b) && b[n] < utf8.RuneSelf {
		n++
	}
	return n
}
