package report

import (
	"cmp"
	"strconv"
	"strings"
	"unicode"

	"github.com/brennerlint/brennerlint/lint"
)

const (
	tabStop     = 4   // CommonMark's
	pipeColumns = 120 // where there is no terminal
	leastSource = 20  // columns of source that a frame shows, however narrow the terminal
)

// ellipsis is shown where something is left out. It takes a column.
const ellipsis = "…"

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
		n := strconv.Itoa(fr.Line + i)
		t.write("  ", t.in(dim, strings.Repeat(" ", gutter-len(n))+n+" │"), strings.TrimRightFunc(" "+shown, unicode.IsSpace), "\n")
	}
	t.write(strings.Repeat(" ", 2+gutter), t.in(dim, " │ "), strings.Repeat(" ", column), t.in(st, strings.Repeat("^", width)), "\n")
}

// sourceText returns a line as a frame shows it: clean, and with spaces up to the next tab stop
// for each tab. What it makes of the beginning of a line is the beginning of what it makes of the
// line.
func sourceText(line string) string {
	if !strings.Contains(line, "\t") {
		return clean(line)
	}
	var b strings.Builder
	column := 0
	for part := range strings.SplitAfterSeq(line, "\t") {
		text, isTab := strings.CutSuffix(part, "\t")
		text = clean(text)
		b.WriteString(text)
		column += textWidth(text)
		if isTab {
			n := tabStop - column%tabStop
			b.WriteString(strings.Repeat(" ", n))
			column += n
		}
	}
	return b.String()
}

// excerpt returns the part of a frame's last line that fits in some columns, with the fault in
// sight, and where in it the fault is: its first column, from 0, and how many it takes, at least 1.
func excerpt(f *lint.Frame, columns int) (text string, column, width int) {
	line := f.Lines[len(f.Lines)-1]
	shown := sourceText(line)
	start, end := len(sourceText(line[:min(f.Start, len(line))])), len(sourceText(line[:min(f.End, len(line))]))
	from := textWidth(shown[:start])
	to := from + max(1, textWidth(shown[start:end]))
	text, dropped := dropColumns(shown, firstColumn(from, to, from+textWidth(shown[start:]), columns))
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

// firstColumn returns the column from which on a line is shown, of which only some columns fit: so
// that the columns of the fault are shown, all if possible, with a third of the width before them.
func firstColumn(from, to, total, columns int) int {
	if max(total, to) <= columns {
		return 0
	}
	first := max(0, min(from-columns/3, total+2-columns))
	if to > first+columns-1 {
		first = max(first, min(from-2, to+2-columns))
	}
	return first
}
