package replay

import (
	"iter"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/brenner/merge"
	"github.com/brennerlint/brennerlint/brenner/session"
)

// unknownAgent reports whether the agents of the thread are known, but not that of a delta.
func (r *Thread) unknownAgent(d *Delta) bool {
	_, known := slices.BinarySearch(r.agents, d.Agent)
	return len(r.agents) > 0 && d.Agent != "" && !known && d.Agent != mail.Overseer && len(d.Root.Members()) > 0
}

// merge merges the deltas of a window.
func (w *Window) merge(opts Options) {
	nth := numbered(w.contributions)
	var accepted []*merge.Delta // only the state can reject them
	for _, d := range w.Deltas {
		for _, m := range d.reads {
			if m != nil {
				m.Nth = nth[d.In]
			}
		}
		m := d.data()
		if m == nil || d.Rejected() != nil {
			continue
		}
		// A delta may name the id that an item had before a publisher gave it another one
		// (decisions.md 88).
		if now, ok := w.renamed[m.Target]; ok && m.Operation != brenner.Add && w.base.Find(m.Target) == nil {
			m.Target = now
		}
		if d.Rejection == nil {
			accepted = append(accepted, m)
		}
	}
	w.correct = merge.Merge(w.base, accepted, merge.Options{Priority: opts.Priority})
	w.asPublished, w.State = w.correct, w.correct.State
	w.OrderSensitive = len(w.correct.Ties) > 0
	for i := range w.correct.Log {
		e := &w.correct.Log[i]
		d := deltaOf(e.Delta)
		switch d.Entry = e; e.Outcome {
		case merge.Applied:
			w.Applied++
		case merge.Rejected:
			d.Rejection = &Rejection{Delta: d, Refusal: e.Refusal}
		}
	}
	for _, d := range w.Deltas {
		if d.Rejection != nil {
			w.Rejected = append(w.Rejected, d)
		}
	}
}

// numbered numbers messages that have the same id, in their order (decisions.md 73), and messages
// without an id, by their content (57). The first has number 0.
func numbered(messages []*session.Message) map[*session.Message]int {
	all := slices.Clone(messages)
	slices.SortStableFunc(all, func(a, b *session.Message) int {
		if a.ID != "" || b.ID != "" {
			return strings.Compare(a.ID, b.ID)
		}
		return mail.CompareTexts(a.Message, b.Message)
	})
	nth := make(map[*session.Message]int, len(all))
	for i, m := range all {
		if i > 0 && all[i-1].ID == m.ID {
			nth[m] = nth[all[i-1]] + 1
		}
	}
	return nth
}

// applied yields the log of the deltas that changed something.
func applied(res *merge.Result) iter.Seq[*merge.Entry] {
	return func(yield func(*merge.Entry) bool) {
		for i := range res.Log {
			if e := &res.Log[i]; e.Outcome == merge.Applied && !yield(e) {
				return
			}
		}
	}
}

// Hash returns the hash of the merged state.
func (w *Window) Hash() string { return w.State.Hash() }

// PublishedHash returns the hash of the artifact that the COMPILED has inline, as it is read, whatever was merged
// (decisions.md 83 and 91); "" if it has none.
func (w *Window) PublishedHash() string {
	if w.Published == nil || w.inFile {
		return ""
	}
	return w.Compiled.Artifact.State().Hash()
}

// Version returns the window that published a version, the last one if it was published twice (AP-002);
// nil if none did.
func (r *Thread) Version(number int) *Window {
	for _, w := range slices.Backward(r.Windows) {
		if w.Compiled.Version.Number == number {
			return w
		}
	}
	return nil
}

// All returns all windows, the pending one last.
func (r *Thread) All() []*Window { return append(slices.Clone(r.Windows), r.Pending) }

// Merged returns the deltas that the correct merge saw, in the order in which it applied
// them: each has an Entry. Those that were rejected before are only in Rejected.
func (w *Window) Merged() []*Delta {
	out := make([]*Delta, len(w.correct.Log))
	for i := range w.correct.Log {
		out[i] = deltaOf(w.correct.Log[i].Delta)
	}
	return out
}

// BaseState returns the state from which the window starts.
func (w *Window) BaseState() *brenner.State { return w.base }

// Conflicts returns the fields that the window leaves at a CONFLICT marker.
func (w *Window) Conflicts() []Conflict {
	out := make([]Conflict, len(w.correct.Conflicts))
	for i, c := range w.correct.Conflicts {
		out[i].Conflict = &c
		for _, d := range c.Deltas {
			out[i].Deltas = append(out[i].Deltas, deltaOf(d))
		}
		out[i].Last = slices.MaxFunc(out[i].Deltas, comparePlaces)
	}
	return out
}

// origin returns the deltas that made an item what it is, with the rejected deltas that were
// published; it is never nil.
func (w *Window) origin(id brenner.ItemID) *merge.Origin {
	return merge.OriginOf(w.asPublished.State.Find(id))
}

// SetBy returns the delta that last set a field of an item of the merged state: "" is its ADD, "killed" its
// KILL. It is nil if no delta explains the value.
func (w *Window) SetBy(id brenner.ItemID, field string) *Delta {
	o := merge.OriginOf(w.State.Find(id))
	switch field {
	case "":
		return deltaOf(o.Added)
	case "killed":
		return deltaOf(o.Killed)
	}
	return deltaOf(o.Fields[field])
}

// MergePreview returns the deltas of the thread's last message with what the next merge will
// make of them, for checking a draft.
func (r *Thread) MergePreview() []*Delta {
	messages := r.Thread.Messages
	if len(messages) == 0 || r.Pending.Unread {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(r.Pending.Deltas), func(d *Delta) bool { return d.In != messages[len(messages)-1] })
}
