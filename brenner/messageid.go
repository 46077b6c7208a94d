package brenner

import (
	"cmp"
	"strconv"
	"strings"
)

// CompareMessageIDs orders message ids: numbers first, by size and without leading zeros, then
// all other ids as text (decisions.md 16: order of messages).
func CompareMessageIDs(a, b string) int {
	an, bn := IsNumber(a), IsNumber(b)
	switch {
	case an && bn:
		a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
		return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
	case an:
		return -1
	case bn:
		return 1
	}
	return strings.Compare(a, b)
}

// IsNumber reports whether a text consists of digits only.
func IsNumber(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// ParseNumber reads the digits at the beginning of s and returns how many there are. A
// larger number than MaxItemNumber is read as that.
func ParseNumber(s string) (n, digits int) { return numberUpTo(MaxItemNumber, s) }

func numberUpTo(most int, s string) (n, digits int) {
	for digits < len(s) && '0' <= s[digits] && s[digits] <= '9' {
		n = min(n*10+int(s[digits]-'0'), most)
		digits++
	}
	return n, digits
}

// SameVersion reports whether a version as written in front matter (3, v3, "3") is
// version number n.
func SameVersion(text string, n int) bool {
	text = strings.TrimLeft(strings.TrimSpace(text), "vV")
	return n > 0 && text == strconv.Itoa(n)
}
