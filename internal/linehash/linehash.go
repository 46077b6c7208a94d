// Package linehash identifies lines of a file as GitHub code scanning does
// (partialFingerprints, primaryLocationLineHash), so that an alert is recognised
// when lines above it come or go, whichever program uploaded the report.
//
// The identity of a line is a hash of the 100 characters from its start on and
// the number of earlier lines with the same hash. Characters are UTF-16 code
// units; spaces and tabs do not count, every line end is \n. It knows nothing of
// findings.
package linehash

import (
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

const (
	window   = 100 // characters that a hash covers
	base     = 37
	sentinel = 0xffff // is after the last character
)

// Of returns the hashes of some lines of a file, by line number from 1; a
// number past the last line is left out. It reads the file once.
func Of(data []byte, lines ...int) map[int]string {
	h := hasher{leave: 1, seen: map[uint64]int{}, found: make(map[int]string, len(lines))}
	h.wanted = make(map[int]bool, len(lines))
	for _, n := range lines {
		h.wanted[n] = true
	}
	for range window {
		h.leave *= base
	}
	h.read(data)
	h.add(sentinel)
	for range window {
		h.roll(0)
	}
	return h.found
}

// hasher rolls a polynomial hash over the characters: the hash of a line is
// known when the window has moved so far that the line's first character is
// about to leave it.
type hasher struct {
	hash  uint64
	leave uint64         // base to the power of window: the weight of what leaves
	ring  [window]uint16 // the characters of the window
	line  [window]int    // the number of the line that begins there, else 0
	at    int            // the oldest character

	lines  int  // begun so far
	inLine bool // the line's first character was seen
	cr     bool // the last character read was \r

	seen   map[uint64]int
	wanted map[int]bool
	found  map[int]string
}

// read decodes UTF-8. Bytes that are none become U+FFFD, one for each longest
// beginning of a character, as browsers and Node do.
func (h *hasher) read(data []byte) {
	for i := 0; i < len(data); {
		if c := data[i]; c < utf8.RuneSelf {
			h.char(uint16(c))
			i++
			continue
		}
		r, size := utf8.DecodeRune(data[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			i += illFormed(data[i:])
			h.char(utf8.RuneError)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			h.char(uint16(high))
			h.char(uint16(low))
			i += size
		default:
			h.char(uint16(r))
			i += size
		}
	}
}

// illFormed is the length of the ill-formed sequence that b begins with: as
// many bytes as could begin a character (Unicode 3.9, maximal subparts).
func illFormed(b []byte) int {
	low, high, rest := byte(0x80), byte(0xbf), 0
	switch c := b[0]; {
	case 0xc2 <= c && c <= 0xdf:
		rest = 1
	case 0xe0 <= c && c <= 0xef:
		rest = 2
	case 0xf0 <= c && c <= 0xf4:
		rest = 3
	}
	switch b[0] {
	case 0xe0:
		low = 0xa0
	case 0xed:
		high = 0x9f
	case 0xf0:
		low = 0x90
	case 0xf4:
		high = 0x8f
	}
	n := 1
	for ; n <= rest && n < len(b) && low <= b[n] && b[n] <= high; n++ {
		low, high = 0x80, 0xbf
	}
	return n
}

// char takes the next character of the file.
func (h *hasher) char(c uint16) {
	afterCR := h.cr
	h.cr = c == '\r'
	switch {
	case c == ' ' || c == '\t' || c == '\n' && afterCR:
		return
	case c == '\r':
		c = '\n'
	}
	h.add(c)
}

// add takes a character that counts.
func (h *hasher) add(c uint16) {
	begins := !h.inLine
	h.inLine = c != '\n'
	at := h.at
	h.roll(c)
	if begins {
		h.lines++
		h.line[at] = h.lines
	}
}

// roll moves the window by one character and settles the line that began where
// the oldest one stood.
func (h *hasher) roll(c uint16) {
	if n := h.line[h.at]; n > 0 {
		h.line[h.at] = 0
		h.seen[h.hash]++
		if h.wanted[n] {
			h.found[n] = strconv.FormatUint(h.hash, 16) + ":" + strconv.Itoa(h.seen[h.hash])
		}
	}
	h.hash = h.hash*base + uint64(c) - h.leave*uint64(h.ring[h.at])
	h.ring[h.at] = c
	h.at = (h.at + 1) % window
}
