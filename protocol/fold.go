package protocol

import "strings"

// HasPrefixFold reports whether s begins with a prefix, in any case: headings,
// labels and ids are read leniently.
func HasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

// ContainsFold reports whether s holds words, in any case.
func ContainsFold(s, words string) bool {
	for i := 0; i+len(words) <= len(s); i++ {
		if HasPrefixFold(s[i:], words) {
			return true
		}
	}
	return false
}
