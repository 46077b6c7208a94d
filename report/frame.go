package report

import (
	"iter"
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
	if len(line) < columns && isPlain(line) && !f.Before && !f.After { // nearly all
		return excerpt{line, utf8.RuneCountInString(line[:start]), max(1, utf8.RuneCountInString(line[start:max(start, end)]))}
	}
	total, a, b := 0, 0, 0
	for c := range cells(line) {
		if c.at <= start {
			a = total
		}
		total += c.width
		if c.at < end {
			b = total
		}
	}
	if start == len(line) {
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
	text, shift, right := window(line, left, columns, f.Before, f.After)
	a, b = a-shift, min(b-shift, right)
	return excerpt{text, a, max(1, b-a)}
}

// excerptAbove returns a line before the fault, cut at the right.
func excerptAbove(line string, columns int) string {
	if len(line) <= columns && isPlain(line) { // nearly all
		return line
	}
	text, _, _ := window(line, 0, columns, false, false)
	return text
}

// cell is one shown character: a grapheme cluster of the source, or the escape of
// a rune.
type cell struct {
	text  string
	width int
	at    int // offset in the line
}

// cells are the characters of a line as it is shown.
func cells(line string) iter.Seq[cell] {
	return func(yield func(cell) bool) {
		column, last := 0, rune(0)
		for at := 0; at < len(line); {
			if isASCII(line, at) && (at+1 == len(line) || line[at+1] < utf8.RuneSelf) { // nearly all
				if !yield(cell{line[at : at+1], 1, at}) {
					return
				}
				last = rune(line[at])
				at, column = at+1, column+1
				continue
			}
			end, shown, r, size := at, "", rune(0), 0
			for end < len(line) {
				if shown, r, size = shownRune(line, end, last); shown != line[end:end+size] {
					break
				}
				end, last, size = end+size, r, 0
			}
			for cluster, width := range graphemes(line[at:end]) {
				if !yield(cell{cluster, width, at}) {
					return
				}
				at, column = at+len(cluster), column+width
			}
			if size == 0 {
				return
			}
			if r == '\t' {
				shown = strings.Repeat(" ", tabStop-column%tabStop)
			}
			if shown != "" && !yield(cell{shown, len(shown), at}) { // "": r only chooses a look
				return
			}
			at, column, last = at+size, column+len(shown), r
		}
	}
}

// ellipsis is shown where something is left out. It takes a column.
const ellipsis = "…"

// window returns the part of a line, from column left on, that fits in some columns, with …
// where something is left out; before and after say that more is left out there. Column n of the
// line becomes column n-shift; right is where what is shown of the line ends.
func window(line string, left, columns int, before, after bool) (text string, shift, right int) {
	var b strings.Builder
	b.Grow(min(len(line), columns) + 2*len(ellipsis))
	skipped, used := 0, 0
	if left > 0 || before {
		b.WriteString(ellipsis)
		used = 1
	}
	lead := used
	fit, right := b.Len(), used // what is shown if an … follows
	for c := range cells(line) {
		if skipped < left {
			skipped += c.width
			continue
		}
		if used+c.width > columns {
			after = true
			break
		}
		b.WriteString(c.text)
		if used += c.width; used < columns {
			fit, right = b.Len(), used
		}
	}
	if !after {
		return b.String(), skipped - lead, used
	}
	return b.String()[:fit] + ellipsis, skipped - lead, right
}
