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
// numbers past the last line. The hash is polynomial and rolls over the file once, up to the
// last of the lines, as in GitHub's upload action.
func Of(data []byte, lines ...int) map[int]string {
	wanted, last := map[int]bool{}, 0
	for _, n := range lines {
		wanted[n] = true
		last = max(last, n)
	}
	chars := characters(data)
	hash, leave := uint64(0), uint64(1) // leave is the weight of a character that leaves the window
	for _, c := range chars[:window] {
		hash = hash*base + uint64(c)
		leave *= base
	}
	found, seen := map[int]string{}, map[uint64]int{}
	line := 0
	for i := range len(chars) - window {
		if i == 0 || chars[i-1] == '\n' {
			line++
			seen[hash]++
			if wanted[line] {
				found[line] = strconv.FormatUint(hash, 16) + ":" + strconv.Itoa(seen[hash])
			}
			if line >= last {
				break
			}
		}
		hash = hash*base + uint64(chars[i+window]) - leave*uint64(chars[i])
	}
	return found
}

// characters returns the characters of a file that count, the sentinel, and as many zeros as
// fill the window of the sentinel.
func characters(data []byte) []uint16 {
	chars := make([]uint16, 0, len(data)+1+window)
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		switch {
		case r == ' ' || r == '\t' || r == '\n' && i > 0 && data[i-1] == '\r':
		case r == '\r':
			chars = append(chars, '\n')
		default:
			chars = utf16.AppendRune(chars, r)
		}
		if r == utf8.RuneError && size == 1 {
			size = illFormed(data[i:])
		}
		i += size
	}
	chars = append(chars, sentinel)
	return append(chars, make([]uint16, window)...)
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
