package rules_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/brenner/delta"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/lint"
	"github.com/brennerlint/brennerlint/rules"
	"github.com/brennerlint/brennerlint/source"
)

// structureRules are those whose faults package delta finds.
var structureRules = []string{
	"MB-005", "DL-001", "DL-002", "DL-003", "DL-004", "DL-005", "DL-006", "DL-007", "DL-008", "DL-009", "DL-010", "DL-024",
}

type deltaFinding struct {
	rule string
	lint.Diagnostic
}

// structureFindings returns what the rules on structure, each run alone, find in the
// first delta of a body, in order of place.
func structureFindings(t *testing.T, body string) []deltaFinding {
	t.Helper()
	d := delta.Extract(markdown.Parse(source.NewText([]byte(body))), jsontree.Options{})[0]
	var out []deltaFinding
	rejected := ""
	for _, r := range rules.All() {
		check, ok := r.Check.(lint.DeltaCheck)
		if !ok || !slices.Contains(structureRules, r.ID) {
			continue
		}
		record := func(r *lint.Rule, found lint.Diagnostic) { out = append(out, deltaFinding{r.ID, found}) }
		check(&lint.DeltaPass{Pass: lint.Pass{Rule: r, RuleConfig: &lint.DefaultRuleConfig, Record: record}, Delta: d})
		if f := d.Rejected(); f != nil && r.Rejects != nil && r.Rejects(&replay.Rejection{Delta: &replay.Delta{Delta: d}, Fault: f.Kind}) != "" {
			if rejected != "" {
				t.Errorf("%s: both %s and %s reject it", body, rejected, r.ID)
			}
			rejected = r.ID
		}
	}
	if (rejected != "") != (d.Rejected() != nil) {
		t.Errorf("%s: rejected for %v, by rule %q", body, d.Rejected(), rejected)
	}
	if len(out) != len(d.Faults) {
		t.Errorf("%s: %d findings of %d faults", body, len(out), len(d.Faults))
	}
	slices.SortStableFunc(out, func(a, b deltaFinding) int { return cmp.Compare(a.At.Span.Start, b.At.Span.Start) })
	return out
}

// oneBlock returns a body of one delta block.
func oneBlock(json string) string { return "## Deltas\n\n```delta\n" + json + "\n```\n" }

const goodH = `"name":"n","claim":"c","mechanism":"m","anchors":["§1"]`

// TestDeltaMessages checks the messages of rules on the structure of single deltas.
func TestDeltaMessages(t *testing.T) {
	for _, c := range []struct {
		json string
		want []string // rule and message of each, in order
	}{
		// one fault, one finding
		{`{"operation":"ADD","section":"hypothesis_slate","payload":{` + goodH + `}}`, nil},
		{`{"operation":"ADD","section":"hypotheses","target_id":"H1",}`, []string{"MB-005 delta 1 is not valid JSON: trailing comma before }"}},
		{`{}`, []string{"DL-024 delta is an empty object: it says neither operation nor section"}},
		{`[]`, []string{"DL-024 delta block contains an empty array; expected a JSON object"}},
		{`[{"operation":"ADD"},{}]`, []string{"DL-024 delta block contains an array of 2; expected one JSON object"}},
		{`"ADD"`, []string{"DL-024 delta block contains a string; expected a JSON object"}},
		{`{"operation":"ADD","section":"hypothesis_slate"}`, []string{"DL-005 ADD has no payload; expected an object with the fields of the item"}},
		{`{"operation":"ADD","section":"hypothesis_slate","payload":{}}`, []string{"DL-005 payload of the ADD is empty"}},
		{`{"operation":"EDIT","section":"hypothesis_slate","target_id":"H1","payload":null}`, []string{"DL-005 payload of the EDIT is null; expected an object"}},
		{`{"operation":"EDIT","section":"hypothesis_slate","target_id":"H1","payload":"claim"}`, []string{"DL-005 payload of the EDIT is a string; expected an object"}},
		{`{"operation":"KILL","section":"hypothesis_slate","target_id":"H1"}`, []string{"DL-008 KILL has no payload; expected one with a reason"}},
		{`{"operation":"KILL","section":"hypothesis_slate","target_id":"H1","payload":{}}`, []string{"DL-008 KILL has no reason in its payload"}},
		{`{"operation":"KILL","section":"hypothesis_slate","target_id":"H1","payload":{"reason":" "}}`, []string{"DL-008 reason of the KILL is empty; expected a text that says why the item is killed"}},
		{`{"operation":"KILL","section":"hypothesis_slate","target_id":"H1","payload":{"reason":7}}`, []string{"DL-008 reason of the KILL is a number; expected a text that says why the item is killed"}},
		{`{"operation":"KILL","section":"hypothesis_slate","target_id":"H1","payload":"old"}`, []string{"DL-008 payload of the KILL is a string; expected an object with a reason"}},
		{`{"operation":"KILL","section":"research_thread","target_id":"H1"}`, []string{"DL-009 research_thread takes EDIT only, not KILL: there is exactly one research thread"}},
		{`{"operation":"ADD","section":"research_thread","target_id":"RT","payload":{}}`, []string{"DL-009 research_thread takes EDIT only, not ADD: there is exactly one research thread"}},
		{`{"operation":"EDIT","section":"research_thread","target_id":"H1","payload":{"context":"c"}}`, []string{`DL-009 target_id of research_thread is "H1"; expected "RT" or null`}},
		{`{"operation":"EDIT","section":"research_thread","target_id":1,"payload":{"context":"c"}}`, []string{`DL-009 target_id of research_thread is 1; expected "RT" or null`}},
		{`{"operation":"EDIT","section":"research_thread","target_id":null,"payload":{"context":"c"}}`, nil},
		{`{"operation":"EDIT","section":"research_thread","payload":{"context":"c"}}`, nil},
		// operation and section
		{`{"operation":"add","section":"hypothesis_slate","payload":{}}`, []string{`DL-001 operation "add" is not ADD, EDIT or KILL; did you mean "ADD"?`}},
		{`{"operation":"DELETE","section":"hypothesis_slate","target_id":"H1"}`, []string{`DL-001 operation "DELETE" is not ADD, EDIT or KILL; did you mean "KILL"?`}},
		{`{"operation":"MERGE","section":"hypothesis_slate"}`, []string{`DL-001 operation "MERGE" is not ADD, EDIT or KILL`}},
		{`{"operation":["ADD"],"section":"hypothesis_slate"}`, []string{`DL-001 operation is an array; expected ADD, EDIT or KILL`}},
		{`{"invalid":true}`, []string{
			"DL-001 delta has no operation; expected ADD, EDIT or KILL",
			"DL-002 delta has no section; expected research_thread, hypothesis_slate, predictions_table, discriminative_tests, assumption_ledger, anomaly_register or adversarial_critique",
		}},
		{`{"operation":"ADD","section":"hypotheses","payload":{"x":1}}`, []string{`DL-002 section "hypotheses" is not a section id; did you mean "hypothesis_slate"?`}},
		{`{"operation":"ADD","section":"Anomaly Register","payload":{"x":1}}`, []string{`DL-002 section "Anomaly Register" is not a section id; did you mean "anomaly_register"?`}},
		{`{"operation":"ADD","section":"adversarial_critiques","payload":{"x":1}}`, []string{`DL-002 section "adversarial_critiques" is not a section id; did you mean "adversarial_critique"?`}},
		{`{"operation":"ADD","section":3,"payload":{"x":1}}`, []string{
			"DL-002 section is a number; expected research_thread, hypothesis_slate, predictions_table, discriminative_tests, assumption_ledger, anomaly_register or adversarial_critique",
		}},
		// target_id
		{`{"operation":"EDIT","section":"hypothesis_slate","payload":{"claim":"c"}}`, []string{"DL-003 EDIT has no target_id; expected the id of the item, H and a number"}},
		{`{"operation":"EDIT","section":"hypothesis_slate","target_id":null,"payload":{"claim":"c"}}`, []string{"DL-003 EDIT has target_id null; expected the id of the item, H and a number"}},
		{`{"operation":"KILL","section":"anomaly_register","target_id":2,"payload":{"reason":"r"}}`, []string{"DL-003 KILL has target_id 2; expected the id of the item, X and a number"}},
		{`{"operation":"ADD","section":"hypothesis_slate","target_id":"H1","payload":{` + goodH + `}}`, []string{`DL-004 ADD has target_id "H1"; expected null: ids are assigned by the merge`}},
		{`{"operation":"EDIT","section":"hypothesis_slate","target_id":"","payload":{"claim":"c"}}`, []string{`DL-010 target_id "" is not an id of hypothesis_slate; expected H followed by a number`}},
		{`{"operation":"EDIT","section":"predictions_table","target_id":"H1","payload":{"condition":"c"}}`, []string{`DL-010 target_id "H1" is not an id of predictions_table; expected P followed by a number (or P1.H1)`}},
		{`{"operation":"EDIT","section":"discriminative_tests","target_id":"T-SCALE","payload":{"name":"c"}}`, []string{`DL-010 target_id "T-SCALE" is not an id of discriminative_tests; expected T followed by a number`}},
		{`{"operation":"EDIT","section":"hypothesis_slate","target_id":"RT","payload":{"claim":"c"}}`, []string{`DL-010 target_id "RT" is not an id of hypothesis_slate; expected H followed by a number`}},
		{`{"operation":"EDIT","section":"hypothesis_slate","target_id":"H99999999999999999999999","payload":{"claim":"c"}}`, nil},
		{`{"operation":"EDIT","section":"predictions_table","target_id":"P3.H12","payload":{"condition":"c"}}`, nil},
		// required fields
		{`{"operation":"ADD","section":"hypothesis_slate","payload":{"name":"n","statement":"s","basis":"b","anchors":["§1"]}}`, []string{
			`DL-006 ADD to hypothesis_slate lacks claim and mechanism; "statement" may be meant as claim and "basis" as mechanism`,
		}},
		{`{"operation":"ADD","section":"anomaly_register","payload":{"name":" ","conflicts_with":[],"status":"active"}}`, []string{
			`DL-006 ADD to anomaly_register lacks observation and leaves name and conflicts_with empty`,
		}},
		{`{"operation":"ADD","section":"predictions_table","payload":{"condition":"c","predictions":{}}}`, []string{
			`DL-006 ADD to predictions_table leaves predictions empty`,
		}},
		{`{"operation":"ADD","section":"hypothesis_slate","payload":{"name":"n","claim":"c","mechanism":"m","anchor":["§1"]}}`, []string{
			`DL-006 ADD to hypothesis_slate lacks anchors; "anchor" may be meant as anchors`,
		}},
		// values
		{`{"operation":"EDIT","section":"hypothesis_slate","target_id":"H1","payload":{"claim":7,"anchors":"§1","third_alternative":"yes","anchors_replace":1}}`, []string{
			"DL-007 claim is a number; expected a string",
			"DL-007 anchors is a string; expected an array of strings",
			"DL-007 third_alternative is a string; expected true or false",
			"DL-007 anchors_replace is a number; expected true or false",
		}},
		{`{"operation":"EDIT","section":"assumption_ledger","target_id":"A1","payload":{"status":"verifed"}}`, []string{
			`DL-007 status is "verifed"; expected unchecked, verified or falsified; did you mean "verified"?`,
		}},
		{`{"operation":"EDIT","section":"discriminative_tests","target_id":"T1","payload":{"score":{"cost":2.0,"likelihood_ratio":8,"speed":-1,"lr":2},"expected_outcomes":{"H1":1},"potency_check":{"a":1},"last_run":"x"}}`, []string{
			"DL-007 score part likelihood_ratio is 8, speed is -1 and \"lr\" is not a part of a score; expected integers from 0 to 3 for likelihood_ratio, cost, speed and ambiguity",
			`DL-007 expected_outcomes holds a number; expected an object from hypothesis ids to texts, {"H1": "…"}`,
			"DL-007 potency_check is an object; expected a string",
		}},
		{`{"operation":"EDIT","section":"anomaly_register","target_id":"X1","payload":{"conflicts_with":["H1",null],"references":{}}}`, []string{
			"DL-007 conflicts_with holds null; expected an array of strings",
			"DL-007 references is an object; expected an array of references",
		}},
		{`{"operation":"EDIT","section":"assumption_ledger","target_id":"A1","payload":{"status":"not verified"}}`, []string{
			`DL-007 status is "not verified"; expected unchecked, verified or falsified; did you mean "unchecked"?`,
		}},
		{`{"operation":"EDIT","section":"assumption_ledger","target_id":"A1","payload":{"status":"verified/falsified"}}`, []string{
			`DL-007 status is "verified/falsified"; expected unchecked, verified or falsified`,
		}},
		{`{"operation":"EDIT","section":"predictions_table","target_id":"P1","payload":{"predictions":{"H1":"a","h2":"b","T1":"c"}}}`, []string{
			`DL-007 predictions has outcomes of "h2" and "T1"; expected ids of hypotheses, such as H1`,
		}},
		{`{"operation":"ADD","section":"discriminative_tests","payload":{"name":"n","procedure":"p","discriminates":"d","expected_outcomes":{"H1":"a"},"potency_check":null}}`, nil}, // DL-025
		// a key given twice: the last counts
		{`{"operation":"EDIT","operation":"ADD","section":"hypothesis_slate","payload":{"claim":7,` + goodH + `}}`, nil},
		{`{"operation":"ADD","section":"hypothesis_slate","payload":{` + goodH + `,"claim":7}}`, []string{"DL-007 claim is a number; expected a string"}},
	} {
		var got []string
		for _, f := range structureFindings(t, oneBlock(c.json)) {
			got = append(got, f.rule+" "+f.Message)
		}
		if diff := gocmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.json, diff)
		}
	}
}

// TestDeltaFixes checks how rules fix the structure of deltas.
func TestDeltaFixes(t *testing.T) {
	for _, c := range []struct {
		json, want string
		unsafe     bool
	}{
		{`{"operation":"ADD", // new` + "\n" + `"section":"hypothesis_slate",}`, `{"operation":"ADD",` + "\n" + `"section":"hypothesis_slate"}`, false},
		{`{"operation":"add","section":"hypothesis_slate"}`, `{"operation":"ADD","section":"hypothesis_slate"}`, false},
		{`{"operation":"remove","section":"hypothesis_slate"}`, `{"operation":"KILL","section":"hypothesis_slate"}`, false},
		{`{"operation":"KILL","target_id":"X1","payload":{"reason":"r"},"section":"anomalies"}`, `{"operation":"KILL","target_id":"X1","payload":{"reason":"r"},"section":"anomaly_register"}`, false},
		{`{"operation":"KILL","target_id":"X1","payload":{"reason":"r"},"section":"anomaly_registry"}`, `{"operation":"KILL","target_id":"X1","payload":{"reason":"r"},"section":"anomaly_register"}`, false},
		{`{"operation":"ADD","target_id":"H1","section":"hypothesis_slate","payload":{` + goodH + `}}`, `{"operation":"ADD","target_id":null,"section":"hypothesis_slate","payload":{` + goodH + `}}`, false},
		{`[ {"a":1} , {"b":2} ]`, "```delta\n{\"a\":1}\n```\n\n```delta\n{\"b\":2}\n```", false},
		{`[{"a":1}]`, "```delta\n{\"a\":1}\n```", false},
		{`[1]`, "", false},
		{`{"operation":"ADD" "section":"hypothesis_slate",}`, `{"operation":"ADD", "section":"hypothesis_slate"}`, false},
		{`{'operation': 'ADD', section: "hypothesis_slate"}`, `{"operation": "ADD", "section": "hypothesis_slate"}`, false},
		{`{"operation":"ADD","section":"hypothesis_slate"} and more`, `{"operation":"ADD","section":"hypothesis_slate"}`, true},
		{`{"operation":"EDIT","section":"hypothesis_slate","target_id":"h02","payload":{"claim":"c"}}`, `{"operation":"EDIT","section":"hypothesis_slate","target_id":"H2","payload":{"claim":"c"}}`, false},
		{`{"operation":"EDIT","section":"hypothesis_slate","target":"H2","payload":{"claim":"c"}}`, `{"operation":"EDIT","section":"hypothesis_slate","target_id":"H2","payload":{"claim":"c"}}`, false},
		{`{"operation":"EDIT","section":"hypothesis_slate","payload":{"id":"H2","claim":"c"}}`, `{"operation": "EDIT", "section": "hypothesis_slate", "payload": {"claim": "c"}, "target_id": "H2"}`, false},
		{`{"operation":"EDIT","section":"hypothesis_slate","target_id":"H2","claim":"c","rationale":"r"}`, `{"operation": "EDIT", "section": "hypothesis_slate", "target_id": "H2", "payload": {"claim": "c"}, "rationale": "r"}`, false},
		{`{"operation":"KILL","section":"hypothesis_slate","target_id":"H1","reason":"r"}`, `{"operation": "KILL", "section": "hypothesis_slate", "target_id": "H1", "payload": {"reason": "r"}}`, false},
		{`{"operation":"KILL","section":"hypothesis_slate","target_id":"H1","payload":"r"}`, `{"operation":"KILL","section":"hypothesis_slate","target_id":"H1","payload":{"reason": "r"}}`, false},
		{`{"operation":"KILL","section":"hypothesis_slate","target_id":"H1","rationale":"r"}`, `{"operation": "KILL", "section": "hypothesis_slate", "target_id": "H1", "payload": {"reason": "r"}, "rationale": "r"}`, true},
		{`{"operation":"EDIT","section":"hypothesis_slate","target_id":"H1","payload":{"anchors":"§5, §6"}}`, `{"operation":"EDIT","section":"hypothesis_slate","target_id":"H1","payload":{"anchors":["§5", "§6"]}}`, false},
		{`{"operation":"EDIT","section":"discriminative_tests","target_id":"T1","payload":{"score":{"cost":"2"}}}`, `{"operation":"EDIT","section":"discriminative_tests","target_id":"T1","payload":{"score":{"cost":2}}}`, false},
		{`{"operation":"EDIT","section":"assumption_ledger","target_id":"A1","payload":{"status":"Verified"}}`, `{"operation":"EDIT","section":"assumption_ledger","target_id":"A1","payload":{"status":"verified"}}`, false},
		{`{"operation":"ADD","section":"research_thread","target_id":"rt","payload":{"context":"c"}}`, `{"operation":"EDIT","section":"research_thread","target_id":"RT","payload":{"context":"c"}}`, false},
	} {
		f := structureFindings(t, oneBlock(c.json))[0]
		if f.Fix == nil {
			if c.want != "" {
				t.Errorf("%s: no fix of %s", c.json, f.Message)
			}
			continue
		}
		var edits []source.Edit
		for _, e := range f.Fix.Edits {
			edits = append(edits, source.Edit{Span: e.At.Span, Text: e.Text})
		}
		got := string(source.Apply(f.Fix.Edits[0].At.Text.Data, edits))
		if strings.TrimSpace(strings.TrimPrefix(got, "## Deltas\n")) != c.want || f.Fix.Unsafe != c.unsafe {
			t.Errorf("%s: fixed to\n%s\nwant\n%s", c.json, got, c.want)
		}
	}
	if f := structureFindings(t, "```delta\n[{\"a\":1}]\n")[0]; f.rule != "DL-024" || f.Fix != nil {
		t.Error("the array of a fence that is not closed is split")
	}
}

// TestDeltaSuggestions checks the suggestion for a fault, and its field.
func TestDeltaSuggestions(t *testing.T) {
	for _, tt := range []struct{ json, field, want string }{
		// target_id: another section's id, or one of the section carelessly written
		{`{"operation":"EDIT","section":"hypothesis_slate","target_id":"T2","payload":{"claim":"c"}}`, "target_id", `"T2" is an item of discriminative_tests: write "<id of an item>", an item of hypothesis_slate`},
		{`{"operation":"EDIT","section":"hypothesis_slate","target_id":" h02","payload":{"claim":"c"}}`, "target_id", `write "H2"`},
		{`{"operation":"EDIT","section":"hypothesis_slate","target_id":"t2","payload":{"claim":"c"}}`, "target_id", `write "<id of an item>", as the artifact shows it`},
		{`{"operation":"EDIT","section":"hypothesis_slate","target_id":"002","payload":{"claim":"c"}}`, "target_id", `write "H2"`},
		{`{"operation":"EDIT","section":"hypothesis_slate","target_id":"H0","payload":{"claim":"c"}}`, "target_id", `write "<id of an item>", as the artifact shows it`},
		// KILL
		{`{"operation":"KILL","section":"hypothesis_slate","target_id":"H1","reason":"r","payload":{}}`, "reason", "move reason into the payload"},
		{`{"operation":"KILL","section":"hypothesis_slate","target_id":"H1","payload":{}}`, "reason", `write "payload": {"reason": "<why the item is killed>"}`},
		// an empty payload: only an ADD needs the required fields
		{`{"operation":"ADD","section":"hypothesis_slate","payload":{}}`, "payload", `write "payload": {"name": "<short name>", "claim": "<the claim in one sentence>", "mechanism": "<how it works>", "anchors": ["<§n, or inference>"]}`},
		{`{"operation":"EDIT","section":"hypothesis_slate","target_id":"H1","payload":{}}`, "payload", `write "payload": {"name": "<short name>"}, or what else of the item changes`},
		// required fields are shown in their form; one alone is the field concerned
		{`{"operation":"ADD","section":"predictions_table","payload":{"condition":"c"}}`, "predictions", `write into the payload: "predictions": {"H1": "<outcome under H1>", "H2": "<outcome under H2>"}`},
		{`{"operation":"ADD","section":"hypothesis_slate","payload":{"name":"n","claim":"c","mechanism":"m"}}`, "anchors", `write into the payload: "anchors": ["<§n, or inference>"]`},
		{`{"operation":"ADD","section":"hypothesis_slate","payload":{"name":"n","claim":"c"}}`, "", `write into the payload: "mechanism": "<how it works>", "anchors": ["<§n, or inference>"]`},
	} {
		found := structureFindings(t, oneBlock(tt.json))
		if len(found) != 1 {
			t.Errorf("%s: %d findings", tt.json, len(found))
			continue
		}
		if f := found[0]; f.Suggestion != tt.want || f.Field != tt.field {
			t.Errorf("%s: field %q, suggestion %q; want %q, %q", tt.json, f.Field, f.Suggestion, tt.field, tt.want)
		}
	}
}

// TestDeltaConditions has, for each condition, a delta that it alone decides.
func TestDeltaConditions(t *testing.T) {
	const score = `{"operation":"EDIT","section":"discriminative_tests","target_id":"T1","payload":{"score":%s}}`
	const parts = "for likelihood_ratio, cost, speed and ambiguity"
	for json, want := range map[string][]string{
		// true and false are named as written
		`{"operation":"EDIT","section":"research_thread","target_id":true,"payload":{"context":"c"}}`:    {`target_id of research_thread is true; expected "RT" or null`},
		`{"operation":"EDIT","section":"hypothesis_slate","target_id":"H1","payload":{"replace":"yes"}}`: {"replace is a string; expected true or false"},
		// _replace is only for arrays; other unknown fields are not a type fault
		`{"operation":"EDIT","section":"hypothesis_slate","target_id":"H1","payload":{"claim_replace":1,"x":1}}`: nil,
		// no EDIT may empty a field that an ADD has to fill; without replace, an empty list adds nothing
		`{"operation":"EDIT","section":"hypothesis_slate","target_id":"H1","payload":{"claim":"","anchors":[]}}`:                {"EDIT in hypothesis_slate blanks claim, which each hypothesis must have"},
		`{"operation":"EDIT","section":"hypothesis_slate","target_id":"H1","payload":{"claim":null}}`:                           {"EDIT in hypothesis_slate blanks claim, which each hypothesis must have"},
		`{"operation":"EDIT","section":"hypothesis_slate","target_id":"H1","payload":{"claim":[]}}`:                             {"claim is an array; expected a string"},
		`{"operation":"EDIT","section":"hypothesis_slate","target_id":"H1","payload":{"anchors":[],"replace":"yes"}}`:           {"replace is a string; expected true or false"},
		`{"operation":"ADD","section":"hypothesis_slate","payload":{` + goodH + `,"third_alternative":null}}`:                   {"third_alternative is null; expected true or false"},
		`{"operation":"ADD","section":"hypothesis_slate","payload":{"name":null,"claim":"c","mechanism":"m","anchors":["§1"]}}`: {"ADD to hypothesis_slate leaves name empty"},
		`{"operation":"ADD","section":"hypothesis_slate","why":"w","content":{}}`:                                               {`ADD has no payload; expected an object with the fields of the item; "content" may be meant as payload`},
		// fields with their own words
		`{"operation":"EDIT","section":"assumption_ledger","target_id":"A1","payload":{"status":3}}`:          {"status is a number; expected a string"},
		`{"operation":"EDIT","section":"assumption_ledger","target_id":"A1","payload":{"status":"verified"}}`: nil,
		`{"operation":"EDIT","section":"assumption_ledger","target_id":"A1","payload":{"status":"zzzzzzzz"}}`: {`status is "zzzzzzzz"; expected unchecked, verified or falsified`},
		// scores
		fmt.Sprintf(score, `{"cost":0,"speed":1,"ambiguity":2,"likelihood_ratio":3}`): nil,
		fmt.Sprintf(score, `{"cost":1.5}`):                                            {"score part cost is 1.5; expected integers from 0 to 3 " + parts},
		fmt.Sprintf(score, `{"cost":"2"}`):                                            {`score part cost is "2"; expected integers from 0 to 3 ` + parts},
		fmt.Sprintf(score, `7`):                                                       {"score is a number; expected an object of likelihood_ratio, cost, speed and ambiguity"},
		fmt.Sprintf(score, `{"a":1,"b":1,"c":1,"d":1}`):                               {`score part "a" is not a part of a score, "b" is not a part of a score, "c" is not a part of a score and "d" is not a part of a score; expected integers from 0 to 3 ` + parts},
		fmt.Sprintf(score, `{"a":1,"b":1,"c":1,"d":1,"e":1}`):                         {`score part "a" is not a part of a score, "b" is not a part of a score, "c" is not a part of a score, "d" is not a part of a score and 1 more; expected integers from 0 to 3 ` + parts},
		// hints name the first field with content
		`{"operation":"ADD","section":"hypothesis_slate","payload":{"name":"n","statement":" ","assertion":"s","hypothesis":"t","mechanism":"m","anchors":["§1"]}}`: {`ADD to hypothesis_slate lacks claim; "assertion" may be meant as claim`},
		// a payload whose section is unknown is not reported
		`{"operation":"ADD","section":"zzzzzzzz","payload":{"claim":7}}`:                                {`section "zzzzzzzz" is not a section id; expected research_thread, hypothesis_slate, predictions_table, discriminative_tests, assumption_ledger, anomaly_register or adversarial_critique`},
		`{"operation":"EDIT","section":"2. Hypothesis Slate","target_id":"H1","payload":{"claim":"c"}}`: {`section "2. Hypothesis Slate" is not a section id; did you mean "hypothesis_slate"?`},
	} {
		var got []string
		for _, f := range structureFindings(t, oneBlock(json)) {
			got = append(got, f.Message)
		}
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", json, diff)
		}
	}
}
