package jsontree

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
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

// Recover reads a text that is not JSON as what was meant.
func Recover(data []byte, opts Options) Recovery {
	p := newParser(data, cmp.Or(opts.MaxDepth, MaxDepth))
	p.document()
	r := Recovery{Mistakes: p.mistakes}
	if !p.isList || len(p.mistakes) == 0 {
		return r
	}
	r.Certain = !p.unsure
	for i := range p.mistakes {
		r.Edits = append(r.Edits, p.mistakes[i].Edits...)
		r.Certain = r.Certain && p.mistakes[i].Certain
	}
	r.Edits = joined(r.Edits)
	if p.stopped { // a text that is encoded twice has an edit for all of it
		last := p.mistakes[len(p.mistakes)-1]
		r.Edits, r.Certain = last.Edits, last.Certain
	}
	if len(r.Edits) > 0 {
		text := source.Apply(data, r.Edits)
		if root, fault := Parse(text, opts); fault == nil {
			r.Text, r.Root = text, root
			return r
		}
	}
	r.Edits, r.Certain = nil, false
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

// maxMistakes bounds the mistakes of a text that is read on: each has a message and edits.
const maxMistakes = 10_000

// parser follows a text that is nearly JSON, and records where it is not.
type parser struct {
	data     []byte
	at       int
	width    int // of the character that peek returned: wider forms of it are read, too
	end      int // of the last token that stays
	open     []opened
	trusted  int // where what is read is JSON, and a good deal after it
	maxDepth int
	isList   bool // the value is an object or an array

	mistakes []SyntaxError
	first    bool // only the first mistake is asked for
	stopped  bool // what follows cannot be read
	unsure   bool // a string may end elsewhere
	valueEnd int  // if the first mistake is after the value
	looks    int  // for what follows a quotation mark that ends no string
	scans    int  // for brackets
}

// opened is an object or array that is open.
type opened struct {
	kind byte // '{' or '['
	// pending is the mistake that its closing bracket completes, from 1.
	pending int
	closing byte // in place of the right one; 0 if that is meant
}

func newParser(data []byte, maxDepth int) *parser {
	valid, _ := ValueEnd(data)
	return &parser{data: data, maxDepth: maxDepth, trusted: valid - maxQuoted}
}

// mistakeIn returns the first mistake of a text that is not JSON; nil if there is none.
func mistakeIn(data []byte, maxDepth int) *SyntaxError {
	p := newParser(data, maxDepth)
	p.first = true
	p.document()
	if len(p.mistakes) == 0 {
		return nil
	}
	e := &p.mistakes[0]
	e.ValueEnd = cmp.Or(e.ValueEnd, p.valueEnd)
	return e
}

// add records a mistake. If more is needed to word it, it is pending.
func (p *parser) add(e SyntaxError, pending bool) {
	if p.stopped {
		return
	}
	if p.first && len(p.mistakes) > 0 || len(p.mistakes) == maxMistakes {
		p.stopped = true
		return
	}
	p.mistakes = append(p.mistakes, e)
	p.stopped = p.first && !pending
}

// report records a mistake that certainly was to be what the edits write.
func (p *parser) report(e SyntaxError, edits ...source.Edit) {
	e.Certain, e.Edits = true, edits
	p.add(e, false)
}

// guess records a mistake that may have been meant otherwise.
func (p *parser) guess(e SyntaxError, edits ...source.Edit) {
	e.Edits = edits
	p.add(e, false)
}

// fail records a mistake after which nothing can be read.
func (p *parser) fail(e SyntaxError) {
	p.add(e, false)
	p.stopped = true
}

// encodedTwice returns what is wrong with a text like {\"a\": 1}: what a backslash is taken
// for otherwise is e.
func (p *parser) encodedTwice(e SyntaxError) SyntaxError {
	if p.data[p.at] != '\\' {
		return e
	}
	text := bytes.TrimSpace(p.data)
	raw := append([]byte{'"'}, text...)
	for _, c := range "\n\r\t" {
		raw = bytes.ReplaceAll(raw, []byte{byte(c)}, []byte(strings.Trim(Quote(string(c)), `"`)))
	}
	decoded, ok := unquoted(append(raw, '"'))
	if !ok || !isValid([]byte(decoded)) {
		return e
	}
	start := bytes.Index(p.data, text)
	e = p.here(0).error(p.at, 2, "the JSON is encoded twice", `write " instead of \"`)
	e.Edits, e.Certain = []source.Edit{edit(start, start+len(text), decoded)}, true
	return e
}

func edit(start, end int, text string) source.Edit {
	return source.Edit{Span: source.Span{Start: start, End: end}, Text: text}
}

// here describes what is at the place, where something else is wanted.
func (p *parser) here(w want) *fault { return &fault{data: p.data, at: p.at, in: p.in(), wants: w} }

// in returns the bracket of the innermost object or array, 0 if none is open.
func (p *parser) in() byte {
	if len(p.open) == 0 {
		return 0
	}
	return p.open[len(p.open)-1].kind
}

// closers returns the brackets that close what is open.
func (p *parser) closers() string {
	var out []byte
	for _, o := range slices.Backward(p.open) {
		out = append(out, closerOf(o.kind))
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

// cutOff records that the text ends where more must follow.
func (p *parser) cutOff(message, hint string) {
	e := p.here(0).error(len(bytes.TrimRight(p.data, " \t\r\n")), 0, message, hint+p.closers())
	e.Open, e.CutOff = p.closers(), true
	p.fail(e)
}

// wide are characters that keyboards for other scripts write for the punctuation of JSON.
var wide = map[rune]byte{'：': ':', '，': ',', '、': ',', '；': ';', '｛': '{', '｝': '}', '［': '[', '］': ']'}

// peek returns the character at the place, after white space and comments; 0 at the end.
func (p *parser) peek() byte {
	for p.at < len(p.data) && !p.stopped {
		r, size := utf8.DecodeRune(p.data[p.at:])
		switch c := p.data[p.at]; {
		case source.IsSpace(c):
		case commentAt(p.data, p.at) > 0:
			size = commentAt(p.data, p.at)
			p.report(p.here(0).error(p.at, size, "comments are not allowed", "remove the comment"), p.withoutComment(size)...)
		case isOddSpace(r):
			space := " "
			if p.at == 0 {
				space = ""
			}
			p.report(p.here(0).oddSpace(r, size), edit(p.at, p.at+size, space))
		default:
			p.width = 1
			if c < utf8.RuneSelf || wide[r] == 0 {
				return c
			}
			p.width = size
			return wide[r]
		}
		p.at += size
	}
	return 0
}

func (p *parser) atEnd() bool { return p.at >= len(p.data) }

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
	if p.width > 1 {
		r, _ := utf8.DecodeRune(p.data[p.at:])
		p.report(p.here(0).error(p.at, p.width, string(r)+" instead of "+name, "write "+string(wide[r])), edit(p.at, p.at+p.width, string(wide[r])))
	}
	p.take(p.width)
}

// document reads the whole text.
func (p *parser) document() {
	c := p.peek()
	switch {
	case p.stopped:
		return
	case p.atEnd():
		p.fail(p.here(0).error(0, 0, "no JSON value", ""))
		return
	case c == '{' || c == '[':
		p.value()
	default:
		p.outside()
	}
	if !p.stopped {
		p.rest()
	}
}

// outside reads a text that does not begin with an object or array: an object without its
// opening brace, words before the value, or another value.
func (p *parser) outside() {
	f, start := p.here(wantValue), p.at
	quoted := p.data[start] == '"'
	if n, ok := ValueEnd(p.data[start:]); ok || quoted {
		if after := skipSpace(p.data, start+n); !ok || !quoted || after == len(p.data) || p.data[after] != ':' {
			p.value()
			return
		}
	}
	key, value := f.keyAt(start), f.valueAfter(start)
	valid := !value.Empty() && isValid(p.data[value.Start:value.End])
	wraps := valid && skipSpace(p.data, skipSpace(p.data, key.End)+1) == value.Start && skipSpace(p.data, value.End) == len(p.data)
	word := f.wordAt(start)
	switch isKey := !key.Empty() && !wraps; {
	case isKey && (quoted || !value.Empty()):
		p.bare(f.error(key.Start, key.Len(), "the opening { is missing before the first key", "add { before the first key"))
	case !value.Empty() && assignment().Match(p.data[start:value.Start]):
		e := f.around(start, value)
		e.Message, e.Hint = "an assignment is not JSON", "keep the value alone"
		p.report(e, edit(start, value.Start, ""))
		p.at, p.end = value.Start, value.Start
		p.value()
	case !value.Empty():
		p.guess(f.around(start, value), edit(start, value.Start, ""))
		p.at, p.end = value.Start, value.Start
		p.value()
	case isKey && lostBrace().Match(p.data[start:min(len(p.data), start+maxLook)]):
		p.bare(f.prose(start))
	case word != "" && skipSpace(p.data, start+len(word)) < len(p.data):
		p.fail(f.prose(start))
	default:
		p.value()
	}
}

// lostBrace is the beginning of an object whose opening brace is lost.
var lostBrace = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^["'“]?[A-Za-z_][A-Za-z0-9_]*["'”]?[ \t]*:[ \t]*["'“{\[0-9tfn-]`)
})

// assignment is what a program has before a value that it gives to a variable.
var assignment = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:(?:export +)?(?:const|let|var) +)?[A-Za-z_$][A-Za-z0-9_$]*[ \t]*=\s*$`)
})

// bare reads an object without its opening brace.
func (p *parser) bare(e SyntaxError) {
	e.Edits = []source.Edit{edit(p.at, p.at, "{")}
	p.add(e, true)
	p.isList, p.end = true, p.at
	p.open = append(p.open, opened{kind: '{', pending: len(p.mistakes)})
	p.members()
}

// completes returns the mistake that a closing bracket completes, if no other followed.
func (p *parser) completes(o opened) *SyntaxError {
	if o.pending == 0 || o.pending < len(p.mistakes) || p.stopped {
		return nil
	}
	return &p.mistakes[o.pending-1]
}

func (p *parser) value() {
	c := p.peek()
	switch {
	case p.stopped:
	case p.atEnd():
		p.cutOff("the text ends where a value is expected", "write the rest, then ")
	case c == '{' || c == '[', c == '(' && bytes.ContainsAny(p.data[p.at+1:min(len(p.data), p.at+2)], "\"'"):
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
	o := opened{kind: c}
	p.punctuation(string(c))
	next := p.afterString()
	meant := func(e SyntaxError, kind, closing byte) {
		e.Edits = []source.Edit{edit(p.end-p.width, p.end, string(kind))}
		p.add(e, true)
		o = opened{kind: kind, closing: closing, pending: len(p.mistakes)}
	}
	switch follows := p.data[min(next, len(p.data)-1)]; {
	case next > 0 && c == '[' && follows == ':': // the members of an object
		meant((&fault{data: p.data, at: next, in: '[', wants: wantComma}).explain(), '{', ']')
	case next > 0 && c == '{' && follows == ',' && len(p.open) > 0:
		e := p.here(0).error(p.end-p.width, p.width, "a set is not JSON", "write [ and ]")
		e.Certain = true
		meant(e, '[', '}')
	case c == '(':
		e := p.here(0).error(p.end-p.width, p.width, "a tuple is not JSON", "write [ and ]")
		e.Certain = true
		meant(e, '[', ')')
	}
	p.open = append(p.open, o)
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

// members reads what is in an object or array, and its closing bracket.
func (p *parser) members() {
	for first := true; !p.stopped; first = false {
		comma := p.separators(first)
		c := p.peek()
		if p.stopped {
			return
		}
		f := p.here(wantComma)
		switch {
		case p.atEnd() && comma >= 0:
			p.cutOff("the text ends where "+p.here(p.wantsNext()).expected()+" is expected", "write the rest, then ")
			return
		case p.atEnd():
			p.unclosed()
			return
		case isCloser(c):
			if comma >= 0 {
				f.at = comma
				p.report(f.trailing(p.at), edit(comma, comma+f.size(), ""))
			}
			if p.close(c) {
				return
			}
			continue
		case first:
		case comma < 0 && p.begins(c):
			p.report(f.explain(), edit(p.end, p.end, ","))
		case comma < 0:
			p.fail(f.explain())
		}
		if p.in() == '{' {
			p.key()
		}
		p.value()
	}
}

func isCloser(c byte) bool { return c == '}' || c == ']' || c == ')' }

// begins reports whether a member or an element may begin with c.
func (p *parser) begins(c byte) bool {
	return p.quote() > 0 || p.in() == '[' && (c == '{' || c == '[') || len(p.here(0).wordAt(p.at)) > 0
}

// wantsNext returns what is wanted after a comma.
func (p *parser) wantsNext() want {
	if p.in() == '{' {
		return wantName
	}
	return wantValue
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
		f := p.here(p.wantsNext())
		if !first && comma < 0 {
			f.wants = wantComma
		}
		switch n := dots(p.data[p.at:]); {
		case n > 0:
			p.guess(f.explain(), edit(p.at, p.at+n, ""))
			p.at += n
		case c != ',' && c != ';':
			return comma
		case first || comma >= 0:
			p.report(f.explain(), edit(p.at, p.at+p.width, ""))
			p.at += p.width
		default:
			comma = p.at
			p.at += p.width
			if next := skipSpace(p.data, p.at); p.data[comma] != ',' && !bytes.ContainsAny(p.data[next:min(len(p.data), next+1)], "}]") {
				p.report(f.otherComma(), edit(comma, p.at, ","))
			}
		}
	}
}

// unclosed closes what is open where the text ends.
func (p *parser) unclosed() {
	o := p.open[len(p.open)-1]
	if e := p.completes(o); e != nil && o.closing == 0 {
		if e.Hint != "" {
			e.Message, e.Hint = "the braces around the object are missing", "add { before the first key, and } at the end"
		}
		e.Edits = append(e.Edits, edit(p.end, p.end, "}"))
	} else {
		what := "the text ends before the array is closed"
		if o.kind == '{' {
			what = "the text ends before the object is closed"
		}
		closer := string(closerOf(o.kind))
		e := p.here(0).error(len(bytes.TrimRight(p.data, " \t\r\n")), 0, what, "add "+closer)
		e.Open = p.closers()
		p.report(e, edit(p.end, p.end, closer))
	}
	p.open = p.open[:len(p.open)-1]
}

// close reads a closing bracket; false if it is to be left out.
func (p *parser) close(c byte) bool {
	o := p.open[len(p.open)-1]
	right := closerOf(o.kind)
	switch c {
	case o.closing: // of another kind
		if e := p.completes(o); e != nil && o.kind == '{' {
			e.Hint = "write { and } around the members, instead of [ and ]"
		}
		p.editLast(o, edit(p.at, p.at+1, string(right)))
		p.take(1)
	case right:
		if e, early := p.closesEarly(); early {
			p.guess(e, edit(p.at, p.at+1, ""))
			p.at++
			return false
		}
		p.punctuation(string(right))
	default:
		if done, closed := p.mismatch(right); done {
			return closed
		}
	}
	p.open = p.open[:len(p.open)-1]
	return true
}

// editLast adds an edit to the mistake that a bracket completes, or to the last one.
func (p *parser) editLast(o opened, e source.Edit) {
	if p.first {
		return
	}
	m := &p.mistakes[cmp.Or(o.pending, len(p.mistakes))-1]
	m.Edits = append(m.Edits, e)
}

// mismatch reads a closing bracket of the wrong kind: the right one is meant, or none, or
// both. What the brackets of the rest close decides. It reports whether all is done, and
// whether that closes what is open.
func (p *parser) mismatch(right byte) (done, closed bool) {
	what := "array"
	if right == '}' {
		what = "object"
	}
	wrong := string(p.data[p.at : p.at+p.width])
	e := p.here(0).error(p.at, p.width, wrong+" where "+string(right)+" is expected to close the "+what, "write "+string(right))
	outer := p.open[:len(p.open)-1]
	next := skipSpace(p.data, p.at+p.width)
	replaces := next < len(p.data) && p.data[next] == right || right == '}' && next >= len(p.data)
	switch {
	case p.balances(outer, p.at+p.width):
		replaces = true
	case p.balances(p.open, p.at+p.width):
		e.Hint = "remove " + wrong
		p.guess(e, edit(p.at, p.at+p.width, ""))
		p.at += p.width
		return true, false
	case p.balances(outer, p.at):
		e.Hint, replaces = "add "+string(right)+" before "+wrong, false
	}
	if replaces {
		p.guess(e, edit(p.at, p.at+p.width, string(right)))
		p.take(p.width)
		return false, true
	}
	p.report(e, edit(p.end, p.end, string(right)))
	return false, true
}

// closesEarly reports whether the bracket at the place closes the value, but its members or
// elements go on behind it.
func (p *parser) closesEarly() (SyntaxError, bool) {
	comma := skipSpace(p.data, p.at+p.width)
	if len(p.open) > 1 || comma >= len(p.data) || p.data[comma] != ',' || !p.balances(p.open, p.at+p.width) {
		return SyntaxError{}, false
	}
	if next := skipSpace(p.data, comma+1); next < len(p.data) && (p.data[next] == '{' || p.data[next] == '[') {
		return SyntaxError{}, false
	}
	bracket := string(p.data[p.at : p.at+p.width])
	e := p.here(0).error(comma, 1, "data after the JSON value: the "+bracket+" before it closes the value too early", "remove the "+bracket+" before the comma")
	e.ValueEnd = p.at + p.width
	return e, true
}

// maxScans bounds how often the rest of a text is searched for brackets.
const maxScans = 64

// balances reports whether the brackets of the text from a byte on close what is open, and
// nothing else.
func (p *parser) balances(open []opened, at int) bool {
	if p.scans++; p.scans > maxScans {
		return false
	}
	var stack []byte
	for _, o := range open {
		stack = append(stack, cmp.Or(o.closing, closerOf(o.kind)))
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
	p.peek()
	if p.stopped {
		return
	}
	f := p.here(wantName)
	switch {
	case p.quote() > 0:
		p.str(true)
	case p.data[p.at] == '{' && lastBefore(p.data, p.at) == '{' && p.balances(p.open, p.at+1):
		e := f.explain()
		e.Hint = "remove one {"
		p.guess(e, edit(p.at, p.at+1, ""))
		p.at++
		p.key()
		return
	case f.wordAt(p.at) == "":
		p.fail(p.encodedTwice(f.explain()))
	default:
		p.bareKey(f.explain(), f.keyLength(p.at))
	}
	p.colon()
}

// bareKey reads a key of n bytes without its quotation marks, or without the opening one.
func (p *parser) bareKey(e SyntaxError, n int) {
	start := p.at
	p.take(n)
	closing := p.quote()
	if closing == 0 || !bytes.HasPrefix(bytes.TrimLeftFunc(p.data[p.at+closing:], isAnySpace), []byte(":")) {
		p.report(e, edit(start, start, `"`), edit(p.end, p.end, `"`))
		return
	}
	edits := []source.Edit{edit(start, start, `"`)}
	if closing > 1 || p.data[p.at] != '"' {
		edits = append(edits, edit(p.at, p.at+closing, `"`))
	}
	p.report(e, edits...)
	p.take(closing)
}

func (p *parser) colon() {
	c := p.peek()
	if p.stopped {
		return
	}
	switch f := p.here(wantColon); {
	case p.atEnd():
		p.cutOff("the text ends where "+f.expected()+" is expected", "write the rest, then ")
	case c == ':':
		p.punctuation("a colon")
	case c == '=':
		n := 1
		if bytes.HasPrefix(p.data[p.at:], []byte("=>")) {
			n = 2
		}
		p.report(f.explain(), edit(p.at, p.at+n, ":"))
		p.take(n)
	case c == ',', isCloser(c), f.quoteInside():
		p.fail(f.explain()) // a key without a value
	default:
		p.report(f.explain(), edit(p.end, p.end, ":"))
	}
}

// plainValue is a word or a number, and what shows that it is the whole value.
var plainValue = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[-+]?[A-Za-z0-9_.]*[A-Za-z0-9_][ \t\r]*[,;}\]\n"/#，、；｝］]`)
})

// scalar reads a number, a literal, or a text without quotes.
func (p *parser) scalar() {
	if p.at < p.trusted {
		n := 0
		for isBare(p.data[p.at+n]) {
			n++
		}
		p.take(n)
		return
	}
	f := p.here(wantValue)
	text := p.bareText()
	start, end := p.at, p.at+len(text)
	valid := strictPrefix(text)
	switch {
	case text == "", strings.IndexByte(`=:;\),}]`, p.data[start]) >= 0, isDots(p.data[start:]):
		p.fail(p.encodedTwice(f.explain()))
	case valid == len(text):
	case skipSpace(p.data, end) == len(p.data) && isUnfinished(text):
		p.cutOff("the text ends where a value is expected", "write the rest, then ")
	case valid > 0 && source.IsSpace(text[valid]):
		next := skipSpace(p.data, start+valid)
		if n := strictPrefix(text[next-start:]); f.in == '[' && n > 0 && (next+n == end || source.IsSpace(p.data[next+n])) {
			end = start + valid // its comma is missing
			break
		}
		fallthrough
	default:
		e, instead, certain := f.bareValue(text)
		if certain {
			p.report(e, edit(start, end, instead))
		} else {
			p.guess(e, edit(start, end, instead))
		}
	}
	p.take(end - start)
}

// bareText returns the value without quotes at the place.
func (p *parser) bareText() string {
	if text := string(plainValue().Find(p.data[p.at:min(len(p.data), p.at+maxLook)])); text != "" {
		_, size := utf8.DecodeLastRuneInString(text)
		return strings.TrimRight(text[:len(text)-size], " \t\r")
	}
	end := (&fault{data: p.data, in: '{'}).bareEnd(p.at)
	for at := p.at + 1; at < end; at++ {
		if commentAt(p.data, at) > 0 && source.IsSpace(p.data[at-1]) {
			end = at
		}
	}
	return strings.TrimRight(string(p.data[p.at:end]), " \t;")
}

// rest reads what follows the value.
func (p *parser) rest() {
	if len(p.mistakes) == 0 && skipSpace(p.data, p.at) < len(p.data) {
		p.valueEnd = p.at
	}
	wasBracket := false
	for {
		c := p.peek()
		if p.stopped || p.atEnd() {
			return
		}
		f := p.here(wantEnd)
		e := f.explain()
		switch {
		case c == '}' || c == ']' || (c == ',' || c == ';') && skipSpace(p.data, p.at+p.width) == len(p.data) || c == ',' && wasBracket:
			p.report(e, edit(p.at, p.at+p.width, ""))
			p.at += p.width
			wasBracket = true
		case c == '{' || c == '[' || e.Span.Start > p.at || wasBracket && nextKey().Match(p.data[p.at:min(len(p.data), p.at+maxLook)]):
			p.fail(e) // another value, or members of this one
		default:
			start, end := len(bytes.TrimRight(p.data[:p.at], " \t\r\n")), len(bytes.TrimRight(p.data, " \t\r\n"))
			if n := len(p.mistakes); n > 0 {
				for _, other := range p.mistakes[n-1].Edits {
					start = max(start, other.Span.End)
				}
			}
			p.guess(e, edit(start, end, ""))
			p.at = len(p.data)
		}
	}
}

// dots returns the length of an ellipsis, 0 if there is none.
func dots(data []byte) int {
	n := 0
	for n < len(data) && data[n] == '.' {
		n++
	}
	switch {
	case n >= 2:
		return n
	case bytes.HasPrefix(data, []byte("…")):
		return len("…")
	}
	return 0
}

func isDots(data []byte) bool { return dots(data) > 0 }
