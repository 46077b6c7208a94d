package jsontree

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

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

// fault is where the strict reading stopped, and what it expected there.
type fault struct {
	data  []byte
	at    int  // the first byte that cannot be there; len(data) at the end
	token int  // where the token that holds it begins; at, if it begins there
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
	f := r.fault(read, err)
	e := f.explain()
	return &e
}

// fault describes where and in which state the decoder stopped: read is the end of
// the last token that it accepted.
func (r *reader) fault(read int, err error) *fault {
	data := r.data
	f := &fault{data: data, at: skipSpace(data, read), wants: wantEnd}
	var syntactic *jsontext.SyntacticError
	switch {
	case errors.Is(err, errMore):
		f.token = f.at
		return f
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		f.at = len(data)
	case errors.As(err, &syntactic):
		f.at = min(int(syntactic.ByteOffset), len(data))
	}
	kind, length := r.StackIndex(r.StackDepth())
	f.in = byte(kind)
	f.token = skipSpace(data, read)
	previous := lastBefore(data, f.token)
	if f.token < f.at && (data[f.token] == ',' || data[f.token] == ':') {
		previous = data[f.token]
		f.token = skipSpace(data, f.token+1)
	}
	f.token = min(f.token, f.at)
	if f.token < f.at && (data[f.token] == '{' || data[f.token] == '[') {
		f.at = f.token // a value as a key: the decoder goes on to its first fault
	}
	switch {
	case f.in == '{' && length%2 == 1 && previous != ':':
		f.wants = wantColon
	case f.in == '{' && length%2 == 0 && (length == 0 || previous == ','):
		f.wants = wantName
	case f.in == '{' && length%2 == 0, f.in == '[' && length > 0 && previous != ',':
		f.wants = wantComma
	default:
		f.wants = wantValue
	}
	return f
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

// explain finds the usual mistake behind a fault.
func (f *fault) explain() SyntaxError {
	if f.at >= len(f.data) {
		return f.truncated()
	}
	if !f.isComment() {
		if e, ok := f.outside(); ok {
			return e
		}
	}
	if f.token < f.at {
		switch first := f.data[f.token]; {
		case first == '"':
			return f.inString()
		case first == '-' || isDigit(first):
			return f.inNumber()
		default:
			return f.word(f.token)
		}
	}
	r, size := utf8.DecodeRune(f.data[f.at:])
	switch {
	case f.isComment():
		return f.error(f.at, f.commentLength(), "comments are not allowed", "remove the comment")
	case f.quoteInside():
		return f.error(f.at-1, 1, `double quote inside a string is not escaped`, `write \" inside a string`)
	case strings.ContainsRune(foreignQuotes, r):
		return f.otherQuotes(r, size)
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

// truncated returns a text that ends too early. The place is after its last token.
func (f *fault) truncated() SyntaxError {
	end := len(bytes.TrimRight(f.data, " \t\r\n"))
	switch {
	case end == 0:
		return f.error(0, 0, "no JSON value", "")
	case f.token < f.at && f.data[f.token] == '"':
		return f.error(end, 0, "the text ends inside a string", `close the string with "`)
	case f.in == '{' && f.wants == wantComma, f.in == '{' && f.wants == wantName && lastBefore(f.data, end) == '{':
		return f.error(end, 0, "the text ends before the object is closed", "add }")
	case f.in == '[' && f.wants == wantComma, f.in == '[' && lastBefore(f.data, end) == '[':
		return f.error(end, 0, "the text ends before the array is closed", "add ]")
	}
	return f.error(end, 0, "the text ends where "+f.expected()+" is expected", "")
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
		return f.error(f.at, 1, "backslash at the end of a line: a string cannot continue on the next line", `write \n`)
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
	if e, ok := f.closedEarly(); ok {
		return e
	}
	return f.error(f.at, max(size, len(f.wordAt(f.at))), "data after the JSON value", "remove what follows the value")
}

// closesAfter reports whether a closing bracket follows the byte at the fault.
func (f *fault) closesAfter() bool {
	next := skipSpace(f.data, f.at+1)
	return next < len(f.data) && (f.data[next] == '}' || f.data[next] == ']')
}

func (f *fault) comma() SyntaxError {
	next := skipSpace(f.data, f.at+1)
	previous := lastBefore(f.data, f.at)
	switch {
	case f.closesAfter() && f.wants == wantComma:
		return f.error(f.at, 1, fmt.Sprintf("trailing comma before %c", f.data[next]), "remove the comma")
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
	case r == ']' && f.in == '{':
		return f.mismatch("}", "object")
	case r == '}' && f.in == '[':
		return f.mismatch("]", "array")
	}
	return f.error(f.at, 1, fmt.Sprintf("unmatched %c", r), "")
}

// foreignQuotes are the quotation marks that JSON does not know.
const foreignQuotes = "'`“”„‟‘’«»"

// otherQuotes returns a string in quotes that JSON does not know.
func (f *fault) otherQuotes(r rune, size int) SyntaxError {
	line := line(f.data[f.at+size:])
	name, closing := "curly", "”“’‘»«"
	switch r {
	case '\'':
		name, closing = "single", "'"
	case '`':
		name, closing = "back", "`"
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
		e := f.error(f.at, size, "byte order mark before the value", "remove the byte order mark")
		if edits := []source.Edit{{Span: e.Span}}; isValid(source.Apply(f.data, edits)) {
			e.Edits = edits
		}
		return e
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
		e := f.error(f.at, 1, "{ directly after {", "remove one {, and one }")
		if edits := []source.Edit{{Span: e.Span}}; isValid(source.Apply(f.data, edits)) {
			e.Hint, e.Edits = "remove one {", edits
		}
		return e
	case starts && f.wants == wantName:
		return f.error(f.at, 1, shown+" where a key is expected", "write the key in double quotes")
	case f.wants == wantValue && f.in != 0 && !strings.ContainsRune(`=:;\)`, r) && f.bareEnd(f.at) > f.at:
		return f.bare(f.at)
	case r == ':' && f.in == '[' && f.wants == wantComma:
		return f.keyInArray()
	case r == ';' && f.wants == wantComma && f.closesAfter():
		return f.error(f.at, 1, "semicolon before the end", "remove the semicolon")
	case r == ';' && f.wants == wantComma:
		return f.error(f.at, 1, "semicolon instead of a comma", "write ,")
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

// mismatch explains a closing bracket of the wrong kind: the right one is meant, or none.
func (f *fault) mismatch(right, what string) SyntaxError {
	wrong := string(f.data[f.at])
	e := f.error(f.at, 1, wrong+" where "+right+" is expected to close the "+what, "write "+right)
	for _, try := range []struct{ text, hint string }{
		{right, e.Hint}, {"", "remove " + wrong}, {right + wrong, "add " + right + " before " + wrong},
	} {
		edits := []source.Edit{{Span: e.Span, Text: try.text}}
		if isValid(source.Apply(f.data, edits)) {
			e.Hint, e.Edits = try.hint, edits
			break
		}
	}
	return e
}

// closedEarly explains a member or an element after the value: a bracket too many closes the
// value before it. It reports false if that is not the fault.
func (f *fault) closedEarly() (SyntaxError, bool) {
	last := len(bytes.TrimRight(f.data[:f.at], " \t\r\n")) - 1
	if f.data[f.at] != ',' || last < 0 || f.data[last] != '}' && f.data[last] != ']' {
		return SyntaxError{}, false
	}
	edits := []source.Edit{{Span: source.Span{Start: last, End: last + 1}}}
	if !isValid(source.Apply(f.data, edits)) {
		return SyntaxError{}, false
	}
	bracket := string(f.data[last])
	e := f.error(f.at, 1, "data after the JSON value: the "+bracket+" before it closes the value too early", "remove the "+bracket+" before the comma")
	e.Edits = edits
	return e, true
}

// keyInArray returns a colon after an element of an array: the members of an object are in
// the brackets of an array.
func (f *fault) keyInArray() SyntaxError {
	e := f.error(f.at, 1, "unexpected :; expected "+f.expected(), "")
	start, end := f.brackets()
	edits := []source.Edit{{Span: source.Span{Start: start, End: start + 1}, Text: "{"}, {Span: source.Span{Start: end, End: end + 1}, Text: "}"}}
	if start < end && isValid(source.Apply(f.data, edits)) {
		e.Hint, e.Edits = "write { and } around the members, instead of [ and ]", edits
	}
	return e
}

// brackets returns where the innermost brackets around the fault are; the same place twice if
// they are not closed.
func (f *fault) brackets() (start, end int) {
	var open []int
	depth := 0 // of the brackets at the fault; 0 before it
	for i := 0; i < len(f.data); i++ {
		if i == f.at && len(open) > 0 {
			depth, start = len(open), open[len(open)-1]
		}
		switch f.data[i] {
		case '"':
			i += stringLength(f.data[i:]) - 1
		case '{', '[':
			open = append(open, i)
		case '}', ']':
			if len(open) == 0 {
				return 0, 0
			}
			if len(open) == depth {
				return start, i
			}
			open = open[:len(open)-1]
		}
	}
	return 0, 0
}

// isValid reports whether a text is JSON, without finding out why not.
func isValid(data []byte) bool {
	end, ok := ValueEnd(data)
	return ok && skipSpace(data, end) == len(data)
}

// outside explains a text that does not begin with its JSON value: an object
// without its opening brace, or words before the value. It reports false for
// any other fault.
func (f *fault) outside() (SyntaxError, bool) {
	start := skipSpace(f.data, 0)
	if r, _ := utf8.DecodeRune(f.data[start:]); f.in != 0 || isOddSpace(r) {
		return SyntaxError{}, false
	}
	quoted := f.data[start] == '"'
	switch {
	case quoted && (f.wants != wantEnd || f.data[f.at] != ':'): // a string, and its own fault
		return SyntaxError{}, false
	case quoted:
	case f.wants == wantEnd, f.data[start] == '{', f.data[start] == '[':
		return SyntaxError{}, false
	}
	key, value := f.keyAt(start), f.valueAfter(start)
	valid := !value.Empty() && Check(f.data[value.Start:value.End]) == nil
	wraps := valid && skipSpace(f.data, skipSpace(f.data, key.End)+1) == value.Start && skipSpace(f.data, value.End) == len(f.data)
	switch {
	case !key.Empty() && !wraps && (quoted || !value.Empty()):
		return f.braceLost(key), true
	case !value.Empty():
		return f.aroundValue(start, value, valid), true
	}
	if word := f.wordAt(start); word != "" && skipSpace(f.data, start+len(word)) < len(f.data) {
		end := start + len(bytes.TrimRight(line(f.data[start:]), " \t\r"))
		return f.error(start, end-start, "text where a JSON value is expected", ""), true
	}
	return SyntaxError{}, false
}

// aroundValue explains words before a value, and possibly after it.
func (f *fault) aroundValue(start int, value source.Span, valid bool) SyntaxError {
	before := bytes.TrimRight(f.data[start:value.Start], " \t\r\n")
	e := f.error(start, len(before), "text before the JSON value", "remove everything before the value")
	edits := []source.Edit{{Span: source.Span{Start: start, End: value.Start}}}
	if end := len(bytes.TrimRight(f.data, " \t\r\n")); value.End < end {
		e.Message, e.Hint = "text around the JSON value", "remove everything before and after the value"
		edits = append(edits, source.Edit{Span: source.Span{Start: value.End, End: end}})
	}
	if valid {
		e.Edits = edits
	}
	return e
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
		if Check(f.data[s.Start:s.End]) == nil {
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

// braceLost explains an object whose opening brace is missing, and possibly its closing
// one.
func (f *fault) braceLost(key source.Span) SyntaxError {
	e := f.error(key.Start, key.Len(), "the opening { is missing before the first key", "add { before the first key")
	opened := slices.Concat([]byte("{"), f.data[key.Start:])
	opening := source.Edit{Span: source.Span{Start: key.Start, End: key.Start}, Text: "{"}
	end := len(bytes.TrimRight(f.data, " \t\r\n"))
	switch {
	case Check(opened) == nil:
		e.Edits = []source.Edit{opening}
	case Check(append(opened, '}')) == nil:
		e.Message, e.Hint = "the braces around the object are missing", "add { before the first key, and } at the end"
		e.Edits = []source.Edit{opening, {Span: source.Span{Start: end, End: end}, Text: "}"}}
	}
	return e
}

// line returns the first line of a text, without its line end.
func line(data []byte) []byte {
	if n := bytes.IndexByte(data, '\n'); n >= 0 {
		return data[:n]
	}
	return data
}
