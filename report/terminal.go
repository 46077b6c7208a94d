package report

import (
	"cmp"
	"fmt"
	"iter"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"github.com/brennerlint/brennerlint/lint"
)

const (
	tabStop     = 4   // CommonMark's
	pipeColumns = 120 // where there is no terminal
	leastSource = 20  // columns of source that a frame shows, however narrow the terminal
	ellipsis    = "…" // is shown where something is left out, and takes a column
)

// paint decorates text for a terminal, if true.
type paint bool

// style is the escape sequence that begins a style (Select Graphic Rendition).
type style string

const (
	bold   style = "\x1b[1m"
	dim    style = "\x1b[2m"
	red    style = "\x1b[1;31m"
	yellow style = "\x1b[1;33m"
	blue   style = "\x1b[1;34m"
	green  style = "\x1b[32m"
	cyan   style = "\x1b[36m"
)

// in wraps s in a style.
func (p paint) in(st style, s string) string {
	if !p || s == "" {
		return s
	}
	return string(st) + s + "\x1b[0m"
}

// textWidth returns the width of a cleaned text in columns of a terminal.
func textWidth(s string) int {
	n := 0
	for _, width := range graphemes(s) {
		n += width
	}
	return n
}

// graphemes returns the characters of a cleaned text as readers see them (UAX #29), each with its
// width in columns. What clean makes of a character is one too.
func graphemes(s string) iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		for s != "" {
			cluster, width := s[:1], 1
			if strings.HasPrefix(s, "<U+") || strings.HasPrefix(s, "<0x") {
				cluster = s[:1+strings.IndexByte(s[:min(len(s), len("<U+10FFFF>"))], '>')]
				width = len(cluster)
			}
			if s[0] >= utf8.RuneSelf || len(s) > 1 && s[1] >= utf8.RuneSelf || width == 0 { // few are; 0 where clean made none
				cluster, _, width, _ = uniseg.FirstGraphemeClusterInString(s, -1)
			}
			if !yield(cluster, width) {
				return
			}
			s = s[len(cluster):]
		}
	}
}

// truncateColumns cuts a cleaned text to some columns.
func truncateColumns(s string, columns int) string {
	if len(s) <= columns {
		return s
	}
	n, used := 0, 0 // n is how much is shown if an … follows
	for cluster, width := range graphemes(s) {
		if used += width; used > columns {
			return s[:n] + ellipsis
		}
		if used < columns {
			n += len(cluster)
		}
	}
	return s
}

// truncateLeft cuts a cleaned text to its last columns.
func truncateLeft(s string, columns int) string {
	cut := textWidth(s) - columns
	if cut <= 0 {
		return s
	}
	s, _ = dropColumns(s, cut+1)
	return ellipsis + s
}

// dropColumns returns a cleaned text without its first columns, and how many it leaves out.
func dropColumns(s string, columns int) (rest string, dropped int) {
	for cluster, width := range graphemes(s) {
		if dropped >= columns {
			break
		}
		s, dropped = s[len(cluster):], dropped+width
	}
	return s, dropped
}

// wrap cuts a cleaned text between words, into lines of some columns. A longer word has a
// line of its own. A terminal that is too narrow, or unknown, gets the text as it is.
func wrap(text string, columns int) (lines []string) {
	if columns < leastSource {
		return []string{text}
	}
	line, used := "", 0
	for word := range strings.SplitAfterSeq(text, " ") {
		if bare := strings.TrimSuffix(word, " "); bare != "" && used > 0 && used+textWidth(bare) > columns {
			lines = append(lines, strings.TrimSuffix(line, " "))
			line, used = "", 0
		}
		line += word
		used += textWidth(word)
	}
	return append(lines, line)
}

// frame writes the source around the fault with a mark below.
func (t *textWriter) frame(fr *lint.Frame, st style) {
	last := len(fr.Lines) - 1
	gutter := max(5, len(strconv.Itoa(fr.Line+last)))
	columns := max(leastSource, cmp.Or(t.o.Width, pipeColumns)-gutter-5)
	text, column, width := excerpt(fr, columns)
	for i, line := range fr.Lines {
		shown := text
		if i < last {
			shown = truncateColumns(sourceText(line), columns)
		}
		t.write("  ", t.in(dim, fmt.Sprintf("%*d │", gutter, fr.Line+i)), strings.TrimRightFunc(" "+shown, unicode.IsSpace), "\n")
	}
	t.write(strings.Repeat(" ", 2+gutter), t.in(dim, " │ "), strings.Repeat(" ", column), t.in(st, strings.Repeat("^", width)), "\n")
}

// sourceText returns a line as a frame shows it: clean, and with spaces up to the next tab stop
// for each tab. What it makes of the beginning of a line is the beginning of what it makes of the
// line.
func sourceText(line string) string {
	parts := strings.Split(line, "\t")
	for i, part := range parts {
		parts[i] = clean(part)
		if i < len(parts)-1 { // a tab follows, after which the next part is at a stop
			parts[i] += strings.Repeat(" ", tabStop-textWidth(parts[i])%tabStop)
		}
	}
	return strings.Join(parts, "")
}

// excerpt returns the part of a frame's last line that fits in some columns, with the fault in
// sight, and where in it the fault is: its first column, from 0, and how many it takes, at least 1.
func excerpt(f *lint.Frame, columns int) (text string, column, width int) {
	line := f.Lines[len(f.Lines)-1]
	shown := sourceText(line)
	start, end := len(sourceText(line[:min(f.Start, len(line))])), len(sourceText(line[:min(f.End, len(line))]))
	at, from, to, total := 0, 0, 0, 0 // in shown: bytes, the columns of the fault, all columns
	for cluster, width := range graphemes(shown) {
		if at < end {
			to = total + width
		}
		at += len(cluster)
		total += width
		if at <= start {
			from = total
		}
	}
	to = max(to, from+1)
	first := 0
	if max(total, to) > columns { // show all of the fault, if possible, with a third of the width before it
		first = max(0, min(from-columns/3, total+2-columns))
		if to > first+columns-1 {
			first = max(first, min(from-2, to+2-columns))
		}
	}
	text, dropped := dropColumns(shown, first)
	if dropped > 0 || f.Before {
		text = ellipsis + text
		dropped--
	}
	from, to = from-dropped, to-dropped
	whole := text
	if f.After {
		text += ellipsis
	}
	if text = truncateColumns(text, columns); text != whole && to > columns-2 { // the mark ends before …
		to = min(to, textWidth(text)-1)
	}
	return text, from, max(1, to-from)
}
