package replay

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/delta"
	"github.com/brennerlint/brennerlint/brenner/diff"
	"github.com/brennerlint/brennerlint/brenner/merge"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/internal/text"
)

// NotApplied is a delta that the merge does not apply, or a message with deltas that no merge
// reads.
type NotApplied struct {
	Message  *session.Message
	Delta    int // its number in the message; 0 for all deltas that are not read
	Agent    string
	Why, Ask string // the reason, and whom to ask for what, in Markdown
}

// notApplied returns the deltas of a window that are rejected or skipped, in the order of
// the thread.
func notApplied(w *Window, rejectedBy func(*Rejection) (rule, reason string)) []NotApplied {
	var out []NotApplied
	add := func(d *Delta, why, ask string) {
		out = append(out, NotApplied{d.In, d.Index, d.Agent, why, fmt.Sprintf(ask, agentName(d.Agent))})
	}
	for _, d := range w.Rejected {
		rule, reason := rejectedBy(d.Rejection)
		why := text.Markdown(reason)
		if rule != "" {
			why += " (" + rule + ")"
		}
		add(d, strings.TrimSpace(why), "Ask %s to send it again, corrected.")
	}
	for _, d := range w.Merged() {
		const ask = "Ask %s whether it still holds: a killed item comes back only by a new ADD."
		switch d.Entry.Outcome {
		case merge.Skipped:
			add(d, fmt.Sprintf("EDIT of %s, which is killed", d.Entry.Item), ask)
		case merge.Dropped:
			add(d, fmt.Sprintf("EDIT of %s, which another delta kills at the same instant", d.Entry.Item), ask)
		}
	}
	slices.SortStableFunc(out, func(a, b NotApplied) int {
		return cmp.Or(a.Message.Index-b.Message.Index, a.Delta-b.Delta)
	})
	return out
}

// unread returns the messages of a window with deltas that no merge reads: the subject is not that
// of a DELTA, or they are not in delta fences.
func unread(r *Thread, w *Window) (out []NotApplied) {
	for _, m := range r.Thread.Messages {
		if w.previous != nil && m.Index <= w.previous.Compiled.Index || w.Compiled != nil && m.Index >= w.Compiled.Index {
			continue
		}
		n, why := 0, ""
		switch {
		case m.Intended == brenner.Delta:
			for _, x := range m.UnfencedDeltas {
				if x.Form != delta.InlineLine {
					n += max(1, x.Count)
				}
			}
			why = text.Count(n, "delta is", "deltas are") + " outside a delta fence and not read"
		case m.Intended != brenner.Compiled:
			n = len(m.Deltas)
			why = text.Count(n, "delta block is", "delta blocks are") + " not read, because the subject is not that of a DELTA"
		}
		them := "them"
		if n == 1 {
			them = "it"
		}
		if from := m.From.String(); n > 0 {
			ask := fmt.Sprintf("Ask %s to send %s in a DELTA message, in delta fences.", agentName(from), them)
			out = append(out, NotApplied{Message: m, Agent: from, Why: why, Ask: ask})
		}
	}
	return out
}

// rivals returns the agents whose deltas conflict, each once.
func rivals(c Conflict) (out []string) {
	seen := map[string]bool{}
	for _, d := range c.Deltas {
		if !seen[d.Agent] {
			seen[d.Agent] = true
			out = append(out, d.Agent)
		}
	}
	return out
}

// unresolved returns the fields of active items that an earlier version left in conflict and that no
// delta has set since, in order of item and field. It leaves out the window's own conflicts, and
// texts that look like conflicts but were given by a delta.
func unresolved(w *Window, own []Conflict) (out []Conflict) {
	isOwn := map[fieldPart]bool{}
	for _, c := range own {
		isOwn[fieldPart{item: c.Item, key: c.Field}] = true
	}
	for _, sec := range brenner.Sections {
		for _, it := range w.State.Items(sec) {
			for _, key := range slices.Sorted(maps.Keys(it.Fields())) {
				value := it.Text(key)
				if !brenner.IsConflict(value) || !it.Active() || isOwn[fieldPart{item: it.ID, key: key}] {
					continue
				}
				if by := w.SetBy(it.ID, key); by == nil || by.Value(key) != value {
					out = append(out, Conflict{Conflict: &merge.Conflict{Item: it.ID, Field: key, Marker: value}})
				}
			}
		}
	}
	return out
}

// keptDifferences returns the fields that the previous version published with other values than
// its deltas give (MR-013), in the order of its artifact, if no delta has set them since and they
// are not in conflict. A version starts from what was published (decisions.md 24), so it has the
// published values.
func keptDifferences(r *Thread, w *Window) (out []FieldDiff) {
	for f := range FactsOf[FieldDiff](r) {
		it := w.State.Find(f.Item)
		if w.previous != nil && f.In == w.previous.Compiled && it != nil && it.Active() &&
			w.SetBy(f.Item, f.Field.Key) == nil && !brenner.IsConflict(it.Text(f.Field.Key)) {
			out = append(out, f)
		}
	}
	return out
}

// keptValues says what was published and what the deltas give.
func keptValues(f *diff.FieldChange) (published, merged string) {
	show := func(v any) string {
		if v == nil {
			return "nothing"
		}
		return text.Quote(brenner.OneLine(v))
	}
	if f.After == nil || f.Before == nil {
		return show(f.After), show(f.Before)
	}
	return text.QuoteBoth(brenner.OneLine(f.After), brenner.OneLine(f.Before))
}

// Notes say which published values the version keeps although the deltas give others.
func (c *Compiled) Notes() []string {
	var out []string
	for i := range c.Kept {
		f := &c.Kept[i].Field
		published, merged := keptValues(f)
		out = append(out, fmt.Sprintf("kept from v%d: %s %s is published as %s, but the deltas give %s; send one EDIT with the correct value",
			c.Version-1, c.Kept[i].Item, strings.TrimSpace(f.Key+" "+f.Part), published, merged))
	}
	return out
}

// Obstacles say why the version should not be published as it is, and whom to ask about each.
func (c *Compiled) Obstacles() []string {
	out := []string{} // not null in JSON
	for _, x := range c.Conflicts {
		line := fmt.Sprintf("conflict: %s %s was left in conflict by an earlier version: %s; send one EDIT with the correct value",
			x.Item, x.Field, text.Shorten(text.OneLine(x.Marker), maxValue))
		if x.Deltas != nil {
			line = fmt.Sprintf("conflict: %s %s is set to different values at %s; ask %s for one EDIT with the correct value",
				x.Item, x.Field, brenner.FormatTime(x.Time()), text.And(rivals(x)))
		}
		out = append(out, line)
	}
	for _, s := range c.Shortages {
		line := "below the minimum: " + s.String()
		if n := len(s.RejectedAdds); n > 0 {
			line += fmt.Sprintf("; %s of it rejected", text.Count(n, "ADD", "ADDs"))
		}
		out = append(out, line)
	}
	return out
}

// maxValue is how many code points of a value in conflict are shown.
const maxValue = 160

// String says that a section has too few active items.
func (s SectionShortage) String() string {
	return fmt.Sprintf("%s has %s; expected at least %d", s.Section.Title(),
		text.Count(s.Active, "active "+s.Section.Singular(), "active "+s.Section.Plural()), s.Section.Minimum())
}
