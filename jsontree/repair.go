package jsontree

import (
	"bytes"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/source"
)

// Repair returns edits that make a text valid JSON by removing comments and trailing
// commas, the two faults that can be fixed without a guess at what was meant.
// It reports false, and no edits, if the text is valid already or would still
// not be JSON. Edits are in order and never span a line end, so that they also
// hold for text whose lines are in a quotation.
//
// A scanner of our own and not a JWCC parser, because those recurse without a
// limit on depth, and because the strict reading has the last word anyway.
func Repair(data []byte, opts Options) ([]source.Edit, bool) {
	edits := superfluous(data)
	if len(edits) == 0 {
		return nil, false
	}
	if _, fault := Parse(source.Apply(data, edits), opts); fault != nil {
		return nil, false
	}
	return edits, true
}

// superfluous finds comments and trailing commas.
func superfluous(data []byte) []source.Edit {
	var edits []source.Edit
	comma := -1     // the last comma, if nothing but space and comments followed it
	last := byte(0) // the last byte that is neither space nor comment
	for i := 0; i < len(data); {
		c := data[i]
		switch {
		case source.IsSpace(c):
			i++
			continue
		case c == '"':
			i += stringLength(data[i:])
		case c == '#', c == '/' && i+1 < len(data) && (data[i+1] == '/' || data[i+1] == '*'):
			n := commentLength(data[i:])
			edits = appendLines(edits, data, source.Span{Start: i, End: i + n})
			i += n
			continue
		case c == ',' && last != '[' && last != '{':
			comma, last = i, c
			i++
			continue
		case (c == '}' || c == ']') && comma >= 0:
			edits = insert(edits, source.Edit{Span: source.Span{Start: comma, End: comma + 1}})
			i++
		default:
			i++
		}
		comma, last = -1, c
	}
	return edits
}

// insert puts a comma's edit before those of the comments that follow it.
func insert(edits []source.Edit, e source.Edit) []source.Edit {
	at := len(edits)
	for at > 0 && edits[at-1].Span.Start > e.Span.Start {
		at--
	}
	return slices.Insert(edits, at, e)
}

// appendLines removes a comment line by line, with the white space before it.
func appendLines(edits []source.Edit, data []byte, s source.Span) []source.Edit {
	for s.Start > 0 && (data[s.Start-1] == ' ' || data[s.Start-1] == '\t') {
		s.Start--
	}
	for {
		n := bytes.IndexByte(data[s.Start:s.End], '\n')
		if n < 0 {
			break
		}
		line := bytes.TrimRight(data[s.Start:s.Start+n], "\r")
		if len(line) > 0 {
			edits = append(edits, source.Edit{Span: source.Span{Start: s.Start, End: s.Start + len(line)}})
		}
		s.Start += n + 1
	}
	if s.Start < s.End {
		e := source.Edit{Span: s}
		if s.Start > 0 && s.End < len(data) && !separates(data[s.Start-1]) && !separates(data[s.End]) {
			e.Text = " " // do not join two tokens
		}
		edits = append(edits, e)
	}
	return edits
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

// separates reports whether a byte is white space or punctuation, which need no space between
// them and the next token.
func separates(c byte) bool { return source.IsSpace(c) || strings.IndexByte("{}[]:,", c) >= 0 }
