package merge_test

import (
	"testing"
	"time"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/merge"
)

// Two messages of one id are two (decisions.md 73): what they set at one instant is a
// conflict; what one message sets twice is not.
func TestMessagesOfOneID(t *testing.T) {
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	h1 := brenner.ItemID{Section: brenner.HypothesisSlate, Number: 1}
	edit := func(nth, position int, claim string) *merge.Delta {
		return &merge.Delta{Operation: brenner.Edit, Section: h1.Section, Target: h1, Payload: map[string]any{"claim": claim},
			Agent: "Ada", Time: at.Add(time.Minute), Message: "4", Nth: nth, Position: position}
	}
	add := &merge.Delta{Operation: brenner.Add, Section: h1.Section, Payload: map[string]any{"claim": "a"}, Agent: "Ada", Time: at, Message: "1", Position: 1}
	for nth, want := range map[int]any{0: "c", 1: `CONFLICT: "b" | "c"`} {
		res := merge.Merge(nil, []*merge.Delta{add, edit(0, 1, "b"), edit(nth, 2, "c")}, merge.Options{})
		if got := res.State.Find(h1).Fields()["claim"]; got != want || len(res.Conflicts) != nth {
			t.Errorf("of messages 0 and %d the claim is %v, want %v; %d conflicts", nth, got, want, len(res.Conflicts))
		}
	}
}
