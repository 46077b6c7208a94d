package artifact

import (
	"path/filepath"
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
	for _, tt := range parseTests {
		f.Add(tt.in)
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
