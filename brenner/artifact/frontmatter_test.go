package artifact

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/source"
)

// metaSeeds are front matters of all forms that the plain reader reads itself, and of some
// that it leaves to the library.
var metaSeeds = []string{
	"session_id: \"RS-20251230-x\"\nversion: 3\ncreated_at: 2025-12-30T05:30:00Z\nstatus: active\ncontributors:\n  - opus\n  - gpt\n",
	"contributors:\n  - agent: \"PinkSnow\"\n    program: claude-code\n  - agent: B\nstatus: draft\n",
	"a:\n  - aaa:\n  - a\n", "a:\n  - b:\n    - c\n", "contributors:\n- opus\nversion: 03\nstatus: yes\n", "a: |\n  text\n  more\nb: 'x''y'\n", "a: {b: [1, 2.5, ~]}\n", "a: &x 1\nb: *x\n", "a: b: c\n", "a:\n", "a: \n", "a: x # c\n",
	"a: 1_000\n", "a: 12:30\n", "a: 1e3\n", "a: 0x1f\n", "a: x:y\n", "a: x:\n", "on: 1\n", "a: -1\n", "a: .5\n", "\"a\": \"b\"\n", "a: \"b\\n\"\n", "a: 2025-12-30\n", "a: 2025-12-30T05:30:00+01:00\n", "a: 2025-99-99T05:30:00\n",
	"a: é\n", "╀:", "a: x\r\nb: y\r\n", "a:\n  - b\n\n  - c\n", "a:\n  - b: c\n  - d\n", "- a\n", "a\n", "a: \"x\n  y\"\n", "? a\n: b\n", "a: !!str 1\n", "a: x\na: y\n", "\ta: b\n", "a: [\n", "<<: x\n", "a: =\n", "a: x-\n", "y: n\n", "a: 1.5.2\n", "a: 1-2\n", "a: _\n", "a: 5x\n",
}

func FuzzFrontMatter(f *testing.F) {
	for _, s := range metaSeeds {
		f.Add(s)
	}
	f.Add(strings.Repeat("b", 2000) + ": x\n") // too long for a key
	f.Fuzz(func(t *testing.T, content string) {
		text := source.NewText([]byte("---\n" + content + "\n---\n# Body\n"))
		p := newParser(text, 0, Limits{})
		span := source.Span{Start: 4, End: 4 + len(content)}
		meta, fault := p.anyMeta(span, span)
		if (meta == nil) == (fault == nil) {
			t.Fatalf("meta %v, fault %v", meta, fault)
		}
		if fault != nil {
			checkSpan(t, text, fault.Span)
		} else {
			checkMeta(t, text, meta.Values)
		}
		if plain, ok := p.plainMeta(span); ok {
			if meta == nil {
				t.Fatalf("%q is read as %+v, but is no YAML: %s", content, plain, fault.Message)
			}
			if diff := cmp.Diff(meta.Values, plain); diff != "" {
				t.Fatalf("%q (-library +plain):\n%s", content, diff)
			}
		}
		ParseMarkdown(text, Limits{})
	})
}

func checkMeta(t *testing.T, text *source.Text, values []MetaValue) {
	t.Helper()
	for _, v := range values {
		checkSpan(t, text, v.Span)
		checkSpan(t, text, v.KeySpan)
		checkMeta(t, text, v.Items)
	}
}

func TestPlainMetaIsUsed(t *testing.T) {
	for _, s := range metaSeeds[:2] {
		p := newParser(source.NewText([]byte(s)), 0, Limits{})
		if _, ok := p.plainMeta(source.Span{End: len(s)}); !ok {
			t.Errorf("%q is left to the library", s)
		}
	}
}

// TestMetaSpans checks what the library does not report: where values end.
func TestMetaSpans(t *testing.T) {
	const in = "a: 'it''s' # remark\nb: [x, {c: \"q\\\"\"}] # remark\nd: |\n  one\n   two\n\ne: {}\nf: [a,\n  b]\ng: plain\n  text\nh: &x 1\ni: *x\nj: !!str 5\nk:\n"
	text := source.NewText([]byte("---\n" + in + "---\n"))
	a := ParseMarkdown(text, Limits{})
	if a.Meta == nil {
		t.Fatal(a.MetaFault.Message)
	}
	want := map[string]string{
		"a": "'it''s'", "b": `[x, {c: "q\""}]`, "d": "|\n  one\n   two", "e": "{}", "f": "[a,\n  b]", "i": "*x", "k": "",
	}
	for key, span := range want {
		if got := text.Slice(a.Meta.Get(key).Span); got != span {
			t.Errorf("%s stands at %q, want %q", key, got, span)
		}
	}
	if v := a.Meta.Get("i"); v.Kind != MetaInt || v.Text != "1" {
		t.Errorf("an alias reads %+v", v)
	}
}
