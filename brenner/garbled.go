package brenner

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

const replaced = string(utf8.RuneError)

// Meant returns which of names a name with replaced bytes means, in any case; "" if none or
// several fit. A byte that is not UTF-8 is read as U+FFFD: it may be one character or none, and
// causes no other finding if the name can only mean a known one (decisions.md 90).
func Meant(name string, names ...string) (meant string) {
	const most = 4 // replaced bytes of a character
	if n := strings.Count(name, replaced); n == 0 || n > most || len(name) == n*len(replaced) {
		return ""
	}
	fits := regexp.MustCompile(`(?is)^` + strings.ReplaceAll(regexp.QuoteMeta(name), replaced, ".?") + `$`)
	for _, known := range names {
		if known == meant || !fits.MatchString(known) {
			continue
		}
		if meant != "" {
			return ""
		}
		meant = known
	}
	return meant
}
