package jsontree

import (
	"bytes"

	"github.com/brennerlint/brennerlint/source"
)

// mismatch explains a closing bracket of the wrong kind: the right one is meant, or none.
func (f *fault) mismatch(right, what string) SyntaxError {
	wrong := string(f.data[f.at])
	e := f.error(f.at, 1, wrong+" where "+right+" is expected to close the "+what, "write "+right)
	for _, try := range []struct{ text, hint string }{
		{right, e.Hint}, {"", "remove " + wrong}, {right + wrong, "add " + right + " before " + wrong},
	} {
		edits := []source.Edit{{Span: e.Span, Text: try.text}}
		if isValid(source.Apply(f.data, edits)) {
			e.Hint, e.Edits = try.hint, edits
			break
		}
	}
	return e
}

// closedEarly explains a member or an element after the value: a bracket too many closes the
// value before it. It reports false if that is not the fault.
func (f *fault) closedEarly() (SyntaxError, bool) {
	last := len(bytes.TrimRight(f.data[:f.at], " \t\r\n")) - 1
	if f.data[f.at] != ',' || last < 0 || f.data[last] != '}' && f.data[last] != ']' {
		return SyntaxError{}, false
	}
	edits := []source.Edit{{Span: source.Span{Start: last, End: last + 1}}}
	if !isValid(source.Apply(f.data, edits)) {
		return SyntaxError{}, false
	}
	bracket := string(f.data[last])
	e := f.error(f.at, 1, "data after the JSON value: the "+bracket+" before it closes the value too early", "remove the "+bracket+" before the comma")
	e.Edits = edits
	return e, true
}

// keyInArray returns a colon after an element of an array: the members of an object are in
// the brackets of an array.
func (f *fault) keyInArray() SyntaxError {
	e := f.error(f.at, 1, "unexpected :; expected "+f.expected(), "")
	start, end := f.brackets()
	edits := []source.Edit{{Span: source.Span{Start: start, End: start + 1}, Text: "{"}, {Span: source.Span{Start: end, End: end + 1}, Text: "}"}}
	if start < end && isValid(source.Apply(f.data, edits)) {
		e.Hint, e.Edits = "write { and } around the members, instead of [ and ]", edits
	}
	return e
}

// brackets returns where the innermost brackets around the fault are; the same place twice if
// they are not closed.
func (f *fault) brackets() (start, end int) {
	var open []int
	depth := 0 // of the brackets at the fault; 0 before it
	for i := 0; i < len(f.data); i++ {
		if i == f.at && len(open) > 0 {
			depth, start = len(open), open[len(open)-1]
		}
		switch f.data[i] {
		case '"':
			i += stringLength(f.data[i:]) - 1
		case '{', '[':
			open = append(open, i)
		case '}', ']':
			if len(open) == 0 {
				return 0, 0
			}
			if len(open) == depth {
				return start, i
			}
			open = open[:len(open)-1]
		}
	}
	return 0, 0
}

// isValid reports whether a text is JSON, without finding out why not.
func isValid(data []byte) bool {
	end, ok := ValueEnd(data)
	return ok && skipSpace(data, end) == len(data)
}
