package delta

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/internal/jsontree"
)

// TestRejected: a value of the wrong type is not a reason to reject a delta
// (decisions.md 18), and a section given by its title is certain.
func TestRejected(t *testing.T) {
	d := extract(block(`{"operation":"EDIT","section":"hypothesis_slate","target_id":"H1","payload":{"claim":7}}`))[0]
	if len(d.Faults) != 1 || d.Rejected() != nil {
		t.Errorf("faults %v, rejected for %v", d.Faults, d.Rejected())
	}
	d = extract(block(`{"operation":"EDIT","section":"2. Hypothesis Slate","target_id":"H1","payload":{"claim":7}}`))[0]
	if f := d.Rejected(); f == nil || f.Kind != BadSection {
		t.Errorf("rejected for %+v", f)
	}
	if s := SuggestSection("2. Hypothesis Slate"); s != brenner.HypothesisSlate {
		t.Errorf("suggested %s", s)
	}
}

// TestIntended: a name that the delta has is not meant by another one.
func TestIntended(t *testing.T) {
	d := extract(block(`{"operation":"ADD","section":"hypothesis_slate","payload":{"name":"n"}}`))[0]
	for name, want := range map[string]string{
		"op": "", "OPERATION": "", "operation": "", "rationale": "", "target": "target_id", "Target": "target_id", "rationle": "rationale", "zzzzzzzz": "",
	} {
		if got := d.SuggestMember(name); got != want {
			t.Errorf("SuggestMember(%q) = %q, want %q", name, got, want)
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
		":::delta\n```delta\n" + json + "\n```\n:::": nil,
		":::delta\n```json\n" + json + "\n```\n:::":  {"```json"},
		":::delta\nx\n```json\n" + json + "\n```":    {":::delta", "```json"},
		// other quotes, and none
		"{'operation': 'KILL', 'section': 'hypothesis_slate', 'payload': {'reason': 'r'}}":                 {"{'operation': 'KILL', 'section': 'hypothesis_slate', 'payload': {'reason': 'r'}}"},
		"{operation: \"KILL\", section: \"test\", payload: {reason: \"r\"}}":                               {"{operation: \"KILL\", section: \"test\", payload: {reason: \"r\"}}"},
		"{operation: \"ADD\", section: \"test\", payload: {…}}":                                            nil,
		"{operation: \"ADD\", section: \"test\", payload: {" + json + "}}":                                 {json},
		"{the operation: a, the section: b}":                                                               nil,
		"{'operation': 'stop', 'section': 'A', 'payload': {'a': 1}}":                                       nil,
		"```yaml\noperation: KILL\nsection: test\npayload:\n  reason: r\n```":                              {"```yaml"},
		"```yaml\noperation: KILL\nsection: test\npayload: …\n```":                                         nil,
		"```json\n{\"operation\": \"KILL\", \"target_id\": \"H2\", \"payload\": {\"reason\": \"r\"}}\n```": {"```json"},
		"```json\n{\"operation\": \"KILL\", \"target_id\": \"x\", \"payload\": {\"reason\": \"r\"}}\n```":  nil,
		"```json\n{\"type\": \"KILL\", \"target_id\": \"H2\", \"payload\": {\"reason\": \"r\"}}\n```":      nil,
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
		if m := FindMisplaced(document(body), jsontree.Options{}); len(m) != 1 || m[0].Certain != valid {
			t.Errorf("%q: %+v", body, m)
		}
	}
}
