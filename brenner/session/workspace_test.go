package session

import (
	"fmt"
	"testing"

	"github.com/brennerlint/brennerlint/brenner"
)

// ring is n sessions of one item each, which refers to that of the next.
func ring(n int) []*Session {
	item := brenner.ItemID{Section: brenner.AssumptionLedger, Number: 1}
	var out []*Session
	for i := range n {
		s := &Session{ID: fmt.Sprintf("RS-20260101-%02d", i), Complete: true, Items: []brenner.ItemID{item}}
		s.AddReference(Ref{From: s, Item: item, Delta: 1}, map[string]any{"session": fmt.Sprintf("RS-20260101-%02d", (i+1)%n), "item": "A1", "relation": "extends"})
		out = append(out, s)
	}
	return out
}

func TestCycles(t *testing.T) {
	chain := ring(3)
	chain[2].References = nil
	for name, c := range map[string]struct {
		sessions []*Session
		want     int // how many links the only cycle has; 0 for none
	}{
		"itself": {ring(1), 1}, "three": {ring(3), 3}, "twenty": {ring(20), 20}, "a chain": {chain, 0},
	} {
		found := NewWorkspace(c.sessions).Cycles()
		if c.want == 0 {
			if len(found) > 0 {
				t.Errorf("%s: %d cycles", name, len(found))
			}
			continue
		}
		if len(found) != 1 || len(found[0]) != c.want {
			t.Errorf("%s: cycles are %v, want one of %d links", name, found, c.want)
			continue
		}
		for i, l := range found[0] {
			if l.From != c.sessions[i] || l.Session != c.sessions[(i+1)%c.want].ID {
				t.Errorf("%s: link %d goes from %s to %s", name, i, l.From.ID, l.Session)
			}
		}
	}
}

// TestKeyOf checks that a key is the same in any case and spacing.
func TestKeyOf(t *testing.T) {
	want := KeyOf(brenner.HypothesisSlate, "name", "a claim")
	for _, text := range []string{"a claim", "A  Claim", "a\nclaim"} {
		if got := KeyOf(brenner.HypothesisSlate, "Name", text); got != want {
			t.Errorf("the key with %q is %x, want %x", text, got, want)
		}
	}
	if KeyOf(brenner.HypothesisSlate, "na", "mea claim") == KeyOf(brenner.HypothesisSlate, "name", "a claim") {
		t.Error("the name and the text are mixed up")
	}
}
