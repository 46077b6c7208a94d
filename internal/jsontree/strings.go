package jsontree

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/source"
)

// quotes are a kind of quotation marks: what opens a string, and what may close it then.
type quotes struct{ name, opening, closing string }

// quoteKinds has those of Python around several lines first.
var quoteKinds = []quotes{
	{triple, `"""`, `"""`}, {triple, "'''", "'''"}, {"", `"`, `"`}, {"single", "'", "'"}, {"back", "`", "`"}, {"full-width", "＂", "＂"},
	{"curly", "“”„‟‘’«»‹›〝〞〟「」『』", "”“’‘»«›‹〞〟」』\""},
}

const (
	triple = "triple"
	// quoteMarks are the characters of all of them.
	quoteMarks = `"'` + "`“”„‟‘’«»‹›〝〞〟＂「」『』"
)

// quoteAt returns the kind of the quotation mark at a place, and its length; 0 if there is none.
func quoteAt(data []byte, at int) (quotes, int) {
	rest := data[min(at, len(data)):]
	for _, q := range quoteKinds {
		if n := q.mark(rest, q.opening); n > 0 && (q.name != triple || bytes.Contains(rest[n:], []byte(q.closing))) {
			return q, n
		}
	}
	return quotes{}, 0
}

// mark returns the length of the mark at the start of a text, if it is one of those given; else 0.
func (q quotes) mark(text []byte, marks string) int {
	r, size := utf8.DecodeRune(text)
	switch {
	case q.name == triple && bytes.HasPrefix(text, []byte(marks)):
		return len(marks)
	case q.name == triple || !strings.ContainsRune(marks, r):
		return 0
	}
	return size
}

// quote returns the length of the quotation mark at the place, 0 if there is none.
func (p *parser) quote() int {
	_, size := quoteAt(p.data, p.at)
	return size
}

// Faults that many strings have.
const (
	quoteInside, escapeQuote = `double quote inside a string is not escaped`, `write \" inside a string`
	lineBreak, closeString   = "line break inside a string", `write \n, or close the string with " before the line ends`
)

// str reads a string in any quotes up to the mark that ends it most likely.
func (p *parser) str(isKey bool) {
	q, size := quoteAt(p.data, p.at)
	start := p.at + size
	s := p.stringEnd(start, q, isKey)
	if text := p.data[start:s.end]; q.name == "back" && bytes.HasPrefix(text, []byte(`"`)) && isValid(text) {
		p.reportUnsure(p.at, size, "back quotes are around a string", "remove the back quotes", edit(p.at, start, ""), edit(s.end, s.end+s.mark, ""))
		p.at = s.end
		p.advance(s.mark)
		return
	}
	if q.name != "" {
		e := p.report(p.at, start-p.at, "a string in "+q.name+" quotes; expected straight double quotes", `write "`, edit(p.at, start, `"`))
		isEmpty := s.end == start && !isKey && (s.mark == 0 || !p.endsString(s.end+s.mark))
		p.stopped = p.stopped || isEmpty // what is meant to be in it follows
		if text := string(p.data[start:s.end]); s.mark > 0 && !p.stopped && !strings.Contains(text, "\n") {
			e.Span.End = s.end + s.mark
			if hint := writeString(text); strings.Contains(hint, text) {
				e.Hint, e.Quoted = hint, []string{text}
			}
		}
	}
	for !p.stopped {
		if s.broken == len(p.data) && len(bytes.TrimSpace(p.data[s.end:])) == 0 {
			p.cutOff("inside a string", ` of the string, then "`)
			return
		}
		p.content(start, s.end)
		p.stopped = p.stopped || q.name == "back" && bytes.Contains(p.data[start:s.end], []byte("${")) // computed
		if s.mark == 0 || isKey || !p.goesOn(start, s.end, s.mark) {
			break
		}
		q, size = quoteAt(p.data, p.at)
		start = p.at + size
		p.edits = append(p.edits, edit(s.end, s.end+s.mark, ""), edit(s.end+s.mark, start, ""))
		s = p.stringEnd(start, q, false)
	}
	closed := edit(s.end, s.end+s.mark, `"`)
	switch closing := string(p.data[s.end : s.end+s.mark]); {
	case closing == `"`:
	case closing != "" && q.name == "":
		p.reportUnsure(s.end, s.mark, "a string is closed with "+closing, `write "`, closed)
	case closing != "":
		p.edits = append(p.edits, closed)
	case s.broken == len(p.data):
		p.reportUnsure(p.contentEnd(), 0, "the text ends inside a string", `close the string with "`, closed)
	case strings.IndexByte(",]}", p.data[s.end]) >= 0:
		sign := strings.Replace(string(p.data[s.end]), ",", "comma", 1)
		p.reportUnsure(s.end, 1, "a string is not closed before the "+sign, `write " before the `+sign, closed)
	default:
		comma := ","
		if isCloser(p.byteAfter(s.end)) {
			comma = ""
		}
		p.reportUnsure(s.broken, 1, "a string is not closed before the line ends", `write "`+comma+" at the end of the line", closed)
	}
	p.at = s.end
	p.advance(s.mark)
}

// goesOn reports whether a string goes on in another one, after a plus or as the value of a member that has
// two. Then the place is there.
func (p *parser) goesOn(start, end, mark int) bool {
	p.at = source.SkipSpace(p.data, end+mark)
	m := plus().FindSubmatchIndex(p.near(p.at))
	switch {
	case p.stopped:
	case m != nil && len(p.marks) == 0:
		p.guessed = p.guessed || p.in() == '['
		p.report(p.at, m[3], "strings are joined with "+string(p.data[p.at:p.at+m[3]]), "write one string")
		p.at += m[4]
		p.stopped = p.quote() == 0 || innerMark().Match(p.data[start:end]) // else the plus may be of its text, too
		return true
	case p.quote() > 0 && p.in() == '{' && stringNotKey().Match(p.near(p.at)),
		p.quote() > 0 && p.top().closing == ')' && (source.IsSpace(p.data[end-1]) || source.IsSpace(p.byteAt(p.at+p.quote()))):
		p.reportUnsure(p.at, p.quote(), "two strings in a row", "write one string")
		return true
	}
	return false
}

// stringEnd is where a string ends most likely.
type stringEnd struct {
	end, mark int // the length of its closing mark: 0 if that is missing
	broken    int // then where the line or the text ends before which it should be
}

// stringEnd finds the mark that ends a string: the first one after which JSON goes on, or else the first one.
// Before a line that begins as a member does, a string without one ends with its line.
func (p *parser) stringEnd(start int, q quotes, isKey bool) stringEnd {
	first, lineEnd := -1, -1
	for at := start; at < len(p.data) && (first < 0 || lineEnd < 0 && at < first+maxQuoted); {
		r, size := utf8.DecodeRune(p.data[at:])
		this := stringEnd{end: at, mark: q.mark(p.data[at:], q.closing)}
		after := at + this.mark
		var other []int
		if this.mark > 0 && first < 0 && q.name == "" {
			other = otherMark().FindSubmatchIndex(p.data[start:at])
		}
		switch {
		case bytes.HasPrefix(p.data[at:], []byte("\\\r\n")):
			size = 3
		case r == '\\':
			size = min(2, len(p.data)-at)
		case r == '\n' && q.name != triple && lineEnd < 0 && afterLine().Match(p.near(at+1)):
			lineEnd = at
		case this.mark == 0:
		case lineEnd >= 0: // the mark shows whether the line break is in the string
			if p.guessed = true; p.endsString(after) {
				return this
			}
			p.looksAhead(at - lineEnd)
			return p.withoutMark(start, lineEnd, lineEnd)
		case other != nil && isKey == (other[4] >= 0) && (isKey || !p.keyAt(at).Empty()):
			return stringEnd{end: start + other[2], mark: other[3] - other[2]}
		case p.endsString(after), first < 0 && (isKey || p.isApart(after)):
			p.guessed = p.guessed || first >= 0
			return this
		case first < 0 && unclosed().Match(p.data[start:at]) && (p.in() == '[' && restOfString().Match(p.near(at)) || plainKey().Match(p.near(at))):
			return p.withoutMark(start, at, at)
		default:
			p.looksAhead(maxLook)
			if first < 0 {
				first = at
			}
		}
		at += size
	}
	p.guessed = true
	switch {
	case first >= 0:
		return stringEnd{end: first, mark: q.mark(p.data[first:], q.closing)}
	case lineEnd >= 0:
		p.looksAhead(len(p.data) - lineEnd)
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
	if inside, ok := bytes.CutSuffix(text, []byte(",")); ok && broken < len(p.data) {
		text = inside[:len(inside)-p.closersBehind(inside)]
	}
	size := 0
	if m := onlyMark().FindSubmatch(text); m != nil {
		size = len(m[1])
	}
	return stringEnd{end: start + len(text) - size, mark: size, broken: broken}
}

// closersBehind returns how many of the brackets at the end of a text close what is open, in its order, and are
// not of the text.
func (p *parser) closersBehind(text []byte) (n int) {
	inner := max(0, len(p.open)-1) // the value itself goes on
	if bytes.ContainsAny(text, "{[") {
		return 0
	}
	var closers []byte
	for _, b := range slices.Backward(p.open[len(p.open)-min(inner, maxClosers):]) {
		if closers = append(closers, cmp.Or(b.closing, closerOf[b.kind])); bytes.HasSuffix(text, closers) {
			n = len(closers)
		}
	}
	return n
}

// maxClosers bounds the brackets that are looked for behind a string.
const maxClosers = 8

// endsString reports whether what follows a quotation mark shows that a string ended
// there.
func (p *parser) endsString(at int) bool {
	rest := bytes.TrimPrefix(p.near(at), p.marks)
	trimmed := bytes.TrimLeftFunc(rest, isSpace)
	if len(trimmed) == 0 {
		return len(rest) < maxLook
	}
	isBroken := bytes.IndexByte(rest[:len(rest)-len(trimmed)], '\n') >= 0
	switch c, _ := characterAt(trimmed, 0); c {
	case '}', ']', p.top().closing:
		return true
	case '"', '\'':
		return isBroken || len(rest) > len(trimmed) && anyKey().Match(trimmed)
	case '{':
		return isBroken
	}
	return memberStart().Match(trimmed) || p.in() == '[' && elementStart().Match(trimmed) ||
		plus().Match(trimmed) || cast().Match(trimmed) || p.in() != 0 && signs().Match(trimmed) || fullStop().Match(trimmed) ||
		commentAt(trimmed, 0) > 0 || isBroken && (afterLine().Match(trimmed) || beforeKey().Match(trimmed)) || belowComma().Match(trimmed)
}

// isApart reports whether what follows the first mark shows that the string ended there although it cannot
// be read, as "ADD" | "EDIT" of a template, or is another string without a comma or its opening mark.
func (p *parser) isApart(at int) bool {
	next := source.SkipSpace(p.data, at)
	return p.in() != 0 && (strings.IndexByte("|:=", p.byteAt(next)) >= 0 || next > at && nextString().Match(p.near(next)) ||
		p.in() == '[' && unopened().Match(p.near(at)))
}

// content corrects what cannot be in a string as it is.
func (p *parser) content(start, end int) {
	text := p.data[start:end]
	m := foreignEscape().FindSubmatchIndex(text)
	isForeign := m != nil && !character().Match(text[m[2]:])
	ofNames := !isForeign && markedNames().Match(text)
	marks := bytes.Count(text, []byte(`"`))
	isDoubled := marks == 2 && len(text) > 2 && text[0] == '"' && text[len(text)-1] == '"'
	for at := start; at < end && !p.stopped; {
		r, size := utf8.DecodeRune(p.data[at:])
		switch {
		case r == '\\' && isForeign && letterEscape().Match(p.data[at:end]):
			p.guessed = p.guessed || strings.IndexByte("bf", p.data[at+1]) < 0
			p.edits = append(p.edits, edit(at, at+1, `\\`))
		case r == '\\' && at > start && bytes.HasPrefix(p.data[at-1:end], []byte(`'\''`)): // of a shell
			p.report(at, 2, `invalid escape \'`, `write ' instead of '\''`, edit(at-1, at+3, "'"))
			size = 3
		case r == '\\':
			size = p.escape(at, end, isForeign, ofNames)
		case r == '"' && isDoubled, r == '"' && marks == 1 && (at == start || at == end-1 && !inches().Match(text)):
			p.reportUnsure(at, 1, "two double quotes in a row", "write one", edit(at, at+1, ""))
		case r == '"' && bytes.HasSuffix(p.data[start:at], []byte(`\\`)):
			p.reportUnsure(at-2, 3, "double quote inside a string is escaped twice", `write \" instead of \\"`, edit(at-2, at-1, ""))
		case r == '"':
			p.reportUnsure(at, 1, quoteInside, escapeQuote, edit(at, at+1, `\"`))
			if marks > 0 && (swallowed().Match(text) || closedInside().Match(text) || p.in() == '[' && elementInside().Match(text)) {
				p.stopped = true
			}
			p.lost = p.lost || marks > 0 && overrun().Match(text)
			marks = 0
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

// escape corrects an escape of a string, and returns its length. In names of Markdown \_ stands for _.
func (p *parser) escape(at, end int, isForeign, ofNames bool) int {
	rest := p.data[at+1 : end]
	r, size := utf8.DecodeRune(rest)
	_, err := strconv.ParseUint(string(rest[min(1, len(rest)):min(5, len(rest))]), 16, 16)
	shown := `invalid escape \` + strings.Trim(fmt.Sprintf("%q", string(r)), `"`)
	switch {
	case !isForeign && character().Match(p.data[at:]):
		p.fail(at, 1+size, shown, "write the character that it stands for")
	case strings.ContainsRune(`"\/bfnrt`, r), r == 'u' && err == nil && len(rest) > 4:
	case r == 'u':
		p.report(at, 2, `\u needs four hexadecimal digits`, `write \\u for a backslash`, edit(at, at+1, `\\`))
	case r == '\n' || r == '\r' || len(rest) == 0: // of JSON5: the string goes on
		if bytes.HasPrefix(rest, []byte("\r\n")) {
			size = 2
		}
		p.report(at, 1, "backslash at the end of a line: a string cannot continue on the next line", `remove the backslash and the line break`, edit(at, at+1+size, ""))
		before := bytes.TrimRight(p.data[:at], " \t")
		p.stopped = p.stopped || bytes.HasSuffix(before, []byte(`"`)) // the next line may be another string
	case r == '\'' || r == '`' || r == '_' && ofNames || r > unicode.MaxASCII && !unicode.IsLetter(r): // of Markdown, or §
		p.report(at, 1+size, shown, fmt.Sprintf("write %c without the backslash", r), edit(at, at+1, ""))
	default:
		p.report(at, 1+size, shown, `write \\ for a backslash`, edit(at, at+1, `\\`))
		return 1
	}
	return 1 + size
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
