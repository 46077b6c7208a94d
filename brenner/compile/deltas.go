package compile

import (
	"cmp"
	"slices"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/delta"
	"github.com/brennerlint/brennerlint/brenner/merge"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/brenner/session"
)

// NotApplied is a delta that the merge does not apply.
type NotApplied struct {
	Delta *replay.Delta
	// Rule and Reason are why it is rejected; both are "" for a delta that is skipped.
	Rule, Reason string
	// Skipped is merge.Skipped for an EDIT of an item that is killed, and merge.Dropped
	// for one at the same instant as a KILL; else zero.
	Skipped merge.Outcome
	Item    brenner.ItemID // for a skipped delta
}

// notApplied returns the deltas of a window that are rejected or skipped, in the order of
// the thread.
func notApplied(w *replay.Window, rejectedBy func(*replay.Rejection) (rule, reason string)) []NotApplied {
	var out []NotApplied
	for _, d := range w.Rejected {
		n := NotApplied{Delta: d}
		if rejectedBy != nil {
			n.Rule, n.Reason = rejectedBy(d.Rejection)
		}
		out = append(out, n)
	}
	for _, d := range w.Merged() {
		if e := d.Entry; e.Outcome == merge.Skipped || e.Outcome == merge.Dropped {
			out = append(out, NotApplied{Delta: d, Skipped: e.Outcome, Item: e.Item})
		}
	}
	slices.SortStableFunc(out, func(a, b NotApplied) int {
		return cmp.Or(cmp.Compare(a.Delta.In.Index, b.Delta.In.Index), cmp.Compare(a.Delta.Index, b.Delta.Index))
	})
	return out
}

// UnreadDeltas is a message with deltas that no merge reads.
type UnreadDeltas struct {
	Message *session.Message
	Deltas  int
	// Unfenced reports that they are not in delta fences; else the subject does not
	// make the message a DELTA.
	Unfenced bool
}

// unreadDeltas returns the messages of a window with deltas that no merge reads.
func unreadDeltas(r *replay.Thread, w *replay.Window) []UnreadDeltas {
	var out []UnreadDeltas
	from, to := bounds(r, w)
	for _, m := range r.Thread.Messages[from:to] {
		if m.Intended != brenner.Delta {
			if n := len(m.Deltas); n > 0 && m.Intended != brenner.Compiled {
				out = append(out, UnreadDeltas{Message: m, Deltas: n})
			}
			continue
		}
		n := 0
		for _, x := range m.UnfencedDeltas {
			if x.Form != delta.InlineLine {
				n += max(1, x.Count)
			}
		}
		if n > 0 {
			out = append(out, UnreadDeltas{Message: m, Deltas: n, Unfenced: true})
		}
	}
	return out
}

// bounds returns the messages of a window: from the one after the previous COMPILED up to
// its own COMPILED, or the end of the thread.
func bounds(r *replay.Thread, w *replay.Window) (from, to int) {
	to = len(r.Thread.Messages)
	for _, each := range r.Windows {
		if each == w {
			to = each.Compiled.Index
			break
		}
		from = each.Compiled.Index + 1
	}
	return from, max(from, to)
}
