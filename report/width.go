package report

import (
	"unicode"

	"golang.org/x/text/width"
)

// runeWidth is how many columns of a terminal a rune takes after the rune last:
// 0 if it joins the character before it. Hidden characters are escaped before
// they are shown, so no rune that joins two others is left.
func runeWidth(r, last rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me),
		0x1160 <= r && r <= 0x11ff, 0xd7b0 <= r && r <= 0xd7ff, // later parts of a Hangul syllable
		isSkinTone(r) && last >= 0x2600:
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

func isSkinTone(r rune) bool { return 0x1f3fb <= r && r <= 0x1f3ff }

// textWidth is the width of a cleaned text in columns.
func textWidth(s string) int {
	n, last := 0, rune(0)
	for _, r := range s {
		n += runeWidth(r, last)
		last = r
	}
	return n
}
