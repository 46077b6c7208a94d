package replay

import (
	"github.com/brennerlint/brennerlint/merge"
	"github.com/brennerlint/brennerlint/protocol"
)

// Forget makes the next version be compared with all items, as if there were no
// version before.
func (r *Thread) Forget() { r.open.before = nil }

// Touched returns the items that deltas of a window changed, including rejected ones
// that were published.
func (w *Window) Touched() map[protocol.ItemID]bool {
	out := map[protocol.ItemID]bool{}
	for _, e := range w.result.Log {
		if e.Outcome == merge.Applied {
			out[e.Item] = true
		}
	}
	return out
}
