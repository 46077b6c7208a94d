package delta

import (
	"fmt"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/source"
)

func TestFindMisplaced(t *testing.T) {
	const json = `{"operation": "ADD", "section": "hypothesis_slate"}`
	const other = `{"op": "KILL", "section": "tests", "target_id": "T1", "payload": {"reason": "r"}}`
	const noSection = `{"operation": "ADD", "target_id": null, "payload": {"name": "n", "claim": "c", "mechanism": "m", "anchors": ["§1"]}}`
	for _, c := range []struct {
		name, body string
		want       []string // form, then the text of the span
	}{
		{"paragraph", "Here it is:\n\n" + json + "\n", []string{"1 alone valid " + json}},
		{"in a sentence", "I add " + json + " now.", []string{"1 alone valid " + json}},
		{"with an ellipsis", `{ "operation": "ADD", "section": "x", ... }`, []string{`1 alone { "operation": "ADD", "section": "x", ... }`}},
		{"several lines", "{\n  \"operation\": \"ADD\",\n  \"section\": \"x\"\n}", []string{"1 alone valid {\n  \"operation\": \"ADD\",\n  \"section\": \"x\"\n}"}},
		{"blank lines inside", "{\n  \"operation\": \"ADD\",\n\n    \"payload\": {},\n\n  \"section\": \"x\"\n}\n", []string{"1 alone valid {\n  \"operation\": \"ADD\",\n\n    \"payload\": {},\n\n  \"section\": \"x\"\n}"}},
		{"indented code", "text\n\n    " + json, []string{"1 alone valid " + json}},
		{"setext heading", json + "\n---\nRedCreek", []string{"1 alone valid " + json}},
		{"list", "- " + json, []string{"1 alone valid " + json}},
		{"two in a line", json + " " + json, []string{"1 alone valid " + json, "1 alone valid " + json}},
		{"array", "[" + json + ",\n" + json + "]", []string{"1 alone valid " + json, "1 alone valid " + json}},
		{"wrapped", `{"delta": ` + json + `}`, []string{"1 alone valid " + json}},
		{"delta in a delta", `{"operation":1,"section":2,"payload":` + json + `}`, []string{`1 alone valid {"operation":1,"section":2,"payload":` + json + `}`}},
		{"cut off", "{\"operation\": \"ADD\",\n\"section\": \"x\",\n\n# Next\n", []string{"1 {\"operation\": \"ADD\",\n\"section\": \"x\","}},
		{"cut off in a heading", "## {\"operation\": \"ADD\", \"section\":", []string{"1 {\"operation\": \"ADD\", \"section\":"}},
		{"cut off in a setext heading", "I add {\"operation\": \"ADD\", \"section\": \"x\"\n---\n", []string{"1 {\"operation\": \"ADD\", \"section\": \"x\""}},
		{"cut off in a heading after an open brace", "a {\n\n# {\"operation\": 1, \"section\": 2\n", []string{"1 {\"operation\": 1, \"section\": 2"}},
		{"cut off in the second heading", "text\n\n# One\n# {\"operation\": 1, \"section\": 2\n\nmore }\n", []string{"1 {\"operation\": 1, \"section\": 2"}},
		{"ended by a setext heading", "{\"operation\": 1,\n\n\"section\": 2}\n---\n", []string{"1 alone valid {\"operation\": 1,\n\n\"section\": 2}"}},
		{"stray quote before", `5" disk ` + json, []string{"1 alone valid " + json}},
		{"stray brace before", "a { b\n\n" + json, []string{"1 alone valid " + json}},
		{"code span on its own", "`" + json + "`", []string{"1 alone valid " + json}},
		{"shown in a sentence", "Use `" + json + "` in a fence.", nil},
		{"quoted", "> " + json, nil},
		{"comment", "<!-- " + json + " -->", nil},
		{"one key", `{"operation": "ADD"} and {"section": "x"}`, nil},
		{"keys of two levels", `{"operation": {"section": 1}}`, nil},
		{"values, no keys", `{"a": "operation", "b": "section"}`, nil},
		{"words of a key", `The "operation" should be ADD and the "section" is {hypothesis_slate}.`, nil},
		{"delta fence", "```delta\n" + json + "\n```", nil},

		{"cut off with its fence", "```json\n{\"operation\": \"ADD\",\n\"section\": \"tests\", \"payload\": {\"name\": \"a", []string{"3 json ```json"}},
		{"a cut example in a fence", "```json\n{\"operation\": \"ADD\",\n\"section\": \"tests\", \"payload\": {\"name\": \"a\n```", nil},
		{"the form of a delta, cut off", "```json\n{\"operation\": \"...\", \"section\": \"...\", ...\n```", nil},
		{"a program", "```python\nd = {\"operation\": \"ADD\", \"section\": \"tests\",\n```", nil},
		{"without its last brace", "```json\n{\"op\": \"KILL\", \"section\": \"tests\", \"payload\": {\"reason\": \"r\"}\n```", []string{"3 json ```json"}},
		{"without its braces", "```json\n\"op\": \"KILL\", \"section\": \"tests\", \"payload\": {\"reason\": \"r\"}\n```", []string{"3 json ```json"}},
		{"without section", "```json\n" + noSection + "\n```", []string{"3 json ```json"}},
		{"two, one under another name", "```json\n" + other + "\n" + json + "\n```", []string{"5 json ```json"}},
		{"two in an array, both under another name", "```json\n[" + other + ",\n" + other + "]\n```", []string{"3 in a list or an array json ```json"}},
		{"other JSON cut off", "```json\n{\"operation\": \"deploy\", \"payload\": {\"name\": \"a\"}\n```", nil},
		{"a delta and other JSON", "```json\n{\"type\": \"note\", \"data\": {}}\n" + json + "\n```", []string{"5 json ```json"}},

		{"bare, under another name", other, []string{"1 alone " + other}},
		{"bare, without section", noSection, []string{"1 alone valid " + noSection}},
		{"in a wrapper, under another name", "```json\n{\"deltas\": [" + other + ", " + noSection + "]}\n```", []string{"3 json ```json"}},
		{"in another object", "```json\n{\"results\": [" + other + "]}\n```", nil},
		{"bare, in an array, under another name", "[" + other + ",\n" + other + "]", []string{"1 alone " + other, "1 alone " + other}},
		{"bare, a change of a JSON Patch", `[{"op": "add", "path": "/tests/0", "value": {"name": "x"}}]`, nil},
		{"in words, under another name", "The tool sent " + other, nil},
		{"bare, a delta in the data of another object", `{"type": "note", "content": ` + json + `}`, []string{"1 alone valid " + json}},
		{"bare, other JSON", `{"type": "note", "section": "tests", "data": {"a": 1}}`, nil},
		{"bare, the form of a delta", `{"op": "<ADD|EDIT|KILL>", "section": "<section>", "payload": {}}`, nil},
		{"bare, an event", `{"operation": "update", "payload": {"name": "x"}}`, nil},

		{"line", "DELTA[hypothesis]: X causes Y", []string{"2 DELTA[hypothesis]:"}},
		{"lines", "DELTA[test]: a\nmore\nDELTA[test] : b", []string{"2 DELTA[test]:", "2 DELTA[test] :"}},
		{"bold", "**DELTA[test]:** a\n\n__DELTA[x y]__: b", []string{"2 DELTA[test]:", "2 DELTA[x y]__:"}},
		{"item", "- DELTA[test]: a", []string{"2 DELTA[test]:"}},
		{"no text", "DELTA[test]:\n\nmore", nil},
		{"no tag", "DELTA[]: a\n\nDELTA: b", nil},
		{"form of a subject", "DELTA[gpt]: <description>\n\n**DELTA[role]:** {description}", nil},
		{"lower case", "delta[test]: a", nil},
		{"in a sentence", "Reply with `DELTA[gpt]: <description>`, not with DELTA[x]: y", nil},
		{"heading", "# DELTA[gpt]: a title", nil},
		{"in a fence", "```\nDELTA[gpt]: a\n```", nil},
		{"quoted line", "> DELTA[gpt]: a", nil},

		{"json fence", "```json\n" + json + "\n```", []string{"3 json ```json"}},
		{"no tag", "```\n" + json + "\n```", []string{"3  ```"}},
		{"capital", "~~~~Delta x\n" + json + "\n~~~~", []string{"3 Delta ~~~~Delta x"}},
		{"faulty JSON", "```json\n{\"operation\": 1, \"section\": 2,}\n```", []string{"3 json ```json"}},
		{"unclosed fence", "```json\n" + json, []string{"3 json ```json"}},
		{"not the whole content", "```json\n" + json + "\n" + json + "\n```\n```\nx " + json + "\n```", []string{"5 json ```json", "5  ```"}},
		{"array in a fence", "```json\n[" + json + ",\n" + json + "]\n```", []string{"3 in a list or an array json ```json"}},
		{"faulty array in a fence", "```json\n[" + json + ",]\n```", []string{"3 in a list or an array json ```json"}},
		{"not only an array", "```json\n[" + json + "] x\n```", []string{"5 json ```json"}},
		{"wrapped in a fence", "```json\n{\"delta\": " + json + "}\n```", []string{"6 alone json ```json"}},
		{"fence in a list", "- ```json\n  " + json + "\n  ```", []string{"3 in a list or an array json ```json"}},
		{"fence in a fence", "~~~markdown\n```json\n" + json + "\n```\n~~~", []string{"5 markdown ~~~markdown"}},
		{"delta fence in a fence", "~~~md\n# x\n\n```delta\n" + json + "\n```\n~~~", []string{"5 md ~~~md"}},
		{"delta fence in a longer fence", "````\n```delta\n" + json + "\n```\n````", []string{"5  ````"}},
		{"delta fence in a fence in a list", "- ~~~\n  ```delta\n  " + json + "\n  ```\n  ~~~", []string{"5  ~~~"}},
		{"broken JSON in a fence in a fence", "````\n```delta\n{operation: 'ADD',}\n```\n````", []string{"5  ````"}},
		{"a placeholder in a fence in a fence", "````\n```delta\n<one JSON object>\n```\n````", nil},
		{"an ellipsis in a fence in a fence", "````\n```delta\n{ … }\n```\n````", nil},
		{"words in a fence in a fence", "````\n```delta\n(your JSON object here)\n```\n````", nil},
		{"other JSON in a fence in a fence", "````\n```delta\n{\"a\": 1}\n```\n````", nil},
		{"delta fence in a quoted fence", "> ~~~\n> ```delta\n> x\n> ```\n> ~~~", nil},
		{"another fence in a fence", "~~~\n```deltas\nx\n```\n~~~", nil},
		{"a line that opens no fence", "~~~\nuse ```delta\n    ```delta\n~~~", nil},
		{"a delta under other names", "```json\n{'op': 'add', 'section': 'tests', 'data': {}}\n```", []string{"3 json ```json"}},
		{"deltas of YAML", "```yaml\n- operation: KILL\n  section: tests\n  target_id: T2\n  payload: {reason: r}\n- operation: KILL\n  section: tests\n  target_id: T3\n  reason: r\n```", []string{"3 yaml ```yaml"}},
		{"a delta of YAML and another mapping", "```yaml\n- operation: KILL\n  section: tests\n  target_id: T2\n  payload: {reason: r}\n- operation: deploy\n  section: prod\n```", nil},
		{"a KILL without payload", "{'operation': 'KILL', 'section': 'tests', 'target_id': 'T2', 'reason': 'r'}", []string{"1 alone {'operation': 'KILL', 'section': 'tests', 'target_id': 'T2', 'reason': 'r'}"}},
		{"a KILL of nothing", "{'operation': 'KILL', 'section': 'tests', 'target_id': 'all', 'reason': 'r'}", nil},
		{"a KILL without reason", "{'operation': 'KILL', 'section': 'tests', 'target_id': 'T2'}", nil},
		{"other JSON with an operation", "```json\n{\"op\": \"add\", \"path\": \"/tests\", \"value\": {}}\n```", nil},
		{"other JSON", "```json\n{\"a\": 1}\n```", nil},

		{"colons", ":::delta\n" + json + "\n:::\n", []string{"4 valid delta, closed :::delta"}},
		{"colons with a space", ":::: Delta\n" + json + "\n\n::::\nDELTA[x]: y", []string{"4 valid Delta, closed :::: Delta", "2 DELTA[x]:"}},
		{"open colons", ":::delta\n" + json + "\n", []string{"4 delta, :::delta"}},
		{"other colons", "::: note\nx\n:::", nil},
	} {
		doc := document(c.body)
		var got []string
		for _, m := range FindMisplaced(doc, jsontree.Options{}) {
			s := fmt.Sprintf("%d ", m.Form)
			if m.Edits != nil && (m.Form == BareJSON || m.Form == WrappedJSON) {
				s += "alone "
			}
			if m.Certain && m.Form != OtherFence && m.Form != WrappedJSON && (m.JSON == nil || string(m.JSON[0]) == doc.Text.Slice(m.Span)) {
				s += "valid "
			}
			if m.Form == OtherFence && !m.Certain {
				s += "in a list or an array "
			}
			if m.Form >= OtherFence {
				s += doc.Text.Slice(m.Tag)
				if m.Form == ColonFence {
					s += ", "
				}
				if m.Form == ColonFence && m.Edits != nil {
					s += "closed"
				}
				if !strings.HasSuffix(s, " ") || doc.Text.Slice(m.Tag) == "" {
					s += " "
				}
			}
			got = append(got, s+doc.Text.Slice(m.Span))
		}
		if strings.Join(got, "|") != strings.Join(c.want, "|") {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
	if FindMisplaced(nil, jsontree.Options{}) != nil {
		t.Error("a nil document holds something")
	}
}

// TestUnwrapping removes an outer fence, together with the line that was meant to close
// it, wherever CommonMark sees that.
func TestUnwrapping(t *testing.T) {
	const a, b = "```delta\n{\"operation\": 1}\n```\n", "```delta\n{\"section\": 1, \"payload\": {}}\n```\n"
	for body, want := range map[string]string{
		"```markdown\n# x\n\n" + a + "\n" + b + "```\n":                   "# x\n\n" + a + "\n" + b,
		"```markdown\n# x\n\n" + a + "\n" + b + "```":                     "# x\n\n" + a + "\n" + strings.TrimSpace(b),
		"```markdown\n# x\n\n" + a + "\n" + b:                             "# x\n\n" + a + "\n" + b,
		"text\n\n````md\n# x\n\n" + a + "\n" + b + "````\n\nend":          "text\n\n# x\n\n" + a + "\n" + b + "\nend",
		"````md\r\n```delta\r\n{\"operation\":1}\r\n```\r\n````\r\nend":   "```delta\r\n{\"operation\":1}\r\n```\r\nend",
		"~~~ \n" + a + "  ~~~ \nend\n":                                    a + "end\n",
		"````\n" + a:                                                      a,
		"- ````\n  ```delta\n  {\"operation\":1}\n  ```\n  ````\n- end\n": "- \n  ```delta\n  {\"operation\":1}\n  ```\n- end\n",
		"```\n" + a + "\n```\ncode\n```\n":                                a + "\n```\ncode\n```\n",
		"````\nx\n\n{\"operation\": 1, \"section\": 2}\n````\n":           "x\n\n{\"operation\": 1, \"section\": 2}\n",
	} {
		doc := document(body)
		m := FindMisplaced(doc, jsontree.Options{})
		if len(m) != 1 || m[0].Form != OuterFence {
			t.Errorf("%q: found %+v", body, m)
			continue
		}
		if got := string(source.Apply(doc.Text.Data, m[0].Edits)); got != want {
			t.Errorf("%q: unwrapped to %q, want %q", body, got, want)
		}
	}
}
