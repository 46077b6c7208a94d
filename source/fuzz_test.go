package source

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzJSONString checks the map of a JSON string: its text is the one that
// encoding/json reads, each of its characters is in the file as a piece that
// reads as this character, the pieces follow each other without a gap, and
// Escaped agrees with the map.
func FuzzJSONString(f *testing.F) {
	for _, s := range []string{`a\"b`, `\u00a7\ud83d\ude00\ud800x\udc00`, "§\\n\\\\/\\/", "\xff\\t", ``, `\ud800\u0041`, `\ud800\ud800\udc00`} {
		f.Add([]byte(s))
	}
	f.Fuzz(checkJSONString)
}

// checkJSONString holds what FuzzJSONString says of the inside of a literal.
func checkJSONString(t *testing.T, raw []byte) {
	t.Helper()
	literal := append(append([]byte{'"'}, raw...), '"')
	var want string
	if json.Unmarshal(literal, &want) != nil {
		return
	}
	file := NewFile("f", append([]byte("é "), literal...))
	text := file.Text().JSONString(Span{3, len(file.Data)})
	// encoding/json fixes bytes that are not UTF-8, the map leaves them alone.
	if got := string(bytes.ToValidUTF8(text.Data, []byte("\uFFFD"))); utf8.Valid(raw) && got != want {
		t.Fatalf("%q is read as %q, want %q", raw, got, want)
	}
	if again := AppendUnescaped([]byte("x"), raw); string(again) != "x"+string(text.Data) {
		t.Fatalf("appended as %q, read as %q", again, text.Data)
	}
	end := 4
	var starts, outer []int
	for i := 0; i < len(text.Data); {
		_, width := utf8.DecodeRune(text.Data[i:])
		span, ok := text.ToFile(Span{i, i + width})
		if !ok || span.Start != end || span.End <= span.Start || span.End >= len(file.Data) {
			t.Fatalf("the character at %d of %q is at %v, after one that ends at %d", i, text.Data, span, end)
		}
		if got := AppendUnescaped(nil, file.Data[span.Start:span.End]); !bytes.Equal(got, text.Data[i:i+width]) {
			t.Fatalf("%q is where %q is written", text.Data[i:i+width], file.Data[span.Start:span.End])
		}
		starts, outer = append(starts, i), append(outer, span.Start-4)
		i, end = i+width, span.End
	}
	if end != len(file.Data)-1 {
		t.Fatalf("the text ends at %d of %d", end, len(file.Data))
	}
	Escaped(raw, starts)
	for i := range starts {
		if starts[i] != outer[i] {
			t.Fatalf("offset %d of %q is %d, by the map %d", i, raw, starts[i], outer[i])
		}
	}
}

// TestLongStrings checks the same of texts so long that their map leaves escapes out:
// where there are many, few, and none for long.
func TestLongStrings(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	pieces := []string{`\n`, `\"`, `\u00a7`, `\ud83d\ude00`, `\ud800`, "§", "plain text ", "\xff"}
	for _, gap := range []int{0, 40, 600, 5000} {
		var raw []byte
		for len(raw) < longText+r.IntN(4*segmentSpacing) {
			raw = append(raw, pieces[r.IntN(len(pieces))]...)
			raw = append(raw, strings.Repeat("x", r.IntN(gap+1))...)
		}
		checkJSONString(t, raw)
		text := NewFile("f", append(append([]byte{'"'}, raw...), '"')).Text().JSONString(Span{0, len(raw) + 2})
		if n, most := len(text.segments()), 2*len(raw)/segmentSpacing+2; n > most || n < 2 {
			t.Errorf("the map of %d bytes has %d segments, at most %d are expected", len(raw), n, most)
		}
	}
}

// TestUsualEscapes checks the same of texts whose escapes are only counted, and that one
// other escape is enough for a map.
func TestUsualEscapes(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	pieces := []string{`\n`, `\"`, `\\`, `\t`, "§", "😀"}
	for _, gap := range []int{0, 40, 600} {
		for _, other := range []string{"", `\/`, `\u00a7`, `\u000a`, `\u0022`, `\ud800`, `\r`, `\b`, `\u0001`, "\uFFFD", "\xff"} {
			var raw []byte
			for len(raw) < 3*escapeSpacing+r.IntN(escapeSpacing) {
				raw = append(raw, pieces[r.IntN(len(pieces))]...)
				raw = append(raw, strings.Repeat("x", r.IntN(gap+1))...)
			}
			raw = append(raw, `\n`+other...)
			checkJSONString(t, raw)
			text := NewFile("f", append(append([]byte{'"'}, raw...), '"')).Text().JSONString(Span{0, len(raw) + 2})
			m := text.mapping()
			if counted := m.escapes != nil; counted != (other == "") {
				t.Errorf("with %q at the end the escapes are counted: %v", other, counted)
			}
		}
	}
}
