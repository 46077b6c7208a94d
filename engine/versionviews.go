package engine

import (
	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/diff"
	"github.com/brennerlint/brennerlint/brenner/merge"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/brenner/session"
	"github.com/brennerlint/brennerlint/brenner/state"
	"github.com/brennerlint/brennerlint/lint"
)

// messageView returns a message as a report shows it.
func messageView(m *session.Message) lint.MessageView {
	v := lint.MessageView{Path: m.ExportInfo.Path, ID: m.ID, Type: m.Intended.String(), Subject: m.SubjectText, From: m.From.String(), Time: m.Time}
	if m.File != nil {
		v.Path = m.File.Path
	}
	if m.Body != nil {
		v.Body = string(m.Body.Data)
	}
	return v
}

// versionViews returns the merges of a thread as a report shows them.
func (l *ruleList) versionViews(r *replay.Thread) []lint.VersionView {
	out := make([]lint.VersionView, 0, len(r.Windows)+1)
	before := &state.State{}
	for _, w := range r.Windows {
		out = append(out, l.versionView(w, before))
		before = w.State
	}
	return append(out, l.versionView(r.Pending, before))
}

// maxPublished bounds in how many items a view says that a version was published otherwise
// than it was merged: a publisher may leave out all items, again and again.
const maxPublished = 20

// versionView returns a merge as a report shows it; before is the state merged before.
func (l *ruleList) versionView(w *replay.Window, before *state.State) lint.VersionView {
	v := lint.VersionView{Message: -1, Base: w.Base, Unread: w.Unread, Matches: w.Matches, OrderSensitive: w.OrderSensitive}
	if w.Compiled != nil {
		v.Message, v.Number = w.Compiled.Index, max(0, w.Compiled.Version.Number)
	}
	v.Deltas = l.deltaViews(w)
	none := func(brenner.ItemID, string) *replay.Delta { return nil }
	if w.BaseState() != before {
		v.Rebased = itemViews(diff.States(before, w.BaseState(), diff.Stored), none)
	}
	if w.Unread {
		return v
	}
	v.Changes = itemViews(diff.States(w.BaseState(), w.State, diff.Stored), w.SetBy)
	if w.Published != nil && w.Matches != nil && !*w.Matches {
		var changes []diff.Change
		for change := range diff.Changes(w.State, w.Published, diff.Stored) {
			if len(changes) == maxPublished {
				v.MorePublished = true
				break
			}
			changes = append(changes, change)
		}
		v.Published = itemViews(changes, none)
	}
	return v
}

// deltaViews returns what became of the deltas of a window: those that were rejected
// before the merge, then the others in the order in which they were applied.
func (l *ruleList) deltaViews(w *replay.Window) []lint.DeltaView {
	var out []lint.DeltaView
	outcomes := w.Outcomes()
	merged := make(map[*replay.Delta]bool, len(outcomes))
	for i := range outcomes {
		merged[outcomes[i].Delta] = true
	}
	for _, d := range w.Rejected {
		if merged[d] {
			continue
		}
		v := lint.DeltaView{DeltaRef: *refOf(d), Operation: d.Operation, Item: subjectOf(d), Outcome: merge.Rejected}
		v.Rule, v.Reason = l.RejectedBy(d.Rejection)
		v.Quoted = d.Rejection.Quoted()
		out = append(out, v)
	}
	for i := range outcomes {
		o := &outcomes[i]
		v := lint.DeltaView{DeltaRef: *refOf(o.Delta), Operation: o.Delta.Operation, Item: o.Item.String(), Outcome: o.Outcome}
		if o.Item == (brenner.ItemID{}) {
			v.Item = subjectOf(o.Delta)
		}
		switch {
		case o.Outcome == merge.Rejected:
			v.Rule, v.Reason = l.RejectedBy(o.Delta.Rejection)
			v.Quoted = o.Delta.Rejection.Quoted()
		case o.Refusal != nil:
			v.Kill = o.Refusal.Kill
		}
		out = append(out, v)
	}
	return out
}

func refOf(d *replay.Delta) *lint.DeltaRef {
	if d == nil {
		return nil
	}
	return &lint.DeltaRef{Message: d.In.Index, Delta: d.Index}
}

// subjectOf returns what a delta that changed nothing is about.
func subjectOf(d *replay.Delta) string {
	if d.Target != (brenner.ItemID{}) {
		return d.Target.String()
	}
	return d.Section.ID()
}

// itemViews returns the items in which two states differ; by finds the delta that set a
// field.
func itemViews(changes []diff.Change, by func(brenner.ItemID, string) *replay.Delta) []lint.ItemView {
	out := make([]lint.ItemView, 0, len(changes))
	for i := range changes {
		c := &changes[i]
		v := lint.ItemView{ID: c.ID.String(), Title: diff.Title(c.Item()), Kind: c.Kind, Fields: make([]lint.FieldView, len(c.Fields))}
		for j := range c.Fields {
			f := &c.Fields[j]
			v.Fields[j] = lint.FieldView{Key: f.Key, Part: f.Part, Before: state.OneLine(f.Before), After: state.OneLine(f.After)}
			if c.After != nil {
				v.Fields[j].By = refOf(setBy(c.ID, f, by))
			}
		}
		out = append(out, v)
	}
	return out
}

// setBy finds the delta that set a field: of an outcome for a hypothesis that was killed
// its KILL, if it is that which a KILL leaves.
func setBy(id brenner.ItemID, f *diff.FieldChange, by func(brenner.ItemID, string) *replay.Delta) *replay.Delta {
	switch f.Key {
	case "killed_by", "killed_at", "kill_reason":
		return by(id, "killed")
	case "predictions":
		if h, ok := brenner.ParseItemID(f.Part); ok && f.After == merge.NotApplicable {
			if kill := by(h, "killed"); kill != nil {
				return kill
			}
		}
	}
	return by(id, f.Key)
}
