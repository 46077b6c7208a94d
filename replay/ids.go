package replay

import (
	"github.com/brennerlint/brennerlint/merge"
	"github.com/brennerlint/brennerlint/protocol"
)

// expectedIDs tells which ids an item that a window adds may have been given.
// One rejected ADD that was applied, or one ADD that was left out, shifts all
// later ones; that is no second fault (decisions.md 25).
type expectedIDs struct {
	strict map[*merge.Delta]protocol.ItemID // without the rejected ADDs
	added  map[protocol.ItemID]*merge.Delta // with them
	tied   map[*merge.Delta]bool            // ADDs whose order is open (MR-009)
	// missing tells for each item that the window adds how many of those added
	// before it were left out.
	missing map[protocol.ItemID]int
}

func newExpectedIDs(strict, result *merge.Result) *expectedIDs {
	ids := &expectedIDs{map[*merge.Delta]protocol.ItemID{}, map[protocol.ItemID]*merge.Delta{}, map[*merge.Delta]bool{}, map[protocol.ItemID]int{}}
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
	return e.Delta.Operation == protocol.Add && e.Outcome == merge.Applied
}

// count takes in which of the items that the window adds to a section were left
// out.
func (ids *expectedIDs) count(matches []match) {
	left := map[protocol.ItemID]bool{}
	var sec protocol.Section
	low, high := 0, 0
	for i := range matches {
		m := &matches[i]
		if m.ref == nil || ids.added[m.ref.ID] == nil {
			continue
		}
		sec = m.ref.ID.Section
		if low == 0 || m.ref.ID.Number < low {
			low = m.ref.ID.Number
		}
		high = max(high, m.ref.ID.Number)
		left[m.ref.ID] = m.pub == nil
	}
	n := 0
	for i := low; i <= high && high > 0; i++ { // ADDs of a window have consecutive numbers
		id := protocol.ItemID{Section: sec, Number: i}
		ids.missing[id] = n
		if left[id] {
			n++
		}
	}
}

// expectedID reports whether the id that an item was published with follows from
// faults that are reported already.
func (c *comparer) expectedID(m *match) bool {
	if c.ids == nil {
		c.ids = newExpectedIDs(c.w.strict, c.w.result)
		for _, matches := range c.matches {
			c.ids.count(matches)
		}
	}
	ids := c.ids
	d := ids.added[m.ref.ID]
	if d == nil {
		return false // it has its id since an earlier version
	}
	if ids.tied[d] && ids.tied[ids.added[m.pub.ID]] {
		return true
	}
	got := m.pub.ID.Number
	shift := ids.missing[m.ref.ID]
	return got == m.ref.ID.Number-shift || got == ids.strict[d].Number || got == ids.strict[d].Number-shift
}
