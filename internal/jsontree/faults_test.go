package jsontree

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	_ "github.com/brennerlint/brennerlint/internal/rapidseed"
	"github.com/brennerlint/brennerlint/source"
)

// TestNamed reads some members, and checks the others all the same.
func TestNamed(t *testing.T) {
	only := Options{Name: func(name []byte) string {
		if string(name) == "y" {
			return ""
		}
		return strings.ReplaceAll(string(name), "x", "")
	}}
	n, fault := Parse([]byte(`{"a": 1, "x": {"a": 2}, "b": {"\u0061": 3, "y": [4]}, "a": [5, {"a": 6}]}`), only)
	if fault != nil {
		t.Fatal(fault)
	}
	if len(n.Members()) != 3 || len(n.Get("a").Items()) != 2 {
		t.Errorf("members are %+v", n.Members())
	}
	if got := n.Get("b").Get("a"); got.Text != "3" || n.Get("b").Get("y") != nil {
		t.Errorf("b is %+v", n.Get("b"))
	}
	for _, text := range []string{`{"x": }`, `{"a": [1,]}`, `{"a": 1`, `{"x": {"y": 01}}`} {
		if _, fault := Parse([]byte(text), only); fault == nil {
			t.Errorf("%s: no fault", text)
		}
	}
	for _, c := range []struct{ within, tooMany string }{
		{strings.Repeat("1,", 1<<17-8), strings.Repeat("1,", 1<<17-6)},
		{strings.Repeat(`"A",`, 1<<19), strings.Repeat(`"",`, 1<<19)}, // names of recipients
		{strings.Repeat(`{"a":0,"b":9},              `, 1<<17), strings.Repeat(`{"a":0,"b":9},`, 1<<17)},
	} {
		if _, fault := Parse([]byte("["+c.within+"1]"), only); fault != nil {
			t.Error(fault)
		}
		if _, fault := Parse([]byte("["+c.tooMany+"1]"), only); fault == nil || fault.Message != "too many values for the length of the text" {
			t.Error(fault)
		}
	}
}

// TestQuoted checks that a fault repeats no word of the text that is not among its
// Quoted, whatever the messages say, and that it is discreet without them.
func TestQuoted(t *testing.T) {
	words := []string{"zebra", "zebra-zebra", "zebra zebra", "zébra", "12zebra", "0x5eb4a", "5.zebra", "56789.", "56789e", "-zebra", "true_zebra", strings.Repeat("zebra", 500)}
	shapes := []string{
		`{%s: 1}`, `{"a": %s}`, `{"a": '%s'}`, `{'%s': 1}`, `{"a": 1 %s}`, `%s {"a": 1}`, `{"a": 1} %s`, `{"a": "x" %s "y"}`, `{"%s" 1}`, `{"a": "%s`, `{"a": “%s”}`,
		`[%s]`, `[1, %s`, `[1 %s]`, `%s`, `{"a": 1, %s}`, `{"a": "x"%s"y"}`, `{"a": 1 // %s` + "\n}", `{"a": %s, "b": 2}`, "{\"a\": `%s`}", `{"a" %s 1}`, `{%s`, `{"a": \%s}`,
	}
	quoting := 0
	for _, word := range words {
		for _, shape := range shapes {
			text := fmt.Sprintf(shape, word)
			_, fault := Parse([]byte(text), Options{})
			if fault == nil {
				continue
			}
			said := fault.Message + " | " + fault.Hint
			if len(said) > 300 {
				t.Errorf("%.60s: the message repeats the text: %.80s…", text, said)
			}
			for _, q := range fault.Quoted {
				if !strings.Contains(said, q) {
					t.Errorf("%.60s: %q does not repeat %q", text, said, q)
				}
				said = strings.ReplaceAll(said, q, "")
			}
			said += " | " + fault.Discreet().Message + " | " + fault.Discreet().Hint
			for _, part := range []string{"zebra", "zébra", "5eb4a", "386890", "56789"} {
				if strings.Contains(said, part) {
					t.Errorf("%.60s: without what is quoted the fault still says %q", text, said)
				}
			}
			if len(fault.Quoted) > 0 {
				quoting++
			}
			if got := Quoted(fmt.Errorf("is not JSON: %w", fault)); len(got) != len(fault.Quoted) {
				t.Errorf("%.60s: an error that wraps the fault quotes %q", text, got)
			}
		}
	}
	if quoting < 50 {
		t.Errorf("only %d faults quote the text", quoting)
	}
	if got := Quoted(errors.New("zebra")); got != nil {
		t.Errorf("another error quotes %q", got)
	}
}

// TestRepeated: of members with one name all but the first are repeated, and all but the
// last, which Member finds, are replaced; in large objects as in small ones.
func TestRepeated(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfN(rapid.StringMatching("[a-d]{1,2}"), 1, 40).Draw(t, "names")
		n, fault := Parse([]byte(`{"`+strings.Join(names, `":0,"`)+`":0}`), Options{})
		if fault != nil {
			t.Fatal(fault)
		}
		seen := map[string]bool{}
		members := n.Members()
		for i := range members {
			m := &members[i]
			if m.Repeated != seen[m.Name] {
				t.Fatalf("member %d of %q is repeated: %v", i, names, m.Repeated)
			}
			if m.Replaced != (n.Member(m.Name) != m) {
				t.Fatalf("member %d of %q is replaced: %v", i, names, m.Replaced)
			}
			seen[m.Name] = true
		}
	})
}

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
