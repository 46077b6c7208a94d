package jsontree

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"
)

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
	e := p.here(0).error(p.at, n, "a string with the prefix "+prefix+" is not JSON", "remove the "+prefix)
	quote := string(p.data[p.at+n])
	s := p.stringEnd(p.at+n+1, quote, false)
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
		p.report(p.here(0).otherQuotes(), edit(p.at, start, `"`))
		mistake = len(p.mistakes)
	}
	s := p.stringEnd(start, closingQuotes(opening), isKey)
	for !p.stopped {
		if s.broken == len(p.data) && len(bytes.TrimSpace(p.data[s.end:])) == 0 {
			p.cutOff("the text ends inside a string", `write the rest of the string, then "`)
			return
		}
		if start >= p.trusted {
			p.content(start, s.end, opening == `"`)
		}
		plus, next, size := p.concatenated(s)
		mark := s.end + s.mark
		switch {
		case size > 0:
			p.report(p.here(0).error(plus, 1, "strings are joined with +", "write one string"), edit(s.end, mark, ""), edit(mark, next+size, ""))
		case !isKey && p.in() == '{' && p.inTwo(s):
			next, size = p.at, 1
			p.guess(p.here(0).error(next, 1, "two strings in a row", "write one string"), edit(s.end, mark, ""), edit(mark, next+size, ""))
		}
		if size == 0 {
			break
		}
		mistake, opening, start = len(p.mistakes), string(p.data[next:next+size]), next+size
		s = p.stringEnd(start, closingQuotes(opening), false)
	}
	switch closing := string(p.data[s.end : s.end+s.mark]); {
	case p.stopped, closing == `"`:
	case closing != "":
		p.editLast(opened{pending: mistake}, edit(s.end, s.end+s.mark, `"`))
	case s.broken == len(p.data):
		e := p.here(0).error(len(bytes.TrimRight(p.data, " \t\r\n")), 0, "the text ends inside a string", `close the string with "`)
		p.guess(e, edit(s.end, s.end, `"`))
	default:
		p.guess((&fault{data: p.data, at: s.broken}).inString(), edit(s.end, s.end, `"`))
	}
	p.at = s.end
	p.take(s.mark)
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
	e := p.here(0).error(p.at, 3, "a string in triple quotes; expected straight double quotes", `write "`)
	p.report(e, edit(p.at, start, `"`), edit(end, end+3, `"`))
	p.content(start, end, false)
	p.at = end
	p.take(3)
	return true
}

// inTwo reports whether another string follows the value of a member, which is no key: the
// language of the text may join them.
func (p *parser) inTwo(s stringEnd) bool {
	if p.at = skipSpace(p.data, s.end+s.mark); s.mark == 0 || p.at == len(p.data) || p.data[p.at] != '"' {
		return false
	}
	next := p.afterString()
	return next > 0 && strings.IndexByte(`,}"`, p.data[next]) >= 0
}

// concatenated returns where the + is that joins a string to the next one, where that begins,
// and the length of its quotation mark, 0 if nothing is joined.
func (p *parser) concatenated(s stringEnd) (plus, next, size int) {
	if plus = skipSpace(p.data, s.end+s.mark); s.mark == 0 || plus == len(p.data) || p.data[plus] != '+' {
		return 0, 0, 0
	}
	p.at = skipSpace(p.data, plus+1)
	return plus, p.at, p.quote()
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

// spaces are any white space, allowed between tokens or not (isAnySpace).
const spaces = `[\s\v\p{Zs}\x{200b}-\x{200d}\x{2028}\x{2029}\x{2060}\x{feff}]*`

// memberStart is a comma and what may follow it: a key, a closing bracket, another
// value of an array, or nothing.
var memberStart = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[,;，、；]` + spaces + `(?:[,;，、；]|["'“‘＂「『][^"'”’＂」』\n]{0,64}["'”’＂」』]` + spaces + `[:=,\]：，、］]|[A-Za-z_][A-Za-z0-9_]*` + spaces + `[:=：]|[}\]｝］]|//|/\*|#|["'“‘＂「『{\[｛［]|[-0-9tfnTFN]|$)`)
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
	c := trimmed[0]
	if r, _ := utf8.DecodeRune(trimmed); wide[r] != 0 {
		c = wide[r]
	}
	switch {
	case c == '}' || c == ']' || c == ')' && len(p.open) > 0 && p.open[len(p.open)-1].closing == c:
		return true
	case c == ',' || c == ';':
		return memberStart().Match(trimmed)
	case c == '+':
		return joins().Match(trimmed)
	case bytes.HasPrefix(trimmed, []byte("//")), bytes.HasPrefix(trimmed, []byte("/*")), c == '#':
		return true
	case c == '"' || c == '\'':
		return broken || len(rest) > len(trimmed) && nextKey().Match(trimmed)
	case broken:
		return afterLine().Match(trimmed)
	}
	return false
}

// content corrects what cannot be in a string as it is. The first mark in a strict one ends it
// for a strict reader.
func (p *parser) content(start, end int, strict bool) {
	for at := start; at < end && !p.stopped; {
		r, size := utf8.DecodeRune(p.data[at:])
		f := &fault{data: p.data, at: at, in: p.in(), wants: wantComma}
		if f.in == 0 {
			f.wants = wantEnd
		}
		switch {
		case r == '\\':
			size = p.escape(f, end)
		case r == '"':
			e := f.error(at, 1, "double quote inside a string is not escaped", `write \" inside a string`)
			if f.at = skipSpace(p.data, at+1); strict && f.at < len(p.data) {
				if p.data[f.at] == ',' {
					f.at, f.wants = skipSpace(p.data, f.at+1), p.wantsNext()
				}
				e = f.explain()
			}
			strict = false
			p.guess(e, edit(at, at+1, `\"`))
		case r < ' ':
			p.report(f.inString(), edit(at, at+1, control(r)))
		}
		at += size
	}
}

// control returns a control character as a string writes it.
func control(r rune) string {
	switch r {
	case '\n':
		return `\n`
	case '\r':
		return ""
	case '\t':
		return `\t`
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// escape corrects an escape, and returns its length.
func (p *parser) escape(f *fault, end int) int {
	at, rest := f.at, p.data[f.at+1:end]
	switch {
	case len(rest) == 0:
	case strings.IndexByte(`"\/bfnrt`, rest[0]) >= 0:
		return 2
	case rest[0] == 'u' && len(rest) > 4 && isHex(rest[1:5]):
		return 6
	case rest[0] == '\'' || rest[0] == '`':
		p.report(f.inString(), edit(at, at+1, ""))
		return 2
	case rest[0] == '\n' || rest[0] == '\r': // of JSON5: the string goes on
		size := 2
		if bytes.HasPrefix(rest, []byte("\r\n")) {
			size = 3
		}
		p.report(f.inString(), edit(at, at+size, ""))
		return size
	}
	p.report(f.inString(), edit(at, at+1, `\\`))
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
