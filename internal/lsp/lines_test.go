package lsp

import (
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"
)

// TestLines compares the places of all characters with a plain count.
func TestLines(t *testing.T) {
	texts := []string{
		"", "a", "a\nb", "a\r\nb\rc\n", "é\n𝔊x\n", "\n\n", "\r\n\r", "日本\r\n🧪🧪 x",
		strings.Repeat("x", 3000) + "\n" + strings.Repeat("é", 3000), strings.Repeat("a𝔊é", 2000) + "\r\n" + strings.Repeat("🧪", 1500),
	}
	for _, text := range texts {
		for _, unit := range []encoding{utf16Units, utf8Units} {
			l := newLines([]byte(text), unit)
			line, char := 0, 0
			for i := 0; i <= len(text); {
				want := Position{line, char}
				if inCRLF := i > 0 && i < len(text) && text[i-1] == '\r' && text[i] == '\n'; !inCRLF {
					if got := l.position(i); got != want {
						t.Fatalf("%.20q (%s): offset %d is at %v, expected %v", text, unit, i, got, want)
					}
					if got := l.offset(want); got != i {
						t.Fatalf("%.20q (%s): %v is at offset %d, expected %d", text, unit, want, got, i)
					}
				}
				if i == len(text) {
					break
				}
				r, size := utf8.DecodeRuneInString(text[i:])
				switch {
				case r == '\n', r == '\r' && !strings.HasPrefix(text[i+1:], "\n"):
					line, char = line+1, 0
				case unit == utf8Units:
					char += size
				default:
					char += utf16.RuneLen(r)
				}
				i += size
			}
		}
	}
}

// TestPlacesOutOfRange checks that a place that is not in the text is the nearest one.
func TestPlacesOutOfRange(t *testing.T) {
	const huge = int(^uint(0) >> 1)
	text := "ab\r\n𝔊é\nc"
	for _, c := range []struct {
		p           Position
		utf16, utf8 int
	}{
		{Position{-1, 5}, 0, 0},
		{Position{0, -5}, 0, 0},
		{Position{0, 3}, 2, 2}, // not after the end of the line
		{Position{0, huge}, 2, 2},
		{Position{1, 1}, 4, 4}, // in the middle of a character
		{Position{1, 2}, 8, 4},
		{Position{1, 3}, 10, 4},
		{Position{1, 4}, 10, 8},
		{Position{1, huge}, 10, 10},
		{Position{2, 1}, 12, 12},
		{Position{3, 0}, 12, 12},
		{Position{huge, huge}, 12, 12},
	} {
		for unit, want := range map[encoding]int{utf16Units: c.utf16, utf8Units: c.utf8} {
			l := newLines([]byte(text), unit)
			if got := l.offset(c.p); got != want {
				t.Errorf("%v (%s) is at %d, expected %d", c.p, unit, got, want)
			}
		}
	}
	l := newLines([]byte(text), utf16Units)
	if s := l.span(Range{Position{2, 1}, Position{0, 1}}); s.Start != 1 || s.End != 12 {
		t.Errorf("a range that is the wrong way round is %v", s)
	}
}
