package replay

import (
	"cmp"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/brenner/merge"
)

// checkMerge finds the facts about the merge of a window.
func (r *Thread) checkMerge(p *publication) {
	w := p.w
	for _, d := range w.Deltas {
		if !r.unknownAgent(d) {
			continue
		}
		u := UnknownAgent{Delta: d, At: d.MemberPlace("agent"), Nearest: r.meant(d.Agent, r.agents)}
		if !d.namesAgent() && d.In.From != nil {
			u.At = d.In.From.WholePlace()
		}
		r.found(u)
	}

	r.checkRefusals(p)
	for _, c := range w.Conflicts() {
		r.record(ConflictedField, c.Item)
		r.found(c)
	}
	for _, id := range w.correct.Resolved { // MR-013 reports one that is published all the same
		r.record(ConflictedField, id)
	}
	isConflict := func(v any) bool { text, ok := v.(string); return ok && brenner.IsConflict(text) }
	for e := range applied(w.correct) {
		for _, v := range e.Delta.Payload { // the delta gives a text that looks like a conflict
			if list, _ := v.([]any); isConflict(v) || slices.ContainsFunc(list, isConflict) {
				r.record(ConflictWritten, e.Item)
			}
		}
	}
	for _, t := range w.correct.Ties {
		f := Tie{Tie: &t, First: deltaOf(t.First), Second: deltaOf(t.Second)}
		if t.Kind != merge.TiedKill && comparePlaces(f.First, f.Second) > 0 {
			f.First, f.Second = f.Second, f.First
		}
		r.found(f)
	}
	r.checkOrder(w)

	// The post-conditions of artifact_delta_spec are left to the rules on the published
	// artifact, if there is one.
	if w.last == nil || w.foreign || w.Published != nil || w.Compiled != nil && w.Compiled.BodyState != mail.BodyPresent {
		return
	}
	for e := range applied(w.asPublished) {
		if e.Delta.Operation == brenner.Kill {
			r.checkMark(w, brenner.HypothesisSlate)
			r.checkMark(w, brenner.AssumptionLedger)
			break
		}
	}
	if sections := w.Shortages(); w.Compiled != nil && len(sections) > 0 {
		r.found(Shortage{In: w.Compiled, Sections: sections})
	}
}

// checkRefusals finds the deltas that the state of the merge does not allow.
func (r *Thread) checkRefusals(p *publication) {
	w := p.w
	// If an earlier rejected delta was published anyway, the state may allow a delta that it
	// would otherwise refuse.
	allowed := map[*merge.Delta]bool{}
	if w.asPublished != w.correct {
		for _, e := range w.asPublished.Log {
			allowed[e.Delta] = e.Outcome != merge.Rejected && e.Outcome != merge.Skipped && !p.reading.applied[e.Delta]
		}
	}
	left := applicable(slices.Concat(w.Rejected, w.hidden))
	slices.SortStableFunc(left, compareTimes)
	lost := map[brenner.Section][]*merge.Delta{} // the ADDs that are not applied
	for _, d := range left {
		if d.Operation == brenner.Add {
			lost[d.Section] = append(lost[d.Section], d)
		}
	}
	for _, e := range w.correct.Log {
		f := Refusal{Refusal: e.Refusal, Delta: deltaOf(e.Delta)}
		f.Delta.Allowed = allowed[e.Delta]
		if e.Refusal == nil || e.Refusal.Reason == merge.SecondThread || f.Delta.Allowed { // the second is DL-009
			continue
		}
		target := e.Delta.Target
		var cause *merge.Delta
		switch from := w.origin(target); e.Refusal.Reason {
		case merge.TargetKilled:
			cause = from.Killed
		case merge.NoTarget:
			cause = from.Added
			adds, n := lost[target.Section], int(target.Number-w.correct.State.Highest(target.Section))
			if 0 < n && n <= len(adds) && follows(e.Delta, adds[n-1]) {
				f.Lost = deltaOf(adds[n-1])
			}
		}
		f.Cause, f.Tied = deltaOf(cause), cause != nil && cause.Time.Equal(e.Delta.Time)
		r.found(f)
	}
}

// checkOrder finds times that sort differently as text and as instants. A draft has no time yet. Forms of
// export write the times of messages in different ways, which no agent did: they are compared form by form.
func (r *Thread) checkOrder(w *Window) {
	ds := slices.DeleteFunc(w.Merged(), func(d *Delta) bool { return d.Text == "" })
	slices.SortStableFunc(ds, func(a, b *Delta) int {
		return cmp.Or(a.Entry.Delta.Time.Compare(b.Entry.Delta.Time), strings.Compare(a.Text, b.Text))
	})
	var last [mail.SQLite + 1]*Delta
	for _, b := range ds {
		for form, a := range last {
			if !b.HasTime && b.In.Form != mail.Form(form) {
				continue
			}
			if a != nil && a.Text > b.Text {
				r.found(OrderHazard{In: w.last, Earlier: a, Later: b})
				return
			}
			last[form] = b
		}
	}
}

// checkMark checks whether a window had or made marked items of a section, but ends without an active one.
func (r *Thread) checkMark(w *Window, sec brenner.Section) {
	if w.State.HasMarked(sec) {
		return
	}
	var last, unmarked *brenner.Item
	for _, e := range w.asPublished.Log { // items that no delta names are unchanged
		it := w.State.Find(e.Item)
		if it == nil || it.ID.Section != sec {
			continue
		}
		before := w.base.Find(it.ID)
		switch {
		case !it.Marked() && before != nil && before.Marked(): // an EDIT removed the mark; it was active
			if unmarked == nil || unmarked.ID.Compare(it.ID) > 0 {
				unmarked = it
			}
		case it.Marked() && (before == nil || before.Active()):
			if last == nil || last.ID.Compare(it.ID) < 0 {
				last = it
			}
		}
	}
	if last = cmp.Or(last, unmarked); last != nil { // else there was none
		r.found(LostMark{In: w.last, Last: last.ID, Kill: deltaOf(w.origin(last.ID).Killed)})
	}
}

// Shortages returns the sections of the merged state that have too few active items.
func (w *Window) Shortages() []SectionShortage {
	const most = 8 // of the rejected ADDs are named (decisions.md 43)
	var out []SectionShortage
	for _, sec := range brenner.Sections {
		n := w.State.Active(sec)
		if n >= sec.Minimum() {
			continue
		}
		s := SectionShortage{Section: sec, Active: n}
		for _, d := range w.Rejected {
			operation, section := d.Operation, d.Section
			if m := d.data(); (operation == "" || section == 0) && m != nil {
				operation, section = m.Operation, m.Section
			}
			if len(s.RejectedAdds) < most && operation == brenner.Add && section == sec {
				s.RejectedAdds = append(s.RejectedAdds, d)
			}
		}
		out = append(out, s)
	}
	return out
}
