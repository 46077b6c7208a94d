package jsontree

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/internal/text"
)

// quotes are a kind of quotation marks: what opens a string, and what may close it then.
type quotes struct{ name, opening, closing string }

// quoteKinds has those of JSON first, and last those of Python around several lines.
var quoteKinds = []quotes{
	{"", `"`, `"`}, {"single", "'", "'"}, {"back", "`", "`"}, {"full-width", "＂", "＂"}, {"corner", "「", "」"}, {"corner", "『", "』"},
	{"prime", "″", "″"}, {"acute", "´", "´"}, {"curly", "“”„‟‘’«»‹›〝〞〟」』", "”“’‘»«›‹〞〟\""},
	{triple, `"""`, `"""`}, {triple, "'''", "'''"},
}

const (
	triple = "triple"
	// quoteMarks are the characters of all of them.
	quoteMarks = `"'` + "`“”„‟‘’«»‹›〝〞〟″´＂「」『』"
)

// closes returns the length of a mark at the start of a text, if it may close a string; else 0.
func (q quotes) closes(text []byte) int {
	r, size := utf8.DecodeRune(text)
	switch {
	case q.name == triple && bytes.HasPrefix(text, []byte(q.closing)):
		return len(q.closing)
	case q.name == triple || !strings.ContainsRune(q.closing, r):
		return 0
	}
	return size
}

// quote returns the length of the quotation mark at the place, 0 if there is none.
func (p *parser) quote() int { return quoteAt(p.data, p.at) }

func quoteAt(data []byte, at int) int {
	rest := data[min(at, len(data)):]
	for _, q := range quoteKinds[len(quoteKinds)-2:] {
		if after, ok := bytes.CutPrefix(rest, []byte(q.opening)); ok && bytes.Contains(after, []byte(q.closing)) {
			return len(q.opening)
		}
	}
	if r, size := utf8.DecodeRune(rest); strings.ContainsRune(quoteMarks, r) {
		return size
	}
	return 0
}

// quotesOf returns the kind of an opening quotation mark.
func quotesOf(opening []byte) quotes {
	return quoteKinds[slices.IndexFunc(quoteKinds, func(q quotes) bool { return strings.Contains(q.opening, string(opening)) })]
}

// Faults that many strings have.
const (
	quoteInside, escapeQuote = `double quote inside a string is not escaped`, `write \" inside a string`
	notClosed                = "a string is not closed before the line ends"
	lineBreak, closeString   = "line break inside a string", `write \n, or close the string with " before the line ends`
)

// str reads a string in any quotes up to the mark that ends it most likely.
func (p *parser) str(isKey bool) {
	start := p.at + p.quote()
	q := quotesOf(p.data[p.at:start])
	s := p.stringEnd(start, q, isKey)
	if q.name != "" {
		e := p.report(p.at, start-p.at, "a string in "+q.name+" quotes; expected straight double quotes", `write "`, edit(p.at, start, `"`))
		p.stopped = p.stopped || s.end == start && !isKey && !p.endsString(s.end+s.mark) // what is meant to be in it follows
		if text := string(p.data[start:s.end]); s.mark > 0 && !p.stopped && !strings.Contains(text, "\n") {
			e.Span.End = s.end + s.mark
			if hint := writeString(text); strings.Contains(hint, text) {
				e.Hint, e.Quoted = hint, []string{text}
			}
		}
	}
	for !p.stopped {
		if s.broken == len(p.data) && len(bytes.TrimSpace(p.data[s.end:])) == 0 {
			p.cutOff("inside a string", `write the rest of the string, then "`)
			return
		}
		p.content(start, s.end)
		next, size := p.continued(s, isKey)
		if size == 0 {
			break
		}
		start = next + size
		p.edits = append(p.edits, edit(s.end, s.end+s.mark, ""), edit(s.end+s.mark, start, ""))
		q = quotesOf(p.data[next:start])
		s = p.stringEnd(start, q, false)
	}
	closed := edit(s.end, s.end+s.mark, `"`)
	switch closing := string(p.data[s.end : s.end+s.mark]); {
	case closing == `"`:
	case closing != "" && q.name == "":
		p.guess(s.end, s.mark, "a string is closed with "+closing, `write "`, closed)
	case closing != "":
		p.edits = append(p.edits, closed)
	case s.broken == len(p.data):
		p.guess(p.contentEnd(), 0, "the text ends inside a string", `close the string with "`, closed)
	case p.data[s.end] == ',':
		p.guess(s.end, 1, "a string is not closed before the comma", `write " before the comma`, closed)
	case isCloser(p.byteAfter(s.end)):
		p.guess(s.broken, 1, notClosed, `write " at the end of the line`, closed)
	default:
		p.guess(s.broken, 1, notClosed, `write ", at the end of the line`, closed)
	}
	p.at = s.end
	p.accept(s.mark)
}

// continued records that a string goes on in another one, after an operator, in parentheses or as the
// value of a member that has two, and returns where that begins and the length of its quotation mark;
// 0 if it does not.
func (p *parser) continued(s stringEnd, isKey bool) (next, size int) {
	if s.mark == 0 || p.stopped {
		return 0, 0
	}
	p.at = skipSpace(p.data, s.end+s.mark)
	if m := operation().FindSubmatchIndex(p.near(p.at)); m != nil && strings.Trim(string(p.data[p.at:p.at+m[3]]), "+＋") == "" {
		if next = p.at + m[4]; quoteAt(p.data, next) > 0 {
			p.report(p.at, m[3], "strings are joined with "+string(p.data[p.at:p.at+m[3]]), "write one string")
			p.guessed = p.guessed || p.in() == '['
			return next, quoteAt(p.data, next)
		}
	}
	if size = p.quote(); size == 0 || isKey || p.in() != '{' || !stringNotKey().Match(p.near(p.at)) {
		return p.at, 0
	}
	p.guess(p.at, size, "two strings in a row", "write one string")
	return p.at, size
}

// stringEnd is where a string ends most likely.
type stringEnd struct {
	end, mark int // the length of its closing mark: 0 if that is missing
	broken    int // then where the line or the text ends before which it should be
}

func (p *parser) stringEnd(start int, q quotes, isKey bool) stringEnd {
	first, lineEnd := stringEnd{end: -1}, -1
	for at := start; at < len(p.data) && (first.end < 0 || at < first.end+maxQuoted); {
		r, size := utf8.DecodeRune(p.data[at:])
		mark := q.closes(p.data[at:])
		switch {
		case bytes.HasPrefix(p.data[at:], []byte("\\\r\n")):
			size = 3
		case r == '\\':
			size = min(2, len(p.data)-at)
		case r == '\n' && q.name != triple && lineEnd < 0 && afterLine().Match(p.near(at+1)):
			p.guessed = true
			if first.end >= 0 {
				return first
			}
			lineEnd = at // unless the next mark shows that it is in the string
		case mark > 0 && lineEnd >= 0:
			if p.endsString(at + mark) {
				return stringEnd{end: at, mark: mark}
			}
			p.stopped = p.stopped || !p.looksAhead(at-lineEnd)
			return p.withoutMark(start, lineEnd, lineEnd)
		case mark > 0:
			this := stringEnd{end: at, mark: mark}
			if first.end < 0 && q.name == "" {
				m := otherMark().FindSubmatchIndex(p.data[start:at])
				if m != nil && isKey == (m[4] >= 0) && (isKey || !p.keyAt(at).Empty()) {
					p.guessed = true
					return stringEnd{end: start + m[2], mark: m[3] - m[2]}
				}
			}
			if isKey || p.endsString(at+mark) || first.end < 0 && p.isAlternative(at, at+mark) {
				p.guessed = p.guessed || first.end >= 0
				return this
			}
			if !p.looksAhead(maxLook) {
				p.stopped = true
				return this
			}
			if first.end < 0 && p.commaInside(start, at) {
				return p.withoutMark(start, at, at)
			}
			if first.end < 0 {
				first = this
			}
		}
		at += size
	}
	p.guessed = true
	switch {
	case first.end >= 0:
		return first
	case lineEnd >= 0:
		p.stopped = p.stopped || !p.looksAhead(len(p.data)-lineEnd)
		return p.withoutMark(start, lineEnd, lineEnd)
	}
	text := bytes.TrimRight(p.data[start:], " \t\r\n")
	if closed := bytes.TrimRight(text, "}]"); len(closed) < len(text) {
		return p.withoutMark(start, start+len(closed), len(p.data))
	}
	return stringEnd{end: len(p.data), broken: len(p.data)}
}

// withoutMark returns where a string ends that has no mark of its kind before the end of its line or of the
// text, or a comma there. The only other mark in it closes it, or an escaped one.
func (p *parser) withoutMark(start, end, broken int) stringEnd {
	text := bytes.TrimRight(p.data[start:end], " \t\r\n")
	if broken < len(p.data) {
		text = bytes.TrimSuffix(text, []byte(","))
	}
	size := len(lastMark().Find(text))
	if bytes.IndexAny(text, quoteMarks) < bytes.LastIndexAny(text, quoteMarks) || inches().Match(text) {
		size = 0
	}
	return stringEnd{end: start + len(text) - size, mark: size, broken: broken}
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
		return memberStart().Match(trimmed) || p.in() == '[' && elementStart().Match(trimmed)
	case operation().Match(trimmed), fullStop().Match(trimmed):
		return true
	case commentAt(trimmed, 0) > 0:
		return true
	case c == '"' || c == '\'':
		return broken || len(rest) > len(trimmed) && anyKey().Match(trimmed)
	case broken && c == '{':
		return p.beginsObject(at + len(rest) - len(trimmed))
	case broken:
		return afterLine().Match(trimmed)
	}
	return false
}

// isAlternative reports whether "ADD" | "EDIT" may begin behind a mark, which a template has, other signs
// that end a string and cannot be read, apart from it another string, or one without its opening mark.
func (p *parser) isAlternative(mark, at int) bool {
	next := skipSpace(p.data, at)
	c := p.byteAt(next)
	return len(p.open) > 0 && (p.data[mark] == '"' && (c == '|' || c == ':' || c == '=') ||
		next > at && nextString().Match(p.near(next)) || p.in() == '[' && unopened().Match(p.near(at)))
}

// commaInside reports whether a string of an array is not closed before its comma, so that the mark at a
// place opens the next one.
func (p *parser) commaInside(start, at int) bool {
	before := bytes.TrimRight(p.data[start:at], " \t\r\n")
	return bytes.HasSuffix(before, []byte(",")) && p.in() == '[' && p.data[at] == '"' && restOfString().Match(p.near(at+1))
}

// content corrects what cannot be in a string as it is.
func (p *parser) content(start, end int) {
	isFirst := true
	text := p.data[start:end]
	m := foreignEscape().FindSubmatchIndex(text)
	foreign, isOnly := m != nil && !character().Match(text[m[2]:]), bytes.Count(text, []byte(`"`)) == 1
	ofNames := !foreign && markedNames().Match(text)
	for at := start; at < end && !p.stopped; {
		r, size := utf8.DecodeRune(p.data[at:])
		switch {
		case r == '\\' && foreign && letterEscape().Match(p.data[at:end]):
			p.guessed = p.guessed || strings.IndexByte("bf", p.data[at+1]) < 0
			p.edits = append(p.edits, edit(at, at+1, `\\`))
		case r == '\\':
			size = p.escape(at, foreign, ofNames)
		case r == '"' && isOnly && (at == start || at == end-1 && !inches().Match(text)):
			p.guess(at, 1, "two double quotes in a row", "write one", edit(at, at+1, ""))
		case r == '"':
			p.guess(at, 1, quoteInside, escapeQuote, edit(at, at+1, `\"`))
			p.stopped = p.stopped || isFirst && swallowed().Match(text)
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

// escape corrects an escape of a string, and returns its length. A backslash is never the last
// byte of the text: then the string would be cut off. In names of Markdown \_ stands for _.
func (p *parser) escape(at int, isPath, ofNames bool) int {
	rest := p.data[at+1:]
	r, size := utf8.DecodeRune(rest)
	switch {
	case !isPath && character().Match(p.data[at:]):
		p.fail(at, 1+size, `invalid escape \`+string(r), "write the character that it stands for")
		return 1 + size
	case strings.ContainsRune(`"\/bfnrt`, r):
		return 2
	case r == 'u':
		if _, err := strconv.ParseUint(string(rest[1:min(5, len(rest))]), 16, 16); err == nil && len(rest) > 4 {
			return 6
		}
		p.report(at, 2, `\u needs four hexadecimal digits`, `write \\u for a backslash`, edit(at, at+1, `\\`))
		return 1
	case r == '\'' || r == '`' || r == '_' && ofNames: // of Markdown
		p.report(at, 2, fmt.Sprintf(`invalid escape \%c`, r), fmt.Sprintf("write %c without the backslash", r), edit(at, at+1, ""))
		return 2
	case r == '\n' || r == '\r': // of JSON5: the string goes on
		if bytes.HasPrefix(rest, []byte("\r\n")) {
			size = 2
		}
		p.report(at, 1, "backslash at the end of a line: a string cannot continue on the next line", `remove the backslash and the line break`, edit(at, at+1+size, ""))
		before := bytes.TrimRight(p.data[:at], " \t")
		p.stopped = p.stopped || bytes.HasSuffix(before, []byte(`"`)) // the next line may be another string
		return 1 + size
	}
	p.report(at, 1+size, `invalid escape \`+strings.Trim(fmt.Sprintf("%q", string(r)), `"`), `write \\ for a backslash`, edit(at, at+1, `\\`))
	return 1
}

// foreignEscape is a string with an escape that JSON does not have: its backslashes are those of a path,
// a formula or a pattern, unless that is one of a program for a character. letterEscape is one that JSON
// has, and that is then meant so, too. markedNames is a string whose \_ are all in words that are names,
// whose _ Markdown would take for a mark.
var (
	foreignEscape = text.Pattern(`^(?s:[^\\]|\\[^a-zA-Z]|\\[bfnrt]|\\u[0-9a-fA-F]{4})*(\\(?:[ac-eg-mo-qsv-zA-Z]|u[0-9a-fA-F]{0,3}(?:[^0-9a-fA-F]|$)))`)
	character     = text.Pattern(`^\\(?:x[0-9a-fA-F]{2}|u\{[0-9a-fA-F]|U[0-9a-fA-F]{8}|N\{[A-Z]|[0-3][0-7]{2}(?:\W|$))`)
	letterEscape  = text.Pattern(`^\\(?:[bf]|[nrt][a-z])`)
	markedNames   = text.Pattern(`^\s*(?:(?:(?:[^\s\\]|\\[^\s_])+|[(]*(?:\w|\\_)+[).,;:!?]*)(?:\s+|$))*$`)
)
