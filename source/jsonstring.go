package source

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// JSONString returns the decoded text of a JSON string literal. The span is that of the
// literal in t, with its quotes; the literal must be valid. A literal without escapes is
// not copied. For one with escapes, the map back to t is built only when a finding needs
// it. Bytes that are not UTF-8 become U+FFFD.
func (t *Text) JSONString(literal Span) *Text {
	content := Span{literal.Start + 1, literal.End - 1}
	raw := t.Data[content.Start:content.End]
	valid := utf8.Valid(raw)
	if bytes.IndexByte(raw, '\\') < 0 && valid {
		out := t.Sub(content)
		out.literal = true
		return out
	}
	return &Text{Data: AppendUnescaped(make([]byte, 0, len(raw)), raw), File: t.File, Garbled: t.Garbled || !valid, parent: t, within: content, literal: true, coded: jsonString}
}

// AppendUnescaped appends the unescaped form of raw, the inside of a JSON string.
func AppendUnescaped(dst, raw []byte) []byte { return jsonString.decode(dst, raw) }

// Encode returns the form in which a text must be written to the file to appear in t: with
// the escapes of every string literal around t, and lone carriage returns if its lines end so.
func (t *Text) Encode(s string) string {
	for ; t != nil; t = t.parent {
		if t.coded == normalized && strings.Contains(s, "\n") {
			raw := t.raw()
			if at := bytes.IndexAny(raw, "\r\n"); at >= 0 && loneCR(raw[:min(at+2, len(raw))], at) == at {
				s = strings.NewReplacer("\r\n", "\r\n", "\n", "\r").Replace(s)
			}
		}
		if t.literal {
			s = escape(s)
		}
	}
	return s
}

// escape returns a text as the content of a JSON string literal.
func escape(s string) string {
	var b bytes.Buffer
	to := json.NewEncoder(&b)
	to.SetEscapeHTML(false)
	_ = to.Encode(s) // no text is refused
	return string(b.Bytes()[1 : b.Len()-len("\"\n")])
}

// unescape decodes the escape at the start of raw and returns its width in bytes.
func unescape(raw []byte) (rune, int) {
	if len(raw) < 2 {
		return utf8.RuneError, len(raw)
	}
	switch raw[1] {
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	case 'u':
		r, ok := hex4(raw[2:])
		if !ok {
			return utf8.RuneError, min(len(raw), 6)
		}
		if utf16.IsSurrogate(r) {
			if len(raw) >= 12 && raw[6] == '\\' && raw[7] == 'u' {
				if low, ok := hex4(raw[8:]); ok {
					if full := utf16.DecodeRune(r, low); full != utf8.RuneError {
						return full, 12
					}
				}
			}
			return utf8.RuneError, 6
		}
		return r, 6
	default:
		return rune(raw[1]), 2
	}
}

func hex4(b []byte) (rune, bool) {
	n, err := strconv.ParseUint(string(b[:min(4, len(b))]), 16, 16)
	return rune(n), err == nil && len(b) >= 4
}
