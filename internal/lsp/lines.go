package lsp

import (
	"slices"
	"sort"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/source"
)

// encoding is the unit in which positions count characters.
type encoding string

const (
	utf16Units encoding = "utf-16"
	utf8Units  encoding = "utf-8"
)

// Position is a place in a document. Both numbers begin at 0.
type Position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// before reports whether a position comes before another.
func (p Position) before(q Position) bool {
	return p.Line < q.Line || p.Line == q.Line && max(0, p.Character) < max(0, q.Character)
}

// Range is a part of a document; the end is exclusive.
type Range struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

// blockSize is how many bytes are counted at most to find a position: a line may be as long
// as a file.
const blockSize = 1 << 10

// lines converts between offsets and positions of a text that does not change.
type lines struct {
	data   []byte
	unit   encoding
	starts []uint32 // of each line
	blocks []int    // UTF-16 units before each block of blockSize bytes
}

func newLines(data []byte, unit encoding) *lines {
	l := &lines{data: data, unit: unit, starts: source.LineStarts(data)}
	if unit == utf8Units {
		return l
	}
	units := 0
	for i := 0; i < len(data); i += blockSize {
		l.blocks = append(l.blocks, units)
		units += unitsOf(data[i:min(i+blockSize, len(data))])
	}
	return l
}

// unitsOf counts the UTF-16 units of the characters that begin in a text.
func unitsOf(text []byte) (n int) {
	for _, c := range text {
		switch {
		case c >= 0xf0:
			n += 2
		case utf8.RuneStart(c):
			n++
		}
	}
	return n
}

// before counts the units from the beginning of the text to an offset.
func (l *lines) before(off int) int {
	if l.unit == utf8Units {
		return off
	}
	if len(l.blocks) == 0 {
		return 0
	}
	b := min(off/blockSize, len(l.blocks)-1)
	return l.blocks[b] + unitsOf(l.data[b*blockSize:off])
}

// position returns the position of an offset.
func (l *lines) position(off int) Position {
	off = max(0, min(off, len(l.data)))
	next, _ := slices.BinarySearch(l.starts, uint32(off+1))
	return Position{next - 1, l.before(off) - l.before(int(l.starts[next-1]))}
}

// rangeOf returns the range of a span.
func (l *lines) rangeOf(s source.Span) Range {
	return Range{l.position(s.Start), l.position(max(s.Start, s.End))}
}

// offset returns the offset of a position. One beyond the end of its line, or of the text, is
// at that end (LSP 3.17, Position).
func (l *lines) offset(p Position) int {
	switch {
	case p.Line < 0 || len(l.data) == 0:
		return 0
	case p.Line >= len(l.starts):
		return len(l.data)
	}
	start, end := int(l.starts[p.Line]), l.lineEnd(p.Line)
	want := l.before(start) + max(0, min(p.Character, len(l.data)))
	// The position is where the first character begins that ends beyond want.
	off := start + sort.Search(end-start, func(i int) bool { return l.before(start+i+1) > want })
	for off > start && off < end && !utf8.RuneStart(l.data[off]) {
		off--
	}
	return off
}

// lineEnd returns where a line ends, without what ends it.
func (l *lines) lineEnd(line int) int {
	if line+1 >= len(l.starts) {
		return len(l.data)
	}
	start, end := int(l.starts[line]), int(l.starts[line+1])
	for end > start && (l.data[end-1] == '\n' || l.data[end-1] == '\r') {
		end--
	}
	return end
}

// span returns the span of a range, whichever of its ends comes first.
func (l *lines) span(r Range) source.Span {
	s := source.Span{Start: l.offset(r.Start), End: l.offset(r.End)}
	if s.Start > s.End {
		s.Start, s.End = s.End, s.Start
	}
	return s
}
