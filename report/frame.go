package report

import (
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

// cells lays out a line: what is shown of it, and its cells.
func cells(line string) (shown []byte, out []cell) {
	shown, out = make([]byte, 0, len(line)+16), make([]cell, 0, len(line))
	column, last := 0, rune(0)
	from, at := 0, 0 // of the text that is shown as it is and has no cells yet
	text := func() {
		for cluster, width := range graphemes(string(shown[from:])) {
			from += len(cluster)
			out = append(out, cell{from, width, at})
			at += len(cluster)
			column += width
		}
	}
	for i := 0; i < len(line); {
		r, size := utf8.DecodeRuneInString(line[i:])
		before := len(shown)
		if r == '\t' {
			text()
			shown = append(shown, "    "[:tabStop-column%tabStop]...)
		} else {
			shown = appendRune(shown, line, i, r, size, last)
		}
		if r == '\t' || string(shown[before:]) != line[i:i+size] {
			tail := string(shown[before:])
			shown = shown[:before]
			text()
			shown = append(shown, tail...)
			if width := len(tail); width > 0 { // else r only chooses a look
				out = append(out, cell{len(shown), width, i})
				column += width
			}
			from, at = len(shown), i+size
		}
		i += size
		last = r
	}
	text()
	return shown, out
}

// cut shows the part of a frame's last line that fits in some columns, with the
// fault in sight.
func cut(f *lint.Frame, columns int) excerpt {
	line := f.Lines[len(f.Lines)-1]
	shown, cs := cells(line)
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
	text, shift, right := window(shown, cs, left, columns, f.Before, f.After)
	a, b = a-shift, min(b-shift, right)
	return excerpt{text, a, max(1, b-a)}
}

// window is the part of a line from column left on that fits, with … where
// something is left out. Column n of the line becomes column n-shift; right is
// the width of what is shown of the line.
func window(shown []byte, cs []cell, left, columns int, before, after bool) (text string, shift, right int) {
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
	shown, cs := cells(line)
	text, _, _ := window(shown, cs, 0, columns, false, false)
	return text
}
