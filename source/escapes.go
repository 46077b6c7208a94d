package source

import "bytes"

// Most JSON strings escape only what they must, each in two bytes. Then a byte is as many
// bytes further in the string literal than in the text as there are bytes before it that
// are escaped.

// escapeSpacing is the distance of the bytes before which escapes are counted beforehand.
const escapeSpacing = 512

// countEscapes counts the escapes before every escapeSpacing-th byte of the text of a JSON
// string, which has so many bytes in its literal; nil if some escape is not one of the
// usual ones. A valid literal always escapes the usual bytes, each in at least two bytes.
// So if it is longer than the text by exactly their number, each takes two bytes and
// nothing else is escaped: any other escape would make the literal longer.
func countEscapes(text []byte, literal int) []uint32 {
	if len(text) == literal || bytes.Contains(text, []byte("\uFFFD")) { // may be a byte that is not UTF-8, which is one byte in the literal
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
