package source

import (
	"bytes"
	"sort"
)

// segment says that from byte "inner" of a text on, its bytes are in the outer text
// from byte "outer" of the part that it is in on: the first size bytes stand for atom
// bytes there, an escape or a byte that is not UTF-8, and plain bytes after them stand
// for themselves. What follows up to the next segment is not in the map of a long text.
// There are as many as a text has escapes, so that they are small: no text is 4 GiB.
type segment struct {
	inner, outer, plain uint32
	size, atom          uint8
}

// end is up to where a segment says where bytes are, and where that is outside.
func (g *segment) end() (inner, outer int) {
	return int(g.inner) + int(g.size) + int(g.plain), int(g.outer) + int(g.atom) + int(g.plain)
}

// A text of longText bytes has a segment every segmentSpacing bytes. What is between is
// decoded again when it is needed: a map of each escape takes as much as the text.
const (
	longText       = 64 << 10
	segmentSpacing = 512
)

// mapping is where the bytes of a text are in the text around it.
type mapping struct {
	segments []segment
	// escapes, if not nil, are counts of escapes instead of segments, which take more
	// memory (countEscapes).
	escapes []uint32
}

// mapping returns where the bytes of a text are in the parent, nil if they are there one to
// one. That of a coded text is made on first need.
func (t *Text) mapping() *mapping {
	if m := t.places.Load(); m != nil {
		return m
	}
	switch {
	case t.coded == 0:
		return nil
	case t.evicted != nil:
		r := t.evicted.load(t.decode)
		r.mapped.Do(func() { r.places = t.mapped(r.data) })
		return r.places
	}
	m := t.mapped(t.Data)
	t.places.Store(m)
	return m
}

// mapped makes the mapping of a coded text with these bytes.
func (t *Text) mapped(data []byte) *mapping {
	if t.coded == jsonString {
		if escapes := countEscapes(data, t.within.Len()); escapes != nil {
			return &mapping{escapes: escapes}
		}
	}
	return &mapping{segments: t.segments()}
}

// segments makes the segments of a coded text.
func (t *Text) segments() []segment {
	raw := t.raw()
	escapes := 0
	if t.coded&jsonString != 0 {
		escapes = bytes.Count(raw, []byte{'\\'})
	}
	if len(raw) >= longText {
		escapes = min(escapes, 2*len(raw)/segmentSpacing)
	}
	_, segs := t.coded.decode(nil, raw, make([]segment, 1, 1+escapes))
	return segs
}

// outer maps an offset to the enclosing text, by the mapping of t. The end of a span is mapped by
// its last byte, so that a span never swallows what lies between two segments.
func (t *Text) outer(m *mapping, off int, end bool) int {
	switch {
	case m == nil:
		return t.within.Start + off
	case m.escapes != nil:
		at := off / escapeSpacing
		return t.within.Start + off + int(m.escapes[at]) + usualEscapes(t.Bytes(Span{at * escapeSpacing, off}))
	}
	segs := m.segments
	at := off
	if end {
		at--
	}
	i := segmentAt(segs, at)
	if i < 0 {
		return t.within.Start + int(segs[0].outer)
	}
	if inner, outer := segs[i].end(); t.coded != 0 && at >= inner {
		next := t.within.Len()
		if i+1 < len(segs) {
			next = int(segs[i+1].outer)
		}
		_, near := t.coded.decode(nil, t.rawPart(Span{outer, next}), make([]segment, 1, 64))
		return t.within.Start + outer + near[segmentAt(near, at-inner)].place(off-inner, end)
	}
	return t.within.Start + segs[i].place(off, end)
}

// segmentAt returns the segment that a byte is in, -1 if it is before them all.
func segmentAt(segs []segment, at int) int {
	return sort.Search(len(segs), func(i int) bool { return int(segs[i].inner) > at }) - 1
}

// place maps an offset in the segment, or the end of a span whose last byte is in it.
func (g *segment) place(off int, end bool) int {
	at := off
	if end {
		at--
	}
	switch inner, outer := int(g.inner), int(g.outer); {
	case at >= inner+int(g.size):
		return outer + int(g.atom) + off - inner - int(g.size)
	case end:
		return outer + int(g.atom)
	default:
		return outer
	}
}
