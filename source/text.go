package source

import (
	"bytes"
	"sort"
	"sync/atomic"
)

// Text is a text to parse, with a map back to where it is in the file. A text from a database
// has no file.
//
// Line starts and maps of escapes are made on first use, because there are many texts.
type Text struct {
	Data []byte // never changed
	File *File  // nil if no file holds these bytes as they are (SQLite)
	// Garbled reports that bytes of it, or of the text around it, were read as U+FFFD because
	// they are not UTF-8.
	Garbled bool

	parent  *Text  // the text it is embedded in, nil if that is the file
	within  Span   // where it is in the parent (or file)
	literal bool   // it is the content of a JSON string literal of its parent
	coded   coding // how its bytes are made from those of the parent (or file)

	// segments are where its bytes are in the parent; nil if they are the same there, from
	// within.Start. For a coded text it is made on first use.
	segments atomic.Pointer[[]segment]
	lines    atomic.Pointer[lineTable]
}

// NewText makes a text that is not in a file, such as a body from a database.
func NewText(data []byte) *Text { return &Text{Data: data} }

// Sub returns a contiguous part of a text as a text of its own.
func (t *Text) Sub(s Span) *Text {
	return &Text{Data: t.Data[s.Start:s.End:s.End], File: t.File, Garbled: t.Garbled, parent: t, within: s}
}

// Join returns the concatenation of parts of a text, such as the content of a fence whose
// lines are indented or quoted.
func (t *Text) Join(parts []Span) *Text {
	if len(parts) == 0 {
		return t.Sub(Span{})
	}
	contiguous, size := true, 0
	for i, p := range parts {
		size += p.Len()
		contiguous = contiguous && (i == 0 || parts[i-1].End == p.Start)
	}
	if contiguous {
		return t.Sub(Span{parts[0].Start, parts[len(parts)-1].End})
	}
	out := &Text{Data: make([]byte, 0, size), File: t.File, Garbled: t.Garbled, parent: t}
	segs := make([]segment, 0, len(parts))
	for _, p := range parts {
		segs = append(segs, segment{inner: uint32(len(out.Data)), outer: uint32(p.Start)})
		out.Data = append(out.Data, t.Data[p.Start:p.End]...)
	}
	out.segments.Store(&segs)
	return out
}

// Replace returns the text with another text in place of a span, such as a byte that was lost. The
// span has at most 255 bytes.
func (t *Text) Replace(s Span, by string) *Text {
	data := make([]byte, 0, len(t.Data)-s.Len()+len(by))
	data = append(append(append(data, t.Data[:s.Start]...), by...), t.Data[s.End:]...)
	out := &Text{Data: data, File: t.File, Garbled: t.Garbled, parent: t, within: Span{0, len(t.Data)}}
	segs := []segment{{}, {inner: uint32(s.Start), outer: uint32(s.Start), size: uint8(len(by)), atom: uint8(s.Len())}}
	out.segments.Store(&segs)
	return out
}

// toParent maps a span to the enclosing text.
func (t *Text) toParent(s Span) Span {
	out := Span{s.Start, max(s.Start, s.End)}
	if segs := t.mapping(); segs != nil {
		out.Start = startOf(segs, s.Start)
		if out.End = out.Start; !s.Empty() {
			out.End = endOf(segs, s.End)
		}
	}
	return out.Shift(t.within.Start)
}

// ToFile maps a span to the bytes of the file; false if no file holds them.
func (t *Text) ToFile(s Span) (Span, bool) {
	if t == nil || t.File == nil {
		return Span{}, false
	}
	for ; t != nil; t = t.parent {
		s = t.toParent(s)
	}
	return s, true
}

// FromFile returns the offset in the text of the character at an offset of its file; -1 if that is
// outside of the text.
func (t *Text) FromFile(off int) int {
	at := sort.Search(t.Len(), func(i int) bool {
		s, _ := t.ToFile(Span{i, i + 1})
		return s.End > off
	})
	if s, _ := t.ToFile(Span{at, at}); s.Start > off || at == t.Len() && s.Start < off {
		return -1
	}
	return at
}

// IsFile reports whether the text is the file itself, not one embedded in it.
func (t *Text) IsFile() bool { return t.File != nil && t.parent == nil }

// IsPlain reports whether the text is in the file as it is, not in a JSON
// string: its lines are lines of the file.
func (t *Text) IsPlain() bool {
	in := t
	for in.parent != nil && !in.literal {
		in = in.parent
	}
	return in.IsFile()
}

// Within maps a span of t to an enclosing text; false if t is not in it.
func (t *Text) Within(outer *Text, s Span) (Span, bool) {
	for ; t != nil; t = t.parent {
		if t == outer {
			return s, true
		}
		s = t.toParent(s)
	}
	return Span{}, false
}

// Place returns the place of a span of this text.
func (t *Text) Place(s Span) Place { return Place{t, s} }

// WholePlace returns the place of the whole text, or the zero Place for a nil text.
func (t *Text) WholePlace() Place {
	if t == nil {
		return Place{}
	}
	return Place{t, Span{0, t.Len()}}
}

// Position returns the line and column of an offset in this text.
func (t *Text) Position(off int) Position { return t.table().position(t.Data, off) }

// LineAt returns the line of an offset, counted from 1.
func (t *Text) LineAt(off int) int { return t.table().line(t.Data, off) }

// LineStart returns where the line of an offset begins, without building the line table.
func (t *Text) LineStart(off int) int { return bytes.LastIndexByte(t.Data[:off], '\n') + 1 }

// Line returns the span of a line (counted from 1) without its line end.
func (t *Text) Line(n int) Span { return t.table().span(t.Data, n) }

// table returns the table of lines. Texts that are the whole file share the table of the
// file, because there may be one for each message of an export.
func (t *Text) table() *lineTable {
	if t.IsFile() && t.coded == 0 && t.within == (Span{0, len(t.File.Data)}) {
		return &t.File.lines
	}
	if t.lines.Load() == nil {
		t.lines.CompareAndSwap(nil, new(lineTable))
	}
	return t.lines.Load()
}

// Len returns the length of a text in bytes.
func (t *Text) Len() int { return len(t.Data) }

// String returns the whole text, or "" for a nil text.
func (t *Text) String() string {
	if t == nil {
		return ""
	}
	return string(t.Data)
}

// Slice returns the bytes of a span as a string.
func (t *Text) Slice(s Span) string { return string(t.Data[s.Start:s.End]) }

// Bytes returns the bytes of a span, not copied.
func (t *Text) Bytes(s Span) []byte { return t.Data[s.Start:s.End] }
