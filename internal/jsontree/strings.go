package jsontree

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"
)

// foreignQuotes are the quotation marks that JSON does not know.
const foreignQuotes = "'`“”„‟‘’«»＂「」『』"

// quote returns the length of the quotation mark at the place, 0 if there is none.
func (p *parser) quote() int { return quoteAt(p.data, p.at) }

func quoteAt(data []byte, at int) int {
	if at >= len(data) {
		return 0
	}
	r, size := utf8.DecodeRune(data[at:])
	if r == '"' || strings.ContainsRune(foreignQuotes, r) {
		return size
	}
	return 0
}

// closingQuotes returns what ends a string that begins with a quotation mark.
func closingQuotes(opening string) string {
	switch opening {
	case `"`, "'", "`", "＂":
		return opening
	case "「":
		return "」"
	case "『":
		return "』"
	}
	return "”“’‘»«\""
}

// otherQuotes describes a string in quotation marks that JSON does not know.
func (p *parser) otherQuotes() SyntaxError {
	size := p.quote()
	opening := string(p.data[p.at : p.at+size])
	name := map[string]string{"'": "single", "`": "back", "＂": "full-width", "「": "corner", "『": "corner"}[opening]
	closing := closingQuotes(opening)
	if name == "" {
		name, closing = "curly", strings.TrimSuffix(closing, `"`)
	}
	e := p.mistake(p.at, size, "a string in "+name+" quotes; expected straight double quotes", `write "`)
	text := line(p.data[p.at+size : min(len(p.data), p.at+size+maxQuoted)])
	n := bytes.IndexAny(text, closing)
	if n < 0 {
		return e
	}
	e.Span.End += n + quoteAt(text, n)
	if n <= maxShown && utf8.Valid(text[:n]) && !bytes.ContainsAny(text[:n], "\"\\") {
		e.Hint, e.Quoted = fmt.Sprintf("write %q", text[:n]), []string{string(text[:n])}
	}
	return e
}

// stringPrefix is what Python has before the quotation marks of some strings.
var stringPrefix = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?i:[rubf]|rb|br|rf|fr)["']`) })

// prefixed reads a string of Python with a prefix; false if there is none. What stands for
// something else, a name in braces or a character after a backslash, is not read.
func (p *parser) prefixed() bool {
	n := len(stringPrefix().Find(p.data[p.at:min(len(p.data), p.at+3)])) - 1
	if n < 0 {
		return false
	}
	prefix := strings.ToLower(string(p.data[p.at : p.at+n]))
	e := p.mistake(p.at, n, "a string with the prefix "+prefix+" is not JSON", "remove the "+prefix)
	s := p.stringEnd(p.at+n+1, string(p.data[p.at+n]), false)
	content := p.data[p.at+n+1 : s.end]
	if strings.Contains(prefix, "f") && bytes.ContainsAny(content, "{}") || strings.ContainsAny(prefix, "rb") && bytes.IndexByte(content, '\\') >= 0 {
		e.Hint = "write the string as it is to be"
		p.fail(e)
		return true
	}
	p.report(e, edit(p.at, p.at+n, ""))
	p.at += n
	p.str(false)
	return true
}

// str reads a string in any quotes up to the mark that ends it most likely.
func (p *parser) str(isKey bool) {
	if !isKey && p.tripleQuoted() {
		return
	}
	size := p.quote()
	start, opening, mistake := p.at+size, string(p.data[p.at:p.at+size]), 0
	if opening != `"` {
		p.report(p.otherQuotes(), edit(p.at, start, `"`))
		mistake = len(p.mistakes) - 1
	}
	s := p.stringEnd(start, closingQuotes(opening), isKey)
	for !p.stopped {
		if s.broken == len(p.data) && len(bytes.TrimSpace(p.data[s.end:])) == 0 {
			p.cutOff("the text ends inside a string", `write the rest of the string, then "`)
			return
		}
		if start >= p.trusted {
			p.alternatives(start, s.end, opening)
			p.content(start, s.end)
		}
		mark := s.end + s.mark
		next, size := p.continued(s, isKey)
		if size == 0 {
			break
		}
		p.mistakes[len(p.mistakes)-1].Edits = append(p.mistakes[len(p.mistakes)-1].Edits, edit(s.end, mark, ""), edit(mark, next+size, ""))
		mistake, opening, start = len(p.mistakes)-1, string(p.data[next:next+size]), next+size
		s = p.stringEnd(start, closingQuotes(opening), false)
	}
	closed := edit(s.end, s.end+s.mark, `"`)
	switch closing := string(p.data[s.end : s.end+s.mark]); {
	case p.stopped, closing == `"`:
	case closing != "":
		p.mistakes[mistake].Edits = append(p.mistakes[mistake].Edits, closed)
	case s.broken == len(p.data):
		p.guess(p.mistake(p.contentEnd(), 0, "the text ends inside a string", `close the string with "`), closed)
	default:
		p.guess(p.lineBreak(s.broken), closed)
	}
	p.at = s.end
	p.take(s.mark)
}

// continued records that a string goes on in another one, after a + or as a value of a member
// that has two, and returns where that begins and the length of its quotation mark; 0 if it
// does not.
func (p *parser) continued(s stringEnd, isKey bool) (next, size int) {
	if s.mark == 0 {
		return 0, 0
	}
	next = skipSpace(p.data, s.end+s.mark)
	if p.byteAt(next) == '+' {
		plus := next
		next = skipSpace(p.data, plus+1)
		if size = quoteAt(p.data, next); size > 0 {
			p.report(p.mistake(plus, 1, "strings are joined with +", "write one string"))
		}
	} else if p.at = next; !isKey && p.in() == '{' && p.byteAt(next) == '"' {
		if after := p.afterString(); after > 0 && strings.IndexByte(`,}"`, p.data[after]) >= 0 { // it is no key
			p.guess(p.mistake(next, 1, "two strings in a row", "write one string"))
			size = 1
		}
	}
	if p.stopped {
		return 0, 0
	}
	return next, size
}

// tripleQuoted reads a string of Python in triple quotes; false if there is none.
func (p *parser) tripleQuoted() bool {
	rest := p.data[p.at:]
	if !bytes.HasPrefix(rest, []byte(`"""`)) && !bytes.HasPrefix(rest, []byte("'''")) {
		return false
	}
	n := bytes.Index(rest[3:], rest[:3])
	start, end := p.at+3, p.at+3+n
	if n < 0 || !p.endsString(end+3) {
		return false
	}
	p.report(p.mistake(p.at, 3, "a string in triple quotes; expected straight double quotes", `write "`), edit(p.at, start, `"`), edit(end, end+3, `"`))
	p.content(start, end)
	p.at = end
	p.take(3)
	return true
}

// afterLine is what follows a line break where a string was not closed before it: a
// key with its colon, or a closing bracket.
var afterLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[ \t]*(?:["'“＂「]?[A-Za-z_][A-Za-z0-9_]*["'”＂」]?[ \t]*[:：]|[}\]｝］])`)
})

const (
	// maxLook bounds how far is looked for what follows a string.
	maxLook = 256
	// maxQuoted bounds how far a string goes on after a mark that may end it.
	maxQuoted = 4096
	// minLooks and bytesALook bound how often that is looked for in a text: JSON has far
	// fewer quotation marks, and each costs a microsecond.
	minLooks, bytesALook = 4096, 4
)

// stringEnd is where a string ends most likely.
type stringEnd struct {
	end, mark int // the length of its closing mark: 0 if that is missing
	broken    int // then where the line or the text ends before which it should be
}

func (p *parser) stringEnd(start int, marks string, isKey bool) stringEnd {
	if start < p.trusted {
		return stringEnd{end: start + stringLength(p.data[start-1:]) - 2, mark: 1}
	}
	first := stringEnd{end: -1}
	for at := start; at < len(p.data) && (first.end < 0 || at < first.end+maxQuoted); {
		r, size := utf8.DecodeRune(p.data[at:])
		switch {
		case r == '\\':
			size = min(2, len(p.data)-at)
		case r == '\n' && afterLine().Match(p.data[at+1:min(len(p.data), at+1+maxLook)]):
			p.unsure = true
			if first.end >= 0 {
				return first
			}
			text := bytes.TrimRight(p.data[start:at], " \t\r")
			return stringEnd{end: start + len(bytes.TrimSuffix(text, []byte(","))), broken: at}
		case strings.ContainsRune(marks, r):
			if isKey || p.endsString(at+size) {
				p.unsure = p.unsure || first.end >= 0
				return stringEnd{end: at, mark: size}
			}
			if p.looks++; p.looks > minLooks+len(p.data)/bytesALook {
				p.stopped = true
				return stringEnd{end: at, mark: size}
			}
			if first.end < 0 {
				first = stringEnd{end: at, mark: size}
			}
		}
		at += size
	}
	p.unsure = true
	if first.end >= 0 {
		return first
	}
	text := bytes.TrimRight(p.data[start:], " \t\r\n")
	if closed := bytes.TrimRight(text, "}]"); len(closed) < len(text) {
		return stringEnd{end: start + len(closed), broken: len(p.data)}
	}
	return stringEnd{end: len(p.data), broken: len(p.data)}
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

// spaces are any white space, allowed between tokens or not (isAnySpace).
const spaces = `[\s\v\p{Zs}\x{200b}-\x{200d}\x{2028}\x{2029}\x{2060}\x{feff}]*`

// memberStart is a comma and what may follow it: a key, a closing bracket, another
// value of an array, or nothing.
var memberStart = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[,;，、；]` + spaces + `(?:[,;，、；]|["'“‘＂「『][^"'”’＂」』\n]{0,64}["'”’＂」』]` + spaces + `[:=,\]：，、］]|[A-Za-z_][A-Za-z0-9_]*["'”＂]?` + spaces + `[:=：]|[}\]｝］]|//|/\*|#|["'“‘＂「『{\[｛［]|[-0-9tfnTFN]|$)`)
})

// nextKey is a key with its colon, after a comma that is missing.
var nextKey = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^["'][A-Za-z_][A-Za-z0-9_]*["']\s*:`)
})

// joins is a + that joins a string to another one or to what a name stands for.
var joins = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\+\s*(?:["']|[A-Za-z_][A-Za-z0-9_.]*\s*[+,}\]])`) })

// endsString reports whether what follows a quotation mark shows that a string ended
// there.
func (p *parser) endsString(at int) bool {
	rest := p.data[at:min(len(p.data), at+maxLook)]
	trimmed := bytes.TrimLeftFunc(rest, isAnySpace)
	if len(trimmed) == 0 {
		return len(rest) < maxLook
	}
	broken := bytes.IndexByte(rest[:len(rest)-len(trimmed)], '\n') >= 0
	switch c, _ := characterAt(trimmed, 0); {
	case c == '}' || c == ']' || c == ')' && len(p.open) > 0 && p.open[len(p.open)-1].closing == c:
		return true
	case c == ',' || c == ';':
		return memberStart().Match(trimmed)
	case c == '+':
		return joins().Match(trimmed)
	case commentAt(trimmed, 0) > 0:
		return true
	case c == '"' || c == '\'':
		return broken || len(rest) > len(trimmed) && nextKey().Match(trimmed)
	case broken:
		return afterLine().Match(trimmed)
	}
	return false
}

// swallowed is a member in a string that does not end where it should.
var swallowed = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[,{\[]\s*"?[A-Za-z_][A-Za-z0-9_]*"\s*:`) })

// content corrects what cannot be in a string as it is.
func (p *parser) content(start, end int) {
	isFirst := true
	for at := start; at < end && !p.stopped; {
		r, size := utf8.DecodeRune(p.data[at:])
		switch {
		case r == '\\':
			size = p.escape(at, end)
		case r == '"':
			if isFirst && swallowed().Match(p.data[start:end]) {
				p.fail(p.unescaped(at))
			}
			isFirst = false
			p.guess(p.unescaped(at), edit(at, at+1, `\"`))
		case r == '\n' || r == '\r':
			written := `\n`
			if r == '\r' {
				written = ""
			}
			p.report(p.lineBreak(at), edit(at, at+1, written))
		case r == '\t':
			p.report(p.mistake(at, 1, "tab inside a string", `write \t`), edit(at, at+1, `\t`))
		case r < ' ':
			written := fmt.Sprintf(`\u%04x`, r)
			p.report(p.mistake(at, 1, fmt.Sprintf("control character U+%04X inside a string", r), "write "+written), edit(at, at+1, written))
		}
		at += size
	}
}

// alternatives fails for "ADD" | "EDIT", which is read as one string: a template was not filled
// in.
func (p *parser) alternatives(start, end int, opening string) {
	first := bytes.IndexByte(p.data[start:end], '"')
	if opening != `"` || first < 0 || p.in() == 0 {
		return
	}
	if next := skipSpace(p.data, start+first+1); strings.IndexByte("|:=", p.byteAt(next)) >= 0 {
		p.at, p.width = next, 1
		p.unexpected("a comma or " + string(closerOf(p.in())))
	}
}

// unescaped describes a double quote that does not end its string.
func (p *parser) unescaped(at int) SyntaxError {
	return p.mistake(at, 1, `double quote inside a string is not escaped`, `write \" inside a string`)
}

func (p *parser) lineBreak(at int) SyntaxError {
	return p.mistake(at, 1, "line break inside a string", `write \n, or close the string with " before the line ends`)
}

// escape corrects an escape of a string that ends at a place, and returns its length.
func (p *parser) escape(at, end int) int {
	rest := p.data[at+1 : end]
	r, size := utf8.DecodeRune(rest)
	e := p.mistake(at, 1+size, `invalid escape \`+strings.Trim(fmt.Sprintf("%q", string(r)), `"`), `write \\ for a backslash`)
	switch {
	case len(rest) == 0:
	case strings.IndexByte(`"\/bfnrt`, rest[0]) >= 0:
		return 2
	case r == 'u' && len(rest) > 4 && isHex(rest[1:5]):
		return 6
	case r == 'u':
		e.Message, e.Hint = `\u needs four hexadecimal digits`, `write \\u for a backslash`
	case r == '\'' || r == '`':
		e.Message, e.Hint = fmt.Sprintf(`invalid escape \%c`, r), fmt.Sprintf("write %c without the backslash", r)
		p.report(e, edit(at, at+1, ""))
		return 2
	case r == '\n' || r == '\r': // of JSON5: the string goes on
		size := 2
		if bytes.HasPrefix(rest, []byte("\r\n")) {
			size = 3
		}
		e := p.mistake(at, 1, "backslash at the end of a line: a string cannot continue on the next line", `remove the backslash and the line break`)
		p.report(e, edit(at, at+size, ""))
		return size
	}
	p.report(e, edit(at, at+1, `\\`))
	return 1
}

func isHex(digits []byte) bool {
	for _, c := range digits {
		if !isDigit(c) && !('a' <= c|0x20 && c|0x20 <= 'f') {
			return false
		}
	}
	return true
}
