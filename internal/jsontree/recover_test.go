package jsontree

import (
	"testing"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/source"
)

// TestValueEnd finds where a value ends that has mistakes before what follows it.
func TestValueEnd(t *testing.T) {
	for text, want := range map[string]int{`{"a": 1} End.`: 8, `{a: 1} End.`: 6, `{a: 1}`: 0, `{a: 1}, "b": 2`: 0} {
		if got := Recover([]byte(text), Options{}).First.ValueEnd; got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
}

// FuzzRecover checks that what is rewritten is valid JSON, and that valid JSON is left
// as it is.
func FuzzRecover(f *testing.F) {
	for _, s := range []string{`{a: 'b', "c": [1, 2,], // d`, "{\"a\": \"b\nc\": }", `{"a": "b "c" d"}`, `{"a" é`, "{“a”:…}", `[{"a":"\u12"}]`, "{\"\\\r\nr:", "'{}':"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r := Recover(data, Options{})
		_, fault := Parse(data, Options{})
		if utf8.Valid(data) && (fault == nil) != (r.First == nil) {
			t.Errorf("%q has the fault %v, and the first mistake %v", data, fault, r.First)
		}
		if m := r.First; m != nil {
			if m.Span.Start < 0 || m.Span.End < m.Span.Start || m.Span.End > len(data) || m.Message == "" || !utf8.ValidString(m.Message+m.Hint) {
				t.Errorf("%q has the mistake %+v", data, m)
			}
			for _, at := range []int{m.Span.Start, m.Span.End} {
				if utf8.Valid(data) && at < len(data) && !utf8.RuneStart(data[at]) {
					t.Errorf("the mistake %+v of %q is not on the border of characters", m, data)
				}
			}
		}
		if r.Text == nil {
			return
		}
		if _, fault := Parse(r.Text, Options{}); fault != nil {
			t.Errorf("%q becomes %q: %s", data, r.Text, fault.Message)
		}
		if got := source.Apply(data, r.Edits); string(got) != string(r.Text) {
			t.Errorf("the edits of %q make %q, not %q", data, got, r.Text)
		}
	})
}
