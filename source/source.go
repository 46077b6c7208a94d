// Package source holds the bytes of inputs and the positions in them.
//
// A [File] is the content of an input. A [Text] is something to parse: the file itself, or
// text embedded in other text (a message body in a JSON string, the JSON of a fence in a
// quotation, a table cell). Every parser works on a Text and records byte spans of it.
// Only the edge of the program turns a span into a place in the file (Text.ToFile) and
// into lines and columns (File.Position). No code searches for a text again to find its
// place.
//
// The package knows nothing of the protocol and does no I/O.
package source

import (
	"bytes"
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

// Trim returns a span of data without the white space at both ends. For a blank span it returns
// the empty span at its end.
func Trim[T ~string | ~[]byte](data T, s Span) Span {
	for s.Start < s.End && IsSpace(data[s.Start]) {
		s.Start++
	}
	for s.End > s.Start && IsSpace(data[s.End-1]) {
		s.End--
	}
	return s
}

// Blank puts spaces in place of a span of data, so that all offsets and lines stay.
func Blank(data []byte, s Span) {
	for i := s.Start; i < s.End; i++ {
		if data[i] != '\n' && data[i] != '\r' {
			data[i] = ' '
		}
	}
}

// IsSpace reports whether a byte is white space in JSON and Markdown.
func IsSpace(c byte) bool { return c <= ' ' && (c == ' ' || c == '\t' || c == '\n' || c == '\r') }

// ValidLen returns the length of the valid UTF-8 that data begins with.
func ValidLen(data []byte) int {
	if utf8.Valid(data) {
		return len(data)
	}
	for at := 0; ; {
		r, n := utf8.DecodeRune(data[at:])
		if r == utf8.RuneError && n <= 1 {
			return at
		}
		at += n
	}
}

// RuneStart returns the start of the character that contains the byte at i. It returns i if i is
// the end of s, or if the bytes before i are not UTF-8.
func RuneStart[T string | []byte](s T, i int) int {
	for start := i; i < len(s) && start >= 0 && start > i-utf8.UTFMax; start-- {
		if utf8.RuneStart(s[start]) {
			return start
		}
	}
	return i
}

// LineEnd returns the offset of the first line feed at or after i, or the length of data.
func LineEnd(data []byte, i int) int { return nextByte(data, i, '\n') }

// SkipSpace returns the offset of the first byte at or after i that is not white space of JSON.
func SkipSpace(data []byte, i int) int {
	return len(data) - len(bytes.TrimLeft(data[i:], " \t\r\n"))
}

// Place is a span of a text. The zero Place is nowhere.
type Place struct {
	Text *Text
	Span Span
}

// Known reports whether the place is not the zero Place.
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

// File is the bytes of one input. Its path is as given on the command line, with forward
// slashes; it is shown, never opened.
type File struct {
	Path string
	Data []byte

	lines lineTable
}

// NewFile makes a File of bytes, which must not change afterwards.
func NewFile(path string, data []byte) *File { return &File{Path: path, Data: data} }

// Position returns the line and column of a byte offset.
func (f *File) Position(off int) Position { return f.lines.position(f.Data, off) }

// Range returns the lines and columns of a span.
func (f *File) Range(s Span) Range { return Range{f.Position(s.Start), f.Position(s.End)} }

// Bytes returns the bytes of a span, not copied.
func (f *File) Bytes(s Span) []byte { return f.Data[s.Start:s.End:s.End] }

// Whole returns the file as a text, byte order mark included: offsets in it are those of
// the file.
func (f *File) Whole() *Text { return f.Part(Span{0, len(f.Data)}) }

// Part returns a part of the file as a text of its own, so that reports show nothing around it.
func (f *File) Part(s Span) *Text { return &Text{Data: f.Bytes(s), File: f, within: s} }

// Place returns the place of a span of the file.
func (f *File) Place(s Span) Place { return Place{f.Whole(), s} }

// Text returns the file as a text to parse, without its byte order mark.
func (f *File) Text() *Text {
	start := 0
	if bytes.HasPrefix(f.Data, []byte(BOM)) {
		start = len(BOM)
	}
	return &Text{Data: f.Data[start:], File: f, within: Span{start, len(f.Data)}}
}
