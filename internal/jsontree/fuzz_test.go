package jsontree

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/source"
)

var seeds = []string{
	`{"operation":"ADD","section":"hypothesis_slate","target_id":null,"payload":{"anchors":["§1",],},}`,
	"{\n// c\n\"a\": \"x, ]\", /* d */ 'b': NaN}", `{"a":"\ud83d\ude00\ud800"}`, "\ufeff[1.5e+3,-0,01]", `[[[[{"":{"":[`, "{\"a\xff\":1}",
	`{"a" 1 "b":"he said "hi"" ...}`, "[tru,nullx,-Infinity,+1,.5,1.,0x1f]", `{{"a":1}:2}`, "\"\\u12\"", "[1 # x\r\n,/*",
}

// FuzzParse checks the reading against encoding/json: the same texts are valid,
// but for UTF-8 and depth, the same values come out, and spans are true.
func FuzzParse(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		root, fault := Parse(data, Options{MaxDepth: 100})
		if (root == nil) == (fault == nil) {
			t.Fatalf("%q: tree %v, fault %v", data, root, fault)
		}
		if fault != nil {
			if s := fault.Span; s.Start < 0 || s.Start > s.End || s.End > len(data) {
				t.Fatalf("fault %q at %v of %d bytes", fault.Message, s, len(data))
			}
			if fault.Message == "" || !utf8.ValidString(fault.Message+fault.Hint) {
				t.Fatalf("message %q, hint %q", fault.Message, fault.Hint)
			}
			if json.Valid(data) && utf8.Valid(data) && fault.Message != "nested deeper than 100 levels" {
				t.Fatalf("%q is valid JSON, but: %s", data, fault.Message)
			}
			return
		}
		if !json.Valid(data) || !utf8.Valid(data) {
			t.Fatalf("%q is read, but is not valid JSON", data)
		}
		checkSpans(t, data, root, source.Span{End: len(data)})
	})
}

// checkSpans holds that a node's span lies in its parent's and holds its value.
func checkSpans(t *testing.T, data []byte, n *Node, in source.Span) {
	if !in.Contains(n.Span()) {
		t.Fatalf("span %v outside of %v", n.Span(), in)
	}
	raw := data[n.Span().Start:n.Span().End]
	var want any
	if err := json.Unmarshal(raw, &want); err != nil && !json.Valid(raw) {
		t.Fatalf("span %v holds %q: %v", n.Span(), raw, err)
	}
	switch n.Kind {
	case String:
		if want != n.Text {
			t.Fatalf("%q is read as %q", raw, n.Text)
		}
	case Object:
		for _, m := range n.Members() {
			if data[m.NameSpan().Start] != '"' || data[m.NameSpan().End-1] != '"' || m.NameSpan().End > m.Value.Span().Start {
				t.Fatalf("name %q at %v", m.Name, m.NameSpan())
			}
			checkSpans(t, data, m.Value, n.Span())
		}
	case Array:
		for _, item := range n.Items() {
			checkSpans(t, data, item, n.Span())
		}
	}
}
