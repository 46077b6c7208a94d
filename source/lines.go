package source

import (
	"bytes"
	"slices"
	"sync"
	"unicode/utf8"
)

// lineTable is a table of line starts. It is built on first use, so a text without
// findings costs nothing. Lines end at \n, \r\n or a lone \r, as in CommonMark. It is safe
// for concurrent use.
type lineTable struct {
	once   sync.Once
	starts []uint32 // texts are smaller than 4 GiB

	markOnce sync.Once
	marks    []mark
}

// mark counts the characters of a text before an offset.
type mark struct {
	offset, runes, units uint32
}

// markEvery is the distance of marks. A shorter line is counted from its start. But an
// export may have megabytes in one line, and thousands of findings there must not count
// them thousands of times.
const markEvery = 128

func (l *lineTable) build(data []byte) {
	l.once.Do(func() { l.starts = lineStarts(data) })
}

// lineStarts returns the offsets at which lines start: the first is 0, and after a final
// line end the last is len(data). Lines end at \n, \r\n or a lone \r.
func lineStarts(data []byte) []uint32 {
	starts := make([]uint32, 1, 1+bytes.Count(data, []byte{'\n'}))
	for i, c := range data {
		if c == '\n' || c == '\r' && (i+1 == len(data) || data[i+1] != '\n') {
			starts = append(starts, uint32(i+1))
		}
	}
	return starts
}

// position returns the line and column of a byte offset. A byte order mark at the start
// counts in offsets, but not in columns (decisions.md 35: byte order mark).
func (l *lineTable) position(data []byte, off int) Position {
	off = min(max(off, 0), len(data))
	line := l.line(data, off)
	start := int(l.starts[line-1])
	p := Position{Line: line, Offset: off, Byte: off - start + 1}
	if start == 0 && off >= len(BOM) && hasBOM(data) {
		start = len(BOM)
	}
	runes, units := l.between(data, start, off)
	p.Column, p.UTF16 = runes+1, units+1
	return p
}

// line returns the line of a byte offset, counted from 1.
func (l *lineTable) line(data []byte, off int) int {
	l.build(data)
	line, _ := slices.BinarySearch(l.starts, uint32(min(max(off, 0), len(data))+1))
	return line
}

// between counts the code points and UTF-16 code units from start to end, in time that
// does not grow with the length of the line.
func (l *lineTable) between(data []byte, start, end int) (runes, units int) {
	if end-start <= markEvery {
		return count(data[start:end])
	}
	l.markOnce.Do(func() { l.marks = marksOf(data) })
	r0, u0 := l.before(data, start)
	r1, u1 := l.before(data, end)
	return r1 - r0, u1 - u0
}

// before counts from the start of the text, starting at the nearest mark.
func (l *lineTable) before(data []byte, off int) (runes, units int) {
	m := l.marks[off/markEvery]
	runes, units = count(data[m.offset:off])
	return int(m.runes) + runes, int(m.units) + units
}

// marksOf sets a mark at every markEvery-th byte, or at the start of the character that
// the byte is in.
func marksOf(data []byte) []mark {
	marks := make([]mark, 1+len(data)/markEvery)
	for i := 1; i < len(marks); i++ {
		last, at := marks[i-1], RuneStart(data, i*markEvery)
		runes, units := count(data[last.offset:at])
		marks[i] = mark{uint32(at), last.runes + uint32(runes), last.units + uint32(units)}
	}
	return marks
}

// count returns the number of code points and UTF-16 code units in b. A byte that is
// not UTF-8 counts as one of each.
func count(b []byte) (runes, units int) {
	for i := 0; i < len(b); runes++ {
		if b[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, size := utf8.DecodeRune(b[i:])
		if i += size; r > 0xffff {
			units++ // a pair of surrogates
		}
	}
	return runes, runes + units
}

// span returns the text of a line (from 1) without its line end and byte order mark.
func (l *lineTable) span(data []byte, line int) Span {
	l.build(data)
	if line < 1 || line > len(l.starts) {
		return Span{len(data), len(data)}
	}
	s := Span{int(l.starts[line-1]), len(data)}
	if line < len(l.starts) {
		s.End = int(l.starts[line]) - 1
	}
	if s.End > s.Start && data[s.End-1] == '\r' {
		s.End--
	}
	if s.Start == 0 && hasBOM(data) {
		s.Start = min(len(BOM), s.End)
	}
	return s
}

func hasBOM(data []byte) bool { return bytes.HasPrefix(data, []byte(BOM)) }
