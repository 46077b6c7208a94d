package report

import (
	"strings"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/lint"
)

const (
	tabStop     = 4   // CommonMark's
	pipeColumns = 120 // where there is no terminal
	leastSource = 20  // columns of source that a frame shows, however narrow the terminal
)

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
	start, end := min(f.Start, len(line)), min(f.End, len(line))
	l := layOut(line)
	total := l.width()
	a, b := l.columnsOf(start, end)
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

// excerptAbove returns a line before the fault, cut at the right.
func excerptAbove(line string, columns int) string {
	l := layOut(line)
	text, _, _ := l.window(0, columns, false, false)
	return text
}

// layout is a line as it is shown, character by character. A plain line has no cells: it is
// shown as it is, each of its runes in one column.
type layout struct {
	line  string
	plain bool
	cells []cell
}

// cell is one shown character: a grapheme cluster of the source, or the escape of
// a rune.
type cell struct {
	text  string
	width int
	at    int // offset in the line
}

func layOut(line string) layout {
	if isPlain(line) {
		return layout{line: line, plain: true}
	}
	return layout{line: line, cells: cellsOf(line)}
}

func cellsOf(line string) []cell {
	var cells []cell
	columns := 0
	add := func(text string, width, at int) {
		cells = append(cells, cell{text, width, at})
		columns += width
	}
	from := 0 // where the text begins that is shown as it is and has no cells yet
	addText := func(end int) {
		for cluster, width := range graphemes(line[from:end]) {
			add(cluster, width, from)
			from += len(cluster)
		}
	}
	last := rune(0)
	for i := 0; i < len(line); {
		shown, r, size := shownRune(line, i, last)
		if shown != line[i:i+size] {
			addText(i)
			if r == '\t' {
				shown = strings.Repeat(" ", tabStop-columns%tabStop)
			}
			if shown != "" { // else the rune only chooses a look
				add(shown, len(shown), i)
			}
			from = i + size
		}
		i += size
		last = r
	}
	addText(len(line))
	return cells
}

// width returns how many columns the line takes.
func (l *layout) width() int {
	if l.plain {
		return utf8.RuneCountInString(l.line)
	}
	n := 0
	for _, c := range l.cells {
		n += c.width
	}
	return n
}

// columnsOf returns the columns of a part of the line, at least one.
func (l *layout) columnsOf(start, end int) (first, after int) {
	if l.plain {
		first = utf8.RuneCountInString(l.line[:start])
		return first, first + max(1, utf8.RuneCountInString(l.line[start:max(start, end)]))
	}
	column := 0
	for _, c := range l.cells {
		if c.at <= start {
			first = column
		}
		column += c.width
		if c.at < end {
			after = column
		}
	}
	if start == len(l.line) {
		first = column
	}
	return first, max(after, first+1)
}

// ellipsis is shown where something is left out. It takes a column.
const ellipsis = "…"

// window returns the part of the line, from column left on, that fits in some columns, with …
// where something is left out; before and after say that more is left out there. Column n of the
// line becomes column n-shift; right is where what is shown of the line ends.
func (l *layout) window(left, columns int, before, after bool) (text string, shift, right int) {
	rest, skipped := l.width(), 0
	cells, line := l.cells, l.line
	if l.plain {
		skipped = left
		line = line[runeOffset(line, left):]
	}
	for len(cells) > 0 && skipped < left {
		skipped += cells[0].width
		cells = cells[1:]
	}
	rest -= skipped
	lead, used := "", 0
	if skipped > 0 || before {
		lead, used = ellipsis, 1
	}
	room := columns
	if used+rest > columns || after {
		room-- // for the … at the end
	}
	width := 0
	if l.plain {
		width = min(room-used, rest)
		text = line[:runeOffset(line, width)]
	}
	for _, c := range cells {
		if used+width+c.width > room {
			break
		}
		text += c.text
		width += c.width
	}
	if width < rest || after {
		text += ellipsis
	}
	return lead + text, skipped - used, used + width
}

// runeOffset returns where in a text a rune begins, counted from 0; its end if it has no more.
func runeOffset(s string, n int) int {
	for i := range s {
		if n == 0 {
			return i
		}
		n--
	}
	return len(s)
}
