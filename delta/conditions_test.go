package delta

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/jsontree"
	"github.com/brennerlint/brennerlint/source"
)

// TestSuggestions holds what is advised for a fault, and for which field it is.
func TestSuggestions(t *testing.T) {
	for _, tt := range []struct{ json, field, want string }{
		// target_id: another section's id, or one of the section carelessly written
		{`{"operation":"EDIT","section":"hypothesis_slate","target_id":"T2","payload":{"claim":"c"}}`, "target_id", `"T2" is an item of discriminative_tests: one of the two is wrong`},
		{`{"operation":"EDIT","section":"hypothesis_slate","target_id":" h02","payload":{"claim":"c"}}`, "target_id", `write "H2"`},
		{`{"operation":"EDIT","section":"hypothesis_slate","target_id":"t2","payload":{"claim":"c"}}`, "target_id", ""},
		{`{"operation":"EDIT","section":"hypothesis_slate","target_id":"002","payload":{"claim":"c"}}`, "target_id", ""},
		{`{"operation":"EDIT","section":"hypothesis_slate","target_id":"H0","payload":{"claim":"c"}}`, "target_id", ""},
		// KILL
		{`{"operation":"KILL","section":"hypothesis_slate","target_id":"H1","reason":"r","payload":{}}`, "reason", "move reason into the payload"},
		{`{"operation":"KILL","section":"hypothesis_slate","target_id":"H1","payload":{}}`, "reason", `write "payload": {"reason": "…"}`},
		// an empty payload: only an ADD needs the required fields
		{`{"operation":"ADD","section":"hypothesis_slate","payload":{}}`, "payload", "hypothesis_slate needs name, claim, mechanism and anchors"},
		{`{"operation":"EDIT","section":"hypothesis_slate","target_id":"H1","payload":{}}`, "payload", ""},
		// required fields are shown in their form; one alone is the field concerned
		{`{"operation":"ADD","section":"predictions_table","payload":{"condition":"c"}}`, "predictions", `write into the payload: "predictions": {"H1": "…"}`},
		{`{"operation":"ADD","section":"hypothesis_slate","payload":{"name":"n","claim":"c","mechanism":"m"}}`, "anchors", `write into the payload: "anchors": ["§…"]`},
		{`{"operation":"ADD","section":"hypothesis_slate","payload":{"name":"n","claim":"c"}}`, "", `write into the payload: "mechanism": "…", "anchors": ["§…"]`},
	} {
		d := extract(block(tt.json))[0]
		if len(d.Faults) != 1 {
			t.Errorf("%s: %d faults", tt.json, len(d.Faults))
			continue
		}
		if f := d.Faults[0]; f.Suggestion != tt.want || f.Field != tt.field {
			t.Errorf("%s: field %q, suggestion %q; want %q, %q", tt.json, f.Field, f.Suggestion, tt.field, tt.want)
		}
	}
}

// TestFaultConditions has, for each condition, a delta that it alone decides.
func TestFaultConditions(t *testing.T) {
	const score = `{"operation":"EDIT","section":"discriminative_tests","target_id":"T1","payload":{"score":%s}}`
	const parts = "for likelihood_ratio, cost, speed and ambiguity"
	for json, want := range map[string][]string{
		// true and false are named as written
		`{"operation":"EDIT","section":"research_thread","target_id":true,"payload":{"context":"c"}}`:    {`target_id of research_thread is true, expected "RT" or null`},
		`{"operation":"EDIT","section":"hypothesis_slate","target_id":"H1","payload":{"replace":"yes"}}`: {"replace is a string, expected true or false"},
		// _replace belongs to arrays alone; other unknown fields are no fault of type
		`{"operation":"EDIT","section":"hypothesis_slate","target_id":"H1","payload":{"claim_replace":1,"x":1}}`: nil,
		// an EDIT may empty a field that an ADD has to fill
		`{"operation":"EDIT","section":"hypothesis_slate","target_id":"H1","payload":{"claim":"","anchors":[]}}`:                nil,
		`{"operation":"EDIT","section":"hypothesis_slate","target_id":"H1","payload":{"claim":null}}`:                           {"claim is null, expected a string"},
		`{"operation":"ADD","section":"hypothesis_slate","payload":{` + goodH + `,"third_alternative":null}}`:                   {"third_alternative is null, expected true or false"},
		`{"operation":"ADD","section":"hypothesis_slate","payload":{"name":null,"claim":"c","mechanism":"m","anchors":["§1"]}}`: {"ADD to hypothesis_slate leaves name empty"},
		`{"operation":"ADD","section":"hypothesis_slate","why":"w","content":{}}`:                                               {`ADD has no payload, expected an object with the fields of the item; "content" may be meant as payload`},
		// fields with words of their own
		`{"operation":"EDIT","section":"assumption_ledger","target_id":"A1","payload":{"status":3}}`:          {"status is a number, expected a string"},
		`{"operation":"EDIT","section":"assumption_ledger","target_id":"A1","payload":{"status":"verified"}}`: nil,
		`{"operation":"EDIT","section":"assumption_ledger","target_id":"A1","payload":{"status":"zzzzzzzz"}}`: {`status is "zzzzzzzz", expected unchecked, verified or falsified`},
		// scores
		fmt.Sprintf(score, `{"cost":0,"speed":1,"ambiguity":2,"likelihood_ratio":3}`): nil,
		fmt.Sprintf(score, `{"cost":1.5}`):                                            {"score part cost is 1.5, expected integers from 0 to 3 " + parts},
		fmt.Sprintf(score, `{"cost":"2"}`):                                            {`score part cost is "2", expected integers from 0 to 3 ` + parts},
		fmt.Sprintf(score, `7`):                                                       {"score is a number, expected an object of likelihood_ratio, cost, speed and ambiguity"},
		fmt.Sprintf(score, `{"a":1,"b":1,"c":1,"d":1}`):                               {"score part a is no part of a score, b is no part of a score, c is no part of a score and d is no part of a score, expected integers from 0 to 3 " + parts},
		fmt.Sprintf(score, `{"a":1,"b":1,"c":1,"d":1,"e":1}`):                         {"score part a is no part of a score, b is no part of a score, c is no part of a score, d is no part of a score and 1 more, expected integers from 0 to 3 " + parts},
		// hints name the first field that says something
		`{"operation":"ADD","section":"hypothesis_slate","payload":{"name":"n","statement":" ","assertion":"s","hypothesis":"t","mechanism":"m","anchors":["§1"]}}`: {`ADD to hypothesis_slate lacks claim; "assertion" may be meant as claim`},
		// nothing is said of a payload whose section is unknown
		`{"operation":"ADD","section":"zzzzzzzz","payload":{"claim":7}}`:                                {`section "zzzzzzzz" is not a section id, expected research_thread, hypothesis_slate, predictions_table, discriminative_tests, assumption_ledger, anomaly_register or adversarial_critique`},
		`{"operation":"EDIT","section":"2. Hypothesis Slate","target_id":"H1","payload":{"claim":"c"}}`: {`section "2. Hypothesis Slate" is not a section id; did you mean "hypothesis_slate"?`},
	} {
		var got []string
		for _, f := range extract(block(json))[0].Faults {
			got = append(got, f.Message)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", json, diff)
		}
	}
}

// TestRejected: a value of the wrong type is no reason to reject a delta
// (decisions.md 18), and a section given by its title is surely meant.
func TestRejected(t *testing.T) {
	d := extract(block(`{"operation":"EDIT","section":"hypothesis_slate","target_id":"H1","payload":{"claim":7}}`))[0]
	if len(d.Faults) != 1 || d.Rejected() != nil {
		t.Errorf("faults %v, rejected for %v", d.Faults, d.Rejected())
	}
	d = extract(block(`{"operation":"EDIT","section":"2. Hypothesis Slate","target_id":"H1","payload":{"claim":7}}`))[0]
	if f := d.Rejected(); f == nil || f.Rule != "DL-002" || f.SuggestedFix == nil || f.SuggestedFix.Unsafe {
		t.Errorf("rejected for %+v", f)
	}
}

// TestIntended: a name that the delta has is not meant by another one.
func TestIntended(t *testing.T) {
	d := extract(block(`{"operation":"ADD","section":"hypothesis_slate","payload":{"name":"n"}}`))[0]
	for name, want := range map[string]string{
		"op": "", "OPERATION": "", "operation": "", "rationale": "", "target": "target_id", "Target": "target_id", "rationle": "rationale", "zzzzzzzz": "",
	} {
		if got := d.IntendedMember(name); got != want {
			t.Errorf("IntendedMember(%q) = %q, want %q", name, got, want)
		}
	}
	for name, want := range map[string]string{"statement": "claim", "clam": "claim", "claim": "", "title": "", "zzzzzzzz": ""} {
		if got := d.SuggestField(name); got != want {
			t.Errorf("SuggestField(%q) = %q, want %q", name, got, want)
		}
	}
	for name, want := range map[string]bool{"replace": true, "anchors_replace": true, "claim_replace": false, "anchors": false, "x_replace": false} {
		if d.IsReplaceKey(name) != want {
			t.Errorf("IsReplaceKey(%q) = %v", name, !want)
		}
	}
	unknown := extract(block(`{"operation":"ADD","section":"x","payload":{"name":"n"}}`))[0]
	if unknown.SuggestField("statement") != "" || unknown.IsReplaceKey("anchors_replace") {
		t.Error("a delta without section has fields")
	}
}

// TestMisplacedConditions has, for each condition, a body that it alone decides.
func TestMisplacedConditions(t *testing.T) {
	const json = `{"operation": 1, "section": 2}`
	for body, want := range map[string][]string{
		// strings and braces
		`{"operation": "\"}", "section": 2}`: {`{"operation": "\"}", "section": 2}`},
		`{"operation" 1, "section": 2}`:      nil,
		`{"operation": 1, "section" : 2}`:    {`{"operation": 1, "section" : 2}`},
		strings.Repeat("{", jsontree.MaxDepth+2) + strings.Repeat("}", jsontree.MaxDepth+2) + json: {json},
		// code in a sentence shows a form, code alone does not
		"Use\n`" + json + "` here.":  {json},
		"`` " + json + " ``":         {json},
		"Use `` " + json + " `` so.": {json},
		// words
		"DELTA[x]":            nil,
		"DELTA[x] y":          nil,
		"DELTA[x]: <a> b":     {"DELTA[x]:"},
		"DELTA[x]: a <b>":     {"DELTA[x]:"},
		"DELTA[x]: {a} b":     {"DELTA[x]:"},
		"DELTA[x]: a {b}":     {"DELTA[x]:"},
		"DELTA[x]: <a}":       {"DELTA[x]:"},
		"{\nDELTA[x]: y\n}":   nil,
		"DELTA[x] yes: no":    nil,
		"a\n  `" + json + "`": {json},
		"a\n\t`" + json + "`": {json},
		// colons
		":::delta\nx\n::: more\nDELTA[x]: y":         {":::delta"},
		":::delta\nx\n::\nDELTA[x]: y":               {":::delta"},
		"{\n:::\n" + json + "\n}":                    {json},
		"{\n:::delta\n}":                             nil,
		"::delta\n" + json + "\n::":                  {json},
		":::delta\n{\"a\": 1}\n::\n:::\nDELTA[x]: y": {":::delta", "DELTA[x]:"},
		":::delta\nDELTA[x]: y\n::: more\n":          {":::delta"},
		":::\nDELTA[x]: y":                           {"DELTA[x]:"},
		// blocks between
		"<!-- " + json + " -->\n\n" + json: {json},
		"<div>\n" + json + "\n</div>":      {json},
		"```\n```\n" + json:                {json},
		"```\n[" + json + "]\n```":         {"```"},
		"```\n" + json + " x\n```":         {"```"},
		"{\n\n***\n\n" + json + "\n}":      {json},
	} {
		doc := document(body)
		var got []string
		for _, m := range FindMisplaced(doc, jsontree.Options{}) {
			got = append(got, doc.Text.Slice(m.Span))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", body, diff)
		}
	}
	for body, valid := range map[string]bool{":::delta\n{}\n:::": true, ":::delta\n{,}\n:::": false} {
		if m := FindMisplaced(document(body), jsontree.Options{}); len(m) != 1 || m[0].Valid != valid {
			t.Errorf("%q: %+v", body, m)
		}
	}
}

// TestFencing: an object in a list gets a fence of the item's own; what it stands
// in decides whether it can have one.
func TestFencing(t *testing.T) {
	for body, want := range map[string]string{
		"{\"operation\":1,\n\"section\":2}\n":               "```delta\n{\"operation\":1,\n\"section\":2}\n```\n",
		"- {\"operation\":1,\n\"section\":2}\n":             "- ```delta\n  {\"operation\":1,\n  \"section\":2}\n  ```\n",
		"- {\"operation\":1,\n  \"section\":2}\n":           "- ```delta\n  {\"operation\":1,\n  \"section\":2}\n  ```\n",
		"- {\"operation\":1,\n  \"a\":3,\n\"section\":2}\n": "- ```delta\n  {\"operation\":1,\n    \"a\":3,\n  \"section\":2}\n  ```\n",
		"- a {\"operation\":1,\"section\":2}\n":             "",
		"- {\"operation\":1,\"section\":2} a\n":             "",
		"- # {\"operation\":1,\"section\":2}\n":             "",
		"- {\"operation\":1,\n\n  \"section\":2}\n":         "",
		"<div>\n{\"operation\":1,\"section\":2}\n</div>\n":  "",
		"a {\"operation\":1,\"section\":2}\n":               "",
	} {
		doc := document(body)
		m := FindMisplaced(doc, jsontree.Options{})
		if len(m) != 1 {
			t.Errorf("%q: %d found", body, len(m))
			continue
		}
		got := ""
		if m[0].Fencing != nil {
			got = string(source.Apply(doc.Text.Data, m[0].Fencing))
			if n := len(extract(got)); n != 1 {
				t.Errorf("%q: the fence holds %d deltas", body, n)
			}
		}
		if got != want {
			t.Errorf("%q: fenced to %q, want %q", body, got, want)
		}
	}
}
