package config

import (
	"bytes"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/source"
)

// Error holds the faults of a configuration file, with the offending lines.
type Error struct {
	// IncludeRules is the include-rules of the configuration, as far as it can be read: a
	// fault may be in one of these files.
	IncludeRules []string

	faults []fault
}

type fault struct {
	at      source.Place
	entry   source.Place // where the configuration includes the file, or else the same place
	message string
	missing bool // a file that the configuration includes is not there
}

// String returns a fault with its place.
func (f *fault) String() string {
	pos := f.at.Text.Position(f.at.Span.Start)
	return fmt.Sprintf("%s:%d:%d: %s", f.at.Text.File.Path, pos.Line, pos.Column, f.message)
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
		b.WriteString(f.String())
		frame(&b, f.at.Text, f.at.Span)
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
	shown, before, after := line, "", ""
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
	indent := utf8.RuneCountInString(before + text.Slice(source.Span{Start: shown.Start, End: fault.Start}))
	marked := utf8.RuneCount(text.Bytes(source.Span{Start: fault.Start, End: max(fault.Start, min(fault.End, shown.End))}))
	fmt.Fprintf(b, "\n  %d | %s%s%s\n", number, before, strings.ReplaceAll(printable(text.Slice(shown)), "\t", " "), after)
	fmt.Fprintf(b, "  %*s | %*s%s", len(strconv.Itoa(number)), "", indent, "", strings.Repeat("^", max(1, marked)))
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
		message := f.message
		if f.at != f.entry {
			message = f.String()
		}
		out = append(out, Fault{f.entry.Span, message})
	}
	return out
}

// span returns where a node is in its file: the whole of a scalar, or else the first character.
func span(text *source.Text, n *yaml.Node) source.Span {
	line := text.Line(n.Line)
	// A line may be long and have many faults: the column, in code points, is searched, not counted.
	start := line.Start + sort.Search(line.Len(), func(i int) bool {
		return text.Position(source.RuneStart(text.Data, line.Start+i)).Column >= n.Column
	})
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
	places := places(text.Data, whole.Start, n)
	if places == nil {
		return whole
	}
	start := places[part.Start]
	end := places[max(part.Start, min(part.End, len(n.Value))-1)] + 1
	for end < len(text.Data) && !utf8.RuneStart(text.Data[end]) {
		end++
	}
	return source.Span{Start: start, End: end}
}

var (
	// What is before the value of a scalar: an anchor, a tag, and what opens it.
	beforeValue = text.Pattern(`^(?:[&!]\S*\s+)*(?:[|>].*\n|['"])?`)
	// An escape in double quotation marks. One of a line break and white space stands for nothing.
	escape = text.Pattern(`^\\(?:\r?\n\s*|x..|u.{4}|U.{8}|.)`)
)

// places returns where each byte of a scalar's value is in the file, and where the value ends;
// nil if that is not known. The scalar begins at a place in the file.
// It goes along the value and the scalar as written, side by side. Both have the same
// characters in the same order, but some are escaped, and white space may be written in
// another way: as line breaks, or with indentation.
func places(data []byte, at int, n *yaml.Node) (places []int) {
	at += len(beforeValue().Find(data[at:]))
	for len(places) < len(n.Value) {
		c, size, width := n.Value[len(places)], 1, 1 // of the value, and as written
		switch {
		case at == len(data) && source.IsSpace(c):
			width = 0
		case at == len(data):
			return nil
		case n.Style&yaml.DoubleQuotedStyle != 0 && data[at] == '\\':
			written := escape().Find(data[at:])
			width = len(written)
			if bytes.ContainsRune(written, '\n') {
				at += width
				continue
			}
			_, size = utf8.DecodeRuneInString(n.Value[len(places):])
		case n.Style&yaml.SingleQuotedStyle != 0 && data[at] == '\'':
			width = 2
		case data[at] == c:
		case source.IsSpace(c):
			width = 0
		case source.IsSpace(data[at]):
			at++
			continue
		default:
			return nil
		}
		for range size {
			places = append(places, at)
		}
		at = min(at+width, len(data))
	}
	return append(places, at)
}
