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
// number past the last line is left out. It reads the file once, as far as the last of
// them.
func Of(data []byte, lines ...int) map[int]string {
	h := hasher{leave: 1, next: never, seen: map[uint64]int{}, found: make(map[int]string, len(lines))}
	h.wanted = make(map[int]bool, len(lines))
	for _, n := range lines {
		h.wanted[n] = true
		h.last = max(h.last, n)
	}
	for range window {
		h.leave *= base
	}
	h.read(data)
	h.add(sentinel)
	for range window {
		h.take(0)
	}
	return h.found
}

// hasher makes a polynomial hash of all characters that were read. That of a line is
// known when so many follow its start as the window has: the hash of all without that
// of what is before the line.
type hasher struct {
	hash  uint64 // of all that was read
	at    int    // how many characters that is
	leave uint64 // base to the power of window: the weight of what is before a window

	starts  [2 * window]start // of the last lines, by their numbers
	begun   int               // lines begun so far
	settled int               // lines of which the hash is known
	next    int               // where the first line begins that is not settled, or never
	inLine  bool              // the line's first character was seen
	cr      bool              // the last character read was \r

	seen   map[uint64]int
	wanted map[int]bool
	last   int // of those that are wanted
	found  map[int]string
}

// start is where a line begins, and the hash of all before it.
type start struct {
	at   int
	hash uint64
}

const never = -window - 1 // not a place where a line begins

// read decodes UTF-8. Bytes that are none become U+FFFD, one for each longest
// beginning of a character, as browsers and Node do.
func (h *hasher) read(data []byte) {
	for i := 0; i < len(data) && h.settled < h.last; {
		if c := data[i]; c < utf8.RuneSelf {
			if c > ' ' && h.inLine { // nearly all are
				h.take(uint16(c))
			} else {
				h.char(uint16(c))
			}
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

// illFormed returns the length of the ill-formed sequence that b begins with: as
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
	if !h.inLine {
		h.begun++
		*h.start(h.begun) = start{h.at, h.hash}
		if h.next == never {
			h.next = h.at
		}
	}
	h.inLine = c != '\n'
	h.take(c)
}

// start returns where a line begins that is not settled, by its number.
func (h *hasher) start(n int) *start { return &h.starts[n%len(h.starts)] }

// take takes a character, and before it settles the line that a window is read of.
func (h *hasher) take(c uint16) {
	if h.at-window == h.next {
		h.settle()
	}
	h.hash = h.hash*base + uint64(c)
	h.at++
}

// settle notes the hash of the first line that has none.
func (h *hasher) settle() {
	h.settled++
	hash := h.hash - h.start(h.settled).hash*h.leave
	h.seen[hash]++
	if h.wanted[h.settled] {
		h.found[h.settled] = strconv.FormatUint(hash, 16) + ":" + strconv.Itoa(h.seen[hash])
	}
	h.next = never
	if h.settled < h.begun {
		h.next = h.start(h.settled + 1).at
	}
}
