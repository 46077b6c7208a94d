package source

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	_ "github.com/brennerlint/brennerlint/internal/rapidseed"
)

// FuzzJSONString checks the map of a JSON string. Its text is what encoding/json reads.
// Each character comes from a piece of the file that decodes to it. The pieces follow each
// other without a gap, and Escaped agrees with the map.
func FuzzJSONString(f *testing.F) {
	for _, s := range []string{`a\"b`, `\u00a7\ud83d\ude00\ud800x\udc00`, "§\\n\\\\/\\/", "\xff\\t", ``, `\ud800\u0041`, `\ud800\ud800\udc00`} {
		f.Add([]byte(s))
	}
	f.Fuzz(checkJSONString)
}

// checkJSONString checks what FuzzJSONString says for the inside of a literal.
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

// TestManyEscapes checks the same for long texts with many and with few escapes.
func TestManyEscapes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	pieces := []string{`\n`, `\"`, `\\`, `\t`, `\/`, `\r`, `\u000a`, `\u00a7`, `\ud83d\ude00`, `\ud800`, "§", "😀", "\uFFFD", "plain text ", "\xff"}
	for _, gap := range []int{0, 40, 600, 5000} {
		var raw []byte
		for len(raw) < 64<<10 {
			raw = append(raw, pieces[r.IntN(len(pieces))]...)
			raw = append(raw, strings.Repeat("x", r.IntN(gap+1))...)
		}
		checkJSONString(t, raw)
	}
}

// TestEscaped checks that offsets of decoded text map back to their escapes, as in the map
// of the text.
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
