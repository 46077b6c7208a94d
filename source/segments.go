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

// mapped maps an offset by segments. The end of a span is mapped by its last byte, so that the
// span does not include the bytes between two segments.
func mapped(segs []segment, off int, end bool) int {
	at := off
	if end {
		at--
	}
	i := sort.Search(len(segs), func(i int) bool { return int(segs[i].inner) > at }) - 1
	if i < 0 {
		return int(segs[0].outer)
	}
	switch g := segs[i]; {
	case at >= int(g.inner)+int(g.size):
		return int(g.outer) + int(g.atom) + off - int(g.inner) - int(g.size)
	case end:
		return int(g.outer) + int(g.atom)
	default:
		return int(g.outer)
	}
}
