package report

import (
	"slices"
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
// a rune.
type cell struct {
	end   int // of what is shown, which begins where the cell before ends
	width int
	at    int // offset in the line
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

	column   int // where the next cell begins
	from, at int // of the text that is shown as it is and has no cells yet
}

var layouts = sync.Pool{New: func() any { return new(layout) }}

// layOut lays out a line. Whoever calls it gives the layout back.
func layOut(line string) *layout {
	l := layouts.Get().(*layout)
	*l = layout{shown: l.shown[:0], cells: slices.Grow(l.cells[:0], len(line))}
	last := rune(0)
	for i := 0; i < len(line); {
		if c := line[i]; isASCII(c) && (c != '[' || !opensCommand(line[:i])) &&
			(l.from == len(l.shown) || isASCII(line[i-1])) && (i+1 == len(line) || line[i+1] < utf8.RuneSelf) {
			l.text() // no character goes on over two of ASCII
			l.shown = append(l.shown, c)
			i++
			l.cell(1, i-1, i)
			last = rune(c)
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

// text makes the cells of the text that has none yet.
func (l *layout) text() {
	if l.from == len(l.shown) {
		return
	}
	for cluster, width := range graphemes(string(l.shown[l.from:])) {
		l.from += len(cluster)
		l.cells = append(l.cells, cell{l.from, width, l.at})
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
	width := len(tail)
	if width > 0 { // else a rune only chooses a look
		l.cell(width, at, next)
	}
	l.from, l.at = len(l.shown), next
}

// cell ends a cell, which is a part of the line, with what is shown.
func (l *layout) cell(width, at, next int) {
	l.cells = append(l.cells, cell{len(l.shown), width, at})
	l.column += width
	l.from, l.at = len(l.shown), next
}

// cut shows the part of a frame's last line that fits in some columns, with the
// fault in sight.
func cut(f *lint.Frame, columns int) excerpt {
	line := f.Lines[len(f.Lines)-1]
	laid := layOut(line)
	defer layouts.Put(laid)
	cs := laid.cells
	start, end := min(f.Start, len(line)), min(f.End, len(line))

	// a to b are the columns of the fault, total those of the line.
	a, b, total := -1, 0, 0
	for i, c := range cs {
		next := len(line)
		if i+1 < len(cs) {
			next = cs[i+1].at
		}
		if a < 0 && next > start {
			a = total
		}
		total += c.width
		if c.at < end {
			b = total
		}
	}
	if a < 0 {
		a = total // the fault is the end of the line
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
	text, shift, right := window(laid, left, columns, f.Before, f.After)
	a, b = a-shift, min(b-shift, right)
	return excerpt{text, a, max(1, b-a)}
}

// window is the part of a line from column left on that fits, with … where
// something is left out. Column n of the line becomes column n-shift; right is
// the width of what is shown of the line.
func window(l *layout, left, columns int, before, after bool) (text string, shift, right int) {
	shown, cs := l.shown, l.cells
	at, i, from := 0, 0, 0
	for ; i < len(cs) && at < left; i++ {
		at += cs[i].width
		from = cs[i].end
	}
	used := 0
	if at > 0 || before {
		text = "…"
		used = 1
	}
	shift = at - used
	rest := 0
	for _, c := range cs[i:] {
		rest += c.width
	}
	whole := used+rest <= columns && !after
	to := from
	for ; i < len(cs) && (whole || used+cs[i].width < columns); i++ {
		used += cs[i].width
		to = cs[i].end
	}
	text += string(shown[from:to])
	if i < len(cs) || after {
		text += "…"
	}
	return text, shift, used
}

// above shows a line before the fault, cut at the right.
func above(line string, columns int) string {
	if isPlain(line) && len(line) <= columns {
		return line
	}
	laid := layOut(line)
	defer layouts.Put(laid)
	text, _, _ := window(laid, 0, columns, false, false)
	return text
}
