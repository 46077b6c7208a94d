package state

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/brennerlint/brennerlint/brenner"
	_ "github.com/brennerlint/brennerlint/internal/rapidseed"
)

// TestHasher checks that the hashes of consecutive states are those of each alone,
// however they differ.
func TestHasher(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var h Hasher
		s := &State{}
		for range rapid.IntRange(1, 12).Draw(t, "states") {
			for range rapid.IntRange(0, 4).Draw(t, "changes") {
				name := rapid.SampledFrom([]string{"RT", "H1", "H2", "H3", "H10", "P1", "P1.H2", "T2", "A1", "A2", "X1", "C1", "C9"}).Draw(t, "item")
				at, ok := brenner.ParseItemID(name)
				if !ok {
					continue
				}
				value := rapid.SampledFrom([]any{"a", "b\"", 1.5, nil, true, []any{"x"}}).Draw(t, "value")
				if !s.Add(NewItem(at, map[string]any{"claim": value})) {
					s.Change(at, func(it *Item) {
						it.Fields()["name"] = value
						if value == true {
							it.Killed = &Kill{By: "A", At: time.Unix(1, 0).UTC(), Reason: "r"}
						}
					})
				}
			}
			if rapid.IntRange(0, 9).Draw(t, "begin again") == 0 {
				s = &State{} // as where an artifact was published
			}
			if got, want := h.Hash(s), s.Hash(); got != want {
				t.Fatalf("the hash is %s, want %s of %s", got, want, s.CanonicalJSON())
			}
			s = s.Clone()
		}
	})
}

// TestHasherAllocates counts the allocations for hashing many states that differ in one
// item each: as many for a large state as for a small one.
func TestHasherAllocates(t *testing.T) {
	per := func(items int) float64 {
		const n = 50
		s := &State{}
		for i := range items {
			s.Add(NewItem(brenner.ItemID{Section: brenner.AssumptionLedger, Number: i + 1}, map[string]any{"name": fmt.Sprint(i), "anchors": []any{"§1"}}))
		}
		states := []*State{s}
		for i := range n {
			s = s.Clone()
			s.Change(brenner.ItemID{Section: brenner.AssumptionLedger, Number: i%items + 1}, func(it *Item) { it.Fields()["load"] = "x" })
			states = append(states, s)
		}
		hash := func(states []*State) float64 {
			return testing.AllocsPerRun(3, func() {
				var h Hasher
				for _, s := range states {
					h.Hash(s)
				}
			})
		}
		return (hash(states) - hash(states[:1])) / n
	}
	small, large := per(100), per(3000)
	if large > small+3 {
		t.Errorf("a state of 3,000 items takes %.0f allocations, one of 100 %.0f", large, small)
	}
}
