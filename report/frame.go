package report

import (
	"slices"
	"strings"
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
	text  string
	width int
	at    int // offset in the line
}

// mark is where in an excerpt of a line the fault is: its first column, from 0, and how
// many it takes, at least 1.
type mark struct{ column, width int }

// layout lays out lines, one after the other in the same memory.
type layout struct{ cells []cell }

// of returns the cells of a line until the next is laid out.
func (l *layout) of(line string) (cells []cell, columns int) {
	cells = slices.Grow(l.cells[:0], len(line))
	plain := 0 // where the text begins that is shown as it is and has no cells yet
	text := func(end int) {
		for cluster, width := range graphemes(line[plain:end]) {
			cells = append(cells, cell{cluster, width, plain})
			plain += len(cluster)
			columns += width
		}
	}
	last := rune(0)
	for i := 0; i < len(line); {
		if c := line[i]; ' ' <= c && c <= '~' && c != '[' { // as most are
			i, last = i+1, rune(c)
			continue
		}
		r, size := utf8.DecodeRuneInString(line[i:])
		shown := shownRune(line, i, r, size, last)
		if r == '\t' || shown != line[i:i+size] {
			text(i)
			if r == '\t' {
				shown = strings.Repeat(" ", tabStop-columns%tabStop)
			}
			if shown != "" { // else the rune only chooses a look
				cells = append(cells, cell{shown, len(shown), i})
				columns += len(shown)
			}
			plain = i + size
		}
		i += size
		last = r
	}
	text(len(line))
	l.cells = cells
	return cells, columns
}

// columnsOf returns the columns of a part of a line, at least one.
func columnsOf(line string, cells []cell, start, end int) (first, after int) {
	first = -1
	column := 0
	for i, c := range cells {
		next := len(line)
		if i+1 < len(cells) {
			next = cells[i+1].at
		}
		if first < 0 && next > start {
			first = column
		}
		column += c.width
		if c.at < end {
			after = column
		}
	}
	if first < 0 {
		first = column // the end of the line
	}
	return first, max(after, first+1)
}

// cut returns the part of a frame's last line that fits in some columns, with the
// fault in sight.
func (l *layout) cut(f *lint.Frame, columns int) (string, mark) {
	line := f.Lines[len(f.Lines)-1]
	start, end := min(f.Start, len(line)), min(f.End, len(line))
	if isPlain(line, columns) && !f.Before && !f.After {
		first := utf8.RuneCountInString(line[:start])
		return line, mark{first, max(1, utf8.RuneCountInString(line[start:end]))}
	}
	cells, total := l.of(line)
	a, b := columnsOf(line, cells, start, end)
	left := 0
	if total > columns || b > columns {
		// The fault is shown whole if that is possible, with a third of the width
		// before it.
		left = max(0, min(a-columns/3, total+2-columns))
		if b > left+columns-1 {
			left = max(left, min(a-2, b+2-columns))
		}
	}
	text, shift, right := window(cells, total, left, columns, f.Before, f.After)
	a, b = a-shift, min(b-shift, right)
	return text, mark{a, max(1, b-a)}
}

// above returns a line before the fault, cut at the right.
func (l *layout) above(line string, columns int) string {
	if isPlain(line, columns) {
		return line
	}
	cells, total := l.of(line)
	text, _, _ := window(cells, total, 0, columns, false, false)
	return text
}

// isPlain reports whether a line is shown as it is, a column for each character, and has room
// for a mark at its end. Most are so: a report of 50,000 findings takes a third of the time.
func isPlain(line string, columns int) bool {
	n := 0
	for _, r := range line {
		if n++; n >= columns || !isSimple(r) || isSuspect(r) {
			return false
		}
	}
	return true
}

// ellipsis is shown where something is left out. It takes a column.
const ellipsis = "…"

// window returns the part of a line of some columns, the total, from column left on that
// fits, with … where something is left out. Column n of the line becomes column n-shift;
// right is the width of what is shown of the line.
func window(cells []cell, total, left, columns int, before, after bool) (text string, shift, right int) {
	var b strings.Builder
	skipped := 0
	for len(cells) > 0 && skipped < left {
		skipped += cells[0].width
		cells = cells[1:]
	}
	used := 0
	if skipped > 0 || before {
		b.WriteString(ellipsis)
		used = 1
	}
	shift = skipped - used
	room := columns
	if used+total-skipped > columns || after {
		room-- // for the … at the end
	}
	for len(cells) > 0 && used+cells[0].width <= room {
		b.WriteString(cells[0].text)
		used += cells[0].width
		cells = cells[1:]
	}
	if len(cells) > 0 || after {
		b.WriteString(ellipsis)
	}
	return b.String(), shift, used
}
