package jsontree

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/internal/testenv"
	"github.com/brennerlint/brennerlint/source"
)

// TestDiagnose checks every usual mistake against its words and its place: «»
// mark the bytes of the finding.
func TestDiagnose(t *testing.T) {
	for _, c := range []struct{ text, message, hint string }{
		{`{"a": 1«,»}`, "trailing comma before }", "remove the comma"},
		{`{"a": [1, 2 «,» ` + "\n" + `]}`, "trailing comma before ]", "remove the comma"},
		{`[1,«,»2]`, "two commas in a row", "remove one comma"},
		{`{"a":1,«,»"b":2}`, "two commas in a row", "remove one comma"},
		{`{«,»"a":1}`, "comma directly after {", "remove the comma"},
		{`{"a"«,»"b":1}`, "comma after a key: its value is missing", "write : and the value"},
		{`{"a":«,»"b":1}`, "comma where a value is expected", "write the value, or null"},
		{`{"a": 1 «// why»` + "\n}", "comments are not allowed", "remove the comment"},
		{`{"a": 1, «# why»` + "\r\n" + `"b": 2}`, "comments are not allowed", "remove the comment"},
		{`{"a": «/* why */» 1}`, "comments are not allowed", "remove the comment"},
		{`{"a": 1 «/* why }»`, "comments are not allowed", "remove the comment"},
		{`{«'key'»: 'value'}`, "a string in single quotes; expected straight double quotes", `write "key"`},
		{`{"key": «'»it`, "a string in single quotes; expected straight double quotes", `write "`},
		{`{«“key”»: 1}`, "a string in curly quotes; expected straight double quotes", `write "key"`},
		{"{\"key\": «`x`»}", "a string in back quotes; expected straight double quotes", `write "x"`},
		{`{«key»: "value"}`, "key key is not in double quotes", `write "key"`},
		{`{«u»"a": 2}`, "key u is not in double quotes", "write the key in double quotes, without the letter before them"},
		{`{«1»"a": 2}`, "key 1 is not in double quotes", `write "1"`},
		{`["a", «u»"b"]`, "value u is not in double quotes", "write the value in double quotes, without the letter before them"},
		{`{«target_id»: null}`, "key target_id is not in double quotes", `write "target_id"`},
		{`{"operation": «ADD», "b": 1}`, "value ADD is not in double quotes", `write "ADD"`},
		{`{"a": 1} «{»"b": 2}`, "second JSON value after the first", "keep one value, and move the other out"},
		{`{"a": 1} «and» more`, "data after the JSON value", "remove what follows the value"},
		{`{"a": 1} «true»`, "data after the JSON value", "remove what follows the value"},
		{`{"a": 1} «7»`, "data after the JSON value", "remove what follows the value"},
		{`{"a": 1}«,»`, "data after the JSON value", "remove what follows the value"},
		{`{"a": 1}«}»`, "unmatched } after the end of the value", "remove }"},
		{`{"a": 1} «// done»`, "comments are not allowed", "remove the comment"},
		{"{\"a\": \"one«\n»two\"}", "line break inside a string", `write \n, or close the string with " before the line ends`},
		{"{\"a\": \"one«\t»two\"}", "tab inside a string", `write \t`},
		{"{\"a\": \"one«\x1b»two\"}", "control character U+001B inside a string", `write \u001b`},
		{`{"a": "C:«\x»"}`, `invalid escape \x`, `write \\ for a backslash`},
		{`{"a": "it«\'»s"}`, `invalid escape \'`, "write ' without the backslash"},
		{"{\"a\": \"x«\\\x01»\"}", `invalid escape \\x01`, `write \\ for a backslash`},
		{`{"a": "«\u»12g4"}`, `\u needs four hexadecimal digits`, `write \\u for a backslash`},
		{"{\"a\": \"one«\\»\ntwo\"}", "backslash at the end of a line: a string cannot continue on the next line", `remove the backslash and the line break`},
		{`{"a": «u'x'»}`, "value u'x' is not in double quotes", "write the value in double quotes"},
		{`{"a": "x %s" «%» y}`, "unexpected %; expected a comma or }", ""},
		{`{"a": "x" «+» y}`, "strings are joined with +", "write one string"},
		{`{"a": "x" «+» 5}`, "strings are joined with +", "write one string"},
		{"{\"a\": 1, «-- why»\n}", "comments are not allowed", "remove the comment"},
		{`{"a": ["x"«.» "y"]}`, "full stop instead of a comma", "write ,"},
		{"{\"a\": \"x\"«.»\n\"b\": 2}", "full stop instead of a comma", "write ,"},
		{"{\"a\": \"x«\n»}", "a string is not closed before the line ends", `write " at the end of the line`},
		{"{\"a\": \"x«\n» \"b\": 2}", "a string is not closed before the line ends", `write ", at the end of the line`},
		{"{\"a\": \"x«,»\n \"b\": 2}", "a string is not closed before the comma", `write " before the comma`},
		{`{«"a»: "x", "b": 2}`, "a key is not closed before the colon", `write " before the colon`},
		{"{\"a\": \"x\",\n«*» \"b\": \"y\"}", "* is before a key", "remove *"},
		{"{\"a\": \"x\",\n«2)» \"b\": \"y\"}", "2) is before a key", "remove 2)"},
		{"{\"a\": \"x\",\n«as well as» \"b\": \"y\"}", "as well as is before a key", "remove as well as"},
		{"{\"a\": \"x\"\n«*» \"b\": \"y\"}", "unexpected *; expected a comma or }", ""},
		{`{"a"«**» : 1}`, "** is behind a key", "remove **"},
		{"{\"a\": «`»\"x\"`}", "back quotes are around a string", "remove the back quotes"},
		{"{\"a\": \"x«”»,\n \"b\": 2}", "a string is closed with ”", `write "`},
		{`{"a": {"b": "it’s x«”»}, "c": 2}`, "a string is closed with ”", `write "`},
		{`{"a«”»: "x"}`, "a string is closed with ”", `write "`},
		{`{«"a»: null, "b": 2}`, "a key is not closed before the colon", `write " before the colon`},
		{"{\"a«\\_»b\": 1}", `invalid escape \_`, "write _ without the backslash"},
		{`{"a": "C:«\_»data"}`, `invalid escape \_`, `write \\ for a backslash`},
		{`{"a": "\beta«\a»lpha"}`, `invalid escape \a`, `write \\ for a backslash`},
		{`{"a": "«\x»c2\xa7"}`, `invalid escape \x`, "write the character that it stands for"},
		{`{"a": "«\N»{SECTION SIGN}"}`, `invalid escape \N`, "write the character that it stands for"},
		{`{"a": "he said «"»hi" twice"}`, "double quote inside a string is not escaped", `write \" inside a string`},
		{`{"a": "abc«»`, "the text ends inside a string", `write the rest of the string, then "}`},
		{"{\"a\": [\"abc«»\n", "the text ends inside a string", `write the rest of the string, then "]}`},
		{`{"a": "abc}«»`, "the text ends inside a string", `close the string with "`},
		{`{"a": "\u12«»`, "the text ends inside a string", `write the rest of the string, then "}`},
		{`{"a": {"b": 1}«»` + "\n\n", "the text ends before the object is closed", "add }"},
		{`{«»`, "the text ends before the object is closed", "add }"},
		{`{"a": [1, 2«»`, "the text ends before the array is closed", "add ]"},
		{`[«»`, "the text ends before the array is closed", "add ]"},
		{`{"a": 1,«»`, "the text ends where a key in double quotes is expected", "write the rest, then }"},
		{`{"a"«»`, "the text ends where a colon after the key is expected", "write the rest, then }"},
		{`{"a":«»`, "the text ends where a value is expected", "write the rest, then }"},
		{`{"a": tr«»`, "the text ends where a value is expected", "write the rest, then }"},
		{"«» \n", "no JSON value", ""},
		{`{"a": 1 «"»b": 2}`, "missing comma before a string", "add a comma after the previous value"},
		{`[{"a": 1} «{»"b": 2}]`, "missing comma before {", "add a comma after the previous value"},
		{"[1«\u00a0»]", "U+00A0 is not white space in JSON", "write an ordinary space"},
		{`[1 «2»]`, "missing comma before a number", "add a comma after the previous value"},
		{`{"a" «1»}`, "missing : between a key and its value", "add :"},
		{`{"a" «"»b"}`, "missing : between a key and its value", "add :"},
		{`{"a" «=» 1}`, "= instead of a colon", "write :"},
		{`{"a": 1«;» "b": 2}`, "semicolon instead of a comma", "write ,"},
		{`{"a": 1«;»}`, "semicolon before the end", "remove the semicolon"},
		{`{"a": «NaN»}`, "NaN is not JSON", "write null"},
		{`{"a": «-Infinity»}`, "-Infinity is not JSON", "write null"},
		{`{"a": «True»}`, "True is not JSON", "write true"},
		{`{"a": «None»}`, "None is not JSON", "write null"},
		{`{"a": «01»}`, "number 01 is not written as in JSON", "write 1"},
		{`{"a": «+1»}`, "number +1 is not written as in JSON", "write 1"},
		{`{"a": «.5»}`, "number .5 is not written as in JSON", "write 0.5"},
		{`{"a": «1.»}`, "number 1. is not written as in JSON", "write 1"},
		{`{"a": «1.5e»}`, "value 1.5e is not in double quotes", `write "1.5e"`},
		{`{"a": «-»}`, "value - is not in double quotes", `write "-"`},
		{"«\ufeff»{}", "byte order mark before the value", "remove the byte order mark"},
		{"{\"a\":«\u00a0»1}", "U+00A0 is not white space in JSON", "write an ordinary space"},
		{`{"a": 1, «...»}`, "an ellipsis is not JSON", "write out the omitted values"},
		{`{"payload": { «…» }}`, "an ellipsis is not JSON", "write out the omitted values"},
		{`{"a": 1«]»`, "] where } is expected to close the object", "write }"},
		{`[1«}»`, "} where ] is expected to close the array", "write ]"},
		{`{"a": {"b": [1]«]», "c": 2}`, "] where } is expected to close the object", "write }"},
		{`{"a": {"b": [1]«]»}, "c": 2}`, "] where } is expected to close the object", "remove ]"},
		{`{"a": [{"b": 1}«}», 2], "c": 2}`, "} where ] is expected to close the array", "remove }"},
		{`{"a": {"b": 1}}«,» "c": 2}`, "data after the JSON value: the } before it closes the value too early", "remove the } before the comma"},
		{`[[1]]«,» 2]`, "data after the JSON value: the ] before it closes the value too early", "remove the ] before the comma"},
		{`{"a": 1}«}», "c": 2}`, "unmatched } after the end of the value", "remove }"},
		{`{"a": ["b"«:» 1, "c": [2, {"d": "]"}]], "e": 2}`, "unexpected :; expected a comma or ]", "write { and } around the members, instead of [ and ]"},
		{`["b"«:» 1]`, "unexpected :; expected a comma or ]", "write { and } around the members, instead of [ and ]"},
		{`["b"«:» 1, 2]`, "unexpected :; expected a comma or ]", "write { and } around the members, instead of [ and ]"},
		{`["b"«:» 1`, "unexpected :; expected a comma or ]", ""},
		{`{"a": ["b", «"»c": 1}`, "the array before this key is not closed", "add ] after its last value"},
		{`{"a": ["b", "c"«:» 1]}`, "unexpected :; expected a comma or ]", ""},
		{`{"a": {"b": 1}` + "\n«All» of it.", "text where a key in double quotes is expected", "add } before the text, and move the text out of the object"},
		{`{"a": 1,` + "\n«All» of it.\n}", "text where a key in double quotes is expected", "move the text out of the object"},
		{`{"a": {"b": 1}` + "\n«See» also: x.", "text where a key in double quotes is expected", "add } before the text, and move the text out of the object"},
		{`{"a": ["b"` + "\n«See» it.", "text where a value is expected", "add ]} before the text, and move the text out of the array"},
		{`{"a": ["b"] «as» string[]}`, "unexpected as; expected a comma or }", ""},
		{`{"a": «{»"H1"}}`, "a set is not JSON", "write [ and ]"},
		{`{"a": «array(»"x")}`, "value array( is not in double quotes", "write the value in double quotes"},
		{`{"a": «P(x)»}`, "value P(x) is not in double quotes", `write "P(x)"`},
		{`{"a":«}»`, "} where the value of a key is expected", "write the value, or null"},
		{`{"a"«}»`, "} after a key: its value is missing", "write : and the value"},
		{`«}»`, "unmatched }", ""},
		{`{«1»: 2}`, "key 1 is not in double quotes", `write "1"`},
		{`{«[»1]: 2}`, "[ where a key is expected", "write the key in double quotes"},
		{`{"operation": "ADD" «|» "EDIT"}`, "unexpected |; expected a comma or }", ""},
		{`{"a": «tru»}`, "tru is not JSON", "write true"},
		{`[«nul»]`, "nul is not JSON", "write null"},
		{`[1, «fals», 2]`, "fals is not JSON", "write false"},
		{`{"a": «flase»}`, "flase is not JSON", "write false"},
		{`{"a": «t»}`, "value t is not in double quotes", `write "t"`},
		{`{"a": «nullable»}`, "value nullable is not in double quotes", `write "nullable"`},
		{`{"a": «true story», "b": 1}`, "value true story is not in double quotes", `write "true story"`},
		{`{"a": «null_model»}`, "value null_model is not in double quotes", `write "null_model"`},
		{`{"section": «hypothesis_slate», "payload": {}}`, "value hypothesis_slate is not in double quotes", `write "hypothesis_slate"`},
		{`{"a": «not a word, but a text», "b": 1}`, "value not a word, but a text is not in double quotes", `write "not a word, but a text"`},
		{`[«not a list», «of texts»]`, "value not a list is not in double quotes", `write "not a list"`},
		{`{"a": «say» "hi"}`, "value say is not in double quotes", "write the value in double quotes"},
		{`{"a": «N/A»}`, "value N/A is not in double quotes", `write "N/A"`},
		{`{"a": [«§42», §43]}`, "value §42 is not in double quotes", `write "§42"`},
		{`{"a": «2026-03-02»}`, "value 2026-03-02 is not in double quotes", `write "2026-03-02"`},
		{`{"a": «1.5.2»}`, "value 1.5.2 is not in double quotes", `write "1.5.2"`},
		{`{"a": «50%»}`, "value 50% is not in double quotes", `write "50%"`},
		{`{"a": «-x»}`, "value -x is not in double quotes", `write "-x"`},
		{`{"a": «C:\x»}`, `value C:\x is not in double quotes`, "write it in double quotes"},
		{`{"a": «0x42»}`, "0x42 is not a decimal number", "write 66"},
		{`{"a": «0b11», "b": 1}`, "0b11 is not a decimal number", "write 3"},
		{`{"a": «1_000»}`, "1_000 is not a decimal number", "write 1000"},
		{`{"a": «0x»}`, "value 0x is not in double quotes", `write "0x"`},
		{`{"a": «007»}`, "number 007 is not written as in JSON", "write 7"},
		{`{«target id»: null}`, "key target id is not in double quotes", `write "target id"`},
		{`{«{»"a": 1}}`, "{ directly after {", "remove one {, and one }"},
		{`{"a": 1}, «{»"b": 2}`, "second JSON value after the first", "keep one value, and move the other out"},
		{"{\"a\": \"«\xff»\"}", "byte 0xFF is not valid UTF-8", "save the text as UTF-8"},
		{"{«\xc3»: 1}", "byte 0xC3 is not valid UTF-8", "save the text as UTF-8"},
		{"{«a»: \"\xff\"}", "key a is not in double quotes", `write "a"`},
	} {
		text := diagnose(t, c.text, c.message, c.hint)
		if json.Valid(text) && !strings.Contains(c.message, "UTF-8") {
			t.Errorf("%s: encoding/json takes it for valid", c.text)
		}
		if r := Recover(text, Options{}); r.Text != nil && !json.Valid(r.Text) {
			t.Errorf("%s: the edits make %s of it", c.text, r.Text)
		}
	}
}

// diagnose holds what is wrong with a text, and returns it without the marks.
func diagnose(t *testing.T, marks, message, hint string) []byte {
	t.Helper()
	text, want := marked(marks)
	_, fault := Parse(text, Options{})
	if fault == nil {
		t.Fatalf("%s: no fault", marks)
	}
	if fault.Message != message || fault.Hint != hint || fault.Span != want {
		t.Errorf("%s:\n got %q, hint %q, at %v\nwant %q, hint %q, at %v", marks, fault.Message, fault.Hint, fault.Span, message, hint, want)
	}
	return text
}

// marked removes the marks « and » from a text and returns where they were.
func marked(s string) ([]byte, source.Span) {
	before, rest, found := strings.Cut(s, "«")
	if !found {
		return []byte(s), source.Span{}
	}
	inside, after, _ := strings.Cut(rest, "»")
	return []byte(before + inside + after), source.Span{Start: len(before), End: len(before) + len(inside)}
}

// TestDiagnoseOutside checks what is wrong with a text that does not begin with
// its value or holds words of another language, and that the edits, where there
// are some, make it valid.
func TestDiagnoseOutside(t *testing.T) {
	const (
		lost, both     = "the opening { is missing before the first key", "the braces around the object are missing"
		add, addBoth   = "add { before the first key", "add { before the first key, and } at the end"
		before, around = "text before the JSON value", "text around the JSON value"
		remove, keep   = "remove everything before the value", "remove everything before and after the value"
		prose          = "text where a JSON value is expected"
	)
	for _, c := range []struct{ text, message, hint, fixed string }{
		{`  «"a"»: 1, "b": {"c": 2}}`, lost, add, `  {"a": 1, "b": {"c": 2}}`},
		{`«"a"» : 1`, both, addBoth, `{"a" : 1}`},
		{"«\"a\"»: 1,\n\"b\": [2]\n\n", both, addBoth, "{\"a\": 1,\n\"b\": [2]}\n\n"},
		{`«"a"»: 1, "b": 2,}`, lost, add, `{"a": 1, "b": 2}`},
		{`«'a'»: 1, "b": {}}`, lost, add, `{"a": 1, "b": {}}`},
		{`«a»: "x", "b": {"c": 2}}`, lost, add, `{"a": "x", "b": {"c": 2}}`},
		{"«Here it is:»\n{\"a\": 1}\n", before, remove, "{\"a\": 1}\n"},
		{`«Here it is:» {"a": 1}`, before, remove, `{"a": 1}`},
		{`«json» {"a": 1}`, before, remove, `{"a": 1}`},
		{`«1.» {"a": 1}`, before, remove, `{"a": 1}`},
		{`«-» {"a": 1}`, before, remove, `{"a": 1}`},
		{`«"delta":» {"a": 1}`, before, remove, `{"a": 1}`},
		{"«The form {x} is:»\n{\"a\": 1}", before, remove, "{\"a\": 1}"},
		{"«All of them:»\n[{\"a\": 1}, {\"b\": 2}]", before, remove, "[{\"a\": 1}, {\"b\": 2}]"},
		{`«<delta>»{"a": 1}</delta>`, around, keep, `{"a": 1}`},
		{"«```json»\n{\"a\": 1}\n```", around, keep, "{\"a\": 1}"},
		{`«Here it is:» {"a": 1,}`, before, remove, `{"a": 1}`},
		{`«Here it is:»`, prose, "", ""},
		{"«operation: ADD»\nsection: x", prose, "", ""},
		{`"a«"» "b"`, "double quote inside a string is not escaped", `write \" inside a string`, ""},
		{"\"a«\n»\": 1}", "line break inside a string", `write \n, or close the string with " before the line ends`, ""},
		{`«hypothesis»`, "value hypothesis is not in double quotes", `write "hypothesis"`, ""},
		{`{"a": «True», "b": 1}`, "True is not JSON", "write true", `{"a": true, "b": 1}`},
		{`[«None»]`, "None is not JSON", "write null", `[null]`},
		{`[«True», False]`, "True is not JSON", "write true", "[true, false]"},
		{`[«nul»]`, "nul is not JSON", "write null", "[null]"},
		{"«// a comment»\n{\"a\": 1}", "comments are not allowed", "remove the comment", "\n{\"a\": 1}"},
	} {
		if fixed := string(Recover(diagnose(t, c.text, c.message, c.hint), Options{}).Text); fixed != c.fixed {
			t.Errorf("%s: fixed to %q, want %q", c.text, fixed, c.fixed)
		}
	}
}

func TestParseAcceptsStrictly(t *testing.T) {
	for _, text := range []string{
		`{}`, ` [ ] `, `null`, `-0.5e+10`, `"\ud800"`, `"\udc00\ud800"`, `"\ud83d\ude00"`, `{"a":1,"a":2}`, "\"\u2028\"", `"\/"`, "\t\r\n1",
	} {
		if _, fault := Parse([]byte(text), Options{}); fault != nil {
			t.Errorf("%s: %v", text, fault)
		}
	}
}

func TestDepth(t *testing.T) {
	deep := strings.Repeat(`[`, 10_001)
	for _, c := range []struct {
		text string
		max  int
		at   int
	}{
		{deep + strings.Repeat(`]`, 10_001), 0, MaxDepth},
		{deep, 0, MaxDepth},
		{strings.Repeat(`{"a":`, 10_000), 3, 3 * 5},
		{`{"a": 1, ` + deep[:1] + `}`, 0, 9},
	} {
		_, fault := Parse([]byte(c.text), Options{MaxDepth: c.max})
		if fault == nil {
			t.Fatalf("%.20s…: no fault", c.text)
		}
		limit := c.max
		if limit == 0 {
			limit = MaxDepth
		}
		want := fmt.Sprintf("nested deeper than %d levels", limit)
		if c.at == 9 {
			want = "[ where a key is expected"
		}
		if fault.Message != want || fault.Span.Start != c.at {
			t.Errorf("%.20s…: %q at %d, want %q at %d", c.text, fault.Message, fault.Span.Start, want, c.at)
		}
	}
	if _, fault := Parse([]byte(strings.Repeat(`[`, MaxDepth)+strings.Repeat(`]`, MaxDepth)), Options{}); fault != nil {
		t.Errorf("depth %d: %v", MaxDepth, fault)
	}
	if fault := CheckSyntax([]byte(deep)); fault == nil || fault.Message != "nested deeper than 10000 levels" || fault.Span.Start < 9_999 || fault.Span.Start > 10_000 {
		t.Errorf("CheckSyntax: %v", fault)
	}
	// Deep nesting where a key should stand is read by the decoder in one go.
	if _, fault := Parse([]byte(`{`+strings.Repeat(`{"":`, 20_000)), Options{}); fault == nil {
		t.Error("no fault")
	}
}

// TestLarge reads and fixes much of what invites quadratic time: it would
// not end in the time that a test has.
func TestLarge(t *testing.T) {
	testenv.SkipUnderRace(t)
	for _, c := range []struct{ name, before, repeated, after string }{
		{"string", `{"a": "`, "x", "\n\"}"},
		{"members", `{`, `"a": 1,`, `}`},
		{"comments", `[`, "1, // c\n", `]`},
		{"comment lines", `[1,`, "// c\n", `x]`},
		{"open comments", `[1,`, "/*", ``},
		{"commas", `[`, `1,`, `,]`},
		{"spaces", `[1`, ` `, `,]`},
		{"quotes", `[`, `'`, `]`},
		{"open strings", `[`, "\"\n", `]`},
		{"words", `[`, `w`, `]`},
		{"digits", `[0`, `0`, `]`},
		{"names", `{`, `x:`, `}`},
	} {
		text := []byte(c.before + strings.Repeat(c.repeated, 256<<10/len(c.repeated)) + c.after)
		_, fault := Parse(text, Options{})
		if fault == nil {
			t.Fatalf("%s: no fault", c.name)
		}
		if len(fault.Message)+len(fault.Hint) > 300 {
			t.Errorf("%s: the message repeats the text: %.80s…", c.name, fault.Message)
		}
		Recover(text, Options{})
	}
}
