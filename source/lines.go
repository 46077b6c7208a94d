package source

import (
	"bytes"
	"slices"
	"sync"
	"sync/atomic"
	"unicode/utf8"
)

// lineTable is a table of line starts, built on first use: a text without findings
// never pays for it. Lines end at \n, \r\n or \r alone, as in CommonMark. It is
// safe for concurrent use.
type lineTable struct {
	once   sync.Once
	starts []uint32 // no text is 4 GiB

	markOnce sync.Once
	marks    []mark
}

// made returns a table that is made on first use.
func made(at *atomic.Pointer[lineTable]) *lineTable {
	if l := at.Load(); l != nil {
		return l
	}
	at.CompareAndSwap(nil, new(lineTable))
	return at.Load()
}

// mark counts the characters of a text before an offset. No text is 4 GiB.
type mark struct {
	offset, runes, units uint32
}

// markEvery is the distance of marks. A line shorter than that is counted from
// its start; an export may hold megabytes in one line, and thousands of findings
// in it must not count it thousands of times.
const markEvery = 512

func (l *lineTable) build(c content) {
	l.once.Do(func() { l.starts = LineStarts(c.all()) })
}

// complete makes all that is made on first use: of a text that is not in memory later.
func (l *lineTable) complete(data []byte) {
	l.build(held(data))
	l.mark(held(data))
}

func (l *lineTable) mark(c content) {
	l.markOnce.Do(func() { l.marks = marksOf(c.all()) })
}

// LineStarts returns where the lines of a text start: the first at 0, and the one after a
// final line end at the end of the text. Lines end at \n, \r\n or \r alone.
func LineStarts(data []byte) []uint32 {
	if hasNoLoneCR(data) { // as nearly always
		starts := make([]uint32, 1+bytes.Count(data, []byte{'\n'}))
		for i, at := 1, 0; i < len(starts); i++ {
			at += bytes.IndexByte(data[at:], '\n') + 1
			starts[i] = uint32(at)
		}
		return starts
	}
	starts := []uint32{0}
	for i, c := range data {
		if c == '\n' || c == '\r' && (i+1 == len(data) || data[i+1] != '\n') {
			starts = append(starts, uint32(i+1))
		}
	}
	return starts
}

// nextByte returns where c is at or after i, len(data) if it is not there.
func nextByte(data []byte, i int, c byte) int {
	if n := bytes.IndexByte(data[i:], c); n >= 0 {
		return i + n
	}
	return len(data)
}

// position returns the place of a byte offset in a text. A byte order mark at the
// start is not counted in columns, but is in offsets (decisions.md 35).
func (l *lineTable) position(c content, off int) Position {
	off = min(max(off, 0), c.size)
	line := l.line(c, off)
	start := int(l.starts[line-1])
	p := Position{Line: line, Offset: off, Byte: off - start + 1}
	if start == 0 && off >= len(BOM) && c.hasBOM() {
		start = len(BOM)
	}
	runes, units := l.between(c, start, off)
	p.Column, p.UTF16 = runes+1, units+1
	return p
}

// rangeOf is both ends of a span. An end on the line of the start is counted from
// there, if that is not within a character.
func (l *lineTable) rangeOf(c content, s Span) Range {
	start := l.position(c, s.Start)
	end := min(s.End, c.size)
	if end < start.Offset || start.Line < len(l.starts) && end >= int(l.starts[start.Line]) ||
		start.Offset < len(BOM) || start.Offset < end && !utf8.RuneStart(c.at(start.Offset)) {
		return Range{start, l.position(c, s.End)}
	}
	p := start
	runes, units := l.between(c, start.Offset, end)
	p.Offset, p.Byte, p.Column, p.UTF16 = end, p.Byte+end-start.Offset, p.Column+runes, p.UTF16+units
	return Range{start, p}
}

// line returns the line of a byte offset, counted from 1.
func (l *lineTable) line(c content, off int) int {
	l.build(c)
	line, _ := slices.BinarySearch(l.starts, uint32(min(max(off, 0), c.size)+1))
	return line
}

// between counts the code points and UTF-16 code units from start to end, in time that
// does not grow with the length of the line.
func (l *lineTable) between(c content, start, end int) (runes, units int) {
	if end-start <= markEvery {
		return count(c.bytes(Span{start, end}))
	}
	l.mark(c)
	r0, u0 := l.before(c, start)
	r1, u1 := l.before(c, end)
	return r1 - r0, u1 - u0
}

// before counts from the start of the text, by the nearest mark.
func (l *lineTable) before(c content, off int) (runes, units int) {
	m := l.marks[off/markEvery]
	runes, units = count(c.bytes(Span{int(m.offset), off}))
	return int(m.runes) + runes, int(m.units) + units
}

// marksOf sets a mark at every markEvery-th byte, or where the character begins that the
// byte is in.
func marksOf(data []byte) []mark {
	marks := make([]mark, 1+len(data)/markEvery)
	for i := 1; i < len(marks); i++ {
		last, at := marks[i-1], boundary(data, i*markEvery)
		runes, units := count(data[last.offset:at])
		marks[i] = mark{uint32(at), last.runes + uint32(runes), last.units + uint32(units)}
	}
	return marks
}

// boundary is off, or the start of the character that off would cut in two.
func boundary(data []byte, off int) int {
	for back := 1; back < utf8.UTFMax && back <= off; back++ {
		if _, size := utf8.DecodeRune(data[off-back:]); size > back {
			return off - back
		}
	}
	return off
}

// count returns the number of code points and UTF-16 code units in b. A byte that is
// no UTF-8 counts as one of each.
func count(b []byte) (runes, units int) {
	for len(b) > 0 {
		if b[0] < utf8.RuneSelf { // nearly always
			n := ASCIILen(b)
			runes, b = runes+n, b[n:]
			continue
		}
		_, size := utf8.DecodeRune(b)
		if size == utf8.UTFMax {
			units++ // a pair of surrogates
		}
		runes++
		b = b[size:]
	}
	return runes, runes + units
}

// span returns the text of a line (from 1) without its line end and byte order mark.
func (l *lineTable) span(c content, line int) Span {
	l.build(c)
	if line < 1 || line > len(l.starts) {
		return Span{c.size, c.size}
	}
	s := Span{int(l.starts[line-1]), c.size}
	if line < len(l.starts) {
		s.End = int(l.starts[line]) - 1
	}
	if s.End > s.Start && c.at(s.End-1) == '\r' {
		s.End--
	}
	if s.Start == 0 && c.hasBOM() {
		s.Start = min(len(BOM), s.End)
	}
	return s
}
