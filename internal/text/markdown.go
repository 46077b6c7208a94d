package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Shorten cuts a text to a number of code points.
func Shorten(s string, most int) string {
	if cut, isLong := cutTo(s, most); isLong {
		return strings.TrimRight(cut, " ") + "…"
	}
	return s
}

// OneLine returns a text on one line. White space and control characters become a space.
func OneLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
}

// Markdown escapes a text for a line of Markdown or a cell of a table. It is shown as it
// is, and makes no mark, link or HTML. It gets a backslash only where needed, because
// agents read the source.
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

// Fence puts a text into a fence that nothing in it can close.
func Fence(language, s string) string {
	longest, run := 2, 0 // of backticks
	for i := range len(s) {
		if s[i] != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	fence := strings.Repeat("`", longest+1)
	if s != "" && !strings.HasSuffix(s, "\n") {
		s += "\n"
	}
	return fence + language + "\n" + s + fence + "\n"
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
		return i == 0 || !isWord(s[i-1]) || !isWord(next) // not a mark inside a word
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

// ShortenBoth shortens two different texts so that their difference stays visible.
func ShortenBoth(a, b string, most int) (string, string) {
	if a != b && Shorten(a, most) == Shorten(b, most) {
		a, b = sinceDifference(a, b, most)
	}
	return Shorten(a, most), Shorten(b, most)
}
