package delta

import (
	"fmt"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/jsontree"
	"github.com/brennerlint/brennerlint/markdown"
	"github.com/brennerlint/brennerlint/protocol"
	"github.com/brennerlint/brennerlint/source"
)

func document(body string) *markdown.Document { return markdown.Parse(source.NewText([]byte(body))) }

func extract(body string) []*Delta { return Extract(document(body), jsontree.Options{}) }

// block is a body of one delta block.
func block(json string) string { return "## Deltas\n\n```delta\n" + json + "\n```\n" }

// marked takes the marks « and » out of a text and tells what stood between them
// and where: "" and -1 without marks.
func marked(s string) (text, inside string, at int) {
	before, rest, found := strings.Cut(s, "«")
	if !found {
		return s, "", -1
	}
	inside, after, _ := strings.Cut(rest, "»")
	return before + inside + after, inside, len(before)
}

// show is a fault as tests compare it: rule, the marked text, message.
func (f *Fault) show() string {
	return fmt.Sprintf("%s at %q: %s", f.Rule, f.At.Text.Slice(f.At.Span), f.Message)
}

func TestExtractFindsFences(t *testing.T) {
	const json = `{"operation":"EDIT"}`
	for _, c := range []struct {
		name, body string
		want       int
	}{
		{"backticks", "```delta\n" + json + "\n```", 1},
		{"tildes", "~~~delta\n" + json + "\n~~~", 1},
		{"more backticks", "`````delta\n" + json + "\n`````", 1},
		{"space before the tag", "``` delta\n" + json + "\n```", 1},
		{"more words", "```delta h1 json\n" + json + "\n```", 1},
		{"tab after the tag", "```delta\tx\n" + json + "\n```", 1},
		{"list", "- one\n\n  ```delta\n  " + json + "\n  ```\n", 1},
		{"quotation", "> ```delta\n> " + json + "\n> ```\n", 1},
		{"both", "> 1. ```delta\n>    " + json + "\n>    ```\n", 1},
		{"indented by three", "   ```delta\n" + json + "\n   ```", 1},
		{"unclosed", "```delta\n" + json + "\n", 1},
		{"unclosed at the end", "```delta", 1},
		{"blank", "```delta\n\n```", 1},
		{"directly after a paragraph", "text\n```delta\n" + json + "\n```", 1},
		{"two", "```delta\n" + json + "\n```\n```delta\n" + json + "\n```", 2},
		{"backticks inside a string", "```delta\n{\"a\": \"use ``` here\"}\n```", 1},
		{"carriage returns", "```delta\r\n" + json + "\r\n```\r\n", 1},
		{"upper case", "```Delta\n" + json + "\n```", 0},
		{"longer word", "```deltas\n" + json + "\n```", 0},
		{"comma", "```delta,json\n" + json + "\n```", 0},
		{"other tag first", "```json delta\n" + json + "\n```", 0},
		{"indented code", "    ```delta\n    " + json + "\n    ```", 0},
		{"inside a fence", "~~~markdown\n```delta\n" + json + "\n```\n~~~", 0},
		{"inside a longer fence", "````\n```delta\n" + json + "\n```\n````", 0},
		{"in a line", "Use ```delta blocks with ``` here", 0},
		{"comment", "<!--\n```delta\n" + json + "\n```\n-->", 0},
		{"colons", ":::delta\n" + json + "\n:::", 0},
	} {
		if got := extract(c.body); len(got) != c.want {
			t.Errorf("%s: %d blocks, want %d", c.name, len(got), c.want)
		}
	}
	if Extract(nil, jsontree.Options{}) != nil {
		t.Error("a nil document has blocks")
	}
}

func TestExtractMapsToTheBody(t *testing.T) {
	body := "Text §1\n\n> - ```delta\n>   {\"section\":\n>    \"hypotheses\",\n>   \"operation\": \"ADD\"}\n>   ```\n"
	doc := document(body)
	d := Extract(doc, jsontree.Options{})[0]
	if d.Index != 1 || d.Operation != protocol.Add || !d.Block.InQuote {
		t.Fatalf("delta is %+v", d)
	}
	f := d.Faults[0]
	span, ok := f.At.Text.Within(doc.Text, f.At.Span)
	if !ok || f.Rule != "DL-005" || body[span.Start:span.End] != "{" || span.Start != strings.IndexByte(body, '{') {
		t.Errorf("%s stands at %q", f.Rule, body[span.Start:span.End])
	}
	span, _ = d.Faults[1].At.Text.Within(doc.Text, d.Faults[1].At.Span)
	if got := body[span.Start:span.End]; got != `"hypotheses"` {
		t.Errorf("the section stands at %q", got)
	}
}

func TestReadFields(t *testing.T) {
	d := extract(block(`{"delta_id":"d-1","timestamp":"2025-12-30T12:00:00+02:00","agent":"RedCreek","operation":"KILL",
		"section":"predictions_table","target_id":"P1.H2","payload":{"reason":"old","reason":"tested"}}`))[0]
	if len(d.Faults) > 0 {
		t.Errorf("faults: %s", d.Faults[0].show())
	}
	if d.Operation != protocol.Kill || d.Section != protocol.PredictionsTable || d.Target.String() != "P1.H2" || d.Reason != "tested" ||
		d.DeltaID != "d-1" || d.Agent != "RedCreek" || !d.HasTime || d.Time.Hour() != 10 || d.Rejected() != nil {
		t.Errorf("read %+v", d)
	}
}

const goodH = `"name":"n","claim":"c","mechanism":"m","anchors":["§1"]`

// TestFaults holds the faults of single blocks: what stands between « and » is
// where the first one is.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		json string
		want []string // rule and message of each, in order
	}{
		// one fault, one finding
		{`{"operation":"ADD","section":"hypothesis_slate","payload":{` + goodH + `}}`, nil},
		{`{"operation":"ADD","section":"hypotheses","target_id":"H1"«,»}`, []string{"MB-005 delta 1 is not valid JSON: trailing comma before }"}},
		{`«{»}`, []string{"DL-024 delta is an empty object: it says neither operation nor section"}},
		{`«[»]`, []string{"DL-024 delta block holds an empty array, expected a JSON object"}},
		{`«[»{"operation":"ADD"},{}]`, []string{"DL-024 delta block holds an array of 2, expected one JSON object"}},
		{`«"ADD"»`, []string{"DL-024 delta block holds a string, expected a JSON object"}},
		{`«{»"operation":"ADD","section":"hypothesis_slate"}`, []string{"DL-005 ADD has no payload, expected an object with the fields of the item"}},
		{`{"operation":"ADD","section":"hypothesis_slate","payload":«{»}}`, []string{"DL-005 payload of the ADD is empty"}},
		{`{"operation":"EDIT","section":"hypothesis_slate","target_id":"H1","payload":«null»}`, []string{"DL-005 payload of the EDIT is null, expected an object"}},
		{`{"operation":"EDIT","section":"hypothesis_slate","target_id":"H1","payload":«"claim"»}`, []string{"DL-005 payload of the EDIT is a string, expected an object"}},
		{`«{»"operation":"KILL","section":"hypothesis_slate","target_id":"H1"}`, []string{"DL-008 KILL has no payload, expected one with a reason"}},
		{`«{»"operation":"KILL","section":"hypothesis_slate","target_id":"H1","payload":{}}`, []string{"DL-008 KILL has no reason in its payload"}},
		{`{"operation":"KILL","section":"hypothesis_slate","target_id":"H1","payload":{"reason":«" "»}}`, []string{"DL-008 reason of the KILL is empty, expected a text that says why the item is killed"}},
		{`{"operation":"KILL","section":"hypothesis_slate","target_id":"H1","payload":{"reason":«7»}}`, []string{"DL-008 reason of the KILL is a number, expected a text that says why the item is killed"}},
		{`{"operation":"KILL","section":"hypothesis_slate","target_id":"H1","payload":«"old"»}`, []string{"DL-008 payload of the KILL is a string, expected an object with a reason"}},
		{`{"operation":«"KILL"»,"section":"research_thread","target_id":"H1"}`, []string{"DL-009 research_thread takes EDIT only, not KILL: there is exactly one research thread"}},
		{`{"operation":«"ADD"»,"section":"research_thread","target_id":"RT","payload":{}}`, []string{"DL-009 research_thread takes EDIT only, not ADD: there is exactly one research thread"}},
		{`{"operation":"EDIT","section":"research_thread","target_id":«"H1"»,"payload":{"context":"c"}}`, []string{`DL-009 target_id of research_thread is "H1", expected "RT" or null`}},
		{`{"operation":"EDIT","section":"research_thread","target_id":«1»,"payload":{"context":"c"}}`, []string{`DL-009 target_id of research_thread is 1, expected "RT" or null`}},
		{`{"operation":"EDIT","section":"research_thread","target_id":null,"payload":{"context":"c"}}`, nil},
		{`{"operation":"EDIT","section":"research_thread","payload":{"context":"c"}}`, nil},
		// operation and section
		{`{"operation":«"add"»,"section":"hypothesis_slate","payload":{}}`, []string{`DL-001 operation "add" is not ADD, EDIT or KILL; did you mean "ADD"?`}},
		{`{"operation":«"DELETE"»,"section":"hypothesis_slate","target_id":"H1"}`, []string{`DL-001 operation "DELETE" is not ADD, EDIT or KILL; did you mean "KILL"?`}},
		{`{"operation":«"MERGE"»,"section":"hypothesis_slate"}`, []string{`DL-001 operation "MERGE" is not ADD, EDIT or KILL`}},
		{`{"operation":«["ADD"]»,"section":"hypothesis_slate"}`, []string{`DL-001 operation is an array, expected ADD, EDIT or KILL`}},
		{`«{»"invalid":true}`, []string{
			"DL-001 delta has no operation, expected ADD, EDIT or KILL",
			"DL-002 delta has no section, expected research_thread, hypothesis_slate, predictions_table, discriminative_tests, assumption_ledger, anomaly_register or adversarial_critique",
		}},
		{`{"operation":"ADD","section":«"hypotheses"»,"payload":{"x":1}}`, []string{`DL-002 section "hypotheses" is not a section id; did you mean "hypothesis_slate"?`}},
		{`{"operation":"ADD","section":«"Anomaly Register"»,"payload":{"x":1}}`, []string{`DL-002 section "Anomaly Register" is not a section id; did you mean "anomaly_register"?`}},
		{`{"operation":"ADD","section":«"adversarial_critiques"»,"payload":{"x":1}}`, []string{`DL-002 section "adversarial_critiques" is not a section id; did you mean "adversarial_critique"?`}},
		{`{"operation":"ADD","section":«3»,"payload":{"x":1}}`, []string{
			"DL-002 section is a number, expected research_thread, hypothesis_slate, predictions_table, discriminative_tests, assumption_ledger, anomaly_register or adversarial_critique",
		}},
		// target_id
		{`«{»"operation":"EDIT","section":"hypothesis_slate","payload":{"claim":"c"}}`, []string{"DL-003 EDIT has no target_id, expected the id of the item concerned, such as H1"}},
		{`{"operation":"EDIT","section":"hypothesis_slate","target_id":«null»,"payload":{"claim":"c"}}`, []string{"DL-003 EDIT has target_id null, expected the id of the item concerned, such as H1"}},
		{`{"operation":"KILL","section":"anomaly_register","target_id":«2»,"payload":{"reason":"r"}}`, []string{"DL-003 KILL has target_id 2, expected the id of the item concerned, such as X1"}},
		{`{"operation":"ADD","section":"hypothesis_slate","target_id":«"H1"»,"payload":{` + goodH + `}}`, []string{`DL-004 ADD has target_id "H1", expected null: ids are assigned by the merge`}},
		{`{"operation":"EDIT","section":"hypothesis_slate","target_id":«""»,"payload":{"claim":"c"}}`, []string{`DL-010 target_id "" is no id of hypothesis_slate, expected H followed by a number`}},
		{`{"operation":"EDIT","section":"predictions_table","target_id":«"H1"»,"payload":{"condition":"c"}}`, []string{`DL-010 target_id "H1" is no id of predictions_table, expected P followed by a number (or P1.H1)`}},
		{`{"operation":"EDIT","section":"discriminative_tests","target_id":«"T-SCALE"»,"payload":{"name":"c"}}`, []string{`DL-010 target_id "T-SCALE" is no id of discriminative_tests, expected T followed by a number`}},
		{`{"operation":"EDIT","section":"hypothesis_slate","target_id":«"RT"»,"payload":{"claim":"c"}}`, []string{`DL-010 target_id "RT" is no id of hypothesis_slate, expected H followed by a number`}},
		{`{"operation":"EDIT","section":"hypothesis_slate","target_id":"H99999999999999999999999","payload":{"claim":"c"}}`, nil},
		{`{"operation":"EDIT","section":"predictions_table","target_id":"P3.H12","payload":{"condition":"c"}}`, nil},
		// required fields
		{`«{»"operation":"ADD","section":"hypothesis_slate","payload":{"name":"n","statement":"s","basis":"b","anchors":["§1"]}}`, []string{
			`DL-006 ADD to hypothesis_slate lacks claim and mechanism; "statement" may be meant as claim and "basis" as mechanism`,
		}},
		{`«{»"operation":"ADD","section":"anomaly_register","payload":{"name":" ","conflicts_with":[],"status":"active"}}`, []string{
			`DL-006 ADD to anomaly_register lacks observation and leaves name and conflicts_with empty`,
		}},
		{`{"operation":"ADD","section":"predictions_table","payload":{"condition":"c","predictions":«{»}}}`, []string{
			`DL-006 ADD to predictions_table leaves predictions empty`,
		}},
		{`«{»"operation":"ADD","section":"hypothesis_slate","payload":{"name":"n","claim":"c","mechanism":"m","anchor":["§1"]}}`, []string{
			`DL-006 ADD to hypothesis_slate lacks anchors; "anchor" may be meant as anchors`,
		}},
		// values
		{`{"operation":"EDIT","section":"hypothesis_slate","target_id":"H1","payload":{"claim":«7»,"anchors":"§1","third_alternative":"yes","anchors_replace":1}}`, []string{
			"DL-007 claim is a number, expected a string",
			"DL-007 anchors is a string, expected an array of strings",
			"DL-007 third_alternative is a string, expected true or false",
			"DL-007 anchors_replace is a number, expected true or false",
		}},
		{`{"operation":"EDIT","section":"assumption_ledger","target_id":"A1","payload":{"status":«"verifed"»}}`, []string{
			`DL-007 status is "verifed", expected unchecked, verified or falsified; did you mean "verified"?`,
		}},
		{`{"operation":"EDIT","section":"discriminative_tests","target_id":"T1","payload":{"score":{"cost":2.0,"likelihood_ratio":«8»,"speed":-1,"lr":2},"expected_outcomes":{"H1":1},"potency_check":{"a":1},"last_run":"x"}}`, []string{
			"DL-007 score part likelihood_ratio is 8, speed is -1 and lr is no part of a score, expected integers from 0 to 3 for likelihood_ratio, cost, speed and ambiguity",
			`DL-007 expected_outcomes holds a number, expected an object from hypothesis ids to texts, {"H1": "…"}`,
			"DL-007 potency_check is an object, expected a string",
		}},
		{`{"operation":"EDIT","section":"anomaly_register","target_id":"X1","payload":{"conflicts_with":["H1",«null»],"references":{}}}`, []string{
			"DL-007 conflicts_with holds null, expected an array of strings",
			"DL-007 references is an object, expected an array of references",
		}},
		// a key given twice: the last counts
		{`{"operation":"EDIT","operation":"ADD","section":"hypothesis_slate","payload":{"claim":7,` + goodH + `}}`, nil},
		{`{"operation":"ADD","section":"hypothesis_slate","payload":{` + goodH + `,"claim":«7»}}`, []string{"DL-007 claim is a number, expected a string"}},
	} {
		json, inside, at := marked(c.json)
		d := extract(block(json))[0]
		var got []string
		for _, f := range d.Faults {
			got = append(got, f.Rule+" "+f.Message)
		}
		if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
			t.Errorf("%s:\n got %s\nwant %s", c.json, strings.Join(got, "\n     "), strings.Join(c.want, "\n     "))
			continue
		}
		if len(got) > 0 {
			s := d.Faults[0].At.Span
			if s.Start != at || json[s.Start:s.End] != inside && json[s.Start:s.End] != "[" {
				t.Errorf("%s: stands at %q", c.json, json[s.Start:s.End])
			}
		}
	}
}

func TestBlankBlock(t *testing.T) {
	for _, body := range []string{"```delta\n```", "x\n\n~~~delta a\n \n\n~~~\n", "```delta", "> ```delta\n> ```"} {
		doc := document(body)
		d := Extract(doc, jsontree.Options{})[0]
		if len(d.Faults) != 1 || d.Faults[0].Rule != "MB-005" || d.Rejected() == nil {
			t.Fatalf("%q: faults %v", body, d.Faults)
		}
		at := d.Faults[0].At
		if got := body[at.Span.Start:at.Span.End]; at.Text != doc.Text || !strings.Contains(got, "delta") {
			t.Errorf("%q: stands at %q", body, got)
		}
	}
}

func TestMends(t *testing.T) {
	for _, c := range []struct {
		json, want string
		unsafe     bool
	}{
		{`{"operation":"ADD", // new` + "\n" + `"section":"hypothesis_slate",}`, `{"operation":"ADD",` + "\n" + `"section":"hypothesis_slate"}`, false},
		{`{"operation":"add","section":"hypothesis_slate"}`, `{"operation":"ADD","section":"hypothesis_slate"}`, false},
		{`{"operation":"remove","section":"hypothesis_slate"}`, `{"operation":"KILL","section":"hypothesis_slate"}`, true},
		{`{"operation":"KILL","target_id":"X1","payload":{"reason":"r"},"section":"anomalies"}`, `{"operation":"KILL","target_id":"X1","payload":{"reason":"r"},"section":"anomaly_register"}`, false},
		{`{"operation":"KILL","target_id":"X1","payload":{"reason":"r"},"section":"anomaly_registry"}`, `{"operation":"KILL","target_id":"X1","payload":{"reason":"r"},"section":"anomaly_register"}`, true},
		{`{"operation":"ADD","target_id":"H1","section":"hypothesis_slate","payload":{` + goodH + `}}`, `{"operation":"ADD","target_id":null,"section":"hypothesis_slate","payload":{` + goodH + `}}`, false},
		{`[ {"a":1} , {"b":2} ]`, "```delta\n{\"a\":1}\n```\n\n```delta\n{\"b\":2}\n```", false},
		{`[{"a":1}]`, "```delta\n{\"a\":1}\n```", false},
		{`[1]`, "", false},
		{`{"operation":"ADD" "section":"hypothesis_slate",}`, "", false},
	} {
		f := extract(block(c.json))[0].Faults[0]
		if f.SuggestedFix == nil {
			if c.want != "" {
				t.Errorf("%s: no mend of %s", c.json, f.show())
			}
			continue
		}
		if got := string(source.Apply(f.SuggestedFix.Text.Data, f.SuggestedFix.Edits)); strings.TrimSpace(strings.TrimPrefix(got, "## Deltas\n")) != c.want || f.SuggestedFix.Unsafe != c.unsafe {
			t.Errorf("%s: mended to\n%s\nwant\n%s", c.json, got, c.want)
		}
	}
	if f := extract("```delta\n[{\"a\":1}]\n")[0].Faults[0]; f.Rule != "DL-024" || f.SuggestedFix != nil {
		t.Error("the array of a fence that is not closed is split")
	}
}

// TestHostile reads what invites much time or memory; it would not end in the
// time that a test has if anything were quadratic.
func TestHostile(t *testing.T) {
	const megabytes = 4 << 20
	repeat := func(s string) string { return strings.Repeat(s, megabytes/len(s)) }
	for _, c := range []struct {
		name, body string
		blocks     int
	}{
		{"ten thousand fences", strings.Repeat(block(`{"operation":"ADD","section":"hypotheses"}`), 10_000), 10_000},
		{"ten thousand unclosed fences in quotations", strings.Repeat("> ```delta\n> {\n\n", 10_000), 10_000},
		{"one long line", block(`{"operation":"` + repeat("x") + `"}`), 1},
		{"unknown keys", block(`{"operation":"ADD","section":"hypothesis_slate","payload":{` + repeat(`"statment":1,`) + `"name":"n"}}`), 1}, //nolint:misspell // a slip, as people make it
		{"deep", block(strings.Repeat(`{"payload":`, 10_000)), 1},
		{"braces outside", repeat("{"), 0},
		{"objects in one line", repeat("`{\"operation\":1,\"section\":2} "), 0},
		{"objects in objects", repeat(`{"operation":1,"section":2,"a":`), 0},
		{"quotes outside", `{"operation"` + repeat(`"\`), 0},
		{"colon fences", repeat(":::delta\n\n:::\n"), 0},
		{"lines in words", repeat("DELTA[x]: y\n"), 0},
		{"one line in words", repeat("DELTA[x: "), 0},
	} {
		doc := document(c.body)
		ds := Extract(doc, jsontree.Options{})
		if len(ds) != c.blocks {
			t.Errorf("%s: %d blocks, want %d", c.name, len(ds), c.blocks)
		}
		for _, d := range ds {
			for _, f := range d.Faults {
				if len(f.Message) > 2000 {
					t.Fatalf("%s: a message of %d bytes", c.name, len(f.Message))
				}
			}
		}
		FindMisplaced(doc, jsontree.Options{})
	}
}
