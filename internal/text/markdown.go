package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Shorten returns the beginning of a text, of at most so many code points.
func Shorten(s string, most int) string {
	if len(s) <= most || utf8.RuneCountInString(s) <= most {
		return s
	}
	cut := 0
	for range most - 1 {
		_, n := utf8.DecodeRuneInString(s[cut:])
		cut += n
	}
	return strings.TrimRight(s[:cut], " ") + "…"
}

// OneLine returns a text on one line: white space and control characters are one space.
func OneLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
}

// Markdown returns a text on one line inside a line of Markdown, also in a cell of a
// table: it shows as it is, and no mark, link or HTML comes of it. What needs no
// backslash has none, because agents read the source.
func Markdown(s string) string {
	s = OneLine(strings.ToValidUTF8(s, "\uFFFD"))
	if !strings.ContainsAny(s, "\\`*_~|<&]") {
		return s
	}
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if isMark(s, i) {
			out.WriteByte('\\')
		}
		out.WriteByte(s[i])
	}
	return out.String()
}

// isMark reports whether a byte of a line would be read as Markdown.
func isMark(s string, i int) bool {
	next := byte(' ')
	if i+1 < len(s) {
		next = s[i+1]
	}
	switch s[i] {
	case '\\', '`', '*', '|':
		return true
	case '~':
		return next == '~' || i > 0 && s[i-1] == '~'
	case '_':
		return i == 0 || !isWord(s[i-1]) || !isWord(next) // inside a word it is not a mark
	case '<':
		return isWord(next) || next == '/' || next == '!' || next == '?'
	case '&':
		return next == '#' || isWord(next)
	case ']':
		return next == '(' || next == '[' || next == ':'
	}
	return false
}

func isWord(c byte) bool {
	return '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' || c >= utf8.RuneSelf
}

// ShortenBoth shortens two texts, which are not equal, so that they show in what
// they differ.
func ShortenBoth(a, b string, most int) (string, string) {
	if x, y := Shorten(a, most), Shorten(b, most); x != y {
		return x, y
	}
	alike := 0
	for alike < min(len(a), len(b)) && a[alike] == b[alike] {
		alike++
	}
	for alike > 0 && (!startsRune(a, alike) || !startsRune(b, alike)) {
		alike--
	}
	for range most / 3 {
		_, n := utf8.DecodeLastRuneInString(a[:alike])
		alike -= n
	}
	return Shorten("…"+a[alike:], most), Shorten("…"+b[alike:], most)
}
