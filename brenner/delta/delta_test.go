package delta

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/markdown"
	"github.com/brennerlint/brennerlint/internal/must"
	"github.com/brennerlint/brennerlint/internal/testenv"
	"github.com/brennerlint/brennerlint/source"
)

func document(body string) *markdown.Document { return markdown.Parse(source.NewText([]byte(body))) }

func extract(body string) []*Delta { return Extract(document(body), jsontree.Options{}) }

// block returns a body of one delta block.
func block(json string) string { return "## Deltas\n\n```delta\n" + json + "\n```\n" }

// marked removes the marks « and » from a text and returns what was between them and
// where: "" and -1 without marks.
func marked(s string) (text, inside string, at int) {
	before, rest, found := strings.Cut(s, "«")
	if !found {
		return s, "", -1
	}
	inside, after, _ := strings.Cut(rest, "»")
	return before + inside + after, inside, len(before)
}

// show returns a fault as tests print it: kind and the text at fault.
func (f *Fault) show() string {
	return fmt.Sprintf("%s at %q", f.Kind, f.At.Text.Slice(f.At.Span))
}

// TestExtractFindsFences counts the blocks of the bodies of testdata/fences.txtar.
func TestExtractFindsFences(t *testing.T) {
	for _, ex := range must.Examples(t, "testdata/fences.txtar") {
		if got := fmt.Sprintln(len(extract(strings.TrimSuffix(ex.In, "\n")))); got != ex.Want {
			t.Errorf("%s: %s blocks, want %s", ex.Name, got, ex.Want)
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
	if d.Index != 1 || d.Operation != brenner.Add || !d.Block.InQuote {
		t.Fatalf("delta is %+v", d)
	}
	f := d.Faults[0]
	span, ok := f.At.Text.Within(doc.Text, f.At.Span)
	if !ok || f.Kind != NoPayload || body[span.Start:span.End] != "{" || span.Start != strings.IndexByte(body, '{') {
		t.Errorf("%s is at %q", f.Kind, body[span.Start:span.End])
	}
	span, _ = d.Faults[1].At.Text.Within(doc.Text, d.Faults[1].At.Span)
	if got := body[span.Start:span.End]; got != `"hypotheses"` {
		t.Errorf("the section is at %q", got)
	}
}

func TestReadFields(t *testing.T) {
	d := extract(block(`{"delta_id":"d-1","timestamp":"2025-12-30T12:00:00+02:00","agent":"RedCreek","operation":"KILL",
		"section":"predictions_table","target_id":"P1.H2","payload":{"reason":"old","reason":"tested"}}`))[0]
	if len(d.Faults) > 0 {
		t.Errorf("faults: %s", d.Faults[0].show())
	}
	if d.Operation != brenner.Kill || d.Section != brenner.PredictionsTable || d.Target.String() != "P1.H2" || d.Reason != "tested" ||
		d.Agent != "RedCreek" || !d.HasTime || d.Time.Hour() != 10 || d.Rejected() != nil {
		t.Errorf("read %+v", d)
	}
}

const goodH = `"name":"n","claim":"c","mechanism":"m","anchors":["§1"]`

// TestFaults checks the faults of single blocks: « and » enclose the place of the first
// one.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		json string
		want []Kind
	}{
		// one fault, one finding
		{`{"operation":"ADD","section":"hypothesis_slate","payload":{` + goodH + `}}`, nil},
		{`{"operation":"ADD","section":"hypotheses","target_id":"H1"«,»}`, []Kind{InvalidJSON}},
		{`«{»}`, []Kind{NotObject}},
		{`«[»]`, []Kind{NotObject}},
		{`«[»{"operation":"ADD"},{}]`, []Kind{NotObject}},
		{`«"ADD"»`, []Kind{NotObject}},
		{`«{»"operation":"ADD","section":"hypothesis_slate"}`, []Kind{NoPayload}},
		{`{"operation":"ADD","section":"hypothesis_slate","payload":«{»}}`, []Kind{NoPayload}},
		{`{"operation":"EDIT","section":"hypothesis_slate","target_id":"H1","payload":«null»}`, []Kind{NoPayload}},
		{`{"operation":"EDIT","section":"hypothesis_slate","target_id":"H1","payload":«"claim"»}`, []Kind{NoPayload}},
		{`«{»"operation":"KILL","section":"hypothesis_slate","target_id":"H1"}`, []Kind{NoReason}},
		{`«{»"operation":"KILL","section":"hypothesis_slate","target_id":"H1","payload":{}}`, []Kind{NoReason}},
		{`{"operation":"KILL","section":"hypothesis_slate","target_id":"H1","payload":{"reason":«" "»}}`, []Kind{NoReason}},
		{`{"operation":"KILL","section":"hypothesis_slate","target_id":"H1","payload":{"reason":«7»}}`, []Kind{NoReason}},
		{`{"operation":"KILL","section":"hypothesis_slate","target_id":"H1","payload":«"old"»}`, []Kind{NoReason}},
		{`{"operation":«"KILL"»,"section":"research_thread","target_id":"H1"}`, []Kind{ThreadOperation}},
		{`{"operation":«"ADD"»,"section":"research_thread","target_id":"RT","payload":{}}`, []Kind{ThreadOperation}},
		{`{"operation":"EDIT","section":"research_thread","target_id":«"H1"»,"payload":{"context":"c"}}`, []Kind{ThreadTarget}},
		{`{"operation":"EDIT","section":"research_thread","target_id":«1»,"payload":{"context":"c"}}`, []Kind{ThreadTarget}},
		{`{"operation":"EDIT","section":"research_thread","target_id":null,"payload":{"context":"c"}}`, nil},
		{`{"operation":"EDIT","section":"research_thread","payload":{"context":"c"}}`, nil},
		// operation and section
		{`{"operation":«"add"»,"section":"hypothesis_slate","payload":{}}`, []Kind{BadOperation}},
		{`{"operation":«"DELETE"»,"section":"hypothesis_slate","target_id":"H1"}`, []Kind{BadOperation}},
		{`{"operation":«"MERGE"»,"section":"hypothesis_slate"}`, []Kind{BadOperation}},
		{`{"operation":«["ADD"]»,"section":"hypothesis_slate"}`, []Kind{BadOperation}},
		{`«{»"invalid":true}`, []Kind{BadOperation, BadSection}},
		{`{"operation":"ADD","section":«"hypotheses"»,"payload":{"x":1}}`, []Kind{BadSection}},
		{`{"operation":"ADD","section":«"Anomaly Register"»,"payload":{"x":1}}`, []Kind{BadSection}},
		{`{"operation":"ADD","section":«"adversarial_critiques"»,"payload":{"x":1}}`, []Kind{BadSection}},
		{`{"operation":"ADD","section":«3»,"payload":{"x":1}}`, []Kind{BadSection}},
		// target_id
		{`«{»"operation":"EDIT","section":"hypothesis_slate","payload":{"claim":"c"}}`, []Kind{MissingTarget}},
		{`{"operation":"EDIT","section":"hypothesis_slate","target_id":«null»,"payload":{"claim":"c"}}`, []Kind{MissingTarget}},
		{`{"operation":"KILL","section":"anomaly_register","target_id":«2»,"payload":{"reason":"r"}}`, []Kind{MissingTarget}},
		{`{"operation":"ADD","section":"hypothesis_slate","target_id":«"H1"»,"payload":{` + goodH + `}}`, []Kind{TargetOfAdd}},
		{`{"operation":"EDIT","section":"hypothesis_slate","target_id":«""»,"payload":{"claim":"c"}}`, []Kind{ForeignTarget}},
		{`{"operation":"EDIT","section":"predictions_table","target_id":«"H1"»,"payload":{"condition":"c"}}`, []Kind{ForeignTarget}},
		{`{"operation":"EDIT","section":"discriminative_tests","target_id":«"T-SCALE"»,"payload":{"name":"c"}}`, []Kind{ForeignTarget}},
		{`{"operation":"EDIT","section":"hypothesis_slate","target_id":«"RT"»,"payload":{"claim":"c"}}`, []Kind{ForeignTarget}},
		{`{"operation":"EDIT","section":"hypothesis_slate","target_id":"H99999999999999999999999","payload":{"claim":"c"}}`, nil},
		{`{"operation":"EDIT","section":"predictions_table","target_id":"P3.H12","payload":{"condition":"c"}}`, nil},
		// required fields
		{`«{»"operation":"ADD","section":"hypothesis_slate","payload":{"name":"n","statement":"s","basis":"b","anchors":["§1"]}}`, []Kind{LacksFields}},
		{`«{»"operation":"ADD","section":"anomaly_register","payload":{"name":" ","conflicts_with":[],"status":"active"}}`, []Kind{LacksFields}},
		{`{"operation":"ADD","section":"predictions_table","payload":{"condition":"c","predictions":«{»}}}`, []Kind{LacksFields}},
		{`«{»"operation":"ADD","section":"hypothesis_slate","payload":{"name":"n","claim":"c","mechanism":"m","anchor":["§1"]}}`, []Kind{LacksFields}},
		// values
		{`{"operation":"EDIT","section":"hypothesis_slate","target_id":"H1","payload":{"claim":«7»,"anchors":"§1","third_alternative":"yes","anchors_replace":1}}`, []Kind{BadValue, BadValue, BadValue, BadValue}},
		{`{"operation":"EDIT","section":"assumption_ledger","target_id":"A1","payload":{"status":«"verifed"»}}`, []Kind{BadValue}},
		{`{"operation":"EDIT","section":"discriminative_tests","target_id":"T1","payload":{"score":{"cost":2.0,"likelihood_ratio":«8»,"speed":-1,"lr":2},"expected_outcomes":{"H1":1},"potency_check":{"a":1},"last_run":"x"}}`, []Kind{BadValue, BadValue, BadValue}},
		{`{"operation":"EDIT","section":"anomaly_register","target_id":"X1","payload":{"conflicts_with":["H1",«null»],"references":{}}}`, []Kind{BadValue, BadValue}},
		// a key given twice: the last counts
		{`{"operation":"EDIT","operation":"ADD","section":"hypothesis_slate","payload":{"claim":7,` + goodH + `}}`, nil},
		{`{"operation":"ADD","section":"hypothesis_slate","payload":{` + goodH + `,"claim":«7»}}`, []Kind{BadValue}},
	} {
		json, inside, at := marked(c.json)
		d := extract(block(json))[0]
		var got []Kind
		for _, f := range d.Faults {
			got = append(got, f.Kind)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.json, got, c.want)
			continue
		}
		if len(got) > 0 {
			s := d.Faults[0].At.Span
			if s.Start != at || json[s.Start:s.End] != inside && json[s.Start:s.End] != "[" {
				t.Errorf("%s: is at %q", c.json, json[s.Start:s.End])
			}
		}
	}
}

func TestBlankBlock(t *testing.T) {
	for _, body := range []string{"```delta\n```", "x\n\n~~~delta a\n \n\n~~~\n", "```delta", "> ```delta\n> ```"} {
		doc := document(body)
		d := Extract(doc, jsontree.Options{})[0]
		if len(d.Faults) != 1 || d.Faults[0].Kind != BlankBlock || d.Rejected() == nil {
			t.Fatalf("%q: faults %v", body, d.Faults)
		}
		at := d.Faults[0].At
		if got := body[at.Span.Start:at.Span.End]; at.Text != doc.Text || !strings.Contains(got, "delta") {
			t.Errorf("%q: is at %q", body, got)
		}
	}
}

// TestHostile reads input that could take much time or memory; it would not finish in
// time if anything were quadratic.
func TestHostile(t *testing.T) {
	testenv.SkipUnderRace(t)
	const megabyte = 1 << 20
	repeat := func(s string) string { return strings.Repeat(s, megabyte/len(s)) }
	for _, c := range []struct {
		name, body string
		blocks     int
	}{
		{"ten thousand fences", strings.Repeat(block(`{"operation":"ADD","section":"hypotheses"}`), 10_000), 10_000},
		{"ten thousand unclosed fences in quotations", strings.Repeat("> ```delta\n> {\n\n", 10_000), 10_000},
		{"one long line", block(`{"operation":"` + repeat("x") + `"}`), 1},
		{"unknown keys", block(`{"operation":"ADD","section":"hypothesis_slate","payload":{` + repeat(`"statment":1,`) + `"name":"n"}}`), 1}, //nolint:misspell // a common slip
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
		FindMisplaced(doc, jsontree.Options{})
	}
}
