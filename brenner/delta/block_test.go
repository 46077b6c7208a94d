package delta

import (
	"testing"

	"github.com/brennerlint/brennerlint/brenner"
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
