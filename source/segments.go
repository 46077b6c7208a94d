package source

import "sort"

// segment maps a part of a text to the text around it. The part begins at byte "inner" of
// the text, and at byte "outer" of the part of the outer text that holds the text. Its
// first size bytes are decoded from atom bytes there (an escape, or a byte that is not
// UTF-8). All bytes after them, up to the next segment, are the same in both.
type segment struct {
	inner, outer uint32 // texts are smaller than 4 GiB
	size, atom   uint8
}

// mapping returns where the bytes of a text are in the parent, or nil if they are the same
// there. For a coded text it is made on first use, because most texts have no finding.
func (t *Text) mapping() []segment {
	if m := t.segments.Load(); m != nil {
		return *m
	}
	if t.coded == 0 {
		return nil
	}
	segs := t.coded.segments(t.raw())
	t.segments.Store(&segs)
	return segs
}

// segmentOf returns the segment of a byte, and the byte's offset after the decoded part; negative
// inside it.
func segmentOf(segs []segment, off int) (g segment, afterAtom int) {
	i := sort.Search(len(segs), func(i int) bool { return int(segs[i].inner) > off })
	g = segs[i-1] // the first begins at 0
	return g, off - int(g.inner) - int(g.size)
}

// startOf returns where a span begins in the text around a text.
func startOf(segs []segment, off int) int {
	g, afterAtom := segmentOf(segs, off)
	if afterAtom < 0 {
		return int(g.outer)
	}
	return int(g.outer) + int(g.atom) + afterAtom
}

// endOf returns where a span that is not empty ends there: behind its last byte, so that it does not
// include the bytes between two segments.
func endOf(segs []segment, off int) int {
	g, afterAtom := segmentOf(segs, off-1)
	return int(g.outer) + int(g.atom) + max(afterAtom+1, 0)
}
