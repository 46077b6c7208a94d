package lsp

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/brennerlint/brennerlint/brenner/artifact"
	_ "github.com/brennerlint/brennerlint/internal/rapidseed"
	"github.com/brennerlint/brennerlint/source"
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

// faulty returns the example with a fault of each kind of place: the front matter, a
// section, items, a row of the table.
func faulty(t testing.TB) string {
	text := exampleArtifact(t)
	for _, r := range [][2]string{
		{"version: 1\n", ""},
		{"**Anchors**: §161\n", "**Anchors**: §999\n"},
		{"**Claim**: Fate follows ancestry.\n", ""},
		{"H1 vs H2", "H1 vs H9"},
		{"| P3 | Neighbours ablated | no effect | fate lost | delayed |\n", ""},
	} {
		if !strings.Contains(text, r[0]) {
			t.Fatalf("the example lacks %q", r[0])
		}
		text = strings.Replace(text, r[0], r[1], 1)
	}
	return text
}

// TestSuppressions suppresses each finding by its action, with a reason: it goes
// away and no other comes.
func TestSuppressions(t *testing.T) {
	c := start(t, testOptions())
	c.request(0, "initialize", pulling)
	text := faulty(t)
	version := 1
	c.notify("textDocument/didOpen", open(artifactURI, version, text))
	document := map[string]any{"uri": artifactURI}
	diagnostics := func() (out []any) {
		version++
		return c.request(version, "textDocument/diagnostic", map[string]any{"textDocument": document})["result"].(map[string]any)["items"].([]any)
	}
	all := diagnostics()
	tried := 0
	for _, d := range all {
		d := d.(map[string]any)
		version++
		actions := c.request(version, "textDocument/codeAction", map[string]any{"textDocument": document, "range": d["range"], "context": map[string]any{"only": []string{quickFix}}})["result"].([]any)
		for _, a := range actions {
			a := a.(map[string]any)
			if !strings.HasPrefix(a["title"].(string), "suppress "+d["code"].(string)+" ") {
				continue
			}
			edit := a["edit"].(map[string]any)["changes"].(map[string]any)[artifactURI].([]any)[0].(map[string]any)
			newText := edit["newText"].(string)
			version++
			c.notify("textDocument/didChange", change(artifactURI, version, map[string]any{"range": edit["range"], "text": strings.Replace(newText, "--  -->", "-- on purpose -->", 1)}))
			left := diagnostics()
			for _, l := range left {
				if l := l.(map[string]any); l["data"].(map[string]any)["fingerprint"] == d["data"].(map[string]any)["fingerprint"] || l["code"] == "IN-005" {
					t.Errorf("%v: after %q there is %v", d["message"], newText, l["message"])
				}
			}
			if len(left) >= len(all) {
				t.Errorf("%v: %d findings, expected less than %d", d["message"], len(left), len(all))
			}
			version++
			c.notify("textDocument/didChange", change(artifactURI, version, map[string]any{"text": text}))
			tried++
		}
	}
	if tried < 4 {
		t.Errorf("%d findings could be suppressed, expected at least 4", tried)
	}
	c.finish()
}

// TestSuppressionPlace checks where a file is suppressed: below its front matter, and nowhere if
// that cannot be read.
func TestSuppressionPlace(t *testing.T) {
	for text, want := range map[string]string{
		"---\nstatus: active\n---\n\n## 2. Hypothesis Slate\n":  "23 ignore-file",
		"---\nstatus: [active\n---\n\n## 2. Hypothesis Slate\n": "0 ",
		"---\nstatus: active\n\n## 2. Hypothesis Slate\n":       "0 ",
		"---\nstatus: active\n---":                              "0 ",
		"\n## 2. Hypothesis Slate\n":                            "0 ignore-file",
	} {
		a := artifact.ParseMarkdown(source.NewText([]byte(text)), artifact.Limits{})
		at, directive, _ := suppressionPlace(a, 0)
		if got := fmt.Sprint(at, " ", directive); got != want {
			t.Errorf("%q is suppressed at %q, expected %q", text, got, want)
		}
	}
}

// TestLineEdits checks that the edits that make a text another do so, and cut no character.
func TestLineEdits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.SampledFrom([]rune("ab\n\ré𝔊🧪")))
		from, to := text.Draw(t, "from"), text.Draw(t, "to")
		for _, unit := range []encoding{utf16Units, utf8Units} {
			l := newLines([]byte(from), unit)
			got := from
			for _, e := range slices.Backward(lineEdits(&snapshot{text: []byte(from), lines: l}, []byte(to))) {
				span := l.span(e.Range)
				got = got[:span.Start] + e.NewText + got[span.End:]
			}
			if got != to {
				t.Fatalf("%q becomes %q, expected %q", from, got, to)
			}
		}
	})
}
