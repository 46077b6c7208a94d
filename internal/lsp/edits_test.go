package lsp

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

func changesOf(text string, unit encoding) *changes {
	return &changes{text: newLines([]byte(text), unit)}
}

// TestChanges makes changes in any order: the text is the same as if each were made by
// itself.
func TestChanges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.SampledFrom([]string{"", "a", "ab", "\n", "\r\n", "\r", "é", "👍🏽", "x\ny"})
		unit := rapid.SampledFrom([]encoding{utf16Units, utf8Units}).Draw(t, "unit")
		text := strings.Join(rapid.SliceOfN(part, 0, 12).Draw(t, "text"), "")
		place := rapid.Custom(func(t *rapid.T) Position {
			return Position{rapid.IntRange(-1, 6).Draw(t, "line"), rapid.IntRange(-1, 6).Draw(t, "character")}
		})
		made, want := changesOf(text, unit), []byte(text)
		for range rapid.IntRange(1, 6).Draw(t, "changes") {
			c := contentChange{Range: &Range{place.Draw(t, "start"), place.Draw(t, "end")}, Text: part.Draw(t, "new")}
			if rapid.IntRange(0, 9).Draw(t, "whole") == 0 {
				c.Range = nil
			}
			made.add(&c)
			if c.Range == nil {
				want = []byte(c.Text)
				continue
			}
			span := newLines(want, unit).span(*c.Range)
			want = slices.Concat(want[:span.Start], []byte(c.Text), want[span.End:])
		}
		if got := made.result(); !bytes.Equal(got, want) {
			t.Fatalf("the text is %q, expected %q", got, want)
		}
	})
}

// TestManyChanges checks that changes that go backwards copy nothing until the end.
func TestManyChanges(t *testing.T) {
	text := strings.Repeat("a line\n", 1000)
	insert := func(c *changes, line int) {
		at := Position{Line: line}
		c.add(&contentChange{Range: &Range{at, at}, Text: "x"})
	}
	backwards, forwards := changesOf(text, utf16Units), changesOf(text, utf16Units)
	for line := range 1000 {
		insert(backwards, 999-line)
		insert(forwards, line)
	}
	if string(backwards.text.file.Data) != text || !bytes.Equal(backwards.result(), forwards.result()) {
		t.Error("changes that go backwards are made one by one, or differ from those that go forwards")
	}
	empty := changesOf("", utf16Units)
	if empty.add(&contentChange{Range: &Range{Position{0, 5}, Position{3, 0}}, Text: "x"}); string(empty.result()) != "x" {
		t.Errorf("an empty document becomes %q", empty.result())
	}
}

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
