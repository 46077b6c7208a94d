package source

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	_ "github.com/brennerlint/brennerlint/internal/rapidseed"
)

// FuzzJSONString checks the map of a JSON string. Its text is what encoding/json reads.
// Each character comes from a piece of the file that decodes to it. The pieces follow each
// other without a gap.
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
	for i := 0; i < len(text.Data); {
		_, width := utf8.DecodeRune(text.Data[i:])
		span, ok := text.ToFile(Span{i, i + width})
		if !ok || span.Start != end || span.End <= span.Start || span.End >= len(file.Data) {
			t.Fatalf("the character at %d of %q is at %v, after one that ends at %d", i, text.Data, span, end)
		}
		if got := AppendUnescaped(nil, file.Data[span.Start:span.End]); !bytes.Equal(got, text.Data[i:i+width]) {
			t.Fatalf("%q is where %q is written", text.Data[i:i+width], file.Data[span.Start:span.End])
		}
		i, end = i+width, span.End
	}
	if end != len(file.Data)-1 {
		t.Fatalf("the text ends at %d of %d", end, len(file.Data))
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
