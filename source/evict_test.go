package source

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A text that was evicted answers everything as before.
func TestEvict(t *testing.T) {
	const before = "some lines\nbefore: "
	literal := `{"a": "> one \u00e9\n> two\ttabs", "b": "plain"}`
	data := []byte(literal)
	file := NewWindow("mail.json", data, len(before), func() Position {
		return Position{Line: 2, Column: 9, Offset: len(before), Byte: 9, UTF16: 9}
	})
	root := file.Text()
	body := root.JSONString(Span{6, 33})
	if string(body.Data) != "> one é\n> two\ttabs" {
		t.Fatalf("body %q", body.Data)
	}
	joined := body.Join([]Span{{2, 9}, {11, 19}})
	sub := joined.Sub(Span{4, 9})
	plain := root.JSONString(Span{40, 47})
	texts := []*Text{root, body, joined, sub, plain}
	look := func() []string {
		var out []string
		for _, x := range texts {
			for end := range x.Len() + 1 {
				s := Span{end / 2, end}
				at, ok := x.ToFile(s)
				in, within := x.Within(body, s)
				out = append(out, fmt.Sprint(string(x.Content()), x.Slice(s), x.Position(s.Start), x.Line(2), at, ok, file.Range(at), in, within, x.Encode("\n")))
			}
		}
		return out
	}
	want := look()
	plain.Detach()
	read := 0
	again := func(s Span) []byte { read++; return []byte(literal)[s.Start:s.End] }
	for _, x := range texts[1:4] {
		x.Evict(nil)
	}
	body.EvictAll(func() []byte { return again(Span{0, len(literal)}) }, again)
	if file.Data != nil || root.Data != nil || body.Data != nil || joined.Data != nil || plain.Data == nil {
		t.Error("the bytes were not let go")
	}
	if d := cmp.Diff(want, look()); d != "" {
		t.Errorf("what was evicted differs:\n%s", d)
	}
	if read == 0 {
		t.Error("nothing was read again")
	}

	alone := NewText([]byte("of a database\nrow"))
	alone.Evict(func() []byte { return []byte("of a database\nrow") })
	if got := alone.Line(2); got != (Span{14, 17}) || alone.Slice(got) != "row" {
		t.Errorf("line 2 is %v, %q", got, alone.Slice(got))
	}
}

// A file that has changed since gives other words, but never a panic.
func TestEvictChanged(t *testing.T) {
	literal := `{"a": "one\ntwo\nthree"}`
	for _, now := range []string{"", "{", `{"a": "\\\\\\\\\\\\\\"}`, `{"a": "one two three 4"}`, `{"a": "` + "\xff\xff\xff\xff" + `"}`} {
		file := NewFile("mail.json", []byte(literal))
		body := file.Text().JSONString(Span{6, 23})
		three := body.Sub(Span{8, 13})
		three.Evict(nil)
		body.EvictAll(func() []byte { return []byte(now) }, func(s Span) []byte { return []byte(now)[min(s.Start, len(now)):min(s.End, len(now))] })
		three.Position(5)
		at, _ := three.ToFile(Span{1, 5})
		file.Range(at)
		if len(three.Content()) != 5 {
			t.Errorf("%q: %q", now, three.Content())
		}
	}
}

// TestReloadsOnce checks that what is asked for many times in a row is read again once.
func TestReloadsOnce(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // what was read is garbage, and stays
	data := []byte(`{"a": "one \u00e9"}`)
	file := NewFile("mail.json", data)
	body := file.Text().JSONString(Span{6, 18})
	reloads := 0
	body.EvictAll(func() []byte { reloads++; return []byte(`{"a": "one \u00e9"}`) }, nil)
	for range 5 {
		if body.String() != "one é" {
			t.Fatalf("%q", body.String())
		}
		if at, ok := body.ToFile(Span{4, 6}); !ok || file.Range(at).Start.Column != 12 {
			t.Fatalf("at %v", at)
		}
	}
	if reloads != 1 {
		t.Errorf("read again %d times", reloads)
	}
}

// TestDecodesOnce checks that a long text is decoded, mapped and cut into lines once for
// all that is asked in a row after it was evicted.
func TestDecodesOnce(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // what was decoded is garbage, and stays
	literal := []byte(`"` + strings.Repeat(`a line of \"text\"\n`, 20_000) + `"`)
	file := NewFile("mail.json", literal)
	body := file.Text().JSONString(Span{0, len(literal)})
	size := len(body.Data)
	block := body.Sub(Span{100, size - 100})
	block.Evict(nil)
	body.EvictAll(func() []byte { return literal }, nil)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for i := range 1000 {
		at := Span{i * 200, i*200 + 10}
		if in, ok := block.ToFile(at); !ok || in.Empty() || block.Slice(at) == "" {
			t.Fatalf("%v is at %v", at, in)
		}
		block.LineAt(at.Start)
		body.Position(at.Start)
	}
	runtime.ReadMemStats(&after)
	if used := int(after.TotalAlloc - before.TotalAlloc); used > 50*size {
		t.Errorf("%d bytes are allocated for questions about a text of %d", used, size)
	}
}

// TestEvictLarge checks that a large file that was evicted, and a long text in it, answer as
// before, and are then read in pieces only, whatever the escapes of the text are.
func TestEvictLarge(t *testing.T) {
	for _, line := range []string{`line %d of \"text\" with é and €\n`, `line %d of \"text\" with \u00e9, é and \ud83d\ude00\n`} {
		var b strings.Builder
		b.WriteString("[\n{\"body\": \"")
		for i := range 40_000 {
			fmt.Fprintf(&b, line, i)
		}
		b.WriteString("\"}\r\n]\n")
		literal := []byte(b.String())
		file := NewFile("mail.json", literal)
		body := file.Text().JSONString(Span{strings.Index(b.String(), `"line`), len(literal) - 5})
		r := rand.New(rand.NewPCG(1, 2))
		spans := []Span{{}, {0, 1}, {body.Len() - 1, body.Len()}, {body.Len(), body.Len()}}
		for range 2000 {
			at := r.IntN(body.Len() - 100)
			spans = append(spans, Span{at, at + r.IntN(100)})
		}
		look := func() []string {
			var out []string
			for _, s := range spans {
				at, ok := body.ToFile(s)
				out = append(out, fmt.Sprintf("%v %t %+v %q %q", at, ok, file.Range(at), file.Bytes(at), body.Sub(s).String()))
			}
			return out
		}
		want := look()
		body.Detach()
		most := 0
		body.parent.EvictAll(nil, func(s Span) []byte { most = max(most, s.Len()); return literal[s.Start:s.End] })
		for _, evict := range []func(){func() {}, func() { body.Evict(nil) }} {
			if evict(); file.Data != nil {
				t.Error("the bytes are kept")
			}
			if d := cmp.Diff(want, look()); d != "" {
				t.Errorf("what was evicted differs:\n%s", d)
			}
			if most == 0 || most > pieceSize {
				t.Errorf("%d bytes are read again together", most)
			}
		}
	}
}
