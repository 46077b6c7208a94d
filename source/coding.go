package source

import (
	"bytes"
	"unicode/utf8"
)

// coding says how a text was decoded from the text around it: a JSON string, or normalized line
// ends. Both turn each invalid byte into U+FFFD.
type coding uint8

const (
	jsonString coding = iota + 1 // escapes are decoded
	normalized                   // a lone carriage return becomes a line feed
)

// Normalize returns the text as Markdown reads it: a lone carriage return becomes a line
// feed, and each byte that is not UTF-8 becomes U+FFFD. Places in the result map back to
// the file. A text that needs no change is returned as it is.
func (t *Text) Normalize() *Text {
	if t == nil || (t.coded != 0 || utf8.Valid(t.Data)) && hasNoLoneCR(t.Data) { // coded text is valid
		return t
	}
	out := &Text{Data: normalized.decode(make([]byte, 0, len(t.Data)), t.Data), File: t.File, Garbled: t.Garbled || !utf8.Valid(t.Data)}
	switch {
	case t.parent == nil && t.File == nil:
	case t.coded != 0 || t.segments.Load() != nil: // decoded, or joined from parts
		out.parent, out.within, out.coded = t, Span{0, len(t.Data)}, normalized
	default:
		out.parent, out.within, out.literal, out.coded = t.parent, t.within, t.literal, normalized
	}
	return out
}

// ValidString returns s with U+FFFD instead of each byte that is not UTF-8.
func ValidString(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return string([]rune(s))
}

func hasNoLoneCR(data []byte) bool { return loneCR(data, 0) == len(data) }

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

// nextByte returns the offset of c at or after i, or len(data).
func nextByte(data []byte, i int, c byte) int {
	if n := bytes.IndexByte(data[i:], c); n >= 0 {
		return i + n
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

// replace calls each for the bytes of raw that are decoded to something else: their offset,
// their number and the character that they become. A surrogate without its partner becomes
// U+FFFD; RFC 8259, section 8.2, leaves that open.
func (c coding) replace(raw []byte, each func(at, width int, by rune)) {
	next := func(i int) int { return loneCR(raw, i) }
	if c == jsonString {
		next = func(i int) int { return nextByte(raw, i, '\\') }
	}
	valid := utf8.Valid(raw)
	for i := 0; i < len(raw); {
		end := next(i)
		for !valid && i < end {
			if i += ValidLen(raw[i:end]); i < end {
				each(i, 1, utf8.RuneError)
				i++
			}
		}
		if i = end; i == len(raw) {
			return
		}
		r, width := '\n', 1
		if c == jsonString {
			r, width = unescape(raw[i:])
		}
		each(i, width, r)
		i += width
	}
}

// decode appends the decoded form of raw to dst.
func (c coding) decode(dst, raw []byte) []byte {
	from := 0
	if c == jsonString && utf8.Valid(raw) { // the same, without a call for each escape: 5 % of mail in JSON
		for at := nextByte(raw, 0, '\\'); at < len(raw); at = nextByte(raw, from, '\\') {
			r, width := unescape(raw[at:])
			dst = utf8.AppendRune(append(dst, raw[from:at]...), r)
			from = at + width
		}
		return append(dst, raw[from:]...)
	}
	c.replace(raw, func(at, width int, by rune) {
		dst = utf8.AppendRune(append(dst, raw[from:at]...), by)
		from = at + width
	})
	return append(dst, raw[from:]...)
}

// segments returns the map from the decoded form of raw to raw.
func (c coding) segments(raw []byte) []segment {
	segs := make([]segment, 1, 1+bytes.Count(raw, []byte{'\\'}))
	inner, from := 0, 0
	c.replace(raw, func(at, width int, by rune) {
		inner += at - from
		from = at + width
		segs = append(segs, segment{inner: uint32(inner), outer: uint32(at), size: uint8(utf8.RuneLen(by)), atom: uint8(width)})
		inner += utf8.RuneLen(by)
	})
	return segs
}
