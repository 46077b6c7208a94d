package protocol

import (
	"cmp"
	"strconv"
	"strings"
)

// CompareMessageIDs orders message ids: numbers by size, however long, before
// all others, which are ordered as text (decisions.md 16).
func CompareMessageIDs(a, b string) int {
	na, aok := digits(a)
	nb, bok := digits(b)
	switch {
	case aok && bok:
		return cmp.Or(cmp.Compare(len(na), len(nb)), strings.Compare(na, nb), strings.Compare(a, b))
	case aok:
		return -1
	case bok:
		return 1
	}
	return strings.Compare(a, b)
}

// digits is a number without leading zeros.
func digits(s string) (string, bool) {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return "", false
		}
	}
	return strings.TrimLeft(s, "0"), s != ""
}

// SameVersion reports whether a version as front matter writes it (3, v3, "3")
// is version number n.
func SameVersion(text string, n int) bool {
	text = strings.TrimLeft(strings.TrimSpace(text), "vV")
	return n > 0 && text == strconv.Itoa(n)
}
