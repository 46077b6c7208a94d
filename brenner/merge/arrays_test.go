package merge

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/brennerlint/brennerlint/brenner/state"
	_ "github.com/brennerlint/brennerlint/internal/rapidseed"
)

// TestArraysMakeNoDifference checks that merging consecutive windows produces the same
// with the indexes of arrays carried on, and that no state returned before changes;
// this includes merging the same window twice.
func TestArraysMakeNoDifference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := start(t)
		with, without := base, base
		arrays := &Arrays{}
		var handed []*state.State
		var shown []string
		for range rapid.IntRange(1, 4).Draw(t, "windows") {
			deltas := session(t, rapid.IntRange(1, 3).Draw(t, "instants"))
			again := rapid.Bool().Draw(t, "again")
			next := Merge(with, deltas, Options{Arrays: arrays})
			if again {
				next = Merge(with, deltas, Options{Arrays: arrays})
			}
			plain := Merge(without, deltas, Options{})
			if show(next.State) != show(plain.State) || showLog(next) != showLog(plain) || len(next.Ties) != len(plain.Ties) {
				t.Fatalf("with the indexes of arrays\n%s\nwithout\n%s", show(next.State), show(plain.State))
			}
			with, without = next.State, plain.State
			handed, shown = append(handed, with), append(shown, show(with))
		}
		for i, st := range handed {
			if got := show(st); got != shown[i] {
				t.Fatalf("a state has changed: it was\n%s\nand is\n%s", shown[i], got)
			}
		}
	})
}
