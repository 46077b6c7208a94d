package replay

import (
	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/merge"
	"github.com/brennerlint/brennerlint/brenner/state"
)

// Outcome is what became of a well-formed delta.
type Outcome struct {
	Delta   *Delta
	Outcome merge.Outcome
	// Item is the item concerned; of an ADD the id it was given, the zero id if it
	// was rejected.
	Item brenner.ItemID
	// Refusal is why the delta was rejected or skipped; else nil.
	Refusal *merge.Refusal
}

// Outcomes returns what became of the window's deltas in the correct merge, in the
// order in which they were applied. Deltas that were rejected before the merge are
// only in Rejected.
func (w *Window) Outcomes() []Outcome {
	out := make([]Outcome, len(w.strict.Log))
	for i := range w.strict.Log {
		e := &w.strict.Log[i]
		out[i] = Outcome{Delta: of(e.Delta), Outcome: e.Outcome, Item: e.Item, Refusal: e.Refusal}
	}
	return out
}

// BaseState returns the state from which the window starts.
func (w *Window) BaseState() *state.State { return w.base }

// Conflicts returns the fields that the window leaves at a CONFLICT marker.
func (w *Window) Conflicts() []Conflict {
	out := make([]Conflict, len(w.strict.Conflicts))
	for i := range w.strict.Conflicts {
		out[i] = conflictOf(&w.strict.Conflicts[i])
	}
	return out
}

// SetBy returns the delta that last set a field of an item of the merged state: "killed"
// is its KILL. It is nil if no delta explains the value.
func (w *Window) SetBy(id brenner.ItemID, field string) *Delta {
	o := merge.OriginOf(w.State.Find(id))
	if field == "killed" {
		return of(o.Killed)
	}
	return of(o.Field(field))
}

// AddedBy returns the delta that added an item of the merged state, nil if no delta did.
func (w *Window) AddedBy(id brenner.ItemID) *Delta {
	return of(merge.OriginOf(w.State.Find(id)).Added)
}

// Shortages returns the sections of the merged state that have too few active items.
func (w *Window) Shortages() []SectionShortage {
	var out []SectionShortage
	for _, sec := range brenner.Sections {
		if n := w.State.Active(sec); n < sec.Minimum() {
			out = append(out, SectionShortage{Section: sec, Active: n, RejectedAdds: w.rejectedAdds(sec)})
		}
	}
	return out
}
