package source

import (
	"strings"
	"testing"

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
			text = file.Text().Unescape(whole)
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
