package jsontree

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/source"
)

// want is what may be at a place of a JSON text.
type want uint8

const (
	wantValue want = iota + 1
	wantName       // a member's name
	wantColon      // after a member's name
	wantComma      // after a member or element: a comma or the end
	wantEnd        // after the whole value: nothing
)

// fault is a place of a text, and what is wanted there.
type fault struct {
	data  []byte
	at    int  // of what cannot be there
	in    byte // '{' or '[', the innermost that is open; 0 if none is
	wants want
}

// decoderDepth is the decoder's own limit on depth.
const decoderDepth = 10_000

// diagnose turns the decoder's error into the place and the usual mistake.
func (r *reader) diagnose(err error) *SyntaxError {
	read := int(r.InputOffset())
	if errors.Is(err, errDepth) {
		return &SyntaxError{
			Span:    source.Span{Start: read - 1, End: read},
			Message: fmt.Sprintf("nested deeper than %d levels", r.opts.MaxDepth),
			Hint:    "reduce the nesting, or raise limits.json-depth in .brennerlint.yaml",
		}
	}
	if r.StackDepth() >= decoderDepth {
		return &SyntaxError{
			Span:    source.Span{Start: read - 1, End: read},
			Message: fmt.Sprintf("nested deeper than %d levels", decoderDepth),
		}
	}
	if e := mistakeIn(r.data, decoderDepth); e != nil {
		return e
	}
	return &SyntaxError{Span: source.Span{Start: read, End: read}, Message: "not JSON"}
}

// skipSpace returns the offset of the first byte from off on that is not white space.
func skipSpace(data []byte, off int) int {
	for off < len(data) && source.IsSpace(data[off]) {
		off++
	}
	return off
}

// lastBefore returns the last byte before off that is not white space, 0 if there is none.
func lastBefore(data []byte, off int) byte {
	for off--; off >= 0; off-- {
		if !source.IsSpace(data[off]) {
			return data[off]
		}
	}
	return 0
}

// error returns the fault at n bytes from off on.
func (f *fault) error(off, n int, message, hint string) SyntaxError {
	return SyntaxError{Span: source.Span{Start: off, End: min(off+n, len(f.data))}, Message: message, Hint: hint}
}

// explain finds the usual mistake behind what is at a place.
func (f *fault) explain() SyntaxError {
	r, size := utf8.DecodeRune(f.data[f.at:])
	switch {
	case commentAt(f.data, f.at) > 0:
		return f.error(f.at, commentAt(f.data, f.at), "comments are not allowed", "remove the comment")
	case f.quoteInside():
		return f.error(f.at-1, 1, `double quote inside a string is not escaped`, `write \" inside a string`)
	case strings.ContainsRune(foreignQuotes, r):
		return f.otherQuotes()
	case isOddSpace(r):
		return f.oddSpace(r, size)
	case r == '…' || bytes.HasPrefix(f.data[f.at:], []byte("...")):
		return f.error(f.at, max(size, 3), "an ellipsis is not JSON", "write out the omitted values")
	}
	if start := f.joined(); start < f.at {
		return f.bare(start)
	}
	if f.wants == wantEnd {
		return f.moreData(r, size)
	}
	switch {
	case r == ',':
		return f.comma()
	case r == '}' || r == ']':
		return f.closer(r)
	case isDigit(byte(r)) && r < utf8.RuneSelf, r == '+', r == '.':
		return f.number(r)
	case isWord(r):
		return f.word(f.at)
	}
	return f.punctuation(r, size)
}

// size returns the length of the character at the place.
func (f *fault) size() int {
	_, size := utf8.DecodeRune(f.data[f.at:])
	return size
}

// trailing returns a comma before a closing bracket.
func (f *fault) trailing(closer int) SyntaxError {
	if f.data[f.at] == ';' {
		return f.error(f.at, 1, "semicolon before the end", "remove the semicolon")
	}
	r, _ := utf8.DecodeRune(f.data[closer:])
	return f.error(f.at, f.size(), fmt.Sprintf("trailing comma before %c", r), "remove the comma")
}

// otherComma returns what is written for a comma.
func (f *fault) otherComma() SyntaxError {
	r, size := utf8.DecodeRune(f.data[f.at:])
	if r == ';' {
		return f.error(f.at, 1, "semicolon instead of a comma", "write ,")
	}
	return f.error(f.at, size, string(r)+" instead of a comma", "write ,")
}

func (f *fault) inString() SyntaxError {
	switch c := f.data[f.at]; {
	case c == '\n' || c == '\r':
		return f.error(f.at, 1, "line break inside a string", `write \n, or close the string with " before the line ends`)
	case c == '\t':
		return f.error(f.at, 1, "tab inside a string", `write \t`)
	case c != '\\':
		return f.error(f.at, 1, fmt.Sprintf("control character U+%04X inside a string", c), fmt.Sprintf(`write \u%04x`, c))
	}
	r, size := utf8.DecodeRune(f.data[f.at+1:])
	switch {
	case r == 'u':
		return f.error(f.at, 2, `\u needs four hexadecimal digits`, `write \\u for a backslash`)
	case r == '\n' || r == '\r':
		return f.error(f.at, 1, "backslash at the end of a line: a string cannot continue on the next line", `remove the backslash and the line break`)
	case strings.ContainsRune("'`", r):
		return f.error(f.at, 2, fmt.Sprintf(`invalid escape \%c`, r), fmt.Sprintf("write %c without the backslash", r))
	}
	escaped := strings.Trim(fmt.Sprintf("%q", string(r)), `"`)
	return f.error(f.at, 1+size, `invalid escape \`+escaped, `write \\ for a backslash`)
}

// moreData is something after the one value.
func (f *fault) moreData(r rune, size int) SyntaxError {
	next := skipSpace(f.data, f.at+1)
	switch {
	case r == ',' && next < len(f.data) && (f.data[next] == '{' || f.data[next] == '['):
		return f.error(next, 1, "second JSON value after the first", "keep one value, and move the other out")
	case r == '{', r == '[', r == '"':
		return f.error(f.at, 1, "second JSON value after the first", "keep one value, and move the other out")
	case r == '}', r == ']':
		return f.error(f.at, 1, fmt.Sprintf("unmatched %c after the end of the value", r), fmt.Sprintf("remove %c", r))
	}
	return f.error(f.at, max(size, len(f.wordAt(f.at))), "data after the JSON value", "remove what follows the value")
}

func (f *fault) comma() SyntaxError {
	previous := lastBefore(f.data, f.at)
	switch {
	case previous == ',':
		return f.error(f.at, 1, "two commas in a row", "remove one comma")
	case previous == '{' || previous == '[':
		return f.error(f.at, 1, fmt.Sprintf("comma directly after %c", previous), "remove the comma")
	case f.wants == wantColon:
		return f.error(f.at, 1, "comma after a key: its value is missing", "write : and the value")
	case f.wants == wantValue:
		return f.error(f.at, 1, "comma where a value is expected", "write the value, or null")
	}
	return f.punctuation(',', 1)
}

func (f *fault) closer(r rune) SyntaxError {
	switch {
	case f.wants == wantColon:
		return f.error(f.at, 1, fmt.Sprintf("%c after a key: its value is missing", r), "write : and the value")
	case f.wants == wantValue && f.in == '{':
		return f.error(f.at, 1, fmt.Sprintf("%c where the value of a key is expected", r), "write the value, or null")
	}
	return f.error(f.at, 1, fmt.Sprintf("unmatched %c", r), "")
}

// foreignQuotes are the quotation marks that JSON does not know.
const foreignQuotes = "'`“”„‟‘’«»＂「」『』"

// otherQuotes returns a string in quotes that JSON does not know.
func (f *fault) otherQuotes() SyntaxError {
	r, size := utf8.DecodeRune(f.data[f.at:])
	line := line(f.data[f.at+size : min(len(f.data), f.at+size+maxQuoted)])
	name, closing := "curly", "”“’‘»«"
	switch r {
	case '\'':
		name, closing = "single", "'"
	case '`':
		name, closing = "back", "`"
	case '＂':
		name, closing = "full-width", "＂"
	case '「', '『':
		name, closing = "corner", closingQuotes(string(r))
	}
	length, hint, quoted := size, `write "`, []string(nil)
	if n := bytes.IndexAny(line, closing); n >= 0 {
		_, last := utf8.DecodeRune(line[n:])
		length += n + last
		if n <= maxShown && utf8.Valid(line[:n]) && !bytes.ContainsAny(line[:n], "\"\\") {
			hint, quoted = fmt.Sprintf("write %q", line[:n]), []string{string(line[:n])}
		}
	}
	return quoting(f.error(f.at, length, "a string in "+name+" quotes; expected straight double quotes", hint), quoted...)
}

// maxShown bounds the foreign text that a hint repeats.
const maxShown = 48

// isOddSpace reports whether a character is white space that JSON does not allow between tokens.
func isOddSpace(r rune) bool {
	return strings.ContainsRune("\ufeff\u200b\u200c\u200d\u2060\u3000\u00a0\u2028\u2029\u202f\v\f", r) || '\u2000' <= r && r <= '\u200a'
}

// isAnySpace reports whether a character is white space, allowed between tokens or not.
func isAnySpace(r rune) bool { return r < utf8.RuneSelf && source.IsSpace(byte(r)) || isOddSpace(r) }

func (f *fault) oddSpace(r rune, size int) SyntaxError {
	if r == '\ufeff' && f.at == 0 {
		return f.error(f.at, size, "byte order mark before the value", "remove the byte order mark")
	}
	return f.error(f.at, size, fmt.Sprintf("U+%04X is not white space in JSON", r), "write an ordinary space")
}

// quoteInside reports whether there is a word directly after the closing quote of a string: a
// quote inside the string was not escaped.
func (f *fault) quoteInside() bool {
	if f.wants != wantComma && f.wants != wantColon || f.at == 0 || f.data[f.at-1] != '"' {
		return false
	}
	r, _ := utf8.DecodeRune(f.data[f.at:])
	return isWord(r) || isDigit(f.data[f.at]) || strings.ContainsRune(`"'.!?-(`, r)
}

// punctuation is everything else: the right character in the wrong place, or a
// character that JSON does not know.
func (f *fault) punctuation(r rune, size int) SyntaxError {
	shown := string(r)
	if r == '"' || r <= ' ' || r == utf8.RuneError || !isPrintable(r) {
		shown = fmt.Sprintf("%q", r)
		if r == '"' {
			shown = "a string"
		}
	}
	starts := strings.ContainsRune(`"{[`, r)
	switch {
	case starts && f.wants == wantComma:
		return f.error(f.at, 1, "missing comma before "+shown, "add a comma after the previous value")
	case starts && f.wants == wantColon:
		return f.error(f.at, 1, "missing : between a key and its value", "add :")
	case r == '{' && f.wants == wantName && lastBefore(f.data, f.at) == '{':
		return f.error(f.at, 1, "{ directly after {", "remove one {, and one }")
	case starts && f.wants == wantName:
		return f.error(f.at, 1, shown+" where a key is expected", "write the key in double quotes")
	case f.wants == wantValue && f.in != 0 && !strings.ContainsRune(`=:;\)`, r) && f.bareEnd(f.at) > f.at:
		return f.bare(f.at)
	case r == ';' && f.wants == wantComma:
		return f.otherComma()
	case r == '=' && f.wants == wantColon:
		return f.error(f.at, 1, "= instead of a colon", "write :")
	}
	return f.error(f.at, size, "unexpected "+shown+"; expected "+f.expected(), "")
}

// expected names what may be at the fault.
func (f *fault) expected() string {
	switch f.wants {
	case wantName:
		return "a key in double quotes"
	case wantColon:
		return "a colon after the key"
	case wantComma:
		if f.in == '[' {
			return "a comma or ]"
		}
		return "a comma or }"
	case wantEnd:
		return "nothing more"
	}
	return "a value"
}

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

// keyLength returns the length of a key without quotes: everything up to its colon.
func (f *fault) keyLength(off int) int {
	n := len(f.wordAt(off))
	rest := line(f.data[off:min(len(f.data), off+maxLook)])
	if colon := bytes.IndexAny(rest, `:,{}[]"\`); n > 0 && colon > n && rest[colon] == ':' {
		n = len(bytes.TrimRight(rest[:colon], " \t"))
	}
	return n
}

func (f *fault) bareKey(off int) SyntaxError {
	n := f.keyLength(off)
	key := string(f.data[off : off+n])
	return quoting(f.error(off, n, "key "+shorten(key)+" is not in double quotes", writeString(key)), shorten(key))
}

// bare returns a value without quotes, or a number in a form that JSON does not have.
func (f *fault) bare(off int) SyntaxError {
	end := f.bareEnd(off)
	text := string(f.data[off:end])
	if instead := literalFor(text); instead != "" {
		return f.error(off, len(text), text+" is not JSON", "write "+instead)
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
	end := off
	for ; end < len(f.data); end++ {
		c := f.data[end]
		if c == ',' && f.in == '{' {
			if next := skipSpace(f.data, end+1); next < len(f.data) && f.data[next] != '"' && f.data[next] != '\'' && f.data[next] != '}' {
				continue
			}
		}
		if strings.IndexByte(",]}\"\n", c) >= 0 {
			break
		}
	}
	return off + len(bytes.TrimRight(f.data[off:end], " \t\r"))
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

// strictNumber is what a number begins with that JSON has.
var strictNumber = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?`)
})

// strictPrefix returns the length of the number or literal that a text begins with.
func strictPrefix(text string) int {
	for _, literal := range [...]string{"true", "false", "null"} {
		if strings.HasPrefix(text, literal) {
			return len(literal)
		}
	}
	return len(strictNumber().FindString(text))
}

// isUnfinished reports whether a text is the beginning of a literal or a number.
func isUnfinished(text string) bool {
	for _, literal := range []string{"true", "false", "null"} {
		if strings.HasPrefix(literal, text) {
			return true
		}
	}
	n := len(strictNumber().FindString(text))
	return n > 0 && strings.Trim(text[n:], ".eE+-") == ""
}

// bareValue returns a value without quotes, or a number in a form that JSON does not have,
// what JSON writes for it, and whether that is certain.
func (f *fault) bareValue(text string) (e SyntaxError, instead string, certain bool) {
	number := strictNumber().FindString(text)
	rest := text[len(number):]
	switch {
	case text == "-Infinity":
		return f.error(f.at, len(text), "-Infinity is not JSON", "write null"), "null", false
	case text == "-":
		return f.error(f.at, 1, "minus sign without a number", ""), Quote(text), false
	case number != "" && rest[0] == '.' && !strings.Contains(number, "."):
		e := f.error(f.at, len(number)+1, "number "+shorten(number+".")+" has no digit after the point", "write "+shorten(number))
		if e = quoting(e, shorten(number+"."), shorten(number)); rest == "." {
			return e, number, true
		}
		return e, Quote(text), false
	case number != "" && (rest[0] == 'e' || rest[0] == 'E') && strings.Trim(rest[1:], "+-") == "":
		return quoting(f.error(f.at, len(text), "number "+shorten(text)+" has no digit in its exponent", ""), shorten(text)), Quote(text), false
	}
	instead, certain = literalOrNumber(text)
	if n := strictPrefix(text); n > 0 {
		next := fault{data: f.data, at: skipSpace(f.data, f.at+n), in: f.in, wants: wantComma}
		return next.explain(), instead, certain
	}
	return f.explain(), instead, certain
}

// literalOrNumber returns what JSON writes for a word or a number of another language: a
// string if nothing else is known.
func literalOrNumber(text string) (instead string, certain bool) {
	number := strings.TrimPrefix(text, "+")
	if strings.HasPrefix(number, ".") {
		number = "0" + number
	}
	zeros := strings.TrimLeft(text, "0")
	switch {
	case foreignWords[text] != "":
		isGuess := strings.EqualFold(text, "nan") || strings.HasPrefix(strings.ToLower(text), "inf") || text == "undefined"
		return foreignWords[text], !isGuess
	case literalFor(text) != "":
		return literalFor(text), false
	case len(number) != len(text) && strictPrefix(number) == len(number):
		return number, true
	case len(zeros) < len(text) && zeros != "" && strictPrefix(zeros) == len(zeros):
		return zeros, false
	case decimalFor(number) != "":
		return decimalFor(number), text[0] != '0'
	}
	return Quote(text), false
}

// number returns a number in a form that JSON does not have, or in a wrong place.
func (f *fault) number(r rune) SyntaxError {
	adjacent := f.at > 0 && isDigit(f.data[f.at-1])
	switch {
	case r == '+' && f.wants == wantComma && lastBefore(f.data, f.at) == '"':
		return f.error(f.at, 1, "strings are joined with +", "write one string")
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

// isValid reports whether a text is JSON, without finding out why not.
func isValid(data []byte) bool {
	end, ok := ValueEnd(data)
	return ok && skipSpace(data, end) == len(data)
}

// around returns words before a value, and possibly after it.
func (f *fault) around(start int, value source.Span) SyntaxError {
	before := bytes.TrimRight(f.data[start:value.Start], " \t\r\n")
	if value.End < len(bytes.TrimRight(f.data, " \t\r\n")) {
		return f.error(start, len(before), "text around the JSON value", "remove everything before and after the value")
	}
	return f.error(start, len(before), "text before the JSON value", "remove everything before the value")
}

// prose returns words instead of a value.
func (f *fault) prose(start int) SyntaxError {
	return f.error(start, len(bytes.TrimRight(line(f.data[start:]), " \t\r")), "text where a JSON value is expected", "")
}

// valueAfter returns the object or array that begins after start, up to the last
// bracket that may close it: the first one that is valid, else the first one;
// empty if there is none.
func (f *fault) valueAfter(start int) source.Span {
	var first source.Span
	for _, opening := range [...]string{"{", "\n{", "\n["} {
		i := bytes.Index(f.data[start:], []byte(opening))
		if i < 0 {
			continue
		}
		s := source.Span{Start: start + i + len(opening) - 1, End: len(f.data)}
		closing := byte('}')
		if opening == "\n[" {
			closing = ']'
		}
		if last := bytes.LastIndexByte(f.data, closing); last > s.Start {
			s.End = last + 1
		}
		if isValid(f.data[s.Start:s.End]) {
			return s
		}
		if first.Empty() {
			first = s
		}
	}
	return first
}

// keyAt returns the key of a member at off: a word or a string in any quotes, with a
// colon after it; empty if there is none.
func (f *fault) keyAt(off int) source.Span {
	end := off + len(f.wordAt(off))
	if r, size := utf8.DecodeRune(f.data[off:]); end == off && strings.ContainsRune(foreignQuotes+`"`, r) {
		n := bytes.IndexAny(line(f.data[off+size:]), foreignQuotes+`"`)
		if n < 0 {
			return source.Span{}
		}
		_, last := utf8.DecodeRune(f.data[off+size+n:])
		end = off + size + n + last
	}
	if colon := skipSpace(f.data, end); end == off || colon == len(f.data) || f.data[colon] != ':' {
		return source.Span{}
	}
	return source.Span{Start: off, End: end}
}

// line returns the first line of a text, without its line end.
func line(data []byte) []byte {
	if n := bytes.IndexByte(data, '\n'); n >= 0 {
		return data[:n]
	}
	return data
}

// commentAt returns the length of a comment, 0 if there is none.
func commentAt(data []byte, at int) int {
	if rest := data[at:]; bytes.HasPrefix(rest, []byte("//")) || bytes.HasPrefix(rest, []byte("/*")) || rest[0] == '#' {
		return commentLength(rest)
	}
	return 0
}

// stringLength returns the length of the string at the start of data; one that is
// not closed ends with its line.
func stringLength(data []byte) int {
	for i := 1; i < len(data); i++ {
		switch data[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		case '\n':
			return i
		}
	}
	return len(data)
}
