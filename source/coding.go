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
	if t == nil || (t.coded != 0 || utf8.Valid(t.Data)) && hasNoLoneCR(t.Data) { // what is coded is valid
		return t
	}
	switch {
	case t.parent == nil && t.File == nil:
		return NewText(Normalized(t.Data))
	case t.coded == 0 && t.places.Load() != nil: // joined of parts
		return &Text{Data: Normalized(t.Data), File: t.File, parent: t, within: Span{0, len(t.Data)}, coded: normalized}
	}
	out := &Text{File: t.File, parent: t.parent, within: t.within, literal: t.literal, coded: t.coded | normalized}
	out.Data = out.coded.decode(make([]byte, 0, len(t.Data)), out.raw())
	return out
}

// Normalized is data as Normalize has it.
func Normalized(data []byte) []byte {
	if isNormal(data) {
		return data
	}
	return normalized.decode(make([]byte, 0, len(data)), data)
}

// ValidString returns a text with U+FFFD for each byte that is not UTF-8.
func ValidString(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return string([]rune(s))
}

func isNormal(data []byte) bool { return utf8.Valid(data) && hasNoLoneCR(data) }

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
	if t.parent == nil {
		return t.File.Bytes(t.within)
	}
	return t.parent.Bytes(t.within)
}

// decoder makes the bytes of a coded text or, if it maps, the map to it: a segment for
// everything that does not stand for itself.
type decoder struct {
	coding
	dst   []byte
	maps  bool
	valid bool // all is UTF-8
	segs  []segment
	inner int // how many bytes the map is of
}

// decode appends to dst what raw stands for. A surrogate without its partner becomes
// U+FFFD, as RFC 8259 section 8.2 leaves open.
func (c coding) decode(dst, raw []byte) []byte {
	if c == jsonString && utf8.Valid(raw) { // nearly always
		return appendUnescaped(dst, raw)
	}
	d := decoder{coding: c, dst: dst}
	d.decode(raw)
	return d.dst
}

func appendUnescaped(dst, raw []byte) []byte {
	for {
		i := bytes.IndexByte(raw, '\\')
		if i < 0 {
			return append(dst, raw...)
		}
		r, width := unescape(raw[i:])
		dst = utf8.AppendRune(append(dst, raw[:i]...), r)
		raw = raw[i+width:]
	}
}

// segments returns the map from what raw stands for to raw.
func (c coding) segments(raw []byte) []segment {
	d := decoder{coding: c, maps: true, valid: utf8.Valid(raw), segs: make([]segment, 1, 1+bytes.Count(raw, []byte{'\\'}))}
	d.decode(raw)
	return d.segs
}

func (d *decoder) decode(raw []byte) {
	for i := 0; i < len(raw); {
		n := len(raw)
		if d.coding&jsonString != 0 {
			n = nextByte(raw, i, '\\')
		}
		d.plain(raw[i:n], i)
		if i = n; i == len(raw) {
			break
		}
		r, width := unescape(raw[i:])
		if r == '\r' && d.coding&normalized != 0 && !startsLine(raw[i+width:]) {
			r = '\n'
		}
		d.atom(r, i, width)
		i += width
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
	if !d.maps {
		d.dst = utf8.AppendRune(d.dst, r)
		return
	}
	size := utf8.RuneLen(r)
	d.segs = append(d.segs, segment{inner: uint32(d.inner), outer: uint32(at), size: uint8(size), atom: uint8(width)})
	d.inner += size
}

// plain appends bytes at an offset that stand for themselves but for those that
// are not UTF-8 and for line ends.
func (d *decoder) plain(raw []byte, at int) {
	if d.valid {
		d.lines(raw)
		return
	}
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
	if d.maps {
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
