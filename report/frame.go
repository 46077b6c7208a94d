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
			shown, _, _ = window(cells(line), 0, columns, false, false)
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
	all := cells(line)
	total, a, b := 0, 0, 0 // the fault is in the columns from a to b
	for _, c := range all {
		total += c.width
		if c.at <= f.Start {
			a = c.column
		}
		if c.at < f.End {
			b = total
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
	text, shift, right := window(all, left, columns, f.Before, f.After)
	a, b = a-shift, min(b-shift, right)
	return excerpt{text, a, max(1, b-a)}
}

// cell is one shown character: a grapheme cluster of the source, or the escape of
// a rune.
type cell struct {
	text          string
	column, width int
	at            int // offset in the line
}

// cells returns the characters of a line as it is shown.
func cells(line string) []cell {
	out := make([]cell, 0, len(line))
	column, at, last := 0, 0, rune(0)
	add := func(shown string, width, size int) {
		out = append(out, cell{shown, column, width, at})
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
	return out
}

// window returns the part of a line, from column left on, that fits in some columns, with …
// where something is left out; before and after say that more is left out there. Column n of the
// line becomes column n-shift; right is where what is shown of the line ends.
func window(line []cell, left, columns int, before, after bool) (text string, shift, right int) {
	for len(line) > 0 && line[0].column < left {
		shift = line[0].column + line[0].width
		line = line[1:]
	}
	if left > 0 || before {
		text = ellipsis
		shift--
		right = 1
	}
	if n := len(line); n > 0 && line[n-1].column+line[n-1].width-shift > columns {
		after = true
	}
	if after {
		columns--
	}
	var b strings.Builder
	for _, c := range line {
		end := c.column + c.width - shift
		if end > columns {
			break
		}
		b.WriteString(c.text)
		right = end
	}
	text += b.String()
	if after {
		text += ellipsis
	}
	return text, shift, right
}
