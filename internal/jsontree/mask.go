package jsontree

import (
	"slices"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/source"
)

// Mask makes bytes harmless that JSON does not allow, in place, and reports whether there were
// any. Outside of strings, control characters and bytes that are not UTF-8 become spaces. Inside
// of strings, control characters become a byte that is not UTF-8, and so does a backslash before
// such a byte. Line ends and tabs in strings stay: it is more likely that a quotation mark is
// missing.
func Mask(data []byte) bool {
	masked, inString := false, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case c == '\\' && inString:
			if i++; i < len(data) && source.ValidLen(data[i:min(len(data), i+utf8.UTFMax)]) == 0 {
				data[i-1], masked = 0xff, true
			}
		case c == '"':
			inString = !inString
		case isControl(c) && inString:
			data[i], masked = 0xff, true
		case isControl(c):
			data[i], masked = ' ', true
		case c >= utf8.RuneSelf:
			if _, n := utf8.DecodeRune(data[i:]); n > 1 {
				i += n - 1
			} else if !inString {
				data[i], masked = ' ', true
			}
		}
	}
	return masked
}

// RawControl returns the offset of the first control character that JSON does not allow
// anywhere, -1 if there is none.
func RawControl(data []byte) int { return slices.IndexFunc(data, isControl) }

func isControl(c byte) bool { return c < ' ' && !source.IsSpace(c) }
