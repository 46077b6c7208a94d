package jsontree

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/source"
)

// encodedTwice reads a text like {\"a\": 1}, which may have other mistakes, too.
func (p *parser) encodedTwice() bool {
	text := bytes.TrimSpace(p.data[p.at:])
	first := bytes.IndexByte(text, '"')
	if first < 1 || text[first-1] != '\\' {
		return false
	}
	written := strings.NewReplacer("\n", `\n`, "\r", `\r`, "\t", `\t`).Replace(string(text))
	decoded, err := jsontext.AppendUnquote(nil, `"`+written+`"`)
	inner := Recover(decoded, Options{})
	if err != nil || inner.Text == nil {
		return false
	}
	p.guessed = !inner.Certain
	p.report(p.at+first-1, 2, "the JSON is encoded twice", `write " instead of \"`, edit(p.at, p.at+len(text), string(inner.Text)))
	return true
}

// lineMark is what a quotation, a comparison of two texts, or a list of numbered lines has before each
// line.
var lineMark = text.Pattern(`^[ \t]*(?:[+>|#]|//|[0-9]+(?:→|[:.|)]?(?:[ \t]|$)))`)

// withMarks reads a value that has a mark before each line.
func (p *parser) withMarks() bool {
	var edits []source.Edit
	at := 0
	for line := range bytes.Lines(p.data) {
		mark := lineMark().Find(bytes.TrimRight(line, "\r\n"))
		if mark == nil && len(bytes.TrimSpace(line)) > 0 || len(edits) > maxEdits {
			return false
		}
		if mark != nil {
			edits = append(edits, edit(at, at+len(mark), ""))
		}
		at += len(line)
	}
	if len(edits) < 2 || !isValid(source.Apply(p.data, edits)) {
		return false
	}
	at = edits[0].Span.Start
	p.guessed = strings.IndexByte("#/", p.data[edits[0].Span.End-1]) >= 0 // it may be a comment
	p.report(at, edits[0].Span.Len(), "a mark is before each line", "remove the mark before each line", edits...)
	p.at = len(p.data)
	return true
}

// withDoubledBraces reads a value whose braces are written twice, as in a template that nobody filled in.
func (p *parser) withDoubledBraces() bool {
	var edits []source.Edit
	depth, inString := 0, false // of those that are too many
	for i := p.at; i < len(p.data) && len(edits) <= maxEdits; i++ {
		switch c := p.data[i]; {
		case c == '\\' && inString:
			i++
		case c == '"':
			inString = !inString
		case !inString && (c == '{' || c == '}') && p.byteAt(i+1) == c:
			edits = append(edits, edit(i, i+1, ""))
			if depth--; c == '{' {
				depth += 2
			}
			i++
		}
	}
	if len(edits) == 0 || depth != 0 || !isValid(source.Apply(p.data, edits)) {
		return false
	}
	p.report(edits[0].Span.Start+1, 1, "{ directly after {", "write { and } once each", edits...)
	p.at = len(p.data)
	return true
}

// isValid reports whether a text is JSON, without finding out why not.
func isValid(data []byte) bool {
	end, ok := ValueEnd(data)
	return ok && source.SkipSpace(data, end) == len(data)
}

// readUnbraced reads a text that does not begin with an object or array: an object without its
// opening brace, words before the value, or another value.
func (p *parser) readUnbraced() {
	start := p.at
	isString := p.data[start] == '"'
	_, ok := ValueEnd(p.data[start:])
	key, value, word := p.keyAt(start), p.valueAfter(start), p.wordAt(start)
	isKey := !key.Empty() && !p.isText(key, value)
	switch {
	case ok && !isString, key.Empty() && isString:
		p.value()
	case isKey && (p.quote() > 0 || !value.Empty() || bareMember().Match(p.near(start))):
		e := p.reportUnsure(start, key.Len(), "the braces around the object are missing", "add { before the first key, and } at the end", edit(start, start, "{"))
		if p.balances([]bracket{{kind: '{'}}, start) {
			e.Message, e.Hint = "the opening { is missing before the first key", "add { before the first key"
		}
		p.end = start
		p.open = append(p.open, bracket{kind: '{'})
		p.members()
	case !value.Empty() && !assignments().Match(p.data[start:value.Start]):
		p.before(value)
		p.at, p.end = value.Start, value.Start
		p.value()
	case p.quote() == 0 && !isCloser(p.data[start]) && (word == "" || source.SkipSpace(p.data, start+len(word)) < len(p.data)):
		line, _, _ := bytes.Cut(p.data[start:], []byte("\n"))
		p.first = nil // no comment of it is one of JSON
		p.fail(start, len(bytes.TrimRight(line, " \t\r")), "text where a JSON value is expected", "")
	default:
		p.value()
	}
}

// isText reports whether a key and what is between it and a value are text before that, not members
// of an object without its braces: "delta": {…}, or a line with a colon above the value.
func (p *parser) isText(key, value source.Span) bool {
	if value.Start < key.End || !isValid(p.data[value.Start:value.End]) || strings.IndexByte(`,"`, p.byteAfter(value.End)) >= 0 {
		return false
	}
	between := string(bytes.TrimRight(p.data[key.End:value.Start], " \t\r\n"))
	return between == ":" || p.data[value.Start-1] == '\n' && p.data[key.Start] != '"' && !strings.HasSuffix(between, ":")
}

// before removes the words before a value.
func (p *parser) before(value source.Span) {
	before := p.data[p.at:value.Start]
	message, hint := "text before the JSON value", "remove everything before the value"
	isAssigned := assignment().Match(before)
	switch {
	case isAssigned:
		message, hint = "an assignment is not JSON", "keep the value alone"
	case value.End < p.contentEnd():
		message, hint = "text around the JSON value", "remove everything before and after the value"
	}
	p.guessed = p.guessed || !isAssigned
	p.report(p.at, len(bytes.TrimRight(before, " \t\r\n")), message, hint, edit(p.at, value.Start, ""))
	p.stopped = p.stopped || bytes.IndexByte(before, '{') >= 0 && quotedKey().Match(before) // it may be another value
}

// valueAfter returns the object or array that begins after start, up to the last
// bracket that may close it: the first one that is valid, else the first one;
// empty if there is none.
func (p *parser) valueAfter(start int) source.Span {
	var first, valid source.Span
	for _, opening := range [...]string{"{", "\n{", "\n["} {
		i := bytes.Index(p.data[start:], []byte(opening))
		if i < 0 {
			continue
		}
		s := source.Span{Start: start + i + len(opening) - 1, End: len(p.data)}
		if last := bytes.LastIndexByte(p.data, closerOf[p.data[s.Start]]); last > s.Start {
			s.End = last + 1
		}
		if (valid.Empty() || s.Start < valid.Start) && isValid(p.data[s.Start:s.End]) {
			valid = s
		}
		if first.Empty() {
			first = s
		}
	}
	if !valid.Empty() {
		return valid
	}
	return first
}

// keyAt returns the key of a member at off, which has a colon after it; empty if there is none.
func (p *parser) keyAt(off int) source.Span {
	m := anyKey().FindSubmatchIndex(p.near(off))
	if m == nil {
		return source.Span{}
	}
	return source.Span{Start: off, End: off + m[3]}
}

// readTrailing reads what follows the value.
func (p *parser) readTrailing() {
	isKnown, end := p.first == nil, p.at
	for c := p.peek(); !p.stopped && !p.atEnd(); c = p.peek() {
		at := p.at
		if c == ',' || c == ';' {
			at = source.SkipSpace(p.data, p.at+p.width)
		}
		next := p.byteAt(at)
		switch {
		case c == '}' || c == ']':
			bracket := string(p.data[p.at : p.at+p.width])
			p.drop(p.width, "unmatched "+bracket+" after the end of the value", "remove "+bracket)
			continue
		case c == '{' || next == '{' || next == '[':
			p.fail(at, p.width, "second JSON value after the first", "keep one value, and move the other out")
			continue
		}
		start := len(bytes.TrimRight(p.data[:p.at], " \t\r\n"))
		if n := len(p.edits); n > 0 {
			start = max(start, p.edits[n-1].Span.End)
		}
		isMember := !p.keyAt(at).Empty() || quotedKey().Match(p.data[at:])
		isKnown = isKnown || !isMember && at < len(p.data)
		hint := "remove what follows the value"
		if isMember {
			hint = "move it into the value, or remove it"
		}
		p.guessed = p.guessed || at < len(p.data)
		p.report(p.at, max(p.width, len(p.wordAt(p.at))), "data after the JSON value", hint, edit(start, p.contentEnd(), ""))
		p.stopped = isMember || bytes.IndexByte(p.data[at:], '{') >= 0 // it may belong to this value, or be another
		p.at = len(p.data)
	}
	if isKnown && p.first != nil {
		p.first.ValueEnd = end
	}
}
