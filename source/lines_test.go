package source

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"pgregory.net/rapid"

	_ "github.com/brennerlint/brennerlint/internal/rapidseed"
)

func TestPosition(t *testing.T) {
	data := "a§b😀c\r\n\tx\n\n\xffé"
	for _, c := range []struct {
		off  int
		want Position
	}{
		{0, Position{Line: 1, Column: 1, Byte: 1, UTF16: 1}},
		{3, Position{Line: 1, Column: 3, Byte: 4, UTF16: 3}},
		{8, Position{Line: 1, Column: 5, Byte: 9, UTF16: 6}},
		{9, Position{Line: 1, Column: 6, Byte: 10, UTF16: 7}},
		{12, Position{Line: 2, Column: 2, Byte: 2, UTF16: 2}},
		{14, Position{Line: 3, Column: 1, Byte: 1, UTF16: 1}},
		{16, Position{Line: 4, Column: 2, Byte: 2, UTF16: 2}},
		{18, Position{Line: 4, Column: 3, Byte: 4, UTF16: 3}},
		{99, Position{Line: 4, Column: 3, Byte: 4, UTF16: 3}},
	} {
		c.want.Offset = min(c.off, len(data))
		if got := NewFile("f", []byte(data)).Position(c.off); got != c.want {
			t.Errorf("Position(%d) = %+v, want %+v", c.off, got, c.want)
		}
	}
}

// TestLineEnds checks that \n, \r\n and \r alone end lines.
func TestLineEnds(t *testing.T) {
	for data, want := range map[string][]string{
		"":              {""},
		"a":             {"a"},
		"a\nb":          {"a", "b"},
		"a\r\nb\r\n":    {"a", "b", ""},
		"a\rb\r":        {"a", "b", ""},
		"\r\r\n\n\r":    {"", "", "", "", ""},
		"a\r\r\nb\n\rc": {"a", "", "b", "", "c"},
		"a\n\r\n\rb":    {"a", "", "", "b"},
	} {
		text := NewFile("f", []byte(data)).Text()
		var got []string
		for n := 1; n <= len(want); n++ {
			got = append(got, text.Slice(text.Line(n)))
		}
		if !slices.Equal(got, want) || !text.Line(len(want)+1).Empty() {
			t.Errorf("%q has the lines %q, want %q", data, got, want)
		}
		if p := text.Position(len(data)); p.Line != len(want) {
			t.Errorf("%q ends in line %d, want %d", data, p.Line, len(want))
		}
	}
}

func TestPositionByteOrderMark(t *testing.T) {
	f := NewFile("f", []byte("\ufeff§x\n"))
	want := Position{Line: 1, Column: 2, Offset: 5, Byte: 6, UTF16: 2}
	if got := f.Position(5); got != want {
		t.Errorf("Position(5) = %+v, want %+v", got, want)
	}
}

// TestPositionLongLine checks the marks of long lines against plain counting, in
// texts with characters of every width, bytes that are not UTF-8, and offsets
// within characters.
func TestPositionLongLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.SampledFrom([]string{
			"a", "§", "…", "😀", "\x80", "\xf0\x9f", "\xe2", "\n",
			strings.Repeat("x", 999), strings.Repeat("§", 1500), strings.Repeat("😀…", 700), strings.Repeat("\x80", 1500),
		}), 1, 40).Draw(t, "parts")
		data := []byte(strings.Join(parts, ""))
		off := rapid.IntRange(0, len(data)).Draw(t, "off")
		off = RuneStart(data, off)
		got := NewFile("f", data).Position(off)

		start := strings.LastIndexByte(string(data[:off]), '\n') + 1
		runes := []rune(string(data[start:off]))
		if got.Column != len(runes)+1 || got.UTF16 != len(utf16.Encode(runes))+1 || got.Byte != off-start+1 {
			t.Fatalf("Position(%d) = %+v, want column %d, UTF-16 %d, byte %d",
				off, got, len(runes)+1, len(utf16.Encode(runes))+1, off-start+1)
		}
	})
}

// TestRuneStart looks for the start of each byte of characters of all lengths, and of bytes
// that are not UTF-8.
func TestRuneStart(t *testing.T) {
	const s = "aé€🙂z"
	start := 0
	for i := range len(s) {
		if utf8.RuneStart(s[i]) {
			start = i
		}
		if got := RuneStart(s, i); got != start {
			t.Errorf("byte %d of %q: %d, want %d", i, s, got, start)
		}
	}
	if got := RuneStart([]byte(s), len(s)); got != len(s) {
		t.Errorf("the end of %q: %d, want %d", s, got, len(s))
	}
	garbage := bytes.Repeat([]byte{0x80}, 8)
	for i := range garbage {
		if got := RuneStart(garbage, i); got != i {
			t.Errorf("byte %d of %q: %d, want %d", i, garbage, got, i)
		}
	}
}
