package jsontree

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isWord(r rune) bool { return r == '_' || r == '$' || unicode.IsLetter(r) }

func isPrintable(r rune) bool { return unicode.IsPrint(r) }

// wordAt is the bare word at off: letters, digits, _, $ and -.
func (f *fault) wordAt(off int) string {
	end := off
	for end < len(f.data) {
		r, size := utf8.DecodeRune(f.data[end:])
		if !isWord(r) && r != '-' && (r < '0' || r > '9') {
			break
		}
		end += size
	}
	return string(f.data[off:end])
}

// foreignWords are words of other languages and what JSON writes for them.
var foreignWords = map[string]string{
	"True": "true", "TRUE": "true", "False": "false", "FALSE": "false",
	"None": "null", "NULL": "null", "Null": "null", "nil": "null", "undefined": "null",
	"NaN": "null", "nan": "null", "Infinity": "null", "inf": "null",
}

// quoting marks a fault whose words repeat those of the text.
func quoting(e SyntaxError) SyntaxError {
	e.Quotes = true
	return e
}

// word is a bare word: a key or string without quotes, a literal of another
// language, or a stray word.
func (f *fault) word(off int) SyntaxError {
	word := f.wordAt(off)
	shown := word
	if len(shown) > maxShown {
		shown = strings.ToValidUTF8(shown[:maxShown], "") + "…"
	}
	quoted := fmt.Sprintf(`write "%s"`, shown)
	switch instead, foreign := foreignWords[word]; {
	case f.wants == wantName:
		return quoting(f.error(off, len(word), "key "+shown+" is not in double quotes", quoted))
	case f.wants != wantValue:
		return quoting(f.error(off, len(word), "unexpected "+shown+", expected "+f.expected(), ""))
	case foreign:
		return f.error(off, len(word), shown+" is not JSON", "write "+instead)
	case word == "":
		return f.error(off, f.at-off+1, "neither true, false nor null", "")
	}
	return quoting(f.error(off, len(word), "value "+shown+" is not in double quotes", quoted))
}

// inNumber is a number that breaks off at f.at.
func (f *fault) inNumber() SyntaxError {
	number := f.data[f.token:f.at]
	switch {
	case len(number) == 1:
		if f.wordAt(f.at) == "Infinity" {
			return f.error(f.token, len("-Infinity"), "-Infinity is not JSON", "write null")
		}
		return f.error(f.token, 1, "minus sign without a number", "")
	case bytes.ContainsAny(number, "eE"):
		return quoting(f.error(f.token, len(number), fmt.Sprintf("number %.*s has no digit in its exponent", maxShown, number), ""))
	}
	whole := strings.TrimSuffix(string(number), ".")
	return quoting(f.error(f.token, len(number), fmt.Sprintf("number %.*s has no digit after the point", maxShown, number), fmt.Sprintf("write %.*s", maxShown, whole)))
}

// number is a number in a form that JSON does not have, or in a wrong place.
func (f *fault) number(r rune) SyntaxError {
	adjacent := f.at > 0 && isDigit(f.data[f.at-1])
	switch {
	case r == '+':
		return f.error(f.at, 1, "plus sign before a number", "remove +")
	case r == '.' && f.wants == wantValue:
		return f.error(f.at, 1, "number without a digit before the point", "write 0 before the point")
	case r == '.':
		return f.punctuation(r, 1)
	case f.wants == wantComma && adjacent:
		return f.error(f.at-1, 1, "number with a leading zero", "remove the zero")
	case f.wants == wantComma:
		return f.error(f.at, 1, "missing comma before a number", "add a comma after the value before")
	case f.wants == wantColon:
		return f.error(f.at, 1, "missing : between a key and its value", "add :")
	}
	return f.error(f.at, 1, "a number where a key should stand", "write the key in double quotes")
}

// isComment reports a comment of JavaScript or a shell at the fault.
func (f *fault) isComment() bool {
	rest := f.data[f.at:]
	return rest[0] == '#' || bytes.HasPrefix(rest, []byte("//")) || bytes.HasPrefix(rest, []byte("/*"))
}

func (f *fault) commentLength() int { return commentLength(f.data[f.at:]) }

// commentLength is the length of the comment at the start of data, without the
// line end after it; an unclosed block comment goes to the end.
func commentLength(data []byte) int {
	if bytes.HasPrefix(data, []byte("/*")) {
		if n := bytes.Index(data[2:], []byte("*/")); n >= 0 {
			return n + 4
		}
		return len(data)
	}
	if n := bytes.IndexByte(data, '\n'); n >= 0 {
		return len(bytes.TrimRight(data[:n], "\r"))
	}
	return len(data)
}
