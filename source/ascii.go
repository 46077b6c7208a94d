package source

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// ASCIILen returns the length of the ASCII prefix of b: len(b) if all of b is ASCII. Up to
// 32 bytes are looked at in one step, for nearly all text is ASCII, which never has the
// highest bit.
func ASCIILen(b []byte) int {
	rest := b[:len(b):len(b)]
	for len(rest) > 32 && (word(rest)|word(rest[8:])|word(rest[16:])|word(rest[24:]))&high == 0 {
		rest = rest[32:]
	}
	for len(rest) > 8 {
		if found := word(rest) & high; found != 0 {
			return len(b) - len(rest) + bits.TrailingZeros64(found)/8
		}
		rest = rest[8:]
	}
	for len(rest) > 0 && rest[0] < utf8.RuneSelf {
		rest = rest[1:]
	}
	return len(b) - len(rest)
}

// PrintableLen returns the length of the prefix of b of printable ASCII, from space to
// tilde.
func PrintableLen(b []byte) int {
	rest := b[:len(b):len(b)]
	for len(rest) > 32 && (outside(word(rest))|outside(word(rest[8:]))|outside(word(rest[16:]))|outside(word(rest[24:])))&high == 0 {
		rest = rest[32:]
	}
	for len(rest) > 8 {
		if other := outside(word(rest)) & high; other != 0 {
			return len(b) - len(rest) + bits.TrailingZeros64(other)/8
		}
		rest = rest[8:]
	}
	if len(rest) > 0 && len(b) >= 8 { // the last bytes, with zeros behind them
		w := word(b[len(b)-8:]) >> (8 * (8 - len(rest)))
		return len(b) - len(rest) + bits.TrailingZeros64(outside(w)&high)/8
	}
	for len(rest) > 0 && ' ' <= rest[0] && rest[0] <= '~' {
		rest = rest[1:]
	}
	return len(b) - len(rest)
}

// each has the lowest bit of each byte of a word, and high the highest.
const each, high = 0x0101010101010101, 0x8080808080808080

// outside has the highest bit of the first byte of a word that is not printable ASCII, and
// of none before it. What is below a space borrows from the highest bit, and what is above
// a tilde has it or is carried into it.
func outside(w uint64) uint64 { return (w - ' '*each) | (w + each) | w }

// word returns the first eight bytes of b.
func word(b []byte) uint64 { return binary.LittleEndian.Uint64(b) }
