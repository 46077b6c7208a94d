package lsp

import (
	"sort"

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

// Range is a part of a document; the end is exclusive.
type Range struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

// position returns a position of a file as the protocol counts.
func (unit encoding) position(p source.Position) Position {
	character := p.UTF16
	if unit == utf8Units {
		character = p.Byte
	}
	return Position{max(0, p.Line-1), max(0, character-1)}
}

// rangeOf returns a range of a finding. A finding without a range is at the beginning.
func (unit encoding) rangeOf(r *source.Range) Range {
	if r == nil {
		return Range{}
	}
	return Range{unit.position(r.Start), unit.position(r.End)}
}

// lines converts between offsets and positions of a text that does not change.
type lines struct {
	file *source.File
	unit encoding
}

func newLines(data []byte, unit encoding) lines { return lines{source.NewFile("", data), unit} }

// position returns the position of an offset.
func (l lines) position(off int) Position { return l.unit.position(l.file.Position(off)) }

// rangeOf returns the range of a span.
func (l lines) rangeOf(s source.Span) Range {
	return Range{l.position(s.Start), l.position(max(s.Start, s.End))}
}

// offset returns the offset of a position. One beyond the end of its line, or of the text, is
// at that end, and one in a character before it (LSP 3.17, Position).
func (l lines) offset(p Position) int {
	if p.Line < 0 {
		return 0
	}
	line := l.file.Whole().Line(p.Line + 1)
	character := func(n int) int { return source.RuneStart(l.file.Data[:line.End], line.Start+n) }
	beyond := sort.Search(line.Len()+1, func(n int) bool { return l.position(character(n)).Character > max(0, p.Character) })
	return character(max(0, beyond-1))
}

// span returns the span of a range, whichever of its ends comes first.
func (l lines) span(r Range) source.Span {
	s := source.Span{Start: l.offset(r.Start), End: l.offset(r.End)}
	if s.Start > s.End {
		s.Start, s.End = s.End, s.Start
	}
	return s
}
