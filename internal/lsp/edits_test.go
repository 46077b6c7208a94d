package lsp

import (
	"bytes"
	"slices"
	"strings"
	"testing"

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
