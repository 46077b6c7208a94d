package jsontree

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
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
