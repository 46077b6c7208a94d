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
	columns := max(leastSource, cmp.Or(t.columns, pipeColumns)-gutter-5)
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
	start, end := min(f.Start, len(line)), min(f.End, len(line))
	shown := sourceText(line)
	if shown != line { // few are
		start, end = len(sourceText(line[:start])), len(sourceText(line[:end]))
	}
	at, total, a, b := 0, 0, 0, 0 // the fault is in the columns from a to b
	for cluster, width := range graphemes(shown) {
		if at <= start {
			a = total
		}
		total += width
		if at < end {
			b = total
		}
		at += len(cluster)
	}
	if start == at {
		a = total
	}
	b = max(b, a+1)
	left := 0
	if total > columns || b > columns {
		// The fault is shown whole if that is possible, with a third of the width
		// before it.
		left = max(0, min(a-columns/3, total+2-columns))
		if b > left+columns-1 {
			left = max(left, min(a-2, b+2-columns))
		}
	}
	shown, shift := dropColumns(shown, left)
	if left > 0 || f.Before {
		text, shift = ellipsis, shift-1
	}
	tail := ""
	if f.After {
		tail = ellipsis
	}
	whole := text + shown
	text = truncateColumns(whole+tail, columns)
	a, b = a-shift, b-shift
	if text != whole && b > columns-2 { // the mark ends before …
		b = min(b, textWidth(text)-1)
	}
	return text, a, max(1, b-a)
}
