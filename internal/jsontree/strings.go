package jsontree

import (
	"bytes"
	"fmt"
	"strings"
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

// quoteKinds are the kinds of them: what opens a string, and what may close it then.
var quoteKinds = []struct{ name, opening, closing string }{
	{"single", "'", "'"}, {"back", "`", "`"}, {"full-width", "＂", "＂"}, {"corner", "「", "」"}, {"corner", "『", "』"},
	{"curly", "“”„‟‘’«»」』", "”“’‘»«\""},
}

// quotesOf returns the kind of an opening quotation mark, "" if it is that of JSON, and what closes
// a string then.
func quotesOf(opening string) (name, closing string) {
	for _, k := range quoteKinds {
		if strings.Contains(k.opening, opening) {
			return k.name, k.closing
		}
	}
	return "", `"`
}

// Faults that many strings have.
const (
	quoteInside, escapeQuote = `double quote inside a string is not escaped`, `write \" inside a string`
	lineBreak, closeString   = "line break inside a string", `write \n, or close the string with " before the line ends`
	joinedStrings, oneString = "strings are joined with +", "write one string"
)

// str reads a string in any quotes up to the mark that ends it most likely.
func (p *parser) str(isKey bool) {
	if p.at < p.trusted {
		p.take(stringLength(p.data[p.at:]))
		return
	}
	if !isKey && p.tripleQuoted() {
		return
	}
	size := p.quote()
	start := p.at + size
	name, marks := quotesOf(string(p.data[p.at:start]))
	if name != "" {
		e := p.report(p.at, size, "a string in "+name+" quotes; expected straight double quotes", `write "`, edit(p.at, start, `"`))
		text := line(p.data[start:min(len(p.data), start+maxQuoted)])
		if n := bytes.IndexAny(text, strings.TrimSuffix(marks, `"`)); n >= 0 {
			e.Span.End = start + n + quoteAt(text, n)
			if text = text[:n]; n <= maxShown && utf8.Valid(text) && !bytes.ContainsAny(text, "\"\\") {
				e.Hint, e.Quoted = fmt.Sprintf("write %q", text), []string{string(text)}
			}
		}
	}
	s := p.stringEnd(start, marks, isKey)
	for !p.stopped {
		if s.broken == len(p.data) && len(bytes.TrimSpace(p.data[s.end:])) == 0 {
			p.cutOff("the text ends inside a string", `write the rest of the string, then "`)
			return
		}
		p.content(start, s.end)
		next, size := p.continued(s, isKey)
		if size == 0 {
			break
		}
		start = next + size
		p.edits = append(p.edits, edit(s.end, s.end+s.mark, ""), edit(s.end+s.mark, start, ""))
		_, marks = quotesOf(string(p.data[next:start]))
		s = p.stringEnd(start, marks, false)
	}
	closed := edit(s.end, s.end+s.mark, `"`)
	switch closing := string(p.data[s.end : s.end+s.mark]); {
	case closing == `"`:
	case closing != "":
		p.edits = append(p.edits, closed)
	case s.broken == len(p.data):
		p.guess(p.contentEnd(), 0, "the text ends inside a string", `close the string with "`, closed)
	default:
		p.guess(s.broken, 1, lineBreak, closeString, closed)
	}
	p.at = s.end
	p.take(s.mark)
}

// continued records that a string goes on in another one, after a + or as a value of a member
// that has two, and returns where that begins and the length of its quotation mark; 0 if it
// does not.
func (p *parser) continued(s stringEnd, isKey bool) (next, size int) {
	if s.mark == 0 || p.stopped {
		return 0, 0
	}
	p.at = skipSpace(p.data, s.end+s.mark)
	if p.byteAt(p.at) == '+' {
		next = skipSpace(p.data, p.at+1)
		if size = quoteAt(p.data, next); size > 0 {
			p.report(p.at, 1, joinedStrings, oneString)
		}
		return next, size
	}
	if _, follows := p.afterString(); !isKey && p.in() == '{' && p.byteAt(p.at) == '"' && strings.IndexByte(`,}"`, follows) >= 0 { // it is no key
		p.guess(p.at, 1, "two strings in a row", oneString)
		size = 1
	}
	return p.at, size
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
	p.report(p.at, 3, "a string in triple quotes; expected straight double quotes", `write "`, edit(p.at, start, `"`), edit(end, end+3, `"`))
	p.content(start, end)
	p.at = end
	p.take(3)
	return true
}

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
	first := stringEnd{end: -1}
	for at := start; at < len(p.data) && (first.end < 0 || at < first.end+maxQuoted); {
		r, size := utf8.DecodeRune(p.data[at:])
		switch {
		case r == '\\':
			size = min(2, len(p.data)-at)
		case r == '\n' && afterLine().Match(p.near(at+1)):
			p.guessed = true
			if first.end >= 0 {
				return first
			}
			text := bytes.TrimRight(p.data[start:at], " \t\r")
			return stringEnd{end: start + len(bytes.TrimSuffix(text, []byte(","))), broken: at}
		case strings.ContainsRune(marks, r):
			if isKey || p.endsString(at+size) || first.end < 0 && p.data[at] == '"' && p.isAlternative(at+size) {
				p.guessed = p.guessed || first.end >= 0
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
	p.guessed = true
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

// endsString reports whether what follows a quotation mark shows that a string ended
// there.
func (p *parser) endsString(at int) bool {
	rest := p.near(at)
	trimmed := bytes.TrimLeftFunc(rest, isSpace)
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

// isAlternative reports whether "ADD" | "EDIT" may begin here, which a template has, or another
// sign that ends a string and cannot be read.
func (p *parser) isAlternative(at int) bool {
	next := skipSpace(p.data, at)
	return len(p.open) > 0 && next < len(p.data) && strings.IndexByte("|:=", p.data[next]) >= 0
}

// content corrects what cannot be in a string as it is.
func (p *parser) content(start, end int) {
	isFirst := true
	for at := start; at < end && !p.stopped; {
		r, size := utf8.DecodeRune(p.data[at:])
		switch {
		case r == '\\':
			size = p.escape(at, end)
		case r == '"':
			p.guess(at, 1, quoteInside, escapeQuote, edit(at, at+1, `\"`))
			p.stopped = p.stopped || isFirst && swallowed().Match(p.data[start:end])
			isFirst = false
		case r == '\n':
			p.report(at, 1, lineBreak, closeString, edit(at, at+1, `\n`))
		case r == '\r':
			p.report(at, 1, lineBreak, closeString, edit(at, at+1, ""))
		case r == '\t':
			p.report(at, 1, "tab inside a string", `write \t`, edit(at, at+1, `\t`))
		case r < ' ':
			written := fmt.Sprintf(`\u%04x`, r)
			p.report(at, 1, fmt.Sprintf("control character U+%04X inside a string", r), "write "+written, edit(at, at+1, written))
		}
		at += size
	}
}

// escape corrects an escape of a string that ends at a place, and returns its length.
func (p *parser) escape(at, end int) int {
	rest := p.data[at+1 : end]
	r, size := utf8.DecodeRune(rest)
	switch {
	case len(rest) == 0:
	case strings.IndexByte(`"\/bfnrt`, rest[0]) >= 0:
		return 2
	case r == 'u' && len(rest) > 4 && isHex(rest[1:5]):
		return 6
	case r == 'u':
		p.report(at, 2, `\u needs four hexadecimal digits`, `write \\u for a backslash`, edit(at, at+1, `\\`))
		return 1
	case r == '\'' || r == '`':
		p.report(at, 2, fmt.Sprintf(`invalid escape \%c`, r), fmt.Sprintf("write %c without the backslash", r), edit(at, at+1, ""))
		return 2
	case r == '\n' || r == '\r': // of JSON5: the string goes on
		n := 2
		if bytes.HasPrefix(rest, []byte("\r\n")) {
			n = 3
		}
		p.report(at, 1, "backslash at the end of a line: a string cannot continue on the next line", `remove the backslash and the line break`, edit(at, at+n, ""))
		return n
	}
	p.report(at, 1+size, `invalid escape \`+strings.Trim(fmt.Sprintf("%q", string(r)), `"`), `write \\ for a backslash`, edit(at, at+1, `\\`))
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
