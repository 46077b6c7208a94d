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
	if len(line) < columns && !f.Before && !f.After && isPlain(line) {
		return excerpt{line, utf8.RuneCountInString(line[:start]), max(1, utf8.RuneCountInString(line[start:max(start, end)]))}
	}
	cells := cellsOf(line)
	total, first, after := 0, 0, 0 // columns: all, and those of the fault
	for _, c := range cells {
		if c.at <= start {
			first = total
		}
		total += c.width
		if c.at < end {
			after = total
		}
	}
	if start == len(line) {
		first = total
	}
	after = max(after, first+1)
	left := 0
	if total > columns || after > columns {
		// The fault is shown whole if that is possible, with a third of the width
		// before it.
		left = max(0, min(first-columns/3, total+2-columns))
		if after > left+columns-1 {
			left = max(left, min(first-2, after+2-columns))
		}
	}
	text, shift, right := cut(cells, left, columns, f.Before, f.After)
	return excerpt{text, first - shift, max(1, min(after-shift, right)-(first-shift))}
}

// excerptAbove returns a line before the fault, cut at the right.
func excerptAbove(line string, columns int) string {
	if len(line) <= columns && isPlain(line) {
		return line
	}
	text, _, _ := cut(cellsOf(line), 0, columns, false, false)
	return text
}

// cell is one shown character: a grapheme cluster of the source, or the escape of
// a rune.
type cell struct {
	text  string
	width int
	at    int // offset in the line
}

// cellsOf returns a line as it is shown, character by character.
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

// ellipsis is shown where something is left out. It takes a column.
const ellipsis = "…"

// cut returns the part of a line, from column left on, that fits in some columns, with … where
// something is left out; before and after say that more is left out there. Column n of the
// line becomes column n-shift; right is where what is shown of the line ends.
func cut(cells []cell, left, columns int, before, after bool) (text string, shift, right int) {
	rest := 0
	for _, c := range cells {
		rest += c.width
	}
	skipped := 0
	for len(cells) > 0 && skipped < left {
		skipped += cells[0].width
		cells = cells[1:]
	}
	rest -= skipped
	var b strings.Builder
	used := 0
	if skipped > 0 || before {
		b.WriteString(ellipsis)
		used = 1
	}
	shift = skipped - used
	room := columns
	if used+rest > columns || after {
		room-- // for the … at the end
	}
	for _, c := range cells {
		if used+c.width > room {
			break
		}
		b.WriteString(c.text)
		used += c.width
		rest -= c.width
	}
	if rest > 0 || after {
		b.WriteString(ellipsis)
	}
	return b.String(), shift, used
}
