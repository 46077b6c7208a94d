package replay

import (
	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/diff"
	"github.com/brennerlint/brennerlint/brenner/merge"
)

// expectedIDs is which ids an item that a window adds may have been given. One
// rejected ADD that was applied, or one ADD that was left out, shifts all later ones;
// that is not a second fault (decisions.md 25).
type expectedIDs struct {
	strict map[*merge.Delta]brenner.ItemID // without the rejected ADDs
	added  map[brenner.ItemID]*merge.Delta // with them
	tied   map[*merge.Delta]bool           // ADDs whose order is open (MR-009)
	// missing is, for each item that the window adds, how many of those added before it
	// were left out.
	missing map[brenner.ItemID]int
}

func newExpectedIDs(strict, result *merge.Result) *expectedIDs {
	ids := &expectedIDs{map[*merge.Delta]brenner.ItemID{}, map[brenner.ItemID]*merge.Delta{}, map[*merge.Delta]bool{}, map[brenner.ItemID]int{}}
	for i := range strict.Log {
		if e := &strict.Log[i]; isAdd(e) {
			ids.strict[e.Delta] = e.Item
		}
	}
	for i := range result.Log {
		if e := &result.Log[i]; isAdd(e) {
			ids.added[e.Item] = e.Delta
		}
	}
	for i := range result.Ties {
		if t := &result.Ties[i]; t.Kind == merge.TiedAdds {
			ids.tied[t.First], ids.tied[t.Second] = true, true
		}
	}
	return ids
}

func isAdd(e *merge.Entry) bool {
	return e.Delta.Operation == brenner.Add && e.Outcome == merge.Applied
}

// count records which of the items that the window adds to a section were left out.
func (ids *expectedIDs) count(pairs []diff.Pair) {
	left := map[brenner.ItemID]bool{}
	var sec brenner.Section
	low, high := 0, 0
	for i := range pairs {
		p := &pairs[i]
		if p.Want == nil || ids.added[p.Want.ID] == nil {
			continue
		}
		sec = p.Want.ID.Section
		if low == 0 || p.Want.ID.Number < low {
			low = p.Want.ID.Number
		}
		high = max(high, p.Want.ID.Number)
		left[p.Want.ID] = p.Item == nil
	}
	n := 0
	for i := low; i <= high && high > 0; i++ { // ADDs of a window have consecutive numbers
		id := brenner.ItemID{Section: sec, Number: i}
		ids.missing[id] = n
		if left[id] {
			n++
		}
	}
}

// expect reports whether an item that the window adds may have been given the id
// that it is published with.
func (ids *expectedIDs) expect(p *diff.Pair) bool {
	d := ids.added[p.Want.ID]
	if d == nil {
		return false // its id is from an earlier version
	}
	if ids.tied[d] && ids.tied[ids.added[p.Item.ID]] {
		return true
	}
	got := p.Item.ID.Number
	shift := ids.missing[p.Want.ID]
	return got == p.Want.ID.Number-shift || got == ids.strict[d].Number || got == ids.strict[d].Number-shift
}
