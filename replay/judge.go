package replay

import (
	"fmt"

	"github.com/brennerlint/brennerlint/internal/wording"
	"github.com/brennerlint/brennerlint/mail"
	"github.com/brennerlint/brennerlint/merge"
	"github.com/brennerlint/brennerlint/protocol"
	"github.com/brennerlint/brennerlint/state"
)

// judgeState checks the post-conditions of artifact_delta_spec at the end of a
// window. What a published artifact says itself is left to its own rules
// (decisions.md 1).
func (r *Thread) judgeState(w *Window) {
	if w.Published != nil || w.last == nil || w.Compiled != nil && w.Compiled.BodyState != mail.BodyPresent {
		return
	}
	if w.hasKills() {
		r.judgeLast(w, "MR-005", protocol.HypothesisSlate, "third alternative",
			"no third alternative is left among the active hypotheses after this window's KILLs",
			"ADD a hypothesis with third_alternative: true before you kill the last one")
		r.judgeLast(w, "MR-006", protocol.AssumptionLedger, "scale check",
			"no scale or physics check is left among the active assumptions after this window's KILLs",
			"ADD an assumption with scale_check: true")
	}
	if w.Compiled != nil {
		r.judgeMinimum(w)
	}
}

func (w *Window) hasKills() bool {
	for i := range w.result.Log {
		if e := &w.result.Log[i]; e.Outcome == merge.Applied && e.Delta.Operation == protocol.Kill {
			return true
		}
	}
	return false
}

// judgeLast reports that a window began with, or made, items of a kind and ends
// without an active one.
func (r *Thread) judgeLast(w *Window, rule string, sec protocol.Section, what, message, suggestion string) {
	if w.State.ActiveMarked(sec) > 0 {
		return
	}
	var last, unmarked *state.Item
	for i := range w.result.Log { // what no delta of the window names is as it was
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
		case before != nil && before.Marked(): // an EDIT took the mark away; it was active
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
	p := Problem{Rule: rule, In: w.last, At: w.last.SubjectPlace(), Message: message, Suggestion: suggestion, Item: last.ID.String()}
	if kill := w.origin(last.ID).Killed; kill != nil {
		d := of(kill)
		p.Related = []Note{{At: d.Pos(d.Root.Get("target_id")), In: d.In, Message: fmt.Sprintf("%s, the last %s, was killed by %s", p.Item, what, name(d))}}
	}
	r.Problems = append(r.Problems, p)
}

// judgeMinimum reports that the merged state has too few active items.
func (r *Thread) judgeMinimum(w *Window) {
	var lacking []string
	p := Problem{Rule: "MR-007", In: w.Compiled, At: w.Compiled.SubjectPlace()}
	for _, sec := range protocol.Sections {
		n := w.State.Active(sec)
		if n >= sec.Minimum() {
			continue
		}
		lack := fmt.Sprintf("%d %s (expected %d)", n, sec.Plural(), sec.Minimum())
		var rejected []string
		for _, d := range w.rejectedAdds(sec) {
			rejected = append(rejected, fmt.Sprintf("that by %s, %s", name(d), d.RejectedBy))
			p.Related = append(p.Related, Note{At: d.whole(), In: d.In, Message: fmt.Sprintf("ADD by %s, rejected (%s)", name(d), d.RejectedBy)})
		}
		if len(rejected) > 0 {
			lack += fmt.Sprintf(" where %s rejected (%s)", wording.Count(len(rejected), "ADD was", "ADDs were"), wording.And(short(rejected)))
		}
		lacking = append(lacking, lack)
	}
	if len(lacking) > 0 {
		p.Message = "the merged artifact has too few active items: " + wording.And(lacking)
		r.Problems = append(r.Problems, p)
	}
}

// rejectedAdds are the window's ADDs to a section that were rejected, at most
// eight (decisions.md 43).
func (w *Window) rejectedAdds(sec protocol.Section) (out []*Delta) {
	const most = 8
	for _, d := range w.Rejected {
		read := d.Delta
		if read.Operation == 0 || read.Section == 0 {
			read = read.Lenient()
		}
		if len(out) < most && read != nil && read.Operation == protocol.Add && read.Section == sec {
			out = append(out, d)
		}
	}
	return out
}
