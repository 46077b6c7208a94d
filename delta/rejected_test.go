package delta

import (
	"testing"

	"github.com/brennerlint/brennerlint/protocol"
)

// TestRejected: a value of the wrong type is no reason to reject a delta
// (decisions.md 18), and a section given by its title is surely meant.
func TestRejected(t *testing.T) {
	d := extract(block(`{"operation":"EDIT","section":"hypothesis_slate","target_id":"H1","payload":{"claim":7}}`))[0]
	if len(d.Faults) != 1 || d.Rejected() != nil {
		t.Errorf("faults %v, rejected for %v", d.Faults, d.Rejected())
	}
	d = extract(block(`{"operation":"EDIT","section":"2. Hypothesis Slate","target_id":"H1","payload":{"claim":7}}`))[0]
	if f := d.Rejected(); f == nil || f.Kind != BadSection {
		t.Errorf("rejected for %+v", f)
	}
	if s, sure := SuggestSection("2. Hypothesis Slate"); s != protocol.HypothesisSlate || !sure {
		t.Errorf("suggested %s, sure %v", s, sure)
	}
}
