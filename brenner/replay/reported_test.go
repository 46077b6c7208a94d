package replay_test

import (
	"slices"
	"testing"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/replay"
)

// A fact about an item is reported from the version on in which it was first found,
// however often it is found again.
func TestReportedSince(t *testing.T) {
	posts := publish(first(), 1, nil)
	posts = publish(posts, 2, func(st *brenner.State) { set(st, "H2", "claim", "made up") })
	posts = publish(posts, 3, func(st *brenner.State) { set(st, "H2", "claim", "made up again") })
	r := replay.New(thread(posts), replay.Options{})
	for i, want := range []bool{false, true, true} {
		if got := r.AlreadyReported(r.Windows[i].Compiled).Has(id("H2"), replay.FieldDiffers); got != want {
			t.Errorf("v%d: reported is %v", i+1, got)
		}
	}
	// Facts about pending deltas belong to no version yet.
	r = replay.New(thread(append(publish(first(), 1, nil), from("Cyd", 2, edit("A1", object{"load": "x"})), from("Dan", 2, edit("A1", object{"load": "y"})))), replay.Options{})
	if len(slices.Collect(replay.FactsOf[replay.Conflict](r))) != 1 || r.AlreadyReported(r.Windows[0].Compiled).Has(id("A1"), replay.ConflictedField) {
		t.Error("the past knows what comes")
	}
}

// The artifact's own rules yield to what the replay reported of an item, in that
// version and later ones.
func TestAlreadyReported(t *testing.T) {
	posts := publish(first(), 1, func(st *brenner.State) { set(st, "H2", "claim", "made up") })
	th := thread(publish(posts, 2, nil))
	r := replay.New(th, replay.Options{})
	v1, v2 := r.Windows[0].Compiled, r.Windows[1].Compiled
	section := brenner.ItemID{Section: brenner.HypothesisSlate}
	if !r.AlreadyReported(v1).Has(id("H2"), replay.FieldDiffers) || !r.AlreadyReported(v2).Has(id("H2"), replay.FieldDiffers) || !r.AlreadyReported(v1).Has(section, replay.FieldDiffers) {
		t.Error("what the replay said is not known")
	}
	if r.AlreadyReported(th.Messages[0]).Has(id("H2"), replay.FieldDiffers) || r.AlreadyReported(v1).Has(id("H1"), replay.FieldDiffers) || r.AlreadyReported(v1).Has(id("H2"), replay.ItemOmitted) {
		t.Error("what the replay did not say is known")
	}
}
