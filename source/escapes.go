package source

import "bytes"

// Most JSON strings escape only what they must, each in two bytes. Then a byte is as many
// bytes further in the string literal than in the text as there are bytes before it that
// are escaped.

// escapeSpacing is the distance of the bytes before which escapes are counted beforehand.
const escapeSpacing = 512

// countEscapes counts the escapes before every escapeSpacing-th byte of the text of a JSON
// string, which has so many bytes in its literal; nil if some escape is not one of the
// usual ones. All of them must be escaped, so that there are no others if they alone make
// the literal as long as it is: every other escape makes it longer.
func countEscapes(text []byte, literal int) []uint32 {
	if len(text) == literal || bytes.Contains(text, []byte("\uFFFD")) { // it may be for bytes that are not UTF-8
		return nil
	}
	counts := make([]uint32, 1, 2+len(text)/escapeSpacing)
	n := 0
	for at := 0; at < len(text); at += escapeSpacing {
		n += usualEscapes(text[at:min(at+escapeSpacing, len(text))])
		counts = append(counts, uint32(n))
	}
	if len(text)+n != literal {
		return nil
	}
	return counts
}

// usualEscapes counts the bytes that are escaped in nearly all strings with escapes.
func usualEscapes(b []byte) int {
	return bytes.Count(b, []byte{'\n'}) + bytes.Count(b, []byte{'"'}) + bytes.Count(b, []byte{'\\'}) + bytes.Count(b, []byte{'\t'})
}

// escapesBefore is how many bytes of the text before an offset are escaped.
func (m *mapping) escapesBefore(text []byte, off int) int {
	off = min(off, len(text))
	at := off / escapeSpacing
	return int(m.escapes[at]) + usualEscapes(text[at*escapeSpacing:off])
}
