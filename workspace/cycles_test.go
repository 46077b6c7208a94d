package workspace

import (
	"fmt"
	"strings"
	"testing"

	"github.com/brennerlint/brennerlint/protocol"
)

// ring is n sessions of one item each, which refers to that of the next.
func ring(n int) []*Session {
	item := ItemOf(protocol.ItemID{Section: protocol.AssumptionLedger, Number: 1})
	var out []*Session
	for i := range n {
		s := &Session{ID: fmt.Sprintf("RS-20260101-%02d", i), Complete: true, Items: []Item{item}}
		s.Refer(Where{Item: item, Delta: 1}, map[string]any{"session": fmt.Sprintf("RS-20260101-%02d", (i+1)%n), "item": "A1", "relation": "extends"})
		out = append(out, s)
	}
	return out
}

func TestCycles(t *testing.T) {
	chain := ring(3)
	chain[2].References = nil
	for name, c := range map[string]struct {
		sessions []*Session
		want     string // of the only cycle; "" for none
	}{
		"itself":  {ring(1), "RS-20260101-00 A1 refers to itself"},
		"three":   {ring(3), "references form a cycle: RS-20260101-00 A1 → RS-20260101-01 A1 → RS-20260101-02 A1 → RS-20260101-00 A1"},
		"twenty":  {ring(20), "references form a cycle: " + strings.Join(firstItems(12), " → ") + " → … 8 more → RS-20260101-00 A1"},
		"a chain": {chain, ""},
	} {
		found := Cycles(c.sessions)
		switch {
		case c.want == "" && len(found) == 0:
		case len(found) != 1 || found[0].Message != c.want || found[0].From != c.sessions[0]:
			t.Errorf("%s: %d cycles, %+v, want %q", name, len(found), found, c.want)
		}
	}
}

func firstItems(n int) []string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf("RS-20260101-%02d A1", i))
	}
	return out
}
