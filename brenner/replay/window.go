package replay

import (
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/brenner/merge"
	"github.com/brennerlint/brennerlint/brenner/session"
)

// collect adds the deltas of a message to a window.
func (r *Thread) collect(w *openWindow, m *session.Message) {
	w.Unread = w.Unread || m.BodyState != mail.BodyPresent
	w.contributions = append(w.contributions, m)
	before := len(w.Deltas)
	w.Deltas = r.appendDeltas(w.Deltas, m)
	for _, d := range w.Deltas[before:] {
		if f := d.Rejected(); f != nil {
			w.Unread = w.Unread || m.GarbledAt(d.Delta.Text.WholePos()) // it may be right (decisions.md 90)
			d.Rejection = &Rejection{Delta: d, Fault: f.Kind}
		} else if r.unknownAgent(d) {
			d.Rejection = &Rejection{Delta: d}
		}
	}
}

// collectHidden adds the deltas of a message that is not a DELTA.
func (r *Thread) collectHidden(w *openWindow, m *session.Message) {
	w.hidden = r.appendDeltas(w.hidden, m)
}

// unknownAgent reports whether the agents of the thread are known and the agent of a
// delta is not among them.
func (r *Thread) unknownAgent(d *Delta) bool {
	return r.registry != nil && d.Agent != "" && !r.registry[d.Agent] && d.HasMembers()
}

// numberMessages tells messages apart that have one id, in their order (decisions.md 73), or
// none, by their content (57).
func (w *openWindow) numberMessages() {
	all := slices.Clone(w.contributions)
	slices.SortStableFunc(all, func(a, b *session.Message) int {
		if a.ID != "" || b.ID != "" {
			return strings.Compare(a.ID, b.ID)
		}
		return mail.CompareTexts(a.Message, b.Message)
	})
	nth := make(map[*session.Message]int32, len(all))
	for i, m := range all {
		if i > 0 && all[i-1].ID == m.ID {
			nth[m] = nth[all[i-1]] + 1
		}
	}
	for _, d := range w.Deltas {
		if d.nth = nth[d.In]; d.merge != nil {
			d.merge.Nth = int(d.nth)
		}
	}
}

// merge merges the deltas of a window.
func (r *Thread) merge(w *openWindow) {
	w.numberMessages()
	w.followIDs()
	w.strict = merge.Merge(w.base, accepted(w.Deltas), r.mergeOptions())
	w.result = w.strict
	for i := range w.result.Log {
		e := &w.result.Log[i]
		switch e.Outcome {
		case merge.Applied:
			w.Applied++
		case merge.Rejected:
			d := of(e.Delta)
			d.Rejection = &Rejection{Delta: d, Refusal: e.Refusal}
		}
	}
	for _, d := range w.Deltas {
		if d.Rejection != nil {
			w.Rejected = append(w.Rejected, d)
		}
	}
	w.State = w.result.State
	w.OrderSensitive = len(w.result.Ties) > 0
}

// followIDs applies deltas that name the id that an item had before a publisher gave it
// another one to that item (decisions.md 88).
func (w *openWindow) followIDs() {
	for _, d := range w.Deltas {
		if d.merge == nil || d.merge.Operation == brenner.Add {
			continue
		}
		if now, ok := w.renamed[d.merge.Target]; ok && w.base.Find(d.merge.Target) == nil {
			d.merge.Target = now
		}
	}
}

func (r *Thread) mergeOptions() merge.Options {
	return merge.Options{Priority: r.opts.Priority}
}

// accepted returns the deltas that only the state can reject.
func accepted(ds []*Delta) []*merge.Delta {
	out := make([]*merge.Delta, 0, len(ds))
	for _, d := range ds {
		if d.Rejection == nil {
			out = append(out, d.merge)
		}
	}
	return out
}
