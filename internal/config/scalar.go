package config

import (
	"bytes"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/brennerlint/brennerlint/source"
)

// span returns where a node is in its file: the whole of a scalar, or else the first character.
func span(text *source.Text, n *yaml.Node) source.Span {
	line := text.Line(n.Line)
	start := line.Start
	for range n.Column - 1 { // in code points
		_, size := utf8.DecodeRune(text.Data[start:line.End])
		start += size
	}
	width := 1
	if n.Kind == yaml.ScalarNode {
		width = len(n.Value)
		if n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0 {
			width += 2
		}
	}
	return source.Span{Start: start, End: min(start+max(1, width), max(line.End, start))}
}

// within returns where a part of a scalar's value is in the file; of an empty part, the whole
// node.
func within(text *source.Text, n *yaml.Node, part source.Span) source.Span {
	whole := span(text, n)
	if part.Empty() || part.Start > len(n.Value) {
		return whole
	}
	places, ok := places(text.Data, whole.Start, n)
	if !ok {
		return whole
	}
	start := places[part.Start]
	end := start + 1
	if last := min(part.End, len(n.Value)) - 1; last > part.Start {
		end = places[last] + 1
	}
	for end < len(text.Data) && !utf8.RuneStart(text.Data[end]) {
		end++
	}
	return source.Span{Start: start, End: max(end, start)}
}

// places returns where each byte of a scalar's value is in the file, and where the value ends.
// The scalar begins at a place in the file.
// It goes along the value and the scalar as written, side by side. Both have the same
// characters in the same order, but some are escaped, and white space may be written in
// another way: as line breaks, or with indentation.
func places(data []byte, at int, n *yaml.Node) (places []int, ok bool) {
	skipSpace := func() {
		for at < len(data) && isSpace(data[at]) {
			at++
		}
	}
	for at < len(data) && (data[at] == '&' || data[at] == '!') { // an anchor or a tag
		for at < len(data) && !isSpace(data[at]) {
			at++
		}
		skipSpace()
	}
	double, single := n.Style&yaml.DoubleQuotedStyle != 0, n.Style&yaml.SingleQuotedStyle != 0
	switch {
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		at += bytes.IndexByte(data[at:], '\n') + 1 // after the indicators
	case double || single:
		at++
	}
	for len(places) < len(n.Value) {
		c, size := n.Value[len(places)], 1
		width := 1 // as written
		switch {
		case at == len(data) && isSpace(c):
			width = 0
		case at == len(data):
			return nil, false
		case double && data[at] == '\\' && at+1 < len(data):
			if isSpace(data[at+1]) && data[at+1] != ' ' && data[at+1] != '\t' { // the line goes on
				at++
				skipSpace()
				continue
			}
			_, size = utf8.DecodeRuneInString(n.Value[len(places):])
			width = 2 + map[byte]int{'x': 2, 'u': 4, 'U': 8}[data[at+1]]
		case single && data[at] == '\'':
			width = 2
		case data[at] == c:
		case isSpace(c):
			width = 0
		case isSpace(data[at]):
			at++
			continue
		default:
			return nil, false
		}
		for range size {
			places = append(places, at)
		}
		at = min(at+width, len(data))
	}
	return append(places, at), true
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }
