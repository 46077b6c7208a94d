// Package source holds the bytes of inputs and the positions in them.
//
// A [File] is what lies on disk. A [Text] is something to be parsed: the file
// itself, or text embedded in other text (a message body held as a JSON string,
// the JSON inside a fence inside a quotation, a table cell). Every parser works
// on a Text and records byte spans of it; only the edge of the program turns a
// span into a place in the file (Text.ToFile) and into lines and columns
// (File.Position). Nobody ever searches for a text again to find its place.
//
// The package knows nothing of the protocol and does no I/O.
package source

import (
	"bytes"
	"sort"
	"sync"
	"unicode/utf8"
)

// Span is a range of bytes, End exclusive. The zero Span is the empty range at
// the start of the text.
type Span struct {
	Start, End int
}

// Len is the number of bytes in the span.
func (s Span) Len() int { return s.End - s.Start }

// Empty reports whether the span holds no byte.
func (s Span) Empty() bool { return s.End <= s.Start }

// Shift moves the span by n bytes.
func (s Span) Shift(n int) Span { return Span{s.Start + n, s.End + n} }

// Contains reports whether o lies within s.
func (s Span) Contains(o Span) bool { return s.Start <= o.Start && o.End <= s.End }

// Edit replaces the bytes of a span by a text.
type Edit struct {
	Span Span
	Text string
}

// Place is a span of a text: where something stands. The zero Place is nowhere.
type Place struct {
	Text *Text
	Span Span
}

// Known reports whether the place is somewhere.
func (p Place) Known() bool { return p.Text != nil }

// Position is a place for people: Line and Column count from 1, columns in
// Unicode code points, Offset in bytes from 0 (contract.md, JSON report).
type Position struct {
	Line   int `json:"line"`
	Column int `json:"column"`
	Offset int `json:"offset"`
}

// Range is a pair of positions, End exclusive.
type Range struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

var bom = []byte("\xef\xbb\xbf")

// Lines is a table of line starts, built on first use: a text without findings
// never pays for it. Lines end at \n; a \r before it belongs to the line end.
// It is safe for use by several goroutines.
type Lines struct {
	once   sync.Once
	starts []int
}

func (l *Lines) build(data []byte) {
	l.once.Do(func() {
		starts := make([]int, 1, 1+bytes.Count(data, []byte{'\n'}))
		for i := 0; ; {
			n := bytes.IndexByte(data[i:], '\n')
			if n < 0 {
				break
			}
			i += n + 1
			starts = append(starts, i)
		}
		l.starts = starts
	})
}

// position is the place of a byte offset in data. A byte order mark at the
// start is not counted in columns, but is in offsets (decisions.md 35).
func (l *Lines) position(data []byte, off int) Position {
	l.build(data)
	off = min(max(off, 0), len(data))
	line := sort.SearchInts(l.starts, off+1)
	start := l.starts[line-1]
	if start == 0 && bytes.HasPrefix(data, bom) && off >= len(bom) {
		start = len(bom)
	}
	return Position{Line: line, Column: utf8.RuneCount(data[start:off]) + 1, Offset: off}
}

// span is the text of a line (from 1) without its line end and byte order mark.
func (l *Lines) span(data []byte, line int) Span {
	l.build(data)
	if line < 1 || line > len(l.starts) {
		return Span{len(data), len(data)}
	}
	s := Span{l.starts[line-1], len(data)}
	if line < len(l.starts) {
		s.End = l.starts[line] - 1
	}
	if s.End > s.Start && data[s.End-1] == '\r' {
		s.End--
	}
	if s.Start == 0 && bytes.HasPrefix(data, bom) {
		s.Start = min(len(bom), s.End)
	}
	return s
}

// File is the bytes of one input. Its path is as given on the command line,
// with forward slashes; it is shown, never opened.
type File struct {
	Path string
	Data []byte

	lines Lines
}

// NewFile makes a File of bytes that nobody changes afterwards.
func NewFile(path string, data []byte) *File { return &File{Path: path, Data: data} }

// Position is the line and column of a byte offset.
func (f *File) Position(off int) Position { return f.lines.position(f.Data, off) }

// Range is the lines and columns of a span.
func (f *File) Range(s Span) Range { return Range{f.Position(s.Start), f.Position(s.End)} }

// Line is the span of a line (counted from 1) without its line end.
func (f *File) Line(n int) Span { return f.lines.span(f.Data, n) }

// Text is the file as a text to parse, without its byte order mark.
func (f *File) Text() *Text {
	start := 0
	if bytes.HasPrefix(f.Data, bom) {
		start = len(bom)
	}
	return &Text{Data: f.Data[start:], File: f, segs: []segment{{outer: start}}}
}
