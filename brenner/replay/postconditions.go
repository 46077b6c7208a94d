package replay

import (
	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/merge"
	"github.com/brennerlint/brennerlint/brenner/state"
)

// checkPostConditions checks the post-conditions of artifact_delta_spec at the end
// of a window.
func (r *Thread) checkPostConditions(w *openWindow) {
	if w.last == nil || w.leavesPostConditions() {
		return
	}
	if w.hasKills() {
		r.checkMark(w, brenner.HypothesisSlate)
		r.checkMark(w, brenner.AssumptionLedger)
	}
	if w.Compiled != nil {
		r.checkMinimum(w.Window)
	}
}

func (w *Window) hasKills() bool {
	for i := range w.result.Log {
		if e := &w.result.Log[i]; e.Outcome == merge.Applied && e.Delta.Operation == brenner.Kill {
			return true
		}
	}
	return false
}

// checkMark checks whether a window had or made marked items of a section and ends
// without an active one.
func (r *Thread) checkMark(w *openWindow, sec brenner.Section) {
	if w.State.ActiveMarked(sec) > 0 {
		return
	}
	var last, unmarked *state.Item
	for i := range w.result.Log { // items that no delta names are unchanged
		it := w.State.Find(w.result.Log[i].Item)
		if it == nil || it.ID.Section != sec {
			continue
		}
		before := w.base.Find(it.ID)
		switch {
		case it.Marked():
			if (before == nil || before.Active()) && (last == nil || last.ID.Compare(it.ID) < 0) {
				last = it
			}
		case before != nil && before.Marked(): // an EDIT removed the mark; it was active
			if unmarked == nil || unmarked.ID.Compare(it.ID) > 0 {
				unmarked = it
			}
		}
	}
	if last == nil {
		last = unmarked
	}
	if last == nil {
		return // there was none
	}
	r.Facts.LostMarks = append(r.Facts.LostMarks, LostMark{In: w.last, Last: last.ID, Kill: of(w.origin(last.ID).Killed)})
}

// checkMinimum finds the sections of the merged state that have too few active
// items.
func (r *Thread) checkMinimum(w *Window) {
	if sections := w.Shortages(); len(sections) > 0 {
		r.Facts.Shortages = append(r.Facts.Shortages, Shortage{In: w.Compiled, Sections: sections})
	}
}

// rejectedAdds returns the window's ADDs to a section that were rejected, at most eight
// (decisions.md 43).
func (w *Window) rejectedAdds(sec brenner.Section) (out []*Delta) {
	const most = 8
	for _, d := range w.Rejected {
		read := d.Delta
		if read.Operation == 0 || read.Section == 0 {
			read = read.Lenient()
		}
		if len(out) < most && read != nil && read.Operation == brenner.Add && read.Section == sec {
			out = append(out, d)
		}
	}
	return out
}
