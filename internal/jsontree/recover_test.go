package jsontree

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/source"
)

func TestRecover(t *testing.T) {
	for in, want := range map[string]string{
		`{"a": 1,}`: `{"a": 1}`,
		"{\"a\": \"b\",\n\u00a0\"c\":\u3000\"d\"}":             "{\"a\": \"b\",\n \"c\": \"d\"}",
		`{"a": 1, b": "c"}`:                                    `{"a": 1, "b": "c"}`,
		`{"a": ["b", 1, "c": 1}`:                               `? {"a": ["b", 1], "c": 1}`,
		"{\"a\": 1\nAll of it.\n}":                             "",
		`{'a': 'b'}`:                                           `{"a": "b"}`,
		`{'a': 'it"s', "b": "don't"}`:                          `? {"a": "it\"s", "b": "don't"}`,
		`{a: 1, b_c: True, d: None}`:                           `{"a": 1, "b_c": true, "d": null}`,
		"{\"a\": \"x\"\n\"b\": 2}":                             "{\"a\": \"x\",\n\"b\": 2}",
		`{"a": "x" "b": 2}`:                                    `{"a": "x", "b": 2}`,
		`{"a": "x" "two words": 2}`:                            `{"a": "x", "two words": 2}`,
		`{"""a""": """b""", 'c': '''d'''}`:                     `{"a": "b", "c": "d"}`,
		`/* why */ {\"a\": 1}`:                                 ` {"a": 1}`,
		"{\"a\": \"x\ny\tz\"}":                                 `{"a": "x\ny\tz"}`,
		`{"a": {"b": [1, 2`:                                    `{"a": {"b": [1, 2]}}`,
		`{"a": 1}}`:                                            `{"a": 1}`,
		"// why\n{\"a\": 1 /* x */, # y\n\"b\": 2}":            "\n{\"a\": 1,\n\"b\": 2}",
		`{“a”: “b”}`:                                           `{"a": "b"}`,
		`{"a" "b", "c" = 1, "d" => 2}`:                         `{"a": "b", "c" : 1, "d" : 2}`,
		`{"a": "b";"c": 1;}`:                                   `{"a": "b","c": 1}`,
		`{"a": \'b\'}`:                                         "",
		`{"a": "it\'s \d"}`:                                    `{"a": "it's \\d"}`,
		`{"a": "he said "no" twice", "b": 1}`:                  `? {"a": "he said \"no\" twice", "b": 1}`,
		`{"a": "he said \\"no\\" twice", "b": "C:\\", }`:       `? {"a": "he said \"no\" twice", "b": "C:\\" }`,
		`{"a": "\§88", "b": "\alpha"}`:                         `{"a": "§88", "b": "\\alpha"}`,
		`{"a": hello there, "b": 1}`:                           `? {"a": "hello there", "b": 1}`,
		`{"a": 1, ...}`:                                        `? {"a": 1 }`,
		`Here it is: {"a": 1} I hope`:                          `? {"a": 1}`,
		`{"a": NaN}`:                                           `? {"a": null}`,
		"{\"a\": \"x,\n \"b\": 2}":                             "? {\"a\": \"x\",\n \"b\": 2}",
		`{"a": [1, 2}`:                                         `{"a": [1, 2]}`,
		`{"a": [1, 2}}`:                                        `? {"a": [1, 2]}`,
		`{"a": ["x", "y"], "b": {"c": "d"]}`:                   `? {"a": ["x", "y"], "b": {"c": "d"}}`,
		"{\"a\":\u00a01}":                                      `{"a": 1}`,
		`{"a": 1} {"b": 2}`:                                    "",
		`{"a": 1} and {"b": 2}`:                                "",
		`{"a": 1} or so`:                                       `? {"a": 1}`,
		"{\"a\": 1},\n\"b\": 2":                                "? {\"a\": 1,\n\"b\": 2}",
		"{\"a\": 1}\n\"b\": 2}":                                "? {\"a\": 1,\n\"b\": 2}",
		"{\"a\": 1}\nb: 2":                                     "", // b would be lost
		"{\"a\": 1\n{\"b\": 2}":                                "",
		"Here:\n{\"a\": 1}\nThanks":                            `? {"a": 1}`,
		"Note: this one\n{\"a\": 1}":                           `? {"a": 1}`,
		"a: 1\nb:\n{\"c\": 2}":                                 "? {\"a\": 1,\n\"b\":\n{\"c\": 2}}",
		`{"a": ["x" "y"]}`:                                     `{"a": ["x", "y"]}`,
		`{"a": ["x "y" z"]}`:                                   `? {"a": ["x \"y\" z"]}`,
		`{"a": ["x, "y"]}`:                                     `? {"a": ["x", "y"]}`,
		`{"a": ["x, "y" z"]}`:                                  `? {"a": ["x, \"y\" z"]}`,
		"{\"a\": [\"x,\n\"y\"]}":                               "? {\"a\": [\"x\",\n\"y\"]}",
		`{"a": [x", "y"]}`:                                     `? {"a": ["x", "y"]}`,
		`{"a": "x " "y", "b": 1}`:                              `? {"a": "x y", "b": 1}`,
		`{"a": "x "y", no", "b": 1}`:                           `? {"a": "x \"y\", no", "b": 1}`,
		`{"a": ["x", no, 3]}`:                                  `? {"a": ["x", "no", 3]}`,
		"{\"a\": \"x,\n \"b\" = 2}":                            "? {\"a\": \"x\",\n \"b\" : 2}",
		`{"a": "x", ...}`:                                      `? {"a": "x" }`,
		"+{\n+\"a\": 1}":                                       "{\n\"a\": 1}",
		"+{\n\"a\": 1}":                                        "? {\n\"a\": 1}",
		`{"a":}`:                                               "",
		`nothing`:                                              "",
		`{"a": +1, "b": 1_000}`:                                `{"a": 1, "b": 1000}`,
		`{"a": ["x",,, "y"], b "c"}`:                           `{"a": ["x", "y"], "b": "c"}`,
		`{"a": 1,, "b": 2}`:                                    `{"a": 1, "b": 2}`,
		"\n \"a\": 1,\n \"b\": {\"c\": 2}\n}":                  "? \n {\"a\": 1,\n \"b\": {\"c\": 2}\n}",
		`{,"a": 1}`:                                            `{"a": 1}`,
		`{"a": {'x', 'y'}, "b": ('z')}`:                        `{"a": ["x", "y"], "b": ["z"]}`,
		`{"a": {'x': 'y'}}`:                                    `{"a": {"x": "y"}}`,
		`{"a": f"x {y}"}`:                                      "",
		`{"a": r"\d"}`:                                         "",
		`{"a": 「x」, "b": ＂y＂}`:                                 `{"a": "x", "b": "y"}`,
		`{"a": "「x」"}`:                                         `{"a": "「x」"}`,
		"{\"a\": \"x \"\n\"y\", \"b\": 1}":                     `? {"a": "x y", "b": 1}`,
		"{\"a\": [\"x \"\n\"y\"]}":                             "{\"a\": [\"x \",\n\"y\"]}",
		`{"a": "x, "b": "y", "c": 1}`:                          `? {"a": "x", "b": "y", "c": 1}`,
		`{"a": {"b": "x}, "c": 1}`:                             `? {"a": {"b": "x"}, "c": 1}`,
		`{"a": ["x", "y], "c": 1}`:                             `? {"a": ["x", "y"], "c": 1}`,
		`{"a": {"b": ["x", "y]}, "c": 1}`:                      `? {"a": {"b": ["x", "y"]}, "c": 1}`,
		`{"a": [{"b": "x}], "c": 1}`:                           `? {"a": [{"b": "x"}], "c": 1}`,
		"{\"a\": {\"b\": [\"x]},\n \"c\": 1}":                  "? {\"a\": {\"b\": [\"x\"]},\n \"c\": 1}",
		`{"a": b, c", "d": 1}`:                                 "",
		`{"a": "say "b" + "c" on", "d": 1}`:                    "",
		`{"a": "The \_b\_ cue"}`:                               `{"a": "The _b_ cue"}`,
		`{"a": {"b": 12.`:                                      "",
		"{\"a\": 1}\x00 Ask Bob.":                              "? {\"a\": 1}",
		`{u"a": 1}`:                                            "",
		`["a", u"b"]`:                                          "",
		`{"a": "a set {b}, "c": 1}`:                            `? {"a": "a set {b}", "c": 1}`,
		`{"a": "he said "no" twice"}`:                          `? {"a": "he said \"no\" twice"}`,
		`{"a": [1, 2,], "b": 1,}`:                              `{"a": [1, 2], "b": 1}`,
		"{\n  \"a\": 1, // why\n  \"b\": 2 /* and\n why */\n}": "{\n  \"a\": 1,\n  \"b\": 2\n\n}",
		"{\"a\": 1, // why\r\n}\r\n# end\r\n":                  "{\"a\": 1\r\n}\r\n\r\n",
		`{"a": "x, ] // no /* comment */ # here",}`:            `{"a": "x, ] // no /* comment */ # here"}`,
		`{"a": 1/* one */}`:                                    `{"a": 1}`,
		`{"a": 1/**/2}`:                                        "",
		`{"a": 1}`:                                             `{"a": 1}`,
		`[,]`:                                                  `[]`,
		`{"a": "open,}`:                                        `? {"a": "open,"}`,
		"[" + strings.Repeat("[", 10_000) + ",]":               "",
		`const d = {"a": 1};`:                                  `{"a": 1}`,
		`d: {"a": 1}`:                                          `? {"a": 1}`,

		`{u'a': 1}`:                          "",
		`{"a": [u'b']}`:                      "",
		`{"a": [u"b"]}`:                      "",
		`{"a": "x", b": "c", u": "d"}`:       `{"a": "x", "b": "c", "u": "d"}`,
		`{"a": "x " . "y"}`:                  "",
		`{"a": "x " & "y"}`:                  "",
		`{"a": "the "late" & "early" ones"}`: `? {"a": "the \"late\" & \"early\" ones"}`,
		`{"a": "he said "no". Then "yes""}`:  `? {"a": "he said \"no\". Then \"yes\""}`,
		`{“a”: “x ” + “y”, "b": „p “ + „q“}`:         `{"a": "x y", "b": "p q"}`,
		"{\"a\": `x ` + `y`, \"b\": 「p」+「q」}":        `{"a": "x y", "b": "pq"}`,
		`{"a": “x ” “y”}`:                            `? {"a": "x y"}`,
		"{\"a\": \"x \" + // why\n\"y\"}":            `{"a": "x y"}`,
		`{"a": “he said “x” and “y” again”}`:         `? {"a": "he said “x” and “y” again"}`,
		`{\"a\": \"x\", /* why */ b: None,}`:         `{"a": "x", "b": null}`,
		`Here: {\"a\": 1}`:                           `? {"a": 1}`,
		`{"a": "x %s" % "y"}`:                        "",
		`{"a": "x %s" % (y, z), "b": 1}`:             "",
		`{"a": "x" * 2}`:                             "",
		`{"a": "x" + 3}`:                             "",
		`{"a": " x ".strip()}`:                       "",
		`{"a": ("x " "y")}`:                          "",
		`{"a": ("x", "y")}`:                          `{"a": ["x", "y"]}`,
		`{«a»: «b», «c»: [«d», «e»]}`:                `{"a": "b", "c": ["d", "e"]}`,
		"{\"a\": 1, -- why\n \"b\": \"c\" -- why\n}": "{\"a\": 1,\n \"b\": \"c\"\n}",
		`{"a": "the "late" -- or "early" -- one"}`:   `? {"a": "the \"late\" -- or \"early\" -- one"}`,
		`{"a": "\alpha \beta \frac{1}{2}"}`:          `{"a": "\\alpha \\beta \\frac{1}{2}"}`,
		`{"a": "\alpha \theta \n"}`:                  `? {"a": "\\alpha \\theta \n"}`,
		`{"a": "\x41"}`:                              "",
		`{"a": "\101"}`:                              "",
		`{"a": "\u{9}"}`:                             "",
		`{"a": "C:\d\xa7161"}`:                       `{"a": "C:\\d\\xa7161"}`,
		`{"a": "\xi \1"}`:                            `{"a": "\\xi \\1"}`,
		"{\"a\": `x` + `late ${x}`}":                 "",
		"{\"a\": `x $`, \"b\": \"${x}\"}":            `{"a": "x $", "b": "${x}"}`,
		`{"a": ["H1"، "A2"‚ "A3"。 "A4"], "b": {"c": "x"،"d": "y"。 "e": "z"}}`: `? {"a": ["H1", "A2", "A3", "A4"], "b": {"c": "x","d": "y", "e": "z"}}`,
		`{"a": "x " ＋ "y"}`:                                `{"a": "x y"}`,
		`{"a": "x" – "y"}`:                                 "",
		`{"a": "x" or "y", "b": 1}`:                        "",
		`{"a": ["x" and "y"]}`:                             "",
		`{"a": "the "x" or "y" – one", "b": 1}`:            `? {"a": "the \"x\" or \"y\" – one", "b": 1}`,
		`{"a": "see "x" and y, "z" too", "b": 1}`:          `? {"a": "see \"x\" and y, \"z\" too", "b": 1}`,
		`{"a": ‹x, y›, "d": 〝x〞, "e": [‹p›, ‹q›]}`:         `{"a": "x, y", "d": "x", "e": ["p", "q"]}`,
		"{\"a\": \"rods of 5″\n \"b\": 1}":                 "? {\"a\": \"rods of 5″\",\n \"b\": 1}",
		"{\"a\": “rods of 5″ and 3″ long”}":                `{"a": "rods of 5″ and 3″ long"}`,
		`{"a": {"b": "x”}, "c": ["y”], "d": "“p”, "e": 2}`: `? {"a": {"b": "x"}, "c": ["y"], "d": "“p”", "e": 2}`,
		`{"a": {"b": "it’s x”}, "c": 2}`:                   `? {"a": {"b": "it’s x"}, "c": 2}`,
		`{"a”: "x", "b": 2}`:                               `? {"a": "x", "b": 2}`,
		`{"a”": "x”, y", "b": "z”", "c": ["p”, "q"]}`:      `? {"a”": "x”, y", "b": "z”", "c": ["p", "q"]}`,
		`{"a: null, "b: -1, "c: [1], "d: 2": 3}`:           `? {"a": null, "b": -1, "c": [1], "d: 2": 3}`,
		"{\"a\": 1\n\nSee also: the notes.":                "",
		"{\"a\": 1,\n\nNote: 3 of them.":                   "",
		`{"a": "x", b: word, c: 3`:                         `? {"a": "x", "b": "word", "c": 3}`,
		`{"a": 1, b: two words}`:                           `? {"a": 1, "b": "two words"}`,
		"{a: x\nb: two words":                              "? {\"a\": \"x\",\n\"b\": \"two words\"}",
		"{\"a\": \"x\\\n}":                                 "? {\"a\": \"x\"\n}",
		`['a' => 'b', 'c' => ['d' => 1]]`:                  `? {"a" : "b", "c" : {"d" : 1}}`,
		"// {\n//  \"a\": 1\n// }":                         "?  {\n  \"a\": 1\n }",
		"# a\n# b":                                         "",
		`{"a": "C:\temp\results\d1.csv"}`:                  `? {"a": "C:\\temp\\results\\d1.csv"}`,
		"{\"a\": \"x\\\r\n\"b\": 1\"}":                     `? {"a": "x\"b\": 1"}`,
		`{"a": ["x". "y"]}`:                                `? {"a": ["x", "y"]}`,
		`{"a": ["x" + "y"]}`:                               `? {"a": ["xy"]}`,
		`{"a": {"H1": "x". "H2": "y"}}`:                    `? {"a": {"H1": "x", "H2": "y"}}`,
		`{"a": "see "H2". "H3": no", "b": 1}`:              `? {"a": "see \"H2\". \"H3\": no", "b": 1}`,
		"{\"a\": \"x”,\n \"b\": 1}":                        "? {\"a\": \"x\",\n \"b\": 1}",
		"{\"a\": \"“x”\n \"b\": 1}":                        "? {\"a\": \"“x”\",\n \"b\": 1}",
		"{\"a\": `x\",\n \"b\": 1}":                        "? {\"a\": \"x\",\n \"b\": 1}",
		"{\"a\": ``x'',\n \"b\": 1}":                       "",
		`{"a": ["x", §y"]}`:                                `? {"a": ["x", "§y"]}`,
		`{"a": ""x", "b": "y""}`:                           `? {"a": "x", "b": "y"}`,
		`{"a": "rods of 3"", "b": "the "y" one"}`:          `? {"a": "rods of 3\"", "b": "the \"y\" one"}`,
		"{\"a\": \"x\" \\\n \"y\", b: 1}":                  "",
		`{"a": "x'}, b: “y"}`:                              `{"a": "x'}, b: “y"}`,
		`{a: "x'}, b: “y"}`:                                "",
		"{\"a\": \"one\n  },\n  two\n: x\"}":               `? {"a": "one\n  },\n  two\n: x"}`,
		"{\"a\": {\"b\": \"x\n  },\n  \"c\": \"y\"}":       "? {\"a\": {\"b\": \"x\"\n  },\n  \"c\": \"y\"}",
		`{"a\_b": "c\_d", "e": "\alpha\_x"}`:               `{"a_b": "c_d", "e": "\\alpha\\_x"}`,
		`{"a": "a c\_d.", "e": "see C:\_d"}`:               `{"a": "a c_d.", "e": "see C:\\_d"}`,
		"{\"a: \"x\", \"b\": \"he said: \"y\"\"}":          `? {"a": "x", "b": "he said: \"y\""}`,
		`{"a": "x”}`:                                       `? {"a": "x"}`,
		`{"a": "x\"}`:                                      `? {"a": "x"}`,
		"{\"a\": \"x\\\",\n\"b\": 1}":                      "? {\"a\": \"x\",\n\"b\": 1}",
		`{"a": ["H1"", "y"]}`:                              `? {"a": ["H1", "y"]}`,
		"{\"a\": \"x\",\n \\\"b\": \"y\"}":                 "",
		"a = \"x\"\n[b]\nc = 1":                            "",
		"a = \"x\"\nb = {\"c\": 1}":                        "",
		`'{}': 1`:                                          `? {"{}": 1}`,
		`{"a": "one\ntwo isn\'t \"it\""}`:                  `{"a": "one\ntwo isn't \"it\""}`,
		"{\"a\": \"x\",\n **\"b\"**: 2}":                   "? {\"a\": \"x\",\n \"b\": 2}",
		"{\"a\": \"x\",\n and \"b\": \"y\"}":               "", // and would be lost
		"{\"a\": \"x\",\n 1: \"b\": \"y\"}":                "",
		"{\"a\": \"x\", b \"c\" d, \"e\": 1}":              "",
		"{\"a\": \"the \"x\"\nand \"y\" too\"}":            "? {\"a\": \"the \\\"x\\\"\\nand \\\"y\\\" too\"}",
		"{\"a\": `\"x\"`, `\"b\"`: `the \"y\"`}":           "? {\"a\": \"x\", \"b\": \"the \\\"y\\\"\"}",
	} {
		got := ""
		if r := Recover([]byte(in), Options{}); r.Text != nil {
			got = string(r.Text)
			if !r.Certain {
				got = "? " + got
			}
		}
		if got != want {
			t.Errorf("Recover(%.60s) = %s, want %s", in, got, want)
		}
	}
}

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
