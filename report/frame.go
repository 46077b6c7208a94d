package report

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

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
	columns := t.columns
	if columns <= 0 {
		columns = pipeColumns
	}
	columns = max(leastSource, columns-gutter-5)
	e := excerptOf(fr, columns)
	for i, line := range fr.Lines {
		shown := e.text
		if i < last && isPlain(line) && len(line) <= columns {
			shown = line
		} else if i < last {
			shown, _, _ = layOut(line).window(0, columns, false, false)
		}
		n := strconv.Itoa(fr.Line + i)
		t.write("  ", t.in(dim, strings.Repeat(" ", gutter-len(n))+n+" │"), strings.TrimRightFunc(" "+shown, unicode.IsSpace), "\n")
	}
	t.write(strings.Repeat(" ", 2+gutter), t.in(dim, " │ "), strings.Repeat(" ", e.column), t.in(st, strings.Repeat("^", e.width)), "\n")
}

// excerpt is the part of a line that is shown, and where in it the fault is: its first
// column, from 0, and how many it takes, at least 1.
type excerpt struct {
	text          string
	column, width int
}

// excerptOf returns the part of a frame's last line that fits in some columns, with the
// fault in sight.
func excerptOf(f *lint.Frame, columns int) excerpt {
	line := f.Lines[len(f.Lines)-1]
	if start, end := min(f.Start, len(line)), min(f.End, len(line)); len(line) < columns && isPlain(line) && !f.Before && !f.After {
		return excerpt{line, utf8.RuneCountInString(line[:start]), max(1, utf8.RuneCountInString(line[start:max(start, end)]))}
	}
	l := layOut(line)
	total, a, b := l.cells[len(l.cells)-1].column, 0, 0 // the fault is in the columns from a to b
	for i, c := range l.cells[:len(l.cells)-1] {
		if c.at <= f.Start {
			a = c.column
		}
		if c.at < f.End {
			b = l.cells[i+1].column
		}
	}
	if f.Start >= len(line) {
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
	text, shift, right := l.window(left, columns, f.Before, f.After)
	a, b = a-shift, min(b-shift, right)
	return excerpt{text, a, max(1, b-a)}
}

// layout is a line as it is shown.
type layout struct {
	text  string
	cells []cell // the last one is the end of the line
}

// cell is one shown character: a grapheme cluster of the source, or the escape of a rune.
type cell struct {
	start  int // offset in the text that is shown
	column int
	at     int // offset in the line
}

// layOut finds the characters of a line.
func layOut(line string) layout {
	out := make([]cell, 0, len(line)+1)
	if isPlain(line) {
		for i := range line {
			out = append(out, cell{i, len(out), i})
		}
		return layout{line, append(out, cell{len(line), len(out), len(line)})}
	}
	var b strings.Builder
	column, at, last := 0, 0, rune(0)
	add := func(shown string, width, size int) {
		out = append(out, cell{b.Len(), column, at})
		b.WriteString(shown)
		column, at = column+width, at+size
	}
	addPlain := func(end int) { // what is shown as it is
		for cluster, width := range graphemes(line[at:end]) {
			add(cluster, width, len(cluster))
		}
	}
	for i := 0; i < len(line); {
		shown, r, size := shownRune(line, i, last)
		if shown != line[i:i+size] {
			addPlain(i)
			if r == '\t' {
				shown = strings.Repeat(" ", tabStop-column%tabStop)
			}
			add(shown, len(shown), size)
		}
		last = r
		i += size
	}
	addPlain(len(line))
	return layout{b.String(), append(out, cell{b.Len(), column, at})}
}

// window returns the part of a line, from column left on, that fits in some columns, with …
// where something is left out; before and after say that more is left out there. Column n of the
// line becomes column n-shift; right is where what is shown of the line ends.
func (l layout) window(left, columns int, before, after bool) (text string, shift, right int) {
	first, end := 0, len(l.cells)-1
	for first < end && l.cells[first].column < left {
		first++
	}
	shift = l.cells[first].column
	if left > 0 || before {
		text = ellipsis
		shift--
		right = 1
	}
	after = after || l.cells[end].column-shift > columns
	if after {
		columns--
	}
	last := first
	for last < end && l.cells[last+1].column-shift <= columns {
		last++
		right = l.cells[last].column - shift
	}
	text += l.text[l.cells[first].start:l.cells[last].start]
	if after {
		text += ellipsis
	}
	return text, shift, right
}
