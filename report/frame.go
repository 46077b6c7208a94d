package report

import (
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/result"
	"github.com/brennerlint/brennerlint/source"
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

// mark is where in an excerpt of a line the fault is: its first column, from 0, and how
// many it takes, at least 1.
type mark struct{ column, width int }

// layout is a line that is laid out: what is shown of it, and its cells. It is used
// for one line after the other, for there may be very many.
type layout struct {
	line   string
	simple bool   // each character is one rune, which takes one column and at most two bytes
	ascii  int    // of a simple line: where it ceases to be ASCII, or ends
	shown  []byte // empty for a simple line, which is shown as it is, without cells
	cells  []cell

	column   int // where the next cell begins; the width of the line in the end
	from, at int // of the text that is shown as it is and has no cells yet
}

// lay lays out a line.
func (l *layout) lay(line string) {
	l.line = line
	if !l.laySimple() {
		l.layCells(line)
	}
}

// laySimple lays out a line of which all runes are simple and shown as they are, as
// nearly all lines are. It reports whether this is one.
func (l *layout) laySimple() bool {
	l.ascii = source.PrintableLen([]byte(l.line))
	l.column = len(l.line)
	for i := l.ascii; i < len(l.line); {
		if isLatin(l.line, i) {
			i += 2
			l.column--
		} else if n := source.PrintableLen([]byte(l.line[i:])); n > 0 {
			i += n
		} else {
			return false
		}
	}
	l.simple = !hasCommand(l.line)
	return l.simple
}

// columnAt returns the column of an offset in a simple line.
func (l *layout) columnAt(offset int) int {
	if offset <= l.ascii {
		return offset
	}
	return l.ascii + utf8.RuneCountInString(l.line[l.ascii:offset])
}

// offsetAt returns where in a simple line a column is.
func (l *layout) offsetAt(column int) int {
	at := min(column, l.ascii)
	for left := column - at; left > 0; left-- {
		n := source.ASCIILen([]byte(l.line[at : at+left])) // each rune takes a byte at least
		at, left = at+n, left-n
		if left == 0 {
			break
		}
		_, size := utf8.DecodeRuneInString(l.line[at:])
		at += size
	}
	return at
}

// layCells makes the cells of a line.
func (l *layout) layCells(line string) {
	*l = layout{line: line, shown: l.shown[:0], cells: l.cells[:0]}
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
}

// plainRun returns how many bytes of a line from i on are ASCII that is shown as it is, and
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

// columnsOf returns the columns of a part of the line, at least one.
func (l *layout) columnsOf(start, end int) (first, after int) {
	length := len(l.line)
	if l.simple {
		for start < length && !utf8.RuneStart(l.line[start]) {
			start--
		}
		first = l.columnAt(start)
		return first, max(first+1, l.columnAt(end))
	}
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

// cut appends the part of a frame's last line that fits in some columns, with the
// fault in sight.
func (l *layout) cut(dst []byte, f *result.Frame, columns int) ([]byte, mark) {
	l.lay(f.Lines[len(f.Lines)-1])
	return l.show(dst, f, columns)
}

// show is cut for the line that is laid out.
func (l *layout) show(dst []byte, f *result.Frame, columns int) ([]byte, mark) {
	a, b := l.columnsOf(min(f.Start, len(l.line)), min(f.End, len(l.line)))
	left := 0
	if total := l.column; total > columns || b > columns {
		// The fault is shown whole if that is possible, with a third of the width
		// before it.
		left = max(0, min(a-columns/3, total+2-columns))
		if b > left+columns-1 {
			left = max(left, min(a-2, b+2-columns))
		}
	}
	dst, shift, right := l.window(dst, left, columns, f.Before, f.After)
	a, b = a-shift, min(b-shift, right)
	return dst, mark{a, max(1, b-a)}
}

// above appends a line before the fault, cut at the right.
func (l *layout) above(dst []byte, line string, columns int) []byte {
	l.lay(line)
	dst, _, _ = l.window(dst, 0, columns, false, false)
	return dst
}

// ellipsis is shown where something is left out. It takes a column.
const ellipsis = "…"

// window appends the part of a line from column left on that fits, with … where
// something is left out. Column n of the line becomes column n-shift; right is
// the width of what is shown of the line.
func (l *layout) window(dst []byte, left, columns int, before, after bool) (out []byte, shift, right int) {
	if left == 0 && l.column <= columns && !before && !after { // nearly always
		return l.appendShown(dst, 0, l.length()), 0, l.column
	}
	column, i, from := l.skip(left)
	used := 0
	if column > 0 || before {
		dst = append(dst, ellipsis...)
		used = 1
	}
	shift = column - used
	if rest := l.column - column; used+rest <= columns && !after {
		return l.appendShown(dst, from, l.length()), shift, used + rest
	}
	to, width := l.fit(from, i, column, columns-1-used)
	dst = l.appendShown(dst, from, to)
	if to < l.length() || after {
		dst = append(dst, ellipsis...)
	}
	return dst, shift, used + width
}

// length returns that of what is shown of the whole line.
func (l *layout) length() int {
	if l.simple {
		return len(l.line)
	}
	return len(l.shown)
}

// appendShown appends a part of what is shown of the line.
func (l *layout) appendShown(dst []byte, from, to int) []byte {
	if l.simple {
		return append(dst, l.line[from:to]...)
	}
	return append(dst, l.shown[from:to]...)
}

// skip returns the first column that can be shown if some are left out, its cell, and where
// that is in what is shown.
func (l *layout) skip(left int) (column, i, from int) {
	if l.simple {
		left = min(left, l.column)
		return left, 0, l.offsetAt(left)
	}
	for ; i < len(l.cells) && column < left; i++ {
		c := l.cells[i]
		if c.run && column+c.width > left {
			return left, i, from + left - column
		}
		column += c.width
		from = c.end
	}
	return column, i, from
}

// fit is up to where what is shown fits in some columns, from an offset, cell and column
// on, and how many it takes.
func (l *layout) fit(from, i, column, columns int) (to, width int) {
	columns = max(0, columns)
	if l.simple {
		width = min(columns, l.column-column)
		return l.offsetAt(column + width), width
	}
	to = from
	for _, c := range l.cells[i:] {
		if c.run {
			c.width = min(c.end-to, columns-width)
			width += c.width
			if to += c.width; to < c.end {
				break
			}
			continue
		}
		if width+c.width > columns {
			break
		}
		width += c.width
		to = c.end
	}
	return to, width
}
