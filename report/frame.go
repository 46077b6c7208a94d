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

// cell is one shown character: a rune of the source with the marks that join
// it, or its escape.
type cell struct {
	text  string
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

// cells splits a line into what is shown of it.
func cells(line string) []cell {
	out := make([]cell, 0, len(line))
	column, last := 0, rune(0)
	for i := 0; i < len(line); {
		r, size := utf8.DecodeRuneInString(line[i:])
		c := cell{at: i}
		switch {
		case ' ' <= r && r <= '~' && r != '[':
			c.text, c.width = line[i:i+size], 1
		case r == '\t':
			c.width = tabStop - column%tabStop
			c.text = "    "[:c.width]
		default:
			c.text = string(appendRune(nil, line, i, r, size, last))
			if c.text == line[i:i+size] {
				c.width = runeWidth(r, last)
			} else {
				c.width = len(c.text) // an escape is ASCII; a look chosen is nothing
			}
		}
		i += size
		last = r
		if n := len(out); c.width == 0 && n > 0 { // joins the character before it
			out[n-1].text += c.text
			continue
		}
		column += c.width
		out = append(out, c)
	}
	return out
}

// cut shows the part of a frame's last line that fits in some columns, with the
// fault in sight.
func cut(f *lint.Frame, columns int) excerpt {
	line := f.Lines[len(f.Lines)-1]
	cs := cells(line)
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
	text, shift, right := window(cs, left, columns, f.Before, f.After)
	a, b = a-shift, min(b-shift, right)
	return excerpt{text, a, max(1, b-a)}
}

// window joins the cells from column left on, as many as fit, with … where
// something is left out. Column n of the line becomes column n-shift; right is
// the width of what is shown of the line.
func window(cs []cell, left, columns int, before, after bool) (text string, shift, right int) {
	var sb strings.Builder
	at, i := 0, 0
	for ; i < len(cs) && at < left; i++ {
		at += cs[i].width
	}
	used := 0
	if at > 0 || before {
		sb.WriteString("…")
		used = 1
	}
	shift = at - used
	rest := 0
	for _, c := range cs[i:] {
		rest += c.width
	}
	whole := used+rest <= columns && !after
	for ; i < len(cs); i++ {
		if !whole && used+cs[i].width > columns-1 {
			break
		}
		sb.WriteString(cs[i].text)
		used += cs[i].width
	}
	if i < len(cs) || after {
		sb.WriteString("…")
	}
	return sb.String(), shift, used
}

// above shows a line before the fault, cut at the right.
func above(line string, columns int) string {
	if isPlain(line) && len(line) <= columns {
		return line
	}
	text, _, _ := window(cells(line), 0, columns, false, false)
	return text
}
