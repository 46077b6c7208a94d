// Package linehash identifies lines of a file as GitHub code scanning does
// (partialFingerprints, primaryLocationLineHash). So an alert is recognised when lines
// above it are added or removed, whichever program uploaded the report.
//
// A line is identified by a hash of the 100 characters from its start, and by the number
// of earlier lines with the same hash. Characters are UTF-16 code units. Spaces and tabs do
// not count, and every line end is \n.
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

// Of returns the hashes of some lines of a file, by line number from 1. It leaves out
// numbers past the last line. It reads the file once, up to the last of the lines.
func Of(data []byte, lines ...int) map[int]string {
	h := hasher{leave: 1, seen: map[uint64]int{}, wanted: map[int]bool{}, found: map[int]string{}}
	last := 0
	for _, n := range lines {
		h.wanted[n] = true
		last = max(last, n)
	}
	for range window {
		h.leave *= base
	}
	h.lineStart = true
	for i := 0; i < len(data) && h.settled < last; {
		r, size := utf8.DecodeRune(data[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			size = illFormed(data[i:])
			h.char(utf8.RuneError)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			h.char(uint16(high))
			h.char(uint16(low))
		default:
			h.char(uint16(r))
		}
		i += size
	}
	h.char(sentinel)
	for range window {
		h.take(0)
	}
	return h.found
}

// hasher computes a polynomial hash of the last characters that were read, as GitHub's
// upload action does. The hash of a line is known once a whole window of characters has
// been read from its start.
type hasher struct {
	hash  uint64 // of the window
	leave uint64 // base to the power of window: the weight of a character that leaves it

	// The window is a ring; at is where the next character goes.
	chars [window]uint16
	lines [window]int // the line that a character begins, 0 if it begins none
	at    int

	line      int  // of the last character
	settled   int  // the number of lines whose hash is known
	lineStart bool // the next character begins a line
	cr        bool // the last character read was \r

	seen   map[uint64]int
	wanted map[int]bool
	found  map[int]string
}

// illFormed returns the length of the ill-formed sequence at the start of b: the bytes
// that could begin a character (Unicode 3.9, maximal subparts).
func illFormed(b []byte) int {
	n := 1
	for n < len(b) && !utf8.FullRune(b[:n+1]) {
		n++
	}
	return n
}

// char reads the next character of the file.
func (h *hasher) char(c uint16) {
	afterCR := h.cr
	h.cr = c == '\r'
	switch {
	case c == ' ' || c == '\t' || c == '\n' && afterCR:
		return
	case c == '\r':
		c = '\n'
	}
	h.take(c)
}

// take puts a character into the window. The character that it replaces may have begun a
// line: the hash of that line is then known.
func (h *hasher) take(c uint16) {
	if line := h.lines[h.at]; line > 0 {
		h.settled = line
		h.seen[h.hash]++
		if h.wanted[line] {
			h.found[line] = strconv.FormatUint(h.hash, 16) + ":" + strconv.Itoa(h.seen[h.hash])
		}
		h.lines[h.at] = 0
	}
	if h.lineStart {
		h.line++
		h.lines[h.at] = h.line
	}
	h.lineStart = c == '\n'
	h.hash = h.hash*base + uint64(c) - h.leave*uint64(h.chars[h.at])
	h.chars[h.at] = c
	h.at = (h.at + 1) % window
}
