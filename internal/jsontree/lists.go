package jsontree

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/brennerlint/brennerlint/source"
)

func (p *parser) value() {
	c := p.peek()
	switch {
	case p.stopped:
	case p.atEnd():
		p.missing(aValue)
	case c == '(' && inParentheses().Match(p.data[p.at:]):
		p.parentheses()
	case c == '{' || c == '[', c == '(' && strings.IndexByte("\"'", p.byteAfter(p.at+1)) >= 0:
		p.list(c)
	case p.quote() > 0:
		p.str(false)
	default:
		if !p.marked(emphasised(), true) && (p.in() != '[' || !p.marked(listed(), false)) {
			p.scalar()
		}
	}
	if p.in() != 0 && p.peek() != 0 && cast().Match(p.near(p.at)) {
		said := string(cast().FindSubmatch(p.near(p.at))[1])
		before := len(bytes.TrimRight(p.data[:p.at], " \t"))
		p.reportUnsure(p.at, len(said), "a cast is not JSON", "remove "+said, edit(before, p.at+len(said), ""))
		p.at += len(said)
	}
}

// parentheses reads a string in parentheses, or one in several parts. A tuple would have a comma.
func (p *parser) parentheses() {
	const message, hint = "parentheses are not JSON", "write one string without them"
	e := p.report(p.at, p.width, message, hint, edit(p.at, p.at+p.width, ""))
	p.at += p.width
	p.open = append(p.open, bracket{kind: '[', closing: ')'})
	p.peek()
	if p.str(false); p.peek() != ')' {
		p.stopped, e.Hint = true, hint+", or [ and ] around several with commas between them"
		return
	}
	p.open = p.open[:len(p.open)-1]
	p.drop(p.width, message, hint)
}

// marked reads a value with marks before it, if it has them: those of a list, or of emphasis, which are behind it, too.
func (p *parser) marked(before *regexp.Regexp, isEmphasis bool) bool {
	m := before.FindSubmatch(p.near(p.at))
	if m == nil {
		return false
	}
	said := bytes.TrimRight(m[1], " \t")
	p.reportUnsure(p.at, len(said), string(said)+" is before a value", "remove "+string(said), edit(p.at, p.at+len(m[1]), "")).Quoted = []string{string(said)}
	p.at += len(m[1])
	if isEmphasis || said[0] == '+' {
		p.marks = said
	}
	p.value()
	if isEmphasis && bytes.HasPrefix(p.data[p.at:], said) {
		p.edits = append(p.edits, edit(p.at, p.at+len(said), ""))
		p.at += len(said)
	}
	p.marks = nil
	return true
}

// list reads an object or array. If what follows its first string belongs into the other of the
// two, the other is meant.
func (p *parser) list(c byte) {
	if len(p.open) == decoderDepth {
		p.stopped = true
		return
	}
	b, start := bracket{kind: c}, p.at
	p.punctuation(string(c))
	first := source.SkipSpace(p.data, p.at)
	_, size := quoteAt(p.data, first)
	switch quoted := size > 0; {
	case c == '[' && quoted && !p.keyAt(first).Empty():
		b = bracket{kind: '{', closing: ']'}
		colon := source.SkipSpace(p.data, p.keyAt(first).End)
		e := p.reportUnsure(colon, 1, "unexpected "+string(p.data[colon])+"; expected a comma or ]", "")
		if p.balances(append(slices.Clone(p.open), b), p.at) {
			e.Hint = "write { and } around the members, instead of [ and ]"
		}
	case c == '{' && quoted && firstOfSet().Match(p.near(first)) && !commaForColon().Match(p.near(first)) && len(p.open) > 0:
		b = bracket{kind: '[', closing: '}'}
		p.report(start, p.width, "a set is not JSON", "write [ and ]")
		p.stopped = p.stopped || bytes.HasSuffix(firstOfSet().Find(p.near(first)), []byte("}")) // or a key has no value
	case c == '(':
		b = bracket{kind: '[', closing: ')'}
		p.report(start, p.width, "a tuple is not JSON", "write [ and ]")
	}
	if b.closing != 0 {
		p.edits = append(p.edits, edit(start, p.at, string(b.kind)))
	}
	p.open = append(p.open, b)
	p.members()
}

// Expectations in an object or array, for messages.
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
			p.missing(next)
			return
		case p.atEnd():
			closer := string(closerOf[p.in()])
			e := p.report(p.contentEnd(), 0, "the text ends before the "+nameOf[p.in()]+" is closed", "add "+closer, edit(p.end, p.end, closer))
			e.Open = p.closers()
			p.open = p.open[:len(p.open)-1]
			return
		case isCloser(c):
			if comma >= 0 {
				p.trailing(comma)
			}
			if p.close(c) {
				return
			}
			continue
		case !first && p.in() == '[' && len(p.open) > 1 && p.open[len(p.open)-2].kind == '{' &&
			p.quote() > 0 && !p.keyAt(p.at).Empty() && !p.balances(p.open, p.at):
			p.reportUnsure(p.at, p.width, "the array before this key is not closed", "add ] after its last value", edit(p.end, p.end, "]"))
			if comma >= 0 {
				p.at = comma
			}
			p.open = p.open[:len(p.open)-1]
			return
		case (next == aKey || !first && comma < 0) && p.prose() > 0:
			words := p.prose()
			hint := "move the text out of the " + nameOf[p.in()]
			if !p.balances(p.open, p.at) {
				hint = "add " + p.closers() + " before the text, and " + hint
			}
			p.report(p.at, len(p.wordAt(p.at)), "text where "+next+" is expected", hint, edit(p.at, p.at+words, ""))
			if comma >= 0 {
				p.edits = append(p.edits, edit(comma, comma+1, ""))
			}
			p.at += words
			p.lost = true
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

// prose returns the length of the words at the current place if they are neither a key nor a value; else 0. Nothing
// of JSON is on their line, or keys before them are in quotes and brackets are missing.
// On the line of what is before it, a name with a colon is a key.
func (p *parser) prose() int {
	rest := p.near(p.at)
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	if end := bytes.IndexAny(line, "}]"); end >= 0 {
		line = line[:end]
	}
	line = bytes.TrimRight(line, " \t\r")
	isPlain := p.keyAt(p.at).Empty() && !bytes.ContainsAny(apostrophe().ReplaceAll(line, nil), ":=\"'{[：＝“”") && !keyAndValue().Match(line)
	isNoMember := isPlain || bytes.IndexByte(p.data[p.end:p.at], '\n') >= 0 && p.in() == '{' && quotedKey().Match(p.data[:min(p.at, maxLook)]) && !bareMember().Match(rest)
	if p.wordAt(p.at) == "" || !isNoMember || beforeKey().Match(rest) || !(isPlain && p.in() == '{') && p.balances(p.open, p.at) {
		return 0
	}
	return len(line)
}

// separators reads the commas before a member or element, and returns where the comma is that
// counts, -1 if there is none.
func (p *parser) separators(first bool) int {
	comma := -1
	for c := p.peek(); !p.stopped && !p.atEnd(); c = p.peek() {
		after := p.at + p.width
		_, size := quoteAt(p.data, source.SkipSpace(p.data, after))
		isStop := c == '.' && !first && size > 0 && (p.in() == '{' || p.at == p.end) // apart, it joins strings
		switch next := p.byteAfter(after); {
		case p.dots() > 0:
			p.guessed = true
			p.drop(p.dots(), noEllipsis, writeOut)
		case c != ',' && c != ';' && !isStop:
			return comma
		case first:
			p.drop(p.width, fmt.Sprintf("comma directly after %c", p.in()), "remove the comma")
		case comma >= 0:
			p.drop(p.width, "two commas in a row", "remove one comma")
		default:
			comma = p.at
			if p.data[p.at] != ',' && next != '}' && next != ']' {
				mark := strings.NewReplacer(";", "semicolon", ".", "full stop").Replace(string(p.data[p.at:after]))
				p.guessed = p.guessed || isStop
				p.report(p.at, p.width, mark+" instead of a comma", "write ,", edit(p.at, after, ","))
			}
			p.at = after
		}
	}
	return comma
}

const noEllipsis, writeOut = "an ellipsis is not JSON", "write out the omitted values"

// dots returns the length of an ellipsis at the place, 0 if there is none.
func (p *parser) dots() int { return len(ellipsis().Find(p.data[p.at:])) }

// trailing records a comma before the closing bracket at the place, if there is one.
func (p *parser) trailing(comma int) {
	_, size := characterAt(p.data, comma)
	message, hint := "trailing comma before "+string(p.data[p.at:p.at+p.width]), "remove the comma"
	if p.data[comma] == ';' {
		message, hint = "semicolon before the end", "remove the semicolon"
	}
	p.report(comma, size, message, hint, edit(comma, comma+size, ""))
}

// withoutComma records that a comma is missing before a member or element, or that none can
// begin here.
func (p *parser) withoutComma(c byte) {
	word, n := p.wordAt(p.at), p.width
	var shown string
	var quoted []string
	switch {
	case p.in() == '{' && c == '{' && !p.keyAt(source.SkipSpace(p.data, p.at+1)).Empty():
		p.fail(p.at, 1, "the object before { is not closed", "add "+p.closers()+" before {, and move the next object out")
		return
	case p.quote() > 0:
		shown = "a string"
	case p.in() == '[' && (c == '{' || c == '['):
		shown = string(c)
	case word != "" && (p.in() == '{' && p.keyAt(p.at).Empty() || signs().Match(p.near(p.at))):
		p.fail(p.at, len(word), "unexpected "+shorten(word)+"; expected a comma or "+string(closerOf[p.in()]), "").Quoted = []string{shorten(word)}
		return
	case word != "" && isDigit(word[0]):
		shown = "a number"
	case word != "":
		shown, n, quoted = shorten(word), len(word), []string{shorten(word)}
	default:
		p.unexpected("a comma or " + string(closerOf[p.in()]))
		return
	}
	// A word without a digit is a note on the value before it rather than an id.
	isNote := p.in() == '[' && quoted != nil && !strings.ContainsAny(word, "0123456789") && !isValid([]byte(word)) && foreignWords[word] == ""
	p.lost = p.lost || isNote && !bytes.ContainsRune(p.data[p.end:p.at], '\n')
	p.stopped = p.stopped || p.top().closing == ')' // a string in several
	p.report(p.at, n, "missing comma before "+shown, "add a comma after the previous value", edit(p.end, p.end, ",")).Quoted = quoted
}

// nameOf names what a bracket opens.
var nameOf = map[byte]string{'{': "object", '[': "array"}

// close reads a closing bracket; false if it is to be left out. If it is of the wrong kind, the
// right one is meant, or none, or both: what the brackets of the rest close decides.
func (p *parser) close(c byte) bool {
	b, outer := p.open[len(p.open)-1], p.open[:len(p.open)-1]
	after := p.at + p.width
	right, wrong := string(closerOf[b.kind]), string(p.data[p.at:after])
	instead := edit(p.at, after, right)
	message := wrong + " where " + right + " is expected to close the " + nameOf[b.kind]
	switch {
	case c == b.closing:
		p.edits = append(p.edits, instead)
		p.advance(p.width)
	case c == right[0] && p.closesEarly():
		return false
	case c == right[0]:
		p.punctuation(right)
	case p.balances(outer, after):
		p.reportUnsure(p.at, p.width, message, "write "+right, instead)
		p.advance(p.width)
	case p.balances(p.open, after):
		p.guessed = true
		p.drop(p.width, message, "remove "+wrong)
		return false
	default:
		p.report(p.at, p.width, message, "add "+right+" before "+wrong, edit(p.end, p.end, right))
	}
	p.open = outer
	return true
}

// closesEarly leaves out a bracket that closes the value, if its members or elements go on behind
// it. The members may lack a bracket in its place.
func (p *parser) closesEarly() bool {
	after := p.at + p.width
	comma := source.SkipSpace(p.data, after)
	next, before := comma, "it"
	if p.byteAt(comma) == ',' {
		next, before = source.SkipSpace(p.data, comma+1), "the comma"
	}
	isMember := p.in() == '{' && p.byteAt(next) == '"' && !p.keyAt(next).Empty()
	isOther := p.in() == '{' && strings.IndexByte("{[", p.byteAt(next)) >= 0
	if len(p.open) > 1 || isOther || next == comma && !isMember {
		return false
	}
	bracket := string(p.data[p.at:after])
	hint := "remove the " + bracket + " before " + before
	if !p.balances(p.open, after) {
		if !isMember || !p.balances(nil, after) {
			return false
		}
		hint += ", and add " + bracket + " at the end"
	}
	p.reportUnsure(comma, 1, "data after the JSON value: the "+bracket+" before it closes the value too early", hint, edit(p.at, after, "")).ValueEnd = after
	p.at = after
	return true
}

// balances reports whether the brackets of the text from a byte on close what is open, and
// nothing else.
func (p *parser) balances(open []bracket, at int) bool {
	if !p.looksAhead(len(p.data) - at) {
		return false
	}
	var stack []byte
	for _, b := range open {
		stack = append(stack, cmp.Or(b.closing, closerOf[b.kind]))
	}
	inString := false // one that is not closed ends with its line
	for ; at < len(p.data); at++ {
		switch c := p.data[at]; {
		case c == '"':
			inString = !inString
		case inString && c == '\\':
			at++
		case inString:
			inString = c != '\n'
		case closerOf[c] != 0:
			stack = append(stack, closerOf[c])
		case isCloser(c):
			if len(stack) == 0 || stack[len(stack)-1] != c {
				return false
			}
			if stack = stack[:len(stack)-1]; len(stack) == 0 {
				return source.SkipSpace(p.data, at+1) == len(p.data)
			}
		}
	}
	return len(stack) == 0
}

// key reads the name of a member and its colon.
func (p *parser) key() {
	c := p.peek()
	switch isSecond := c == '{' && p.end > 0 && p.data[p.end-1] == '{'; {
	case p.stopped:
	case isSecond && p.balances(p.open, p.at+p.width):
		p.guessed = true
		p.drop(p.width, "{ directly after {", "remove one {")
		p.key()
		return
	case isSecond:
		p.fail(p.at, p.width, "{ directly after {", "remove one {, and one }")
	case unclosedKey().Match(p.near(p.at)):
		n := 1 + len(p.wordAt(p.at+1))
		p.reportUnsure(p.at, n, "a key is not closed before the colon", `write " before the colon`, edit(p.at+n, p.at+n, `"`))
		p.advance(n)
	case p.quote() > 0:
		p.str(true)
	case beforeKey().Match(p.near(p.at)):
		words := beforeKey().FindSubmatch(p.near(p.at))[1]
		said := shorten(strings.TrimRight(string(words), " \t"))
		p.reportUnsure(p.at, len(said), said+" is before a key", "remove "+said, edit(p.at, p.at+len(words), "")).Quoted = []string{said}
		p.lost = p.lost || bytes.ContainsFunc(words, unicode.IsLetter)
		p.at += len(words)
		p.str(true)
	case c == '{' || c == '[':
		p.fail(p.at, p.width, string(c)+" where a key is expected", "write the key in double quotes")
	case p.wordAt(p.at) == "":
		p.unexpected(aKey)
	default:
		p.bareKey()
	}
	p.colon()
}

// bareKey reads a key without its quotation marks, or without the opening one: everything up to its
// colon.
func (p *parser) bareKey() {
	start, n, rest := p.at, len(p.wordAt(p.at)), p.near(p.at)
	if colon := bytes.IndexAny(rest, ":,{}[]\"\\\n"); colon > n && rest[colon] == ':' {
		n = len(bytes.TrimRight(rest[:colon], " \t"))
	}
	p.advance(n)
	key, end := string(p.data[start:p.end]), p.end
	if size := p.quote(); size > 0 && bytes.HasPrefix(bytes.TrimLeftFunc(p.data[p.at+size:], isSpace), []byte(":")) {
		p.advance(size)
	}
	e := p.report(start, len(key), "key "+shorten(key)+" is not in double quotes", writeString(key), edit(start, start, `"`))
	e.Quoted = []string{shorten(key)}
	if isPrefixed(key) || len(key) == 1 && unicode.IsLetter(rune(key[0])) && p.end == end && p.quote() > 0 {
		p.stopped, e.Hint = true, "write the key in double quotes, without the letter before them"
	}
	if string(p.data[end:p.end]) != `"` {
		p.edits = append(p.edits, edit(end, p.end, `"`))
	}
}

func (p *parser) colon() {
	c := p.peek()
	const noValue = " after a key: its value is missing"
	switch {
	case p.stopped:
	case p.atEnd():
		p.missing(aColon)
	case c == ':':
		p.punctuation("a colon")
	case behindKey().Match(p.near(p.at)):
		marks := string(behindKey().FindSubmatch(p.near(p.at))[1])
		p.guessed = true
		p.drop(len(marks), marks+" is behind a key", "remove "+marks)
		p.colon()
	case c == '=':
		n := 1
		if p.byteAt(p.at+1) == '>' {
			n = 2
		}
		p.report(p.at, 1, "= instead of a colon", "write :", edit(p.at, p.at+n, ":"))
		p.advance(n)
	case c == ',':
		p.fail(p.at, p.width, "comma"+noValue, "write : and the value")
	case isCloser(c):
		p.fail(p.at, p.width, string(c)+noValue, "write : and the value")
	case p.quote() > 0, c == '{', c == '[', p.wordAt(p.at) != "":
		p.report(p.at, p.width, "missing : between a key and its value", "add :", edit(p.end, p.end, ":"))
	default:
		p.unexpected(aColon)
	}
}
