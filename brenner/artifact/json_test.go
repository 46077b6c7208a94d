package artifact

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/source"
)

func TestParseJSON(t *testing.T) {
	const in = `{"sections": {
"research_thread": {"statement": "a\nb", "anchors": ["§1", 2], "context": null},
"hypothesis_slate": [
  {"id": "H1", "name": "n", "claim": 1, "claim": "last", "third_alternative": true, "odd": {"x": [1]}, "killed": true, "killed_by": "A", "killed_at": "2025-12-30T12:10:00Z", "kill_reason": "r"},
  {"id": "T1", "claim": "of another section"}, {"name": "no id"}, {"id": "H01"}, "H2"
],
"predictions_table": {"id": "P1"},
"discriminative_tests": [{"id": "T1", "score": {"cost": 2, "cost": 3}, "expected_outcomes": {"H1": null}}],
"no_such_section": []
}}`
	const want = `# research_thread
RT "" ["{"]
  statement "a\nb" ["\"a\\nb\""]
  anchors "§1, 2" ["[\"§1\", 2]"]
     = "§1" ["\"§1\""]
     = "2"
  context "" ["null"]
# hypothesis_slate
stray "T1" ["\"T1\""] T1
  claim "of another section" ["\"of another section\""]
stray "" ["{"] 0
stray "H01" ["\"H01\""] 0
stray "" ["\"H2\""] 0
H1 "n" ["\"n\""]
  killed true struck false by "A" at "2025-12-30T12:10:00Z": "r"
  claim "last" ["\"last\""]
  third_alternative "true"
  odd? "x: 1" ["{\"x\": [1]}"]
    x = "1" ["[1]"]
  killed? "true"
  killed_by? "A" ["\"A\""]
  killed_at? "2025-12-30T12:10:00Z" ["\"2025-12-30T12:10:00Z\""]
  kill_reason? "r" ["\"r\""]
# predictions_table
stray "" ["{\"id\": \"P1\"}"] 0
# discriminative_tests
T1 ""
  score "cost: 2\ncost: 3" ["{\"cost\": 2, \"cost\": 3}"]
    cost = "3"
  expected_outcomes "H1: " ["{\"H1\": null}"]
    H1 = "" ["null"]
`
	a, err := ParseJSON(source.NewText([]byte(in)), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, brief(a)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !a.IsJSON() || a.Meta != nil || a.MetaFault != nil {
		t.Errorf("IsJSON %v, metadata %v, fault %v", a.IsJSON(), a.Meta, a.MetaFault)
	}
	killed := a.State().Find(brenner.ItemID{Section: brenner.HypothesisSlate, Number: 1}).Killed
	if killed == nil || killed.By != "A" || killed.At.IsZero() || killed.Reason != "r" {
		t.Errorf("killed: %v", killed)
	}
	checkSpans(t, a)
}

// TestReadState checks that what is read gives the same JSON again.
func TestReadState(t *testing.T) {
	const want = `{"adversarial_critique":[],"anomaly_register":[],"assumption_ledger":[{"id":"A2","name":"x","score":[1,null,{"a":true}]}],"discriminative_tests":[],` +
		`"hypothesis_slate":[{"id":"H1","kill_reason":"no","killed":true,"killed_at":"2026-01-02T03:04:05.5Z","killed_by":"Ada","name":"é"},{"id":"H10"}],` +
		`"predictions_table":[{"id":"P1.H2"}],"research_thread":{"id":"RT","statement":"?"}}`
	s, err := ReadState([]byte(want))
	if err != nil || string(s.CanonicalJSON()) != want {
		t.Errorf("read as\n%s\nwant\n%s (%v)", s.CanonicalJSON(), want, err)
	}
	for _, bad := range []string{`{"hypothesis_slate":[}`, `{"hypotheses":[]}`} {
		if _, err := ReadState([]byte(bad)); err == nil {
			t.Errorf("%s is read", bad)
		}
	}
}

func TestParseJSONMetadata(t *testing.T) {
	a, _ := ParseJSON(source.NewText([]byte(`{"metadata": {"version": 1.5, "session_id": "a", "session_id": "b", "status": null, "x": true, "contributors": ["A", {"agent": "B"}]}}`)), Limits{})
	want := []MetaValue{
		{Key: "version", Kind: MetaOther, Text: "1.5"}, {Key: "session_id", Kind: MetaString, Text: "a"}, {Key: "session_id", Kind: MetaString, Text: "b"},
		{Key: "status", Kind: MetaNull}, {Key: "x", Kind: MetaOther, Text: "true"},
		{Key: "contributors", Kind: MetaList, Items: []MetaValue{{Kind: MetaString, Text: "A"}, {Kind: MetaMap, Items: []MetaValue{{Key: "agent", Kind: MetaString, Text: "B"}}}}},
	}
	if diff := cmp.Diff(want, withoutSpans(a.Meta.Values)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if v := a.Meta.Get("session_id"); v.Text != "b" {
		t.Errorf("of a key given twice %q counts, want the last", v.Text)
	}
	for in, fault := range map[string]string{`{}`: "", `[]`: "", `{"metadata": 1}`: "metadata is a number, not an object"} {
		a, _ := ParseJSON(source.NewText([]byte(in)), Limits{})
		if got := a.MetaFault; (got != nil) != (fault != "") || got != nil && got.Message != fault {
			t.Errorf("%s: fault %v, want %q", in, got, fault)
		}
	}
	if a, err := ParseJSON(source.NewText([]byte(`{"metadata": `)), Limits{}); a != nil || err == nil {
		t.Error("truncated JSON is read")
	}
}

func withoutSpans(values []MetaValue) []MetaValue {
	var out []MetaValue
	for _, v := range values {
		v.Span, v.KeySpan, v.Items = source.Span{}, source.Span{}, withoutSpans(v.Items)
		out = append(out, v)
	}
	return out
}

func TestRenderMeta(t *testing.T) {
	m := RenderMeta{
		SessionID: "RS-20251230-x", Version: 3, CompiledAt: "2025-12-30T14:00:00Z", CompiledBy: "operator", MessageID: "12345", Status: "active",
		Contributors: []Contributor{{Agent: "opus"}, {Agent: "a: \"b\"\n\x01é", Program: "p", Model: "m", ContributedAt: "2025-12-30"}},
	}
	a := ParseMarkdown(source.NewText(Render(ParseMarkdown(source.NewText(nil), Limits{}).State(), m)), Limits{})
	if diff := cmp.Diff(m, metaOf(a)); diff != "" {
		t.Errorf("(-rendered +read):\n%s", diff)
	}
	if v := a.Meta.Get("agent_mail_message_id"); v.Kind != MetaInt {
		t.Errorf("the message id is of kind %d, want a number", v.Kind)
	}
}
