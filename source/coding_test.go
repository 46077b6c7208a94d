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

// TestNormalize checks what Normalize makes of a text, and where each character
// of it is in the file.
func TestNormalize(t *testing.T) {
	for in, want := range map[string]string{
		"":               "",
		"a\r\nb\n":       "a\r\nb\n",
		"a\rb\r\r\nc\r":  "a\nb\n\r\nc\n",
		"a\xe9b\xff\xc3": "a\ufffdb\ufffd\ufffd",
		"\xe9\r\xe9\r\n": "\ufffd\n\ufffd\r\n",
		"\xf0\x9f\x98":   "\ufffd\ufffd\ufffd",
	} {
		if got := NewText([]byte(in)).Normalize().String(); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
		if got := ValidString(in); got != strings.NewReplacer("\n", "\r").Replace(want) && !strings.Contains(in, "\n") {
			t.Errorf("the string %q becomes %q", in, got)
		}
		literal := `"` + strings.NewReplacer("\r", `\r`, "\n", `\u000a`).Replace(in) + `"`
		if got := NewFile("f", []byte(literal)).Text().JSONString(Span{0, len(literal)}).Normalize().String(); got != want {
			t.Errorf("the literal %s becomes %q, want %q", literal, got, want)
		}
	}
	if text := NewText([]byte("a\r\nb")); text.Normalize() != text {
		t.Error("a text that is normal is copied")
	}
}

// TestNormalizedPlaces checks that a normalized text has the place of the text.
func TestNormalizedPlaces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOf(rapid.SampledFrom([]string{"a", "§", "😀", "\r", "\n", "\r\n", "\xff", "\xe9", `\r`, `\n`, `\u00a7`, `\ud800`})).Draw(t, "parts")
		raw := strings.Join(parts, "")
		literal := rapid.Bool().Draw(t, "literal")
		if literal {
			raw = strings.NewReplacer("\r", "", "\n", "").Replace(raw)
		}
		file := NewFile("f", []byte(`["`+raw+`"]`))
		whole := Span{2, 2 + len(raw)}
		text := file.Text().Sub(whole)
		if literal {
			text = file.Text().JSONString(Span{whole.Start - 1, whole.End + 1})
		}
		plain, normal := runes(t, text), runes(t, text.Normalize())
		if len(plain) != len(normal) {
			t.Fatalf("%q has %d characters, normalized %d", raw, len(plain), len(normal))
		}
		for i, p := range plain {
			switch want := p.r; {
			case p.at != normal[i].at:
				t.Fatalf("%q: character %d is at %v, normalized at %v", raw, i, p.at, normal[i].at)
			case want == '\r' && (i+1 == len(plain) || plain[i+1].r != '\n'):
				want = '\n'
				fallthrough
			default:
				if normal[i].r != want {
					t.Fatalf("%q: character %d is %q, want %q", raw, i, normal[i].r, want)
				}
			}
		}
	})
}

type place struct {
	r  rune
	at Span
}

// runes returns the characters of a text with their places in the file.
func runes(t *rapid.T, text *Text) []place {
	var out []place
	s := text.String()
	for i, r := range s {
		end := len(s)
		for j := range s[i:] {
			if j > 0 {
				end = i + j
				break
			}
		}
		at, ok := text.ToFile(Span{i, end})
		if !ok {
			t.Fatalf("character %d of %q is nowhere", i, s)
		}
		out = append(out, place{r, at})
	}
	return out
}

// TestNormalizedParts checks the map of a text joined of parts.
func TestNormalizedParts(t *testing.T) {
	file := NewFile("f", []byte("> a\rb\n> \xff§"))
	text := file.Text().Join([]Span{{2, 6}, {8, 11}}).Normalize()
	if text.String() != "a\nb\n\ufffd§" {
		t.Fatalf("%q", text.String())
	}
	if at, _ := text.ToFile(Span{4, 7}); at != (Span{8, 9}) {
		t.Errorf("the bad byte is at %v", at)
	}
	if at, _ := text.ToFile(Span{7, 9}); at != (Span{9, 11}) {
		t.Errorf("what follows is at %v", at)
	}
}

// TestEmbedded follows a span from the JSON in a quoted fence, in a body, in a
// JSON string, to the file, and an edit the same way.
func TestEmbedded(t *testing.T) {
	body := "é\n> {\n> \"a\": \"x\\\"§\"}"
	literal, _ := json.Marshal(body)
	file := NewFile("f.json", []byte(`{"body": `+strings.Replace(string(literal), "§", `\u00a7`, 1)+`}`))
	text := file.Text().JSONString(Span{9, len(file.Data) - 1})
	if string(text.Data) != body {
		t.Fatalf("the body is %q", text.Data)
	}
	first := strings.Index(body, "{")
	second := strings.Index(body, `"a"`)
	content := text.Join([]Span{{first, first + 2}, {second, len(body)}})
	inner := content.JSONString(Span{7, 7 + len(`"x\"§"`)})
	if string(inner.Data) != `x"§` {
		t.Fatalf("the value is %q", inner.Data)
	}
	for _, c := range []struct {
		span Span
		want string // in the file
	}{
		{Span{0, 1}, "x"},
		{Span{1, 2}, `\\\"`},
		{Span{2, 4}, `\u00a7`},
		{Span{0, 4}, `x\\\"\u00a7`},
		{Span{4, 4}, ""},
	} {
		got, ok := inner.ToFile(c.span)
		if !ok || string(file.Data[got.Start:got.End]) != c.want {
			t.Errorf("%v is %q in the file, want %q", c.span, file.Data[got.Start:got.End], c.want)
		}
		if at := inner.FromFile(got.Start); at != c.span.Start {
			t.Errorf("byte %d of the file is at %d, want %d", got.Start, at, c.span.Start)
		}
	}
	for _, off := range []int{0, len(file.Data)} {
		if at := inner.FromFile(off); at >= 0 {
			t.Errorf("byte %d of the file is at %d, want none", off, at)
		}
	}
	if in, ok := inner.Within(text, Span{2, 4}); !ok || body[in.Start:in.End] != "§" {
		t.Errorf("§ is at %v of the body", in)
	}
	// A text for the value is escaped twice.
	span, _ := inner.ToFile(Span{0, 1})
	edited := Apply(file.Data, []Edit{{Span: span, Text: inner.Encode("y\\\n")}})
	var outer struct{ Body string }
	if err := json.Unmarshal(edited, &outer); err != nil || outer.Body != "é\n> {\n> \"a\": \"y\\\\\\n\\\"§\"}" {
		t.Errorf("edited to %s: %v", edited, err)
	}
	if got := NewText([]byte("a")).Encode("\"\n"); got != "\"\n" {
		t.Errorf("a text of its own is encoded as %q", got)
	}
}

// TestEncodeLineEnds checks that a text written into one whose lines end with a lone carriage return
// ends its lines so, too.
func TestEncodeLineEnds(t *testing.T) {
	for file, want := range map[string]string{"a\rb\n": "x\ry\r\n", "a\r\nb\r": "x\ny\r\n", "a\nb\r": "x\ny\r\n", "\r": "x\ry\r\n", "\xff\n": "x\ny\r\n"} {
		if got := NewFile("f", []byte(file)).Text().Normalize().Encode("x\ny\r\n"); got != want {
			t.Errorf("in %q it is %q, want %q", file, got, want)
		}
	}
}

// TestEncode checks that a text written into a literal reads back as it was.
func TestEncode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "text")
		in := NewFile("f", []byte(`""`)).Text().JSONString(Span{0, 2})
		var back string
		if err := json.Unmarshal([]byte(`"`+in.Encode(s)+`"`), &back); err != nil || back != s {
			t.Fatalf("%q is written as %q and read as %q: %v", s, in.Encode(s), back, err)
		}
	})
}

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
