package brenner

import (
	"strings"
	"unicode/utf8"
)

// A byte that is not UTF-8 is read as U+FFFD. A name with such a byte is the known name that
// it can only mean: the byte causes no other finding (decisions.md 90).

const replaced = string(utf8.RuneError)

// Meant returns which of names a name with replaced bytes means, in any case; "" if none or
// several fit.
func Meant(name string, names ...string) string {
	meant := ""
	for _, known := range names {
		if known == meant || !MayMean(name, known) {
			continue
		}
		if meant != "" {
			return ""
		}
		meant = known
	}
	return meant
}

// MayMean reports whether a name with replaced bytes may be a known one, in any case: each
// replaced byte may be one character or none. A name without replaced bytes never is.
func MayMean(name, known string) bool {
	const most = 4 // of a character; each is tried in both ways
	n := strings.Count(name, replaced)
	return n > 0 && n <= most && len(name) > n*len(replaced) && fits(name, known)
}

func fits(name, known string) bool {
	before, rest, more := strings.Cut(name, replaced)
	if !HasPrefixFold(known, before) {
		return false
	}
	known = known[len(before):]
	if !more {
		return known == ""
	}
	_, n := utf8.DecodeRuneInString(known)
	return fits(rest, known) || n > 0 && fits(rest, known[n:])
}
