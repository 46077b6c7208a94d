package diff

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/state"
	"github.com/brennerlint/brennerlint/source"
)

// Knowledge of the previous version does not change the pairs, only how many of the
// items that nothing shows are among them.
func TestPairsWithAbsentItems(t *testing.T) {
	const sec = brenner.AssumptionLedger
	passed := 0
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 0))
		fields := func() map[string]any {
			f := map[string]any{"load": "high"}
			if r.IntN(8) > 0 {
				f["name"] = fmt.Sprint("Name ", r.IntN(5))
			}
			if r.IntN(8) > 0 {
				f["statement"] = fmt.Sprint("Statement ", r.IntN(5))
			}
			return f
		}
		item := func(n int) *state.Item {
			return state.NewItem(brenner.ItemID{Section: sec, Number: n}, fields())
		}

		want, before := &state.State{}, &Before{Published: &state.State{}, Absent: &Absent{}, Changed: map[brenner.ItemID]bool{}}
		for n := range r.IntN(14) {
			it := item(n + 1)
			want.Add(it)
			known := r.IntN(6) > 0
			if known && r.IntN(3) == 0 {
				before.Published.Add(it)
			} else if known {
				before.Absent.Add(it)
			}
			if !known || r.IntN(6) == 0 {
				before.Changed[it.ID] = true
				want.Change(it.ID, func(it *state.Item) {
					clear(it.Fields())
					maps.Copy(it.Fields(), fields())
				})
			}
		}
		shown := &state.State{}
		for range r.IntN(6) {
			it := item(1 + r.IntN(16))
			if known := want.Find(it.ID); known != nil && r.IntN(2) == 0 {
				it = state.NewItem(it.ID, known.Fields())
			}
			shown.Add(it)
		}
		a := artifact.ParseMarkdown(source.NewText(artifact.Render(shown, artifact.RenderMeta{})), artifact.Limits{})

		all, some := New(a, want), New(a, want)
		some.Before = before
		got, expected := some.Pairs(sec, nil), all.Pairs(sec, nil)
		left := slices.DeleteFunc(slices.Clone(expected), func(p Pair) bool {
			return p.Item == nil && before.Absent.Has(p.Want.ID) && !before.Changed[p.Want.ID] &&
				!slices.ContainsFunc(got, func(g Pair) bool { return g.Want == p.Want })
		})
		if !slices.EqualFunc(left, got, func(a, b Pair) bool { return a.Item == b.Item && a.Want == b.Want }) {
			t.Fatalf("seed %d: %d pairs are %v, expected %v", seed, len(got), got, left)
		}
		if n := len(expected) - len(left); n != some.Unvisited(sec) {
			t.Fatalf("seed %d: %d items were passed by, not %d", seed, n, some.Unvisited(sec))
		}
		passed += some.Unvisited(sec)
	}
	if passed == 0 {
		t.Error("no absent item was passed by")
	}
}

// An item that is no longer absent, or has changed, is found by its current content.
func TestAbsent(t *testing.T) {
	const sec = brenner.AssumptionLedger
	a := &Absent{}
	ids := func(name string, most int) string {
		b := Before{Absent: a, Changed: map[brenner.ItemID]bool{{Section: sec, Number: 3}: true}}
		return fmt.Sprint(b.withKey(sec, key{Identity{Name: state.Fold(name)}, true}, most))
	}
	for n := 1; n <= 4; n++ {
		a.Add(state.NewItem(brenner.ItemID{Section: sec, Number: n}, map[string]any{"name": "One", "statement": fmt.Sprint(n)}))
	}
	if got := ids("One", 9); got != "[A1 A2 A4]" {
		t.Errorf("alike are %s", got)
	}
	if got := ids("One", 2); got != "[A1 A2]" {
		t.Errorf("the first two are %s", got)
	}
	a.Add(state.NewItem(brenner.ItemID{Section: sec, Number: 1}, map[string]any{"name": "Two"}))
	a.Remove(brenner.ItemID{Section: sec, Number: 2})
	a.Remove(brenner.ItemID{Section: sec, Number: 9})
	if one, two := ids("One", 9), ids("Two", 9); one != "[A4]" || two != "[A1]" || a.Len(sec) != 3 {
		t.Errorf("alike are %s and %s of %d", one, two, a.Len(sec))
	}
	if a.Clear(sec); a.Len(sec) != 0 || a.Has(brenner.ItemID{Section: sec, Number: 1}) {
		t.Errorf("%d are absent", a.Len(sec))
	}
}
