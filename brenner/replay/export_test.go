package replay

import (
	"slices"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/merge"
	"github.com/brennerlint/brennerlint/brenner/state"
)

// Forget makes the next version be compared with all items, as if there were no
// version before.
func (r *Thread) Forget() { r.omitted = nil }

// Touched returns the items that deltas of a window changed, including rejected ones
// that were published.
func (w *Window) Touched() map[brenner.ItemID]bool {
	out := map[brenner.ItemID]bool{}
	for _, e := range w.result.Log {
		if e.Outcome == merge.Applied {
			out[e.Item] = true
		}
	}
	return out
}

// PassedOver returns items that changed and that BlameHistory does not look at.
func (r *Thread) PassedOver() (out []*state.Item) {
	h := &histories{thread: r, items: map[any]*itemHistory{}}
	check := func(st *state.State) {
		for _, sec := range brenner.Sections {
			for _, it := range st.Items(sec) {
				if h.of(it).seen != it {
					out = append(out, it)
				}
			}
		}
	}
	for _, w := range append(slices.Clone(r.Windows), r.Pending) {
		if h.before != nil {
			h.published(w)
			check(w.base)
		}
		h.window(w)
		check(w.result.State)
	}
	return out
}
