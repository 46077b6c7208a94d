package merge

import (
	"fmt"
	"testing"

	"github.com/brennerlint/brennerlint/brenner"
)

// TestBounds checks that a section and an array grow up to a bound, beyond which deltas are
// refused.
func TestBounds(t *testing.T) {
	members := make([]any, MaxMembers-1)
	for i := range members {
		members[i] = fmt.Sprint("§", i)
	}
	var s script
	s.at(0, "1", "A").add(h, fields{"anchors": members})
	s.edit("H1", fields{"anchors": []any{"x"}}).edit("H1", fields{"anchors": []any{"y"}}).edit("H1", fields{"anchors": []any{"y"}, "replace": true})
	for range MaxItems + 1 {
		s.add(a, fields{})
	}
	got := Merge(nil, s.out, Options{})
	for i, want := range map[int]Outcome{1: Applied, 2: Rejected, 3: Applied, 3 + MaxItems: Applied, 4 + MaxItems: Rejected} {
		if e := got.Log[i]; e.Outcome != want || want == Rejected && e.Refusal.Reason != SectionFull {
			t.Errorf("delta %d: outcome %s, refusal %+v", i, e.Outcome, e.Refusal)
		}
	}
	if got.Log[2].Refusal.Members != MaxMembers || got.State.Len(a) != MaxItems {
		t.Errorf("the array has %d values, the ledger %d items", got.Log[2].Refusal.Members, got.State.Len(a))
	}
}

// TestTieBudget checks that so many messages of one instant that not all can be swapped are
// one tie that says so, and that a few are not.
func TestTieBudget(t *testing.T) {
	for _, tt := range []struct {
		messages int
		want     TieKind // of the last tie
	}{{50, TiedAdds}, {2000, TiedMany}} {
		var s script
		for i := range tt.messages {
			s.at(0, fmt.Sprint(i+1), fmt.Sprint("A", i)).add(a, fields{"name": fmt.Sprint(i)})
		}
		got := Merge(nil, s.out, Options{})
		many := 0
		for _, tie := range got.Ties {
			if tie.Kind == TiedMany {
				many++
			}
		}
		if last := got.Ties[len(got.Ties)-1].Kind; last != tt.want || many > 1 {
			t.Errorf("%d messages: %d ties, the last of kind %d, %d of many", tt.messages, len(got.Ties), last, many)
		}
	}
}

// TestConflictsAreNoTies checks that messages that set one field to different scalars are a
// conflict, and however many there are no tie.
func TestConflictsAreNoTies(t *testing.T) {
	var s script
	s.at(0, "0", "A").add(a, fields{})
	for i := range 300 {
		s.at(1, fmt.Sprint(i+1), "B").edit("A1", fields{"load": fmt.Sprint(i)})
	}
	got := Merge(nil, s.out, Options{})
	if len(got.Ties) != 0 || len(got.Conflicts) != 1 || got.Conflicts[0].Item != (brenner.ItemID{Section: a, Number: 1}) {
		t.Errorf("%d ties and %d conflicts", len(got.Ties), len(got.Conflicts))
	}
}
