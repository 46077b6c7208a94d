package jsontree

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/source"
)

// outside explains a text that does not begin with its JSON value: an object
// without its opening brace, or words before the value. It reports false for
// any other fault.
func (f *fault) outside() (SyntaxError, bool) {
	start := skipSpace(f.data, 0)
	if r, _ := utf8.DecodeRune(f.data[start:]); f.in != 0 || isOddSpace(r) {
		return SyntaxError{}, false
	}
	quoted := f.data[start] == '"'
	switch {
	case quoted && (f.wants != wantEnd || f.data[f.at] != ':'): // a string, and its own fault
		return SyntaxError{}, false
	case quoted:
	case f.wants == wantEnd, f.data[start] == '{', f.data[start] == '[':
		return SyntaxError{}, false
	}
	key, value := f.keyAt(start), f.valueAfter(start)
	valid := !value.Empty() && Check(f.data[value.Start:value.End]) == nil
	wraps := valid && skipSpace(f.data, skipSpace(f.data, key.End)+1) == value.Start && skipSpace(f.data, value.End) == len(f.data)
	switch {
	case !key.Empty() && !wraps && (quoted || !value.Empty()):
		return f.braceLost(key), true
	case !value.Empty():
		return f.aroundValue(start, value, valid), true
	}
	if word := f.wordAt(start); word != "" && skipSpace(f.data, start+len(word)) < len(f.data) {
		end := start + len(bytes.TrimRight(line(f.data[start:]), " \t\r"))
		return f.error(start, end-start, "text where a JSON value is expected", ""), true
	}
	return SyntaxError{}, false
}

// aroundValue explains words before a value, and possibly after it.
func (f *fault) aroundValue(start int, value source.Span, valid bool) SyntaxError {
	before := bytes.TrimRight(f.data[start:value.Start], " \t\r\n")
	e := f.error(start, len(before), "text before the JSON value", "remove everything before the value")
	edits := []source.Edit{{Span: source.Span{Start: start, End: value.Start}}}
	if end := len(bytes.TrimRight(f.data, " \t\r\n")); value.End < end {
		e.Message, e.Hint = "text around the JSON value", "remove everything before and after the value"
		edits = append(edits, source.Edit{Span: source.Span{Start: value.End, End: end}})
	}
	if valid {
		e.Edits = edits
	}
	return e
}

// valueAfter returns the object or array that begins after start, up to the last
// bracket that may close it: the first one that is valid, else the first one;
// empty if there is none.
func (f *fault) valueAfter(start int) source.Span {
	var first source.Span
	for _, opening := range [...]string{"{", "\n{", "\n["} {
		i := bytes.Index(f.data[start:], []byte(opening))
		if i < 0 {
			continue
		}
		s := source.Span{Start: start + i + len(opening) - 1, End: len(f.data)}
		closing := byte('}')
		if opening == "\n[" {
			closing = ']'
		}
		if last := bytes.LastIndexByte(f.data, closing); last > s.Start {
			s.End = last + 1
		}
		if Check(f.data[s.Start:s.End]) == nil {
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
func (f *fault) keyAt(off int) source.Span {
	end := off + len(f.wordAt(off))
	if r, size := utf8.DecodeRune(f.data[off:]); end == off && strings.ContainsRune(foreignQuotes+`"`, r) {
		n := bytes.IndexAny(line(f.data[off+size:]), foreignQuotes+`"`)
		if n < 0 {
			return source.Span{}
		}
		_, last := utf8.DecodeRune(f.data[off+size+n:])
		end = off + size + n + last
	}
	if colon := skipSpace(f.data, end); end == off || colon == len(f.data) || f.data[colon] != ':' {
		return source.Span{}
	}
	return source.Span{Start: off, End: end}
}

// braceLost explains an object whose opening brace is missing, and possibly its closing
// one.
func (f *fault) braceLost(key source.Span) SyntaxError {
	e := f.error(key.Start, key.Len(), "the opening { is missing before the first key", "add { before the first key")
	opened := slices.Concat([]byte("{"), f.data[key.Start:])
	opening := source.Edit{Span: source.Span{Start: key.Start, End: key.Start}, Text: "{"}
	end := len(bytes.TrimRight(f.data, " \t\r\n"))
	switch {
	case Check(opened) == nil:
		e.Edits = []source.Edit{opening}
	case Check(append(opened, '}')) == nil:
		e.Message, e.Hint = "the braces around the object are missing", "add { before the first key, and } at the end"
		e.Edits = []source.Edit{opening, {Span: source.Span{Start: end, End: end}, Text: "}"}}
	}
	return e
}

// line returns the first line of a text, without its line end.
func line(data []byte) []byte {
	if n := bytes.IndexByte(data, '\n'); n >= 0 {
		return data[:n]
	}
	return data
}
