package jsontree

import (
	"testing"

	"github.com/brennerlint/brennerlint/source"
)

func TestRewrite(t *testing.T) {
	for in, want := range map[string]string{
		`{"a": 1,}`: `{"a": 1}`,
		"{\"a\": \"b\",\n\u00a0\"c\":\u3000\"d\"}":  "{\"a\": \"b\",\n \"c\": \"d\"}",
		`{"a": 1, b": "c"}`:                         `{"a": 1, "b": "c"}`,
		`{'a': 'b'}`:                                `{"a": "b"}`,
		`{'a': 'it"s', "b": "don't"}`:               `? {"a": "it\"s", "b": "don't"}`,
		`{a: 1, b_c: True, d: None}`:                `{"a": 1, "b_c": true, "d": null}`,
		"{\"a\": \"x\"\n\"b\": 2}":                  "{\"a\": \"x\",\n\"b\": 2}",
		`{"a": "x" "b": 2}`:                         `{"a": "x", "b": 2}`,
		"{\"a\": \"x\ny\tz\"}":                      `{"a": "x\ny\tz"}`,
		`{"a": {"b": [1, 2`:                         `{"a": {"b": [1, 2]}}`,
		`{"a": 1}}`:                                 `{"a": 1}`,
		"// why\n{\"a\": 1 /* x */, # y\n\"b\": 2}": "\n{\"a\": 1 , \n\"b\": 2}",
		`{“a”: “b”}`:                                `{"a": "b"}`,
		`{"a" "b", "c" = 1, "d" => 2}`:              `{"a": "b", "c" : 1, "d" : 2}`,
		`{"a": "b";"c": 1;}`:                        `{"a": "b","c": 1}`,
		`{"a": \'b\'}`:                              `? {"a": "\\'b\\'"}`,
		`{"a": "it\'s \d"}`:                         `{"a": "it's \\d"}`,
		`{"a": "he said "no" twice", "b": 1}`:       `? {"a": "he said \"no\" twice", "b": 1}`,
		`{"a": hello there, "b": 1}`:                `? {"a": "hello there", "b": 1}`,
		`{"a": 1, ...}`:                             `? {"a": 1 }`,
		`Here it is: {"a": 1} I hope`:               `? {"a": 1}`,
		`{"a": NaN}`:                                `? {"a": null}`,
		"{\"a\": \"x,\n \"b\": 2}":                  "? {\"a\": \"x\",\n \"b\": 2}",
		`{"a": [1, 2}`:                              `{"a": [1, 2]}`,
		`{"a": [1, 2}}`:                             `{"a": [1, 2]}`,
		`{"a": ["x", "y"], "b": {"c": "d"]}`:        `? {"a": ["x", "y"], "b": {"c": "d"}}`,
		"{\"a\":\u00a01}":                           `{"a": 1}`,
		`{"a": 1} {"b": 2}`:                         "",
		`{"a":}`:                                    "",
		`nothing`:                                   "",
		`{"a": +1, "b": 1_000}`:                     `{"a": 1, "b": 1000}`,
		`{"a": ["x",,, "y"], b "c"}`:                `{"a": ["x", "y"], "b": "c"}`,
		`{"a": 1,, "b": 2}`:                         `{"a": 1, "b": 2}`,
		"\n \"a\": 1,\n \"b\": {\"c\": 2}\n}":       "? \n {\"a\": 1,\n \"b\": {\"c\": 2}\n}",
		`{,"a": 1}`:                                 `{"a": 1}`,
	} {
		got := ""
		if edits, certain, ok := Rewrite([]byte(in), Options{}); ok {
			got = string(source.Apply([]byte(in), edits))
			if !certain {
				got = "? " + got
			}
		}
		if got != want {
			t.Errorf("Rewrite(%s) = %s, want %s", in, got, want)
		}
	}
}

// FuzzRewrite checks that what is rewritten is valid JSON, and that valid JSON is left
// as it is.
func FuzzRewrite(f *testing.F) {
	for _, s := range []string{`{a: 'b', "c": [1, 2,], // d`, "{\"a\": \"b\nc\": }", `{"a": "b "c" d"}`, "{“a”:…}", `[{"a":"\u12"}]`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		edits, _, ok := Rewrite(data, Options{})
		if !ok {
			return
		}
		fixed := source.Apply(data, edits)
		if _, fault := Parse(fixed, Options{}); fault != nil {
			t.Errorf("%q becomes %q: %s", data, fixed, fault.Message)
		}
		if root, fault := Parse(data, Options{}); fault == nil && len(edits) > 0 && (root.Is(Object) || root.Is(Array)) {
			t.Errorf("valid %q becomes %q", data, fixed)
		}
	})
}
