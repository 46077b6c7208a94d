package jsontree

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/source"
)

// Recovery is what a text that is not JSON was meant to be: comments, commas, colons,
// brackets and quotation marks that are missing, too many or of another kind, line breaks in
// strings, words of other languages.
type Recovery struct {
	Mistakes []SyntaxError
	// Text is the text as JSON, and Root its value, an object or array; nil if the text cannot
	// be read as one without inventing or losing something.
	Text []byte
	Root *Node
	// Edits are those of all mistakes, in order. They never span a line end unless they remove
	// what is around the value.
	Edits []source.Edit
	// Certain reports that the edits change only how the value is written. Else they may take
	// away what is around it, or guess where a text ends.
	Certain bool
}

// maxMistakes bounds the mistakes of a text that is read on: each has a message and edits.
const maxMistakes = 10_000

// Recover reads a text that is not JSON as what was meant.
func Recover(data []byte, opts Options) Recovery {
	p := newParser(data, cmp.Or(opts.MaxDepth, MaxDepth), maxMistakes)
	p.document()
	r := Recovery{Mistakes: p.mistakes}
	if !p.isList || p.stopped || len(p.mistakes) == 0 {
		return r
	}
	var edits []source.Edit
	certain := !p.unsure
	for _, m := range p.mistakes {
		edits = append(edits, m.Edits...)
		certain = certain && m.Certain
	}
	edits = joined(edits)
	text := source.Apply(data, edits)
	if root, fault := Parse(text, opts); fault == nil {
		r.Text, r.Root, r.Edits, r.Certain = text, root, edits, certain
	}
	return r
}

// joined returns edits in order, one for those that begin at one place.
func joined(edits []source.Edit) []source.Edit {
	slices.SortStableFunc(edits, func(a, b source.Edit) int {
		return cmp.Or(cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(min(a.Span.Len(), 1), min(b.Span.Len(), 1)))
	})
	var out []source.Edit
	for _, e := range edits {
		if n := len(out); n > 0 && out[n-1].Span.Start == e.Span.Start {
			out[n-1].Span.End = max(out[n-1].Span.End, e.Span.End)
			out[n-1].Text += e.Text
			continue
		}
		out = append(out, e)
	}
	return out
}

// parser reads a text that is nearly JSON, and records where it is not.
type parser struct {
	data     []byte
	at       int
	width    int // of the character that peek returned: wider forms of it are read, too
	end      int // of the last token that stays
	open     []bracket
	trusted  int // where what is read is JSON, and a good deal after it
	maxDepth int
	isList   bool // the value is an object or an array

	mistakes []SyntaxError
	limit    int  // of mistakes
	stopped  bool // what follows cannot be read, or is not asked for
	unsure   bool // a string may end elsewhere
	looks    int  // for what follows a quotation mark that ends no string
	scans    int  // for brackets
}

// bracket is an object or array that is open.
type bracket struct {
	kind byte // what it is meant to be: '{' or '['
	// closing is the bracket that closes it instead of the right one: '[' with ']' may be meant
	// as an object. It is 0 if the right one does.
	closing byte
	lost    bool // the opening bracket is missing
	mistake int  // the mistake that says so: it has the edits of both brackets
}

func newParser(data []byte, maxDepth, limit int) *parser {
	valid, _ := ValueEnd(data)
	return &parser{data: data, maxDepth: maxDepth, trusted: valid - maxQuoted, limit: limit}
}

// firstMistake returns the first mistake of a text that is not JSON; nil if there is none.
func firstMistake(data []byte, maxDepth int) *SyntaxError {
	p := newParser(data, maxDepth, 1)
	p.document()
	if len(p.mistakes) == 0 {
		return nil
	}
	return &p.mistakes[0]
}

// mistake describes what is wrong with n bytes from a place on. Quoted is what the message
// repeats of the text.
func (p *parser) mistake(at, n int, message, hint string, quoted ...string) SyntaxError {
	return SyntaxError{Span: source.Span{Start: at, End: min(at+n, len(p.data))}, Message: message, Hint: hint, Quoted: quoted}
}

// report records a mistake that certainly was to be what the edits write.
func (p *parser) report(e SyntaxError, edits ...source.Edit) {
	e.Certain = true
	p.guess(e, edits...)
}

// guess records a mistake that may have been meant otherwise.
func (p *parser) guess(e SyntaxError, edits ...source.Edit) {
	if p.stopped || len(p.mistakes) == p.limit {
		p.stopped = true
		return
	}
	e.Edits = edits
	p.mistakes = append(p.mistakes, e)
}

// fail records a mistake after which nothing can be read.
func (p *parser) fail(e SyntaxError) {
	p.guess(e)
	p.stopped = true
}

// unexpected records a character that cannot be read, and what is expected there.
func (p *parser) unexpected(expected string) {
	word, size := p.wordAt(p.at), p.width
	r, _ := utf8.DecodeRune(p.data[p.at:])
	switch {
	case word != "":
		p.fail(p.mistake(p.at, len(word), "unexpected "+shorten(word)+"; expected "+expected, "", shorten(word)))
	case r == utf8.RuneError || !unicode.IsPrint(r):
		p.fail(p.mistake(p.at, size, fmt.Sprintf("unexpected %q; expected %s", r, expected), ""))
	default:
		p.fail(p.mistake(p.at, len(string(r)), "unexpected "+string(r)+"; expected "+expected, ""))
	}
}

// cutOff records that the text ends where more must follow.
func (p *parser) cutOff(message, hint string) {
	closers := p.closers()
	e := p.mistake(p.contentEnd(), 0, message, hint+closers)
	e.Open, e.CutOff = closers, true
	p.fail(e)
}

// contentEnd returns where the text ends without the white space after it.
func (p *parser) contentEnd() int { return len(bytes.TrimRight(p.data, " \t\r\n")) }

func edit(start, end int, text string) source.Edit {
	return source.Edit{Span: source.Span{Start: start, End: end}, Text: text}
}

// in returns the innermost object or array that is open, as '{' or '['; 0 if none is.
func (p *parser) in() byte {
	if len(p.open) == 0 {
		return 0
	}
	return p.open[len(p.open)-1].kind
}

// closers returns the brackets that close what is open.
func (p *parser) closers() string {
	var out []byte
	for _, b := range slices.Backward(p.open) {
		out = append(out, closerOf(b.kind))
	}
	return string(out)
}

func closerOf(opening byte) byte {
	switch opening {
	case '{':
		return '}'
	case '(':
		return ')'
	}
	return ']'
}

func isCloser(c byte) bool { return c == '}' || c == ']' || c == ')' }

// wide are characters that keyboards for other scripts write for the punctuation of JSON.
var wide = map[rune]byte{'：': ':', '，': ',', '、': ',', '；': ';', '｛': '{', '｝': '}', '［': '[', '］': ']'}

// characterAt returns the character at a place and its length. Wide punctuation is returned as
// the usual one, and the first byte of other characters beyond ASCII.
func characterAt(data []byte, at int) (c byte, size int) {
	if data[at] < utf8.RuneSelf {
		return data[at], 1
	}
	r, size := utf8.DecodeRune(data[at:])
	return cmp.Or(wide[r], data[at]), size
}

// byteAt returns the byte at a place, 0 at the end.
func (p *parser) byteAt(at int) byte {
	if at >= len(p.data) {
		return 0
	}
	return p.data[at]
}

// peek returns the character at the place, after white space and comments; 0 at the end.
func (p *parser) peek() byte {
	for p.at < len(p.data) && !p.stopped {
		c, size := characterAt(p.data, p.at)
		r, _ := utf8.DecodeRune(p.data[p.at:])
		comment := commentAt(p.data, p.at)
		switch {
		case source.IsSpace(c):
		case comment > 0:
			size = comment
			p.report(p.mistake(p.at, size, "comments are not allowed", "remove the comment"), p.withoutComment(size)...)
		case r == '\ufeff' && p.at == 0:
			p.report(p.mistake(0, size, "byte order mark before the value", "remove the byte order mark"), edit(0, size, ""))
		case isOddSpace(r):
			space := " "
			if p.at == 0 {
				space = ""
			}
			p.report(p.mistake(p.at, size, fmt.Sprintf("U+%04X is not white space in JSON", r), "write an ordinary space"), edit(p.at, p.at+size, space))
		default:
			p.width = size
			return c
		}
		p.at += size
	}
	return 0
}

func (p *parser) atEnd() bool { return p.at >= len(p.data) }

// isOddSpace reports whether a character is white space that JSON does not allow between tokens.
func isOddSpace(r rune) bool {
	return strings.ContainsRune("\ufeff\u200b\u200c\u200d\u2060\u3000\u00a0\u2028\u2029\u202f\v\f", r) || '\u2000' <= r && r <= '\u200a'
}

// isAnySpace reports whether a character is white space, allowed between tokens or not.
func isAnySpace(r rune) bool { return r < utf8.RuneSelf && source.IsSpace(byte(r)) || isOddSpace(r) }

// skipSpace returns the offset of the first byte from off on that is not white space.
func skipSpace(data []byte, off int) int {
	for off < len(data) && source.IsSpace(data[off]) {
		off++
	}
	return off
}

// line returns the first line of a text, without its line end.
func line(data []byte) []byte {
	if n := bytes.IndexByte(data, '\n'); n >= 0 {
		return data[:n]
	}
	return data
}

// commentAt returns the length of a comment, without the line end after it; 0 if there is none.
// One that is not closed goes to the end.
func commentAt(data []byte, at int) int {
	rest := data[at:]
	switch {
	case bytes.HasPrefix(rest, []byte("/*")):
		if n := bytes.Index(rest[2:], []byte("*/")); n >= 0 {
			return n + 4
		}
		return len(rest)
	case bytes.HasPrefix(rest, []byte("//")), rest[0] == '#':
		return len(bytes.TrimRight(line(rest), "\r"))
	}
	return 0
}

// withoutComment removes a comment line by line, with the white space before it.
func (p *parser) withoutComment(size int) (edits []source.Edit) {
	start, end := p.at, p.at+size
	for start > p.end && (p.data[start-1] == ' ' || p.data[start-1] == '\t') {
		start--
	}
	for start < end {
		n := len(line(p.data[start:end]))
		if text := bytes.TrimRight(p.data[start:start+n], "\r"); len(text) > 0 {
			edits = append(edits, edit(start, start+len(text), ""))
		}
		start += n + 1
	}
	if n := len(edits); n > 0 && end < len(p.data) && edits[n-1].Span.End == end {
		if before := edits[n-1].Span.Start; before > 0 && !separates(p.data[before-1]) && !separates(p.data[end]) {
			edits[n-1].Text = " " // do not join two tokens
		}
	}
	return edits
}

// separates reports whether a byte is white space or punctuation, which need no space between
// them and the token before.
func separates(c byte) bool { return source.IsSpace(c) || strings.IndexByte("{}[]:,", c) >= 0 }

// take accepts so many bytes as they are.
func (p *parser) take(n int) { p.at += n; p.end = p.at }

// punctuation takes the character that peek returned, in its usual form.
func (p *parser) punctuation(name string) {
	if c, size := characterAt(p.data, p.at); size > 1 {
		wrong := string(p.data[p.at : p.at+size])
		p.report(p.mistake(p.at, size, wrong+" instead of "+name, "write "+string(c)), edit(p.at, p.at+size, string(c)))
	}
	p.take(p.width)
}

// document reads the whole text.
func (p *parser) document() {
	c := p.peek()
	switch {
	case p.stopped || p.encodedTwice():
		return
	case p.atEnd():
		p.fail(p.mistake(0, 0, "no JSON value", ""))
	case c == '{' || c == '[':
		p.value()
	default:
		p.outside()
	}
	p.rest()
}

// encodedTwice reads a text like {\"a\": 1}.
func (p *parser) encodedTwice() bool {
	first := bytes.IndexByte(p.data, '"')
	if first < 1 || p.data[first-1] != '\\' {
		return false
	}
	text := bytes.TrimSpace(p.data)
	raw := text
	for _, c := range "\n\r\t" {
		raw = bytes.ReplaceAll(raw, []byte{byte(c)}, []byte(strings.Trim(Quote(string(c)), `"`)))
	}
	decoded, ok := unquoted(slices.Concat([]byte{'"'}, raw, []byte{'"'}))
	if !ok || !isValid([]byte(decoded)) {
		return false
	}
	p.isList = true
	start := bytes.Index(p.data, text)
	p.report(p.mistake(first-1, 2, "the JSON is encoded twice", `write " instead of \"`), edit(start, start+len(text), decoded))
	return true
}

// isValid reports whether a text is JSON, without finding out why not.
func isValid(data []byte) bool {
	end, ok := ValueEnd(data)
	return ok && skipSpace(data, end) == len(data)
}

// outside reads a text that does not begin with an object or array: an object without its
// opening brace, words before the value, or another value.
func (p *parser) outside() {
	start := p.at
	isString := p.data[start] == '"'
	n, ok := ValueEnd(p.data[start:])
	if (ok || isString) && !(ok && isString && p.byteAt(skipSpace(p.data, start+n)) == ':') {
		p.value()
		return
	}
	key, value := p.keyAt(start), p.valueAfter(start)
	// "delta": {…} is a value with a word before it.
	wraps := !value.Empty() && isValid(p.data[value.Start:]) && skipSpace(p.data, skipSpace(p.data, key.End)+1) == value.Start
	isKey := !key.Empty() && !wraps
	switch word := p.wordAt(start); {
	case isKey && (isString || !value.Empty() || lostBrace().Match(p.data[start:min(len(p.data), start+maxLook)])):
		e := p.mistake(key.Start, key.Len(), "the braces around the object are missing", "add { before the first key, and } at the end")
		if p.balances([]bracket{{kind: '{'}}, start) {
			e.Message, e.Hint = "the opening { is missing before the first key", "add { before the first key"
		}
		p.braceless(e)
	case !value.Empty():
		p.before(value)
		p.at, p.end = value.Start, value.Start
		p.value()
	case word != "" && skipSpace(p.data, start+len(word)) < len(p.data):
		p.fail(p.mistake(start, len(bytes.TrimRight(line(p.data[start:]), " \t\r")), "text where a JSON value is expected", ""))
	default:
		p.value()
	}
}

// before removes the words before a value.
func (p *parser) before(value source.Span) {
	before := bytes.TrimRight(p.data[p.at:value.Start], " \t\r\n")
	e := p.mistake(p.at, len(before), "text before the JSON value", "remove everything before the value")
	without := edit(p.at, value.Start, "")
	switch {
	case assignment().Match(p.data[p.at:value.Start]):
		e.Message, e.Hint = "an assignment is not JSON", "keep the value alone"
		p.report(e, without)
		return
	case value.End < p.contentEnd():
		e.Message, e.Hint = "text around the JSON value", "remove everything before and after the value"
	}
	p.guess(e, without)
}

// lostBrace is the beginning of an object whose opening brace is lost.
var lostBrace = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^["'“]?[A-Za-z_][A-Za-z0-9_]*["'”]?[ \t]*:[ \t]*["'“{\[0-9tfn-]`)
})

// assignment is what a program has before a value that it gives to a variable.
var assignment = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:(?:export +)?(?:const|let|var) +)?[A-Za-z_$][A-Za-z0-9_$]*[ \t]*=\s*$`)
})

// valueAfter returns the object or array that begins after start, up to the last
// bracket that may close it: the first one that is valid, else the first one;
// empty if there is none.
func (p *parser) valueAfter(start int) source.Span {
	var first source.Span
	for _, opening := range [...]string{"{", "\n{", "\n["} {
		i := bytes.Index(p.data[start:], []byte(opening))
		if i < 0 {
			continue
		}
		s := source.Span{Start: start + i + len(opening) - 1, End: len(p.data)}
		if last := bytes.LastIndexByte(p.data, closerOf(p.data[s.Start])); last > s.Start {
			s.End = last + 1
		}
		if isValid(p.data[s.Start:s.End]) {
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
func (p *parser) keyAt(off int) source.Span {
	end := off + len(p.wordAt(off))
	if size := quoteAt(p.data, off); size > 0 {
		n := bytes.IndexAny(line(p.data[off+size:]), foreignQuotes+`"`)
		if n < 0 {
			return source.Span{}
		}
		end = off + size + n
		end += quoteAt(p.data, end)
	}
	if end == off || p.byteAt(skipSpace(p.data, end)) != ':' {
		return source.Span{}
	}
	return source.Span{Start: off, End: end}
}

// braceless reads an object without its opening brace.
func (p *parser) braceless(e SyntaxError) {
	p.guess(e, edit(p.at, p.at, "{"))
	p.isList, p.end = true, p.at
	p.open = append(p.open, bracket{kind: '{', lost: true, mistake: len(p.mistakes) - 1})
	p.members()
}

func (p *parser) value() {
	c := p.peek()
	switch {
	case p.stopped:
	case p.atEnd():
		p.cutOff("the text ends where a value is expected", "write the rest, then ")
	case c == '{' || c == '[', c == '(' && strings.IndexByte("\"'", p.byteAt(p.at+1)) >= 0:
		p.list(c)
	case p.quote() > 0:
		p.str(false)
	case p.prefixed():
	default:
		p.scalar()
	}
}

// list reads an object or array.
func (p *parser) list(c byte) {
	p.isList = p.isList || len(p.open) == 0
	if len(p.open) == p.maxDepth {
		p.stopped = true
		return
	}
	b := bracket{kind: c}
	opening := source.Span{Start: p.at, End: p.at + p.width}
	p.punctuation(string(c))
	next := p.afterString()
	var e SyntaxError
	switch follows := p.byteAt(next); {
	case next > 0 && c == '[' && follows == ':':
		b = bracket{kind: '{', closing: ']'}
		e = p.mistake(next, 1, "unexpected :; expected a comma or ]", "")
		if p.balances(append(slices.Clone(p.open), b), p.at) {
			e.Hint = "write { and } around the members, instead of [ and ]"
		}
	case next > 0 && c == '{' && follows == ',' && len(p.open) > 0:
		b = bracket{kind: '[', closing: '}'}
		e = p.mistake(opening.Start, opening.Len(), "a set is not JSON", "write [ and ]")
	case c == '(':
		b = bracket{kind: '[', closing: ')'}
		e = p.mistake(opening.Start, opening.Len(), "a tuple is not JSON", "write [ and ]")
	}
	if b.closing != 0 {
		e.Certain = b.kind == '['
		p.guess(e, source.Edit{Span: opening, Text: string(b.kind)})
		b.mistake = len(p.mistakes) - 1
	}
	p.open = append(p.open, b)
	p.members()
}

// afterString returns where the next token is after the string that follows, 0 if none does.
func (p *parser) afterString() int {
	at := skipSpace(p.data, p.at)
	size := quoteAt(p.data, at)
	switch {
	case size == 0:
		return 0
	case p.data[at] == '"':
		at += stringLength(p.data[at:])
	default:
		n := bytes.IndexAny(line(p.data[at+size:min(len(p.data), at+size+maxQuoted)]), closingQuotes(string(p.data[at:at+size])))
		if n < 0 {
			return 0
		}
		at += size + n
		at += quoteAt(p.data, at)
	}
	if at = skipSpace(p.data, at); at < len(p.data) {
		return at
	}
	return 0
}

// What is expected in an object or array.
const (
	aKey   = "a key in double quotes"
	aColon = "a colon after the key"
	aValue = "a value"
)

// members reads what is in an object or array, and its closing bracket.
func (p *parser) members() {
	for first := true; !p.stopped; first = false {
		comma := p.separators(first)
		c := p.peek()
		next := aValue
		if p.in() == '{' {
			next = aKey
		}
		switch {
		case p.stopped:
			return
		case p.atEnd() && comma >= 0:
			p.cutOff("the text ends where "+next+" is expected", "write the rest, then ")
			return
		case p.atEnd():
			p.unclosed()
			return
		case isCloser(c):
			if comma >= 0 {
				p.trailing(comma)
			}
			if p.close(c) {
				return
			}
			continue
		case !first && comma < 0:
			p.withoutComma(c)
		}
		if next == aKey {
			p.key()
		}
		p.value()
	}
}

// separators reads the commas before a member or element, and returns where the one is that
// counts, -1 if there is none.
func (p *parser) separators(first bool) int {
	comma := -1
	for {
		c := p.peek()
		if p.stopped || p.atEnd() {
			return comma
		}
		this := edit(p.at, p.at+p.width, "")
		switch n := dots(p.data[p.at:]); {
		case n > 0:
			p.guess(p.ellipsis(n), edit(p.at, p.at+n, ""))
			p.at += n
			continue
		case c != ',' && c != ';':
			return comma
		case first:
			p.report(p.mistake(p.at, p.width, fmt.Sprintf("comma directly after %c", p.in()), "remove the comma"), this)
		case comma >= 0:
			p.report(p.mistake(p.at, p.width, "two commas in a row", "remove one comma"), this)
		default:
			comma = p.at
			next := skipSpace(p.data, p.at+p.width)
			if p.data[comma] != ',' && p.byteAt(next) != '}' && p.byteAt(next) != ']' {
				name := string(p.data[comma : comma+p.width])
				if c == ';' && p.width == 1 {
					name = "semicolon"
				}
				p.report(p.mistake(comma, p.width, name+" instead of a comma", "write ,"), edit(comma, comma+p.width, ","))
			}
		}
		p.at += p.width
	}
}

// trailing records a comma before the closing bracket at the place.
func (p *parser) trailing(comma int) {
	closer, _ := utf8.DecodeRune(p.data[p.at:])
	_, size := characterAt(p.data, comma)
	e := p.mistake(comma, size, fmt.Sprintf("trailing comma before %c", closer), "remove the comma")
	if p.data[comma] == ';' {
		e.Message, e.Hint = "semicolon before the end", "remove the semicolon"
	}
	p.report(e, edit(comma, comma+size, ""))
}

// withoutComma records that a comma is missing before a member or element, or that none can
// begin here.
func (p *parser) withoutComma(c byte) {
	word := p.wordAt(p.at)
	var shown string
	switch {
	case p.quoteInside():
		p.fail(p.unescaped(p.at - 1))
		return
	case p.quote() > 0:
		shown = "a string"
	case p.in() == '[' && (c == '{' || c == '['):
		shown = string(c)
	case word != "" && isDigit(word[0]):
		shown = "a number"
	case word != "":
		shown = shorten(word)
	case c == '+' && p.end > 0 && p.data[p.end-1] == '"':
		p.fail(p.mistake(p.at, 1, "strings are joined with +", "write one string"))
		return
	default:
		p.unexpected("a comma or " + string(closerOf(p.in())))
		return
	}
	e := p.mistake(p.at, p.width, "missing comma before "+shown, "add a comma after the previous value")
	if word != "" && shown != "a number" {
		e.Span.End, e.Quoted = p.at+len(word), []string{shown}
	}
	p.report(e, edit(p.end, p.end, ","))
}

// quoteInside reports whether something is directly after the closing quote of a string that
// shows that a quote inside the string was not escaped.
func (p *parser) quoteInside() bool {
	if p.at == 0 || p.data[p.at-1] != '"' {
		return false
	}
	r, _ := utf8.DecodeRune(p.data[p.at:])
	return isWord(r) || isDigit(p.data[p.at]) || strings.ContainsRune(`"'.!?-(`, r)
}

// unclosed closes what is open where the text ends.
func (p *parser) unclosed() {
	b := p.open[len(p.open)-1]
	closer := string(closerOf(b.kind))
	add := edit(p.end, p.end, closer)
	if b.lost {
		m := &p.mistakes[b.mistake]
		m.Edits = append(m.Edits, add)
	} else {
		what := "the text ends before the array is closed"
		if b.kind == '{' {
			what = "the text ends before the object is closed"
		}
		e := p.mistake(p.contentEnd(), 0, what, "add "+closer)
		e.Open = p.closers()
		p.report(e, add)
	}
	p.open = p.open[:len(p.open)-1]
}

// close reads a closing bracket; false if it is to be left out. If it is of the wrong kind, the
// right one is meant, or none, or both: what the brackets of the rest close decides.
func (p *parser) close(c byte) bool {
	b, outer := p.open[len(p.open)-1], p.open[:len(p.open)-1]
	after := p.at + p.width
	right, wrong := string(closerOf(b.kind)), string(p.data[p.at:after])
	what := "array"
	if b.kind == '{' {
		what = "object"
	}
	e := p.mistake(p.at, p.width, wrong+" where "+right+" is expected to close the "+what, "write "+right)
	instead := edit(p.at, after, right)
	before := edit(p.end, p.end, right)
	next := skipSpace(p.data, after)
	switch {
	case c == b.closing:
		m := &p.mistakes[b.mistake]
		m.Edits = append(m.Edits, instead)
		p.take(p.width)
	case c == right[0] && p.closesEarly():
		return false
	case c == right[0]:
		p.punctuation(right)
	case p.balances(outer, after):
		p.guess(e, instead)
		p.take(p.width)
	case p.balances(p.open, after):
		e.Hint = "remove " + wrong
		p.guess(e, edit(p.at, after, ""))
		p.at = after
		return false
	case p.balances(outer, p.at):
		e.Hint = "add " + right + " before " + wrong
		p.report(e, before)
	case p.byteAt(next) == right[0], b.kind == '{' && next == len(p.data):
		p.guess(e, instead)
		p.take(p.width)
	default:
		p.report(e, before)
	}
	p.open = outer
	return true
}

// closesEarly leaves out a bracket that closes the value, if its members or elements go on behind
// it.
func (p *parser) closesEarly() bool {
	after := p.at + p.width
	comma := skipSpace(p.data, after)
	if len(p.open) > 1 || p.byteAt(comma) != ',' || !p.balances(p.open, after) {
		return false
	}
	if next := p.byteAt(skipSpace(p.data, comma+1)); next == '{' || next == '[' {
		return false
	}
	bracket := string(p.data[p.at:after])
	e := p.mistake(comma, 1, "data after the JSON value: the "+bracket+" before it closes the value too early", "remove the "+bracket+" before the comma")
	e.ValueEnd = after
	p.guess(e, edit(p.at, after, ""))
	p.at = after
	return true
}

// maxScans bounds how often the rest of a text is searched for brackets.
const maxScans = 64

// balances reports whether the brackets of the text from a byte on close what is open, and
// nothing else.
func (p *parser) balances(open []bracket, at int) bool {
	if p.scans++; p.scans > maxScans {
		return false
	}
	var stack []byte
	for _, b := range open {
		stack = append(stack, cmp.Or(b.closing, closerOf(b.kind)))
	}
	for ; at < len(p.data); at++ {
		switch c := p.data[at]; c {
		case '"':
			at += stringLength(p.data[at:]) - 1
		case '{', '[', '(':
			stack = append(stack, closerOf(c))
		case '}', ']', ')':
			if len(stack) == 0 || stack[len(stack)-1] != c {
				return false
			}
			if stack = stack[:len(stack)-1]; len(stack) == 0 {
				return skipSpace(p.data, at+1) == len(p.data)
			}
		}
	}
	return len(stack) == 0
}

// key reads the name of a member and its colon.
func (p *parser) key() {
	c := p.peek()
	switch {
	case p.stopped:
		return
	case p.quote() > 0:
		p.str(true)
	case c == '{' && p.end > 0 && p.data[p.end-1] == '{':
		e := p.mistake(p.at, p.width, "{ directly after {", "remove one {, and one }")
		if !p.balances(p.open, p.at+p.width) {
			p.fail(e)
			return
		}
		e.Hint = "remove one {"
		p.guess(e, edit(p.at, p.at+p.width, ""))
		p.at += p.width
		p.key()
		return
	case c == '{' || c == '[':
		p.fail(p.mistake(p.at, p.width, string(c)+" where a key is expected", "write the key in double quotes"))
	case p.wordAt(p.at) == "":
		p.unexpected(aKey)
	default:
		p.bareKey()
	}
	p.colon()
}

// bareKey reads a key without its quotation marks, or without the opening one.
func (p *parser) bareKey() {
	start := p.at
	p.take(p.keyLength())
	key := string(p.data[start:p.end])
	e := p.mistake(start, len(key), "key "+shorten(key)+" is not in double quotes", writeString(key), shorten(key))
	closing := p.quote()
	if closing == 0 || !bytes.HasPrefix(bytes.TrimLeftFunc(p.data[p.at+closing:], isAnySpace), []byte(":")) {
		p.report(e, edit(start, start, `"`), edit(p.end, p.end, `"`))
		return
	}
	edits := []source.Edit{edit(start, start, `"`)}
	if p.data[p.at] != '"' {
		edits = append(edits, edit(p.at, p.at+closing, `"`))
	}
	p.report(e, edits...)
	p.take(closing)
}

// keyLength returns the length of a key without quotes: everything up to its colon.
func (p *parser) keyLength() int {
	n := len(p.wordAt(p.at))
	rest := line(p.data[p.at:min(len(p.data), p.at+maxLook)])
	if colon := bytes.IndexAny(rest, `:,{}[]"\`); colon > n && rest[colon] == ':' {
		n = len(bytes.TrimRight(rest[:colon], " \t"))
	}
	return n
}

func (p *parser) colon() {
	c := p.peek()
	if p.stopped {
		return
	}
	noValue := " after a key: its value is missing"
	switch {
	case p.atEnd():
		p.cutOff("the text ends where "+aColon+" is expected", "write the rest, then ")
	case c == ':':
		p.punctuation("a colon")
	case c == '=':
		n := 1
		if p.byteAt(p.at+1) == '>' {
			n = 2
		}
		p.report(p.mistake(p.at, 1, "= instead of a colon", "write :"), edit(p.at, p.at+n, ":"))
		p.take(n)
	case p.quoteInside():
		p.fail(p.unescaped(p.at - 1))
	case c == ',':
		p.fail(p.mistake(p.at, p.width, "comma"+noValue, "write : and the value"))
	case isCloser(c):
		p.fail(p.mistake(p.at, p.width, string(c)+noValue, "write : and the value"))
	case p.quote() > 0, c == '{', c == '[', p.wordAt(p.at) != "":
		p.report(p.mistake(p.at, p.width, "missing : between a key and its value", "add :"), edit(p.end, p.end, ":"))
	default:
		p.unexpected(aColon)
	}
}

// rest reads what follows the value.
func (p *parser) rest() {
	before, end := len(p.mistakes), p.at
	wasBracket := false
	for c := p.peek(); !p.stopped && !p.atEnd(); c = p.peek() {
		this := edit(p.at, p.at+p.width, "")
		next := skipSpace(p.data, p.at+p.width)
		isList := func(c byte) bool { return c == '{' || c == '[' }
		e := p.mistake(p.at, max(p.width, len(p.wordAt(p.at))), "data after the JSON value", "remove what follows the value")
		switch {
		case c == '}' || c == ']':
			bracket := string(p.data[p.at : p.at+p.width])
			p.report(p.mistake(p.at, p.width, "unmatched "+bracket+" after the end of the value", "remove "+bracket), this)
			p.at, wasBracket = p.at+p.width, true
		case c == ',' && isList(p.byteAt(next)):
			p.fail(p.mistake(next, 1, "second JSON value after the first", "keep one value, and move the other out"))
		case (c == ',' || c == ';') && next == len(p.data) || c == ',' && wasBracket:
			p.report(e, this)
			p.at, wasBracket = p.at+p.width, true
		case isList(c):
			p.fail(p.mistake(p.at, p.width, "second JSON value after the first", "keep one value, and move the other out"))
		case wasBracket && nextKey().Match(p.data[p.at:min(len(p.data), p.at+maxLook)]):
			p.fail(e) // members of this value
		default:
			if c == '"' {
				e.Message, e.Hint = "second JSON value after the first", "keep one value, and move the other out"
			}
			start := len(bytes.TrimRight(p.data[:p.at], " \t\r\n"))
			for _, m := range p.mistakes[max(0, len(p.mistakes)-1):] {
				for _, other := range m.Edits {
					start = max(start, other.Span.End)
				}
			}
			p.guess(e, edit(start, p.contentEnd(), ""))
			p.at = len(p.data)
		}
	}
	if before == 0 && len(p.mistakes) > 0 {
		p.mistakes[0].ValueEnd = end
	}
}

// dots returns the length of an ellipsis, 0 if there is none.
func dots(data []byte) int {
	if bytes.HasPrefix(data, []byte("…")) {
		return len("…")
	}
	if n := len(data) - len(bytes.TrimLeft(data, ".")); n > 1 {
		return n
	}
	return 0
}

func (p *parser) ellipsis(n int) SyntaxError {
	return p.mistake(p.at, n, "an ellipsis is not JSON", "write out the omitted values")
}
