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
	text, shift, right := l.window(total, left, columns, f.Before, f.After)
	a, b = a-shift, min(b-shift, right)
	return excerpt{text, a, max(1, b-a)}
}

// excerptAbove returns a line before the fault, cut at the right.
func excerptAbove(line string, columns int) string {
	l := layOut(line)
	text, _, _ := l.window(l.width(), 0, columns, false, false)
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

func isPlain(line string) bool {
	for i, r := range line {
		if !isPlainRune(r) && (r != '[' || opensCommand(line[:i])) {
			return false
		}
	}
	return true
}

func cellsOf(line string) []cell {
	var cells []cell
	columns := 0
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
	first = -1
	column := 0
	for i, c := range l.cells {
		next := len(l.line)
		if i+1 < len(l.cells) {
			next = l.cells[i+1].at
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

// ellipsis is shown where something is left out. It takes a column.
const ellipsis = "…"

// window returns the part of the line, from column left on, that fits in some columns, with …
// where something is left out; the whole line has total columns. Column n of the line becomes column n-shift;
// right is the width of what is shown of the line.
func (l *layout) window(total, left, columns int, before, after bool) (text string, shift, right int) {
	rest, skipped := l.skip(left)
	used, lead := 0, ""
	if skipped > 0 || before {
		used, lead = 1, ellipsis
	}
	room := columns
	if used+total-skipped > columns || after {
		room-- // for the … at the end
	}
	shown, width := rest.take(room-used, total-skipped)
	if width < total-skipped || after {
		shown += ellipsis
	}
	return lead + shown, skipped - used, used + width
}

// skip returns the line without its first columns, at least so many.
func (l *layout) skip(columns int) (rest layout, skipped int) {
	if l.plain {
		at := runeOffset(l.line, columns)
		return layout{line: l.line[at:], plain: true}, columns
	}
	cells := l.cells
	for len(cells) > 0 && skipped < columns {
		skipped += cells[0].width
		cells = cells[1:]
	}
	return layout{cells: cells}, skipped
}

// take returns the text of the first columns of a line of some width, at most so many.
func (l *layout) take(columns, total int) (text string, width int) {
	switch {
	case l.plain && columns >= total:
		return l.line, total
	case l.plain:
		return l.line[:runeOffset(l.line, columns)], columns
	}
	var b strings.Builder
	for _, c := range l.cells {
		if width+c.width > columns {
			break
		}
		b.WriteString(c.text)
		width += c.width
	}
	return b.String(), width
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
