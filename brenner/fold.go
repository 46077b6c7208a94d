package brenner

import (
	"strings"
	"unicode/utf8"
)

// HasPrefixFold reports whether s begins with a prefix in any case. Headings, labels and
// ids are read leniently.
func HasPrefixFold(s, prefix string) bool {
	if len(s) < len(prefix) || prefix != "" && beginOtherwise(s[0], prefix[0]) {
		return false // the usual case
	}
	return strings.EqualFold(s[:len(prefix)], prefix)
}

// EqualFold is strings.EqualFold, but faster for texts that begin differently.
func EqualFold(s, t string) bool {
	return (s == "" || t == "" || !beginOtherwise(s[0], t[0])) && strings.EqualFold(s, t)
}

// beginOtherwise reports whether two texts with these first bytes differ in more than
// case.
func beginOtherwise(a, b byte) bool {
	const caseBit = 'a' - 'A'
	return a|caseBit != b|caseBit && a < utf8.RuneSelf && b < utf8.RuneSelf
}

// ContainsFold reports whether s contains words, in any case.
func ContainsFold(s, words string) bool {
	for i := 0; i+len(words) <= len(s); i++ {
		if HasPrefixFold(s[i:], words) {
			return true
		}
	}
	return false
}
