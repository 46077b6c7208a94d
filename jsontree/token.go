package jsontree

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/brennerlint/brennerlint/source"
)

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isWord(r rune) bool { return r == '_' || r == '$' || unicode.IsLetter(r) }

func isPrintable(r rune) bool { return unicode.IsPrint(r) }

// wordAt returns the bare word at off: letters, digits, _, $ and -.
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

// quoting marks what a fault repeats of the text.
func quoting(e SyntaxError, words ...string) SyntaxError {
	e.Quoted = words
	return e
}

// word returns a bare word: a key or string without quotes, a literal of another
// language, or a stray word.
func (f *fault) word(off int) SyntaxError {
	word := f.wordAt(off)
	switch {
	case f.wants == wantName:
		return f.bareKey(off)
	case f.wants != wantValue:
		return quoting(f.error(off, len(word), "unexpected "+shorten(word)+"; expected "+f.expected(), ""), shorten(word))
	case word == "":
		return f.error(off, f.at-off+1, "neither true, false nor null", "")
	}
	return f.bare(off)
}

// bareKey returns a key without quotes: everything up to its colon.
func (f *fault) bareKey(off int) SyntaxError {
	n := len(f.wordAt(off))
	rest := line(f.data[off:])
	if colon := bytes.IndexAny(rest, `:,{}[]"\`); colon > n && rest[colon] == ':' {
		n = len(bytes.TrimRight(rest[:colon], " \t"))
	}
	key := string(f.data[off : off+n])
	return quoting(f.error(off, n, "key "+shorten(key)+" is not in double quotes", writeString(key)), shorten(key))
}

// bare returns a value without quotes, or a number in a form that JSON does not have.
func (f *fault) bare(off int) SyntaxError {
	end := f.bareEnd(off)
	text := string(f.data[off:end])
	if instead := literalFor(text); instead != "" {
		e := f.error(off, len(text), text+" is not JSON", "write "+instead)
		edits := []source.Edit{{Span: source.Span{Start: off, End: off + len(text)}, Text: instead}}
		fixed := jsontext.Value(source.Apply(f.data, edits))
		if foreignWords[text] != "" && fixed.IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) {
			e.Edits = edits
		}
		return e
	}
	if instead := decimalFor(text); instead != "" {
		return quoting(f.error(off, len(text), shorten(text)+" is not a decimal number", "write "+instead), shorten(text), instead)
	}
	hint := writeString(text)
	if next := skipSpace(f.data, end); next < len(f.data) && f.data[next] == '"' {
		hint = "write the value in double quotes"
	}
	return quoting(f.error(off, len(text), "value "+shorten(text)+" is not in double quotes", hint), shorten(text))
}

// bareEnd returns the end of the value without quotes at off: before the next comma or
// closing bracket of its line. A comma in an object only ends it if a key follows.
func (f *fault) bareEnd(off int) int {
	rest := line(f.data[off:])
	end := len(rest)
	for i, c := range rest {
		if c == ',' && f.in == '{' {
			if next := skipSpace(f.data, off+i+1); next < len(f.data) && f.data[next] != '"' && f.data[next] != '\'' && f.data[next] != '}' {
				continue
			}
		}
		if strings.IndexByte(`,]}"`, c) >= 0 {
			end = i
			break
		}
	}
	return off + len(bytes.TrimRight(rest[:end], " \t\r"))
}

// joined returns where the number or literal begins that something follows without
// a space (1.5.2, nullable), f.at if nothing does.
func (f *fault) joined() int {
	if f.in == 0 || f.wants != wantComma {
		return f.at
	}
	r, _ := utf8.DecodeRune(f.data[f.at:])
	if !isWord(r) && (r < '0' || r > '9') && !strings.ContainsRune("._%-/+", r) {
		return f.at
	}
	start := f.at
	for start > 0 && isBare(f.data[start-1]) {
		start--
	}
	if run := f.data[start:f.at]; len(run) == 1 && run[0] == '0' && '0' <= r && r <= '9' {
		return f.at // a leading zero
	}
	return start
}

// isBare reports whether a byte is one of a number or literal.
func isBare(c byte) bool {
	return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'z' || c == '.' || c == '-' || c == '+'
}

// literalFor returns the literal that a word stands for: one of another language, or
// one that is cut off or misspelt; "" if none.
func literalFor(word string) string {
	if instead := foreignWords[word]; instead != "" || len(word) < 2 || len(word) > len("false")+1 {
		return instead
	}
	word = strings.ToLower(word)
	for _, literal := range [...]string{"true", "false", "null"} {
		if strings.HasPrefix(literal, word) || strings.HasPrefix(word, literal) || sameLetters(literal, word) {
			return literal
		}
	}
	return ""
}

// sameLetters reports whether two words have the same letters in any order.
func sameLetters(a, b string) bool {
	x, y := []byte(a), []byte(b)
	slices.Sort(x)
	slices.Sort(y)
	return bytes.Equal(x, y)
}

// decimalFor returns a number in hexadecimal, octal or binary form, or with
// underscores, as JSON writes it; "" if the text is none.
func decimalFor(text string) string {
	if n, err := strconv.ParseInt(text, 0, 64); err == nil && len(text) <= maxShown {
		return strconv.FormatInt(n, 10)
	}
	return ""
}

// shorten returns a text of the input as messages show it.
func shorten(text string) string {
	if len(text) > maxShown {
		text = text[:maxShown] + "…"
	}
	return strings.ToValidUTF8(text, "")
}

// writeString returns the hint to write a text as a string.
func writeString(text string) string {
	if len(text) > maxShown || !utf8.ValidString(text) || strings.ContainsAny(text, `"\`) || strings.ContainsFunc(text, unicode.IsControl) {
		return "write it in double quotes"
	}
	return `write "` + text + `"`
}

// inNumber returns a number that breaks off at f.at.
func (f *fault) inNumber() SyntaxError {
	number := string(f.data[f.token:f.at])
	switch {
	case len(number) == 1:
		if f.wordAt(f.at) == "Infinity" {
			return f.error(f.token, len("-Infinity"), "-Infinity is not JSON", "write null")
		}
		if f.in != 0 && f.bareEnd(f.token) > f.at {
			return f.bare(f.token)
		}
		return f.error(f.token, 1, "minus sign without a number", "")
	case strings.ContainsAny(number, "eE"):
		return quoting(f.error(f.token, len(number), "number "+shorten(number)+" has no digit in its exponent", ""), shorten(number))
	}
	whole := strings.TrimSuffix(number, ".")
	return quoting(f.error(f.token, len(number), "number "+shorten(number)+" has no digit after the point", "write "+shorten(whole)), shorten(number), shorten(whole))
}

// number returns a number in a form that JSON does not have, or in a wrong place.
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
		return f.leadingZero()
	case f.wants == wantComma:
		return f.error(f.at, 1, "missing comma before a number", "add a comma after the previous value")
	case f.wants == wantColon:
		return f.error(f.at, 1, "missing : between a key and its value", "add :")
	}
	return f.error(f.at, 1, "a number where a key is expected", "write the key in double quotes")
}

// leadingZero returns a number such as 007.
func (f *fault) leadingZero() SyntaxError {
	zeros := 0
	for at := f.at - 1; at+1 < len(f.data) && f.data[at] == '0' && isDigit(f.data[at+1]); at++ {
		zeros++
	}
	if zeros == 1 {
		return f.error(f.at-1, 1, "number with a leading zero", "remove the zero")
	}
	return f.error(f.at-1, zeros, "number with leading zeros", "remove the zeros")
}

// isComment reports whether there is a comment of JavaScript or a shell at the fault.
func (f *fault) isComment() bool {
	rest := f.data[f.at:]
	return rest[0] == '#' || bytes.HasPrefix(rest, []byte("//")) || bytes.HasPrefix(rest, []byte("/*"))
}

func (f *fault) commentLength() int { return commentLength(f.data[f.at:]) }

// commentLength returns the length of the comment at the start of data, without the
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
