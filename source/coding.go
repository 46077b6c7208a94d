package source

import (
	"bytes"
	"unicode/utf8"
)

// coding says how the bytes of a text are made from the bytes of the text around it.
type coding uint8

const (
	jsonString coding = 1 << iota // escapes are decoded
	normalized                    // as Normalize does
)

// Normalize returns the text as Markdown reads it: a lone carriage return becomes a line
// feed, and each byte that is not UTF-8 becomes U+FFFD. Places in the result map back to
// the file. A text that needs no change is returned as it is.
func (t *Text) Normalize() *Text {
	if t == nil || (t.coded != 0 || utf8.Valid(t.Data)) && hasNoLoneCR(t.Data) { // coded text is valid
		return t
	}
	garbled := t.Garbled || !utf8.Valid(t.Data)
	switch {
	case t.parent == nil && t.File == nil:
		return &Text{Data: Normalized(t.Data), Garbled: garbled}
	case t.coded == 0 && t.places.Load() != nil: // joined from parts
		return &Text{Data: Normalized(t.Data), File: t.File, Garbled: garbled, parent: t, within: Span{0, len(t.Data)}, coded: normalized}
	}
	out := &Text{File: t.File, Garbled: garbled, parent: t.parent, within: t.within, literal: t.literal, coded: t.coded | normalized}
	out.Data = out.coded.decode(make([]byte, 0, len(t.Data)), out.raw())
	return out
}

// Normalized returns data as Normalize would.
func Normalized(data []byte) []byte {
	if isNormal(data) {
		return data
	}
	return normalized.decode(make([]byte, 0, len(data)), data)
}

// ValidString returns data with U+FFFD instead of each byte that is not UTF-8.
func ValidString(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return string([]rune(s))
}

func isNormal(data []byte) bool { return utf8.Valid(data) && hasNoLoneCR(data) }

func hasNoLoneCR(data []byte) bool { return loneCR(data, 0) == len(data) }

// NormalizedLines returns data with a line feed instead of each lone carriage return. All
// offsets stay the same.
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

// loneCR returns the offset of the first carriage return at or after i that no line feed
// follows, or len(data).
func loneCR(data []byte, i int) int {
	for ; i < len(data); i += 2 {
		if i = nextByte(data, i, '\r'); i == len(data) || i+1 == len(data) || data[i+1] != '\n' {
			return i
		}
	}
	return len(data)
}

// raw returns the undecoded bytes of an embedded text or of a file.
func (t *Text) raw() []byte {
	if t.parent == nil {
		return t.File.Bytes(t.within)
	}
	return t.parent.Bytes(t.within)
}

// decoder makes the bytes of a coded text or, if it maps, the map to them: a segment for
// every byte sequence that is decoded to something else.
type decoder struct {
	coding
	dst   []byte
	maps  bool
	valid bool // all is UTF-8
	segs  []segment
	inner int // how many bytes are mapped so far
}

// decode appends the decoded form of raw to dst. A surrogate without its partner becomes
// U+FFFD; RFC 8259, section 8.2, leaves that open.
func (c coding) decode(dst, raw []byte) []byte {
	if c == jsonString && utf8.Valid(raw) { // the usual case
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

// segments returns the map from the decoded form of raw to raw.
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

// startsLine reports whether a line feed follows, perhaps as an escape.
func startsLine(raw []byte) bool {
	if len(raw) == 0 || raw[0] != '\\' {
		return len(raw) > 0 && raw[0] == '\n'
	}
	r, _ := unescape(raw)
	return r == '\n'
}

// atom appends the character that some bytes at an offset are decoded to.
func (d *decoder) atom(r rune, at, width int) {
	if !d.maps {
		d.dst = utf8.AppendRune(d.dst, r)
		return
	}
	size := utf8.RuneLen(r)
	d.segs = append(d.segs, segment{inner: uint32(d.inner), outer: uint32(at), size: uint8(size), atom: uint8(width)})
	d.inner += size
}

// plain appends bytes at an offset as they are, except for invalid UTF-8 and line ends.
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
