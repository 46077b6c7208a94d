package config

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/source"
)

// Error holds the faults of a configuration file, with the offending lines.
type Error struct {
	// IncludeRules is the include-rules of the configuration, as far as it can be read: a
	// fault may be in one of these files.
	IncludeRules []string

	text   *source.Text
	faults []fault
	hidden bool // the text must not be shown
}

type fault struct {
	span    source.Span
	message string
	// text is the text of an included file, if the span is in one; included is then where
	// the configuration includes it. Otherwise the span is in the configuration.
	text     *source.Text
	included source.Span
	missing  bool // a file that the configuration includes is not there
}

// entry returns the span of a fault in the configuration itself.
func (f *fault) entry() source.Span {
	if f.text != nil {
		return f.included
	}
	return f.span
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
		text := cmp.Or(f.text, e.text)
		pos := text.Position(f.span.Start)
		fmt.Fprintf(&b, "%s:%d:%d: ", text.File.Path, pos.Line, pos.Column)
		if e.hidden {
			b.WriteString("not a valid configuration; the file is a link out of its folder, so its content is not shown")
			return b.String()
		}
		b.WriteString(f.message)
		frame(&b, text, pos.Line, f.span)
	}
	if more := len(e.faults) - shownFaults; more > 0 {
		fmt.Fprintf(&b, "\nand %d more", more)
	}
	return b.String()
}

// How many bytes of a long line a frame shows: before the fault, and in total.
const framedBefore, framed = 60, 160

// frame shows the line of a fault, or the part around the fault if the line is long.
func frame(b *strings.Builder, text *source.Text, number int, fault source.Span) {
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

// clip cuts a text that a message quotes.
func clip(s string) string {
	const most = 80
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// printable drops characters that could move a terminal's cursor.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\t' && !strconv.IsPrint(r) {
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
		if f.text != nil {
			pos := f.text.Position(f.span.Start)
			f.message = fmt.Sprintf("%s:%d:%d: %s", f.text.File.Path, pos.Line, pos.Column, f.message)
		}
		out = append(out, Fault{f.entry(), f.message})
	}
	return out
}
