package source

import (
	"bytes"
	"unicode/utf8"
)

// coding says how the bytes of a text are made of those that it is in.
type coding uint8

const (
	jsonString coding = 1 << iota // escapes are decoded
	normalized                    // as Normalize does
)

// Normalize returns the text as Markdown is read: a carriage return alone is a line
// feed, and each byte that is not UTF-8 is U+FFFD. It maps back to its place as
// the text does. A text that is so already is returned as it is.
func (t *Text) Normalize() *Text {
	if t == nil || (t.coded != 0 || Valid(t.Data)) && hasNoLoneCR(t.Data) { // what is coded is valid
		return t
	}
	switch {
	case t.parent == nil && t.File == nil:
		return NewText(Normalized(t.Data))
	case t.coded == 0 && t.places.Load() != nil: // joined of parts
		return &Text{Data: Normalized(t.Data), File: t.File, parent: t, within: Span{0, len(t.Data)}, coded: normalized}
	}
	out := &Text{File: t.File, parent: t.parent, within: t.within, literal: t.literal, coded: t.coded | normalized}
	out.Data, _ = out.coded.decode(make([]byte, 0, len(t.Data)), out.raw(), nil)
	return out
}

// Normalized is data as Normalize has it.
func Normalized(data []byte) []byte {
	if isNormal(data) {
		return data
	}
	out, _ := normalized.decode(make([]byte, 0, len(data)), data, nil)
	return out
}

// ValidString returns a text with U+FFFD for each byte that is not UTF-8.
func ValidString(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return string([]rune(s))
}

func isNormal(data []byte) bool { return Valid(data) && hasNoLoneCR(data) }

func hasNoLoneCR(data []byte) bool { return loneCR(data, 0) == len(data) }

// NormalizedLines is data with a line feed for each carriage return that is alone,
// so that all offsets stay.
func NormalizedLines(data []byte) []byte {
	at := loneCR(data, 0)
	if at == len(data) {
		return data
	}
	out := bytes.Clone(data)
	for ; at < len(data); at = loneCR(data, at+1) {
		out[at] = '\n'
	}
	return out
}

// loneCR returns where the first carriage return from i on is that no line feed
// follows, len(data) if there is none.
func loneCR(data []byte, i int) int {
	for ; i < len(data); i += 2 {
		if i = nextByte(data, i, '\r'); i == len(data) || i+1 == len(data) || data[i+1] != '\n' {
			return i
		}
	}
	return len(data)
}

// raw returns the bytes that an embedded text, or that of a file, is made of.
func (t *Text) raw() []byte {
	return t.rawPart(Span{0, t.within.Len()})
}

// rawPart returns a part of them.
func (t *Text) rawPart(s Span) []byte {
	s = s.Shift(t.within.Start)
	if t.parent == nil {
		return t.File.Bytes(s)
	}
	return t.parent.Bytes(s)
}

// decoder makes the bytes of a coded text or, if segs is not nil, the map to it: an
// atom for everything that does not stand for itself.
type decoder struct {
	coding
	dst  []byte
	segs []segment

	spacing int  // how far apart segments are at least, if there are many
	inner   int  // how many bytes the map is of
	from    int  // where what stands for itself begins, after the last atom
	exact   bool // the last atom has a segment
}

// decode appends to dst what raw stands for or, if segs is not nil, to segs the map to
// it. A surrogate without its partner becomes U+FFFD, as RFC 8259 section 8.2
// leaves open.
func (c coding) decode(dst, raw []byte, segs []segment) ([]byte, []segment) {
	if c == jsonString && (segs == nil || len(raw) < longText) && Valid(raw) {
		if segs == nil {
			return appendUnescaped(dst, raw), nil
		}
		return dst, mapUnescaped(segs, raw)
	}
	d := decoder{coding: c, dst: dst, segs: segs, exact: true}
	if len(raw) >= longText {
		d.spacing = segmentSpacing
	}
	if c&jsonString == 0 {
		d.plain(raw, 0)
		d.settle(len(raw))
		return d.dst, d.segs
	}
	for i := 0; i < len(raw); {
		n := nextByte(raw, i, '\\')
		d.plain(raw[i:n], i)
		if i = n; i == len(raw) {
			break
		}
		r, width := unescape(raw[i:])
		if r == '\r' && c&normalized != 0 && !startsLine(raw[i+width:]) {
			r = '\n'
		}
		d.atom(r, i, width)
		i += width
	}
	d.settle(len(raw))
	return d.dst, d.segs
}

// appendUnescaped appends what raw stands for, the inside of a JSON string that is valid
// UTF-8: nearly all are.
func appendUnescaped(dst, raw []byte) []byte {
	for {
		i := bytes.IndexByte(raw, '\\')
		if i < 0 {
			return append(dst, raw...)
		}
		if i+1 < len(raw) && shortEscapes[raw[i+1]] != 0 { // as most
			dst = append(dst, raw[:i+1]...)
			dst[len(dst)-1] = shortEscapes[raw[i+1]] // instead of the backslash
			raw = raw[i+2:]
			continue
		}
		dst = append(dst, raw[:i]...)
		r, width := unescape(raw[i:])
		dst = utf8.AppendRune(dst, r)
		raw = raw[i+width:]
	}
}

// shortEscapes are what the escapes of a backslash and one letter stand for.
var shortEscapes = [256]byte{
	'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t',
}

// mapUnescaped appends the map to raw of what appendUnescaped makes of it: a segment for
// each escape.
func mapUnescaped(segs []segment, raw []byte) []segment {
	for inner, outer := 0, 0; ; {
		last := &segs[len(segs)-1]
		n := bytes.IndexByte(raw[outer:], '\\')
		if n < 0 {
			last.plain = uint32(len(raw) - outer)
			return segs
		}
		last.plain = uint32(n)
		inner, outer = inner+n, outer+n
		size, width := 1, 2 // of most
		if outer+1 == len(raw) || shortEscapes[raw[outer+1]] == 0 {
			var r rune
			r, width = unescape(raw[outer:])
			size = utf8.RuneLen(r)
		}
		segs = append(segs, segment{inner: uint32(inner), outer: uint32(outer), size: uint8(size), atom: uint8(width)})
		inner, outer = inner+size, outer+width
	}
}

// startsLine reports whether a line feed follows, which may be an escape.
func startsLine(raw []byte) bool {
	if len(raw) == 0 || raw[0] != '\\' {
		return len(raw) > 0 && raw[0] == '\n'
	}
	r, _ := unescape(raw)
	return r == '\n'
}

// atom appends a character that some bytes at an offset stand for.
func (d *decoder) atom(r rune, at, width int) {
	if d.segs == nil {
		d.dst = utf8.AppendRune(d.dst, r)
		return
	}
	d.settle(at)
	size := utf8.RuneLen(r)
	if d.exact = d.inner-int(d.segs[len(d.segs)-1].inner) >= d.spacing; d.exact {
		d.segs = append(d.segs, segment{inner: uint32(d.inner), outer: uint32(at), size: uint8(size), atom: uint8(width)})
	}
	d.inner += size
	d.from = at + width
}

// settle notes what stands for itself between the last atom and an offset.
func (d *decoder) settle(at int) {
	plain := at - d.from
	switch {
	case d.segs == nil:
	case d.exact:
		d.segs[len(d.segs)-1].plain = uint32(plain)
	case plain >= d.spacing:
		d.segs = append(d.segs, segment{inner: uint32(d.inner - plain), outer: uint32(d.from), plain: uint32(plain)})
	}
}

// plain appends bytes at an offset that stand for themselves but for those that
// are not UTF-8 and for line ends.
func (d *decoder) plain(raw []byte, at int) {
	for i := 0; i < len(raw); {
		n := ValidLen(raw[i:])
		d.lines(raw[i : i+n])
		if i += n; i < len(raw) {
			d.atom(utf8.RuneError, at+i, 1)
			i++
		}
	}
}

// lines appends valid text.
func (d *decoder) lines(valid []byte) {
	if d.segs != nil {
		d.inner += len(valid)
		return
	}
	start := len(d.dst)
	d.dst = append(d.dst, valid...)
	if d.coding&normalized == 0 {
		return
	}
	for i := loneCR(valid, 0); i < len(valid); i = loneCR(valid, i+1) {
		d.dst[start+i] = '\n'
	}
}
