package source

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/brennerlint/brennerlint/internal/rapidseed"
)

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
