package source

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// ASCIILen is the length of the ASCII prefix of b: len(b) if all of b is ASCII. Up to
// 32 bytes are looked at in one step, for nearly all text is ASCII.
func ASCIILen(b []byte) int {
	const notASCII = 0x8080808080808080 // the bits that no ASCII byte has
	rest := b[:len(b):len(b)]
	for len(rest) > 32 && (word(rest)|word(rest[8:])|word(rest[16:])|word(rest[24:]))&notASCII == 0 {
		rest = rest[32:]
	}
	for len(rest) > 8 {
		if found := word(rest) & notASCII; found != 0 {
			return len(b) - len(rest) + bits.TrailingZeros64(found)/8
		}
		rest = rest[8:]
	}
	for len(rest) > 0 && rest[0] < utf8.RuneSelf {
		rest = rest[1:]
	}
	return len(b) - len(rest)
}

// word is the first eight bytes of b.
func word(b []byte) uint64 { return binary.LittleEndian.Uint64(b) }
