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
	"sync/atomic"
	"unicode/utf8"
)

// Span is a range of bytes, End exclusive. The zero Span is the empty range at
// the start of the text.
type Span struct {
	Start, End int
}

// Len returns the number of bytes in the span.
func (s Span) Len() int { return s.End - s.Start }

// Empty reports whether the span holds no byte.
func (s Span) Empty() bool { return s.End <= s.Start }

// Shift moves the span by n bytes.
func (s Span) Shift(n int) Span { return Span{s.Start + n, s.End + n} }

// Contains reports whether o lies within s.
func (s Span) Contains(o Span) bool { return s.Start <= o.Start && o.End <= s.End }

// Trim returns the span without the white space at both ends of it. What is left of a
// blank one is empty, at its end.
func (s Span) Trim(data []byte) Span {
	for s.Start < s.End && IsSpace(data[s.Start]) {
		s.Start++
	}
	for s.End > s.Start && IsSpace(data[s.End-1]) {
		s.End--
	}
	return s
}

// IsSpace reports whether a byte is white space in JSON and Markdown.
func IsSpace(c byte) bool { return c <= ' ' && (c == ' ' || c == '\t' || c == '\n' || c == '\r') }

// Valid reports whether data is UTF-8. For text that is mostly ASCII it is faster than
// utf8.Valid.
func Valid(data []byte) bool { return ValidLen(data) == len(data) }

// ValidLen returns how many bytes are before the first that is not UTF-8.
func ValidLen(data []byte) int {
	for at := 0; ; {
		if at += ASCIILen(data[at:]); at == len(data) {
			return at
		}
		r, n := utf8.DecodeRune(data[at:])
		if r == utf8.RuneError && n <= 1 {
			return at
		}
		at += n
	}
}

// RuneStart returns the start of the character that the byte at i belongs to; i itself at
// the end of s, and where the bytes before it are not UTF-8.
func RuneStart[T string | []byte](s T, i int) int {
	for start := i; i < len(s) && start >= 0 && start > i-utf8.UTFMax; start-- {
		if utf8.RuneStart(s[start]) {
			return start
		}
	}
	return i
}

// Place is a span of a text: where something is. The zero Place is nowhere.
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

	// Byte and UTF16 are the column in the units that other formats count: bytes
	// of the line, a byte order mark included, and UTF-16 code units. Both count
	// from 1; 0 means that they were not computed.
	Byte  int `json:"-"`
	UTF16 int `json:"-"`
}

// Range is a pair of positions, End exclusive.
type Range struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

// BOM is the byte order mark that may begin a file. It is not part of its text.
const BOM = "\ufeff"

// File is the bytes of one input, or a window of them. Its path is as given on
// the command line, with forward slashes; it is shown, never opened. All
// offsets and spans of a File count from the start of the input, also those of
// a window: use Bytes to look at them.
type File struct {
	Path string
	Data []byte // the whole input, or the window; nil if it was evicted

	base    int             // offset of Data in the input
	start   func() Position // position of the window, nil at the start of the input
	whole   *File           // what the window is a part of, if that is in memory
	lines   atomic.Pointer[lineTable]
	evicted *evicted
}

// NewFile makes a File of bytes, which must not change afterwards.
func NewFile(path string, data []byte) *File { return &File{Path: path, Data: data} }

// NewWindow makes a File of a part of an input that is not held whole: data
// begins at offset base, and start returns the line and column of that place. It is
// only called when a position is asked for, perhaps concurrently.
func NewWindow(path string, data []byte, base int, start func() Position) *File {
	if base == 0 {
		start = nil
	}
	return &File{Path: path, Data: data, base: base, start: start}
}

// Window makes a File of a part of one that is in memory, and stays there as long as the
// window does. All windows find their positions with the help of one table.
func (f *File) Window(s Span) *File {
	return &File{Path: f.Path, Data: f.Bytes(s), base: s.Start, whole: f}
}

// Position returns the line and column of a byte offset.
func (f *File) Position(off int) Position {
	if f.whole != nil {
		return f.whole.Position(off)
	}
	p := f.table().position(f.view(), off-f.base)
	f.toInput(&p)
	return p
}

// Range returns the lines and columns of a span.
func (f *File) Range(s Span) Range {
	if f.whole != nil {
		return f.whole.Range(s)
	}
	r := f.table().rangeOf(f.view(), s.Shift(-f.base))
	f.toInput(&r.Start, &r.End)
	return r
}

// toInput turns positions in Data into those in the input.
func (f *File) toInput(positions ...*Position) {
	var start Position // of Data
	if f.start != nil {
		start = f.start()
	}
	for _, p := range positions {
		p.Offset += f.base
		if start.Line == 0 {
			continue
		}
		if p.Line == 1 {
			p.Column += start.Column - 1
			p.Byte += start.Byte - 1
			p.UTF16 += start.UTF16 - 1
		}
		p.Line += start.Line - 1
	}
}

// Base returns the offset of Data in the input: 0 but for a window.
func (f *File) Base() int { return f.base }

// Bytes returns the bytes of a span, not copied if the file is in memory.
func (f *File) Bytes(s Span) []byte {
	c := f.view()
	return c.bytes(s.Shift(-f.base))
}

// Place returns the place of a span of the file.
func (f *File) Place(s Span) Place {
	if f.base == 0 { // offsets of the whole file, byte order mark included
		c := f.view()
		data := c.all()
		return Place{&Text{Data: data, File: f, within: Span{0, len(data)}}, s}
	}
	return Place{f.Text(), s.Shift(-f.base)}
}

// Text returns the file as a text to parse, without its byte order mark.
func (f *File) Text() *Text {
	start := 0
	if f.base == 0 && bytes.HasPrefix(f.Data, []byte(BOM)) {
		start = len(BOM)
	}
	return &Text{Data: f.Data[start:], File: f, within: Span{f.base + start, f.base + len(f.Data)}}
}
