package source

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/brennerlint/brennerlint/internal/rapidseed"
)

// anyText is valid UTF-8 with line ends, wide characters and, perhaps, a byte
// order mark.
func anyText(t *rapid.T) []byte {
	text := rapid.StringOf(rapid.SampledFrom([]rune("ab\n\r§€😀\t\""))).Draw(t, "text")
	if rapid.Bool().Draw(t, "bom") {
		text = "\uFEFF" + text
	}
	return []byte(text)
}

// TestWindow checks that a window of a file gives the positions of the whole
// file, whatever the pieces in which the cursor reached it.
func TestWindow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := anyText(t)
		whole := NewFile("f", data)
		base := rapid.IntRange(0, len(data)).Draw(t, "base")
		end := rapid.IntRange(base, len(data)).Draw(t, "end")
		base, end = boundary(data, base), max(boundary(data, base), boundary(data, end))
		window := NewWindow("f", data[base:end], base, func() Position {
			var c Cursor
			for at := 0; at < base; {
				n := at + rapid.IntRange(1, base-at).Draw(t, "piece")
				c.Advance(data[at:n])
				at = n
			}
			return c.Position()
		})
		if bytes.HasPrefix(data, []byte(BOM)) && base > 0 && base < len(BOM) {
			return // inside the byte order mark: no caller makes such a window
		}
		if cutsLineEnd(data, base) || cutsLineEnd(data, end) {
			return // nor one that parts a line end
		}
		for off := base; off <= end; off++ {
			if got, want := window.Position(off), whole.Position(off); got != want && (off == len(data) || data[off]&0xc0 != 0x80) {
				t.Fatalf("position of %d: %+v, want %+v", off, got, want)
			}
		}
		s := Span{base, end}
		if got := window.Bytes(s); string(got) != string(data[base:end]) {
			t.Fatalf("bytes %q", got)
		}
		if got, ok := window.Text().ToFile(window.Text().WholePos().Span); base > 0 && (!ok || got != s) {
			t.Fatalf("text %v, want %v", got, s)
		}
		part := whole.Window(s)
		if got, want := part.Range(s), whole.Range(s); got != want || string(part.Bytes(s)) != string(data[base:end]) {
			t.Fatalf("the range of a part of the file is %v, want %v", got, want)
		}
		p := window.Place(s)
		if got, ok := p.Text.ToFile(p.Span); !ok || got != s {
			t.Fatalf("place %v, want %v", got, s)
		}
	})
}

func cutsLineEnd(data []byte, off int) bool {
	return off > 0 && off < len(data) && data[off-1] == '\r' && data[off] == '\n'
}

// TestEscaped checks that offsets of decoded text come back to the escapes they
// stand for, as the map of the text has them.
func TestEscaped(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var raw []byte
		for _, part := range rapid.SliceOf(rapid.SampledFrom([]string{"a", "§", "😀", `\n`, `\"`, `\\`, `\/`, `\b\f\r\t`, `\u00a7`, `\u00A7`, `\ud83d\ude00`, `\ud83d`, `\ude00x`, "\xff", "\xe9"})).Draw(t, "parts") {
			raw = append(raw, part...)
		}
		literal := append(append([]byte{'"'}, raw...), '"')
		text := NewFile("f", literal).Text().JSONString(Span{0, len(literal)})
		if got := AppendUnescaped(nil, raw); string(got) != string(text.Data) {
			t.Fatalf("%q, want %q", got, text.Data)
		}
		var offsets, want []int
		for i := range string(text.Data) {
			s, ok := text.ToFile(Span{i, i + 1})
			if !ok {
				t.Fatal(i)
			}
			offsets, want = append(offsets, i), append(want, s.Start-1)
		}
		offsets, want = append(offsets, len(text.Data)), append(want, len(raw))
		Escaped(raw, offsets)
		for i := range want {
			if offsets[i] != want[i] {
				t.Fatalf("%q: offset %d is %d, want %d", raw, i, offsets[i], want[i])
			}
		}
	})
}
