package report

import (
	"sync"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/lint"
)

const (
	tabStop     = 4   // CommonMark's
	pipeColumns = 120 // where there is no terminal
	leastSource = 20  // columns of source that a frame shows, however narrow the terminal
)

// cell is one shown character: a grapheme cluster of the source, or the escape of
// a rune. A run of ASCII is one cell: each byte of it takes a column.
type cell struct {
	end   int // of what is shown, which begins where the cell before ends
	width int
	at    int // offset in the line
	run   bool
}

// excerpt is what a frame shows of a line.
type excerpt struct {
	text string
	// mark and marked are the first column of the fault, from 0, and how many
	// it takes, at least 1.
	mark, marked int
}

// layout is a line that is laid out: what is shown of it, and its cells. It is used
// for one line after the other, for there may be very many.
type layout struct {
	shown []byte
	cells []cell
	part  []byte // of what is shown, with the signs that something is left out

	column   int // where the next cell begins
	from, at int // of the text that is shown as it is and has no cells yet
}

var layouts = sync.Pool{New: func() any { return new(layout) }}

// layOut lays out a line. Whoever calls it gives the layout back.
func layOut(line string) *layout {
	l := layouts.Get().(*layout)
	*l = layout{shown: l.shown[:0], cells: l.cells[:0], part: l.part[:0]}
	last := rune(0)
	for i := 0; i < len(line); {
		if n := plainRun(line, i); n > 0 && (l.from == len(l.shown) || isSimple(last)) {
			l.text() // no character goes on over two that are simple
			l.shown = append(l.shown, line[i:i+n]...)
			l.cell(cell{width: n, at: i, run: true})
			i += n
			last = rune(line[i-1])
			continue
		}
		r, size := utf8.DecodeRuneInString(line[i:])
		before := len(l.shown)
		if r == '\t' {
			l.text()
			l.shown = append(l.shown, "    "[:tabStop-l.column%tabStop]...)
		} else {
			l.shown = appendRune(l.shown, line, i, r, size, last)
		}
		if r == '\t' || string(l.shown[before:]) != line[i:i+size] {
			l.escape(before, i, i+size)
		}
		i += size
		last = r
	}
	l.text()
	return l
}

// plainRun is how many bytes of a line from i on are ASCII that is shown as it is, and
// that no character after it changes.
func plainRun(line string, i int) int {
	n := plainLen(line, i)
	if next, _ := utf8.DecodeRuneInString(line[i+n:]); i+n < len(line) && !isSimple(next) {
		n = max(0, n-1)
	}
	return n
}

// text makes the cells of the text that has none yet.
func (l *layout) text() {
	if l.from == len(l.shown) {
		return
	}
	for cluster, width := range graphemes(string(l.shown[l.from:])) {
		l.from += len(cluster)
		l.cells = append(l.cells, cell{end: l.from, width: width, at: l.at})
		l.at += len(cluster)
		l.column += width
	}
}

// escape makes a cell of what is shown from an offset on in place of a part of the
// line.
func (l *layout) escape(before, at, next int) {
	tail := string(l.shown[before:])
	l.shown = l.shown[:before]
	l.text()
	l.shown = append(l.shown, tail...)
	if width := len(tail); width > 0 { // else a rune only chooses a look
		l.cell(cell{width: width, at: at})
	}
	l.from, l.at = len(l.shown), next
}

// cell adds a cell, which ends with what is shown. What follows it in the line begins
// after the run, or where the caller says.
func (l *layout) cell(c cell) {
	c.end = len(l.shown)
	l.cells = append(l.cells, c)
	l.column += c.width
	l.from, l.at = len(l.shown), c.at+c.width
}

// columnsOf are the columns of a part of the line, at least one.
func (l *layout) columnsOf(start, end, length int) (first, after int) {
	first = -1
	column := 0
	for i, c := range l.cells {
		next := length
		if i+1 < len(l.cells) {
			next = l.cells[i+1].at
		}
		if first < 0 && next > start {
			first = column
			if c.run {
				first += min(max(start-c.at, 0), c.width-1)
			}
		}
		if c.at < end {
			after = column + c.width
			if c.run {
				after = column + min(end-c.at, c.width)
			}
		}
		column += c.width
	}
	if first < 0 {
		first = column // the end of the line
	}
	return first, max(after, first+1)
}

// cut shows the part of a frame's last line that fits in some columns, with the
// fault in sight.
func cut(f *lint.Frame, columns int) excerpt {
	line := f.Lines[len(f.Lines)-1]
	laid := layOut(line)
	defer layouts.Put(laid)
	a, b := laid.columnsOf(min(f.Start, len(line)), min(f.End, len(line)), len(line))
	left := 0
	if total := laid.column; total > columns || b > columns {
		// The fault is shown whole if that is possible, with a third of the width
		// before it.
		left = max(0, min(a-columns/3, total+2-columns))
		if b > left+columns-1 {
			left = max(left, min(a-2, b+2-columns))
		}
	}
	text, shift, right := laid.window(left, columns, f.Before, f.After)
	a, b = a-shift, min(b-shift, right)
	return excerpt{text, a, max(1, b-a)}
}

// window is the part of a line from column left on that fits, with … where
// something is left out. Column n of the line becomes column n-shift; right is
// the width of what is shown of the line.
func (l *layout) window(left, columns int, before, after bool) (text string, shift, right int) {
	column, i, from := 0, 0, 0
	for ; i < len(l.cells) && column < left; i++ {
		c := l.cells[i]
		if c.run && column+c.width > left {
			from += left - column
			column = left
			break
		}
		column += c.width
		from = c.end
	}
	used := 0
	if column > 0 || before {
		l.part = append(l.part, "…"...)
		used = 1
	}
	shift = column - used
	if rest := l.column - column; used+rest <= columns && !after {
		return string(append(l.part, l.shown[from:]...)), shift, used + rest
	}
	to := from
	for _, c := range l.cells[i:] {
		if c.run {
			c.width = min(c.end-to, max(0, columns-1-used))
			used += c.width
			if to += c.width; to < c.end {
				break
			}
			continue
		}
		if used+c.width >= columns {
			break
		}
		used += c.width
		to = c.end
	}
	l.part = append(l.part, l.shown[from:to]...)
	if to < len(l.shown) || after {
		l.part = append(l.part, "…"...)
	}
	return string(l.part), shift, used
}

// above shows a line before the fault, cut at the right.
func above(line string, columns int) string {
	if isPlain(line) && len(line) <= columns {
		return line
	}
	laid := layOut(line)
	defer layouts.Put(laid)
	text, _, _ := laid.window(0, columns, false, false)
	return text
}
