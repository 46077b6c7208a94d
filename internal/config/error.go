package config

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/brennerlint/brennerlint/source"
)

// Error holds the faults of a configuration file, with the offending lines.
type Error struct {
	// IncludeRules is the include-rules of the configuration, as far as it can be read: a
	// fault may be in one of these files.
	IncludeRules []string

	text   *source.Text // of the configuration
	faults []fault
}

type fault struct {
	text    *source.Text // of the configuration, or of a file that it includes
	node    *yaml.Node
	part    source.Span // of the node's value; all of it if empty
	entry   *yaml.Node  // where the configuration includes the file, or else the node
	message string
	missing bool // a file that the configuration includes is not there
}

// span returns where a fault is.
func (f *fault) span() source.Span { return within(f.text, f.node, f.part) }

// place returns where a fault is, for messages.
func (f *fault) place() string {
	pos := f.text.Position(f.span().Start)
	return fmt.Sprintf("%s:%d:%d: ", f.text.File.Path, pos.Line, pos.Column)
}

// shownFaults is how many faults are shown; the others are counted.
const shownFaults = 20

// Error shows each fault with its place and a code frame.
func (e *Error) Error() string {
	var b strings.Builder
	for i, f := range e.faults[:min(len(e.faults), shownFaults)] {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(f.place() + f.message)
		frame(&b, f.text, f.span())
	}
	if more := len(e.faults) - shownFaults; more > 0 {
		fmt.Fprintf(&b, "\nand %d more", more)
	}
	return b.String()
}

// How many bytes of a long line a frame shows: before the fault, and in total.
const framedBefore, framed = 60, 160

// frame shows the line of a fault, or the part around the fault if the line is long.
func frame(b *strings.Builder, text *source.Text, fault source.Span) {
	number := text.LineAt(fault.Start)
	line := text.Line(number)
	shown := line
	before, after := "", ""
	if line.Len() > framed {
		shown.Start = source.RuneStart(text.Data, max(line.Start, fault.Start-framedBefore))
		shown.End = source.RuneStart(text.Data, min(line.End, shown.Start+framed))
		if shown.Start > line.Start {
			before = "…"
		}
		if shown.End < line.End {
			after = "…"
		}
	}
	indent := utf8.RuneCountInString(before) + utf8.RuneCount(text.Bytes(source.Span{Start: shown.Start, End: fault.Start}))
	marked := utf8.RuneCount(text.Bytes(source.Span{Start: fault.Start, End: max(fault.Start, min(fault.End, shown.End))}))
	margin := strconv.Itoa(number)
	fmt.Fprintf(b, "\n  %s | %s%s%s\n", margin, before, strings.ReplaceAll(printable(text.Slice(shown)), "\t", " "), after)
	fmt.Fprintf(b, "  %s | %s%s", strings.Repeat(" ", len(margin)), strings.Repeat(" ", indent), strings.Repeat("^", max(1, marked)))
}

// printable replaces characters that could move a terminal's cursor, except tabs and line
// breaks.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\t' && r != '\n' && !strconv.IsPrint(r) {
			return '\uFFFD'
		}
		return r
	}, s)
}

// OnlyMissing reports whether the only faults are included files that do not exist.
func (e *Error) OnlyMissing() bool {
	return !slices.ContainsFunc(e.faults, func(f fault) bool { return !f.missing })
}

// Fault is a fault of a configuration.
type Fault struct {
	Span    source.Span // in the file
	Message string
}

// Faults returns the faults that Error shows, for editors.
func (e *Error) Faults() []Fault {
	var out []Fault
	for _, f := range e.faults[:min(len(e.faults), shownFaults)] {
		if f.text == e.text {
			out = append(out, Fault{f.span(), f.message})
		} else {
			out = append(out, Fault{span(e.text, f.entry), f.place() + f.message})
		}
	}
	return out
}

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

// within returns where a part of a scalar's value is in the file; for an empty part, the whole
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
