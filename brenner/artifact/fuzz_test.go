package artifact

import (
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/source"
)

// checkSpan checks that a span is within the text, on rune boundaries.
func checkSpan(t *testing.T, text *source.Text, s source.Span) {
	t.Helper()
	if s.Start < 0 || s.End < s.Start || s.End > len(text.Data) {
		t.Fatalf("span %v is not in %d bytes", s, len(text.Data))
	}
	for _, off := range [...]int{s.Start, s.End} {
		if off < len(text.Data) && !utf8.RuneStart(text.Data[off]) && utf8.Valid(text.Data) {
			t.Fatalf("span %v cuts a rune", s)
		}
	}
}

// checkSpans checks all spans of an artifact, and that nested spans are within the outer
// ones.
func checkSpans(t *testing.T, a *Artifact) {
	t.Helper()
	checkSpan(t, a.Text, a.Span)
	if a.Meta != nil {
		checkSpan(t, a.Text, a.Meta.Span)
		checkMeta(t, a.Text, a.Meta.Values)
	}
	if a.MetaFault != nil {
		checkSpan(t, a.Text, a.MetaFault.Span)
	}
	for _, c := range a.Comments {
		checkSpan(t, a.Text, c)
	}
	for _, s := range a.Sections {
		checkSpan(t, a.Text, s.Span)
		checkSpan(t, a.Text, s.Heading)
		for _, st := range s.Malformed {
			checkSpan(t, a.Text, st.ID)
			if st.Item != nil {
				checkItem(t, a, s, st.Item)
			}
		}
		end := 0
		for _, it := range s.Items {
			checkItem(t, a, s, it)
			if it.Span.Start < end {
				t.Fatalf("%v stands in the item before", it.ID)
			}
			end = it.Span.End
		}
	}
}

func checkItem(t *testing.T, a *Artifact, sec *Section, it *Item) {
	t.Helper()
	for _, s := range [...]source.Span{it.Span, it.IDSpan, it.NameSpan, it.Heading, it.TotalSpan} {
		checkSpan(t, a.Text, s)
	}
	if !sec.Span.Contains(it.Span) || !it.Span.Contains(it.Heading) {
		t.Fatalf("%v at %v is not in its section at %v, or not around its heading at %v", it.ID, it.Span, sec.Span, it.Heading)
	}
	for _, f := range it.Fields {
		checkSpan(t, a.Text, f.Label)
		checkSpan(t, a.Text, f.Value)
		if !it.Span.Contains(f.Value) && !f.Value.Empty() || !it.Span.Contains(f.Label) {
			t.Fatalf("%s of %v at %v is not in its item at %v", f.Key, it.ID, f.Value, it.Span)
		}
		for _, e := range f.Entries {
			checkSpan(t, a.Text, e.Span)
			checkSpan(t, a.Text, e.KeySpan)
			if !f.Value.Contains(e.Span) && !e.Span.Empty() {
				t.Fatalf("entry at %v is not in the value of %s at %v", e.Span, f.Key, f.Value)
			}
		}
	}
}

// checkStable checks that rendering and rereading what was read changes nothing.
func checkStable(t *testing.T, a *Artifact) {
	t.Helper()
	s := a.State()
	if diff := cmp.Diff(facts(normal(s)), facts(normal(ParseMarkdown(source.NewText(Render(s, RenderMeta{})), Limits{}).State()))); diff != "" {
		t.Fatalf("(-read +rendered and read):\n%s\n%s", diff, Render(s, RenderMeta{}))
	}
}

func addCorpus(f *testing.F, pattern string) {
	paths, err := filepath.Glob(corpus + pattern)
	if err != nil || len(paths) == 0 {
		f.Fatalf("no %s: %v", pattern, err)
	}
	for _, path := range paths {
		data := must.Read(f, path)
		f.Add(string(data))
	}
}

func FuzzParseMarkdown(f *testing.F) {
	addCorpus(f, "artifacts/*.md")
	for _, ex := range must.Examples(f, "testdata/parse.txtar") {
		f.Add(ex.In)
	}
	f.Fuzz(func(t *testing.T, s string) {
		a := ParseMarkdown(source.NewText([]byte(s)), Limits{})
		checkSpans(t, a)
		if utf8.ValidString(s) {
			checkStable(t, a)
		}
	})
}

func FuzzParseJSON(f *testing.F) {
	addCorpus(f, "artifacts/*.json")
	f.Add(`{"metadata":{"version":"1"},"sections":{"research_thread":{"statement":1},"hypothesis_slate":[{"id":"H1","anchors":"§1"},{"id":"X1"},3],"predictions_table":{"id":"P1"}}}`)
	f.Add(`{"sections":{"discriminative_tests":[{"id":"T1","score":{"\tlikelihood_ratio":3,"cost":2}}],"adversarial_critique":[{"id":"C1","name":"n","score":{"cost":2}}]}}`)
	f.Fuzz(func(t *testing.T, s string) {
		text := source.NewText([]byte(s))
		a, err := ParseJSON(text, Limits{})
		if (a == nil) == (err == nil) {
			t.Fatalf("artifact %v, error %v", a, err)
		}
		if err != nil {
			checkSpan(t, text, err.Span)
			return
		}
		checkSpans(t, a)
		if a.Root.Kind == jsontree.Object && utf8.ValidString(s) {
			checkStable(t, a)
		}
	})
}

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
