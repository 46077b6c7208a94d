package engine

import (
	"cmp"
	"context"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/diff"
	"github.com/brennerlint/brennerlint/brenner/merge"
	"github.com/brennerlint/brennerlint/brenner/replay"
	"github.com/brennerlint/brennerlint/internal/export"
	"github.com/brennerlint/brennerlint/internal/parallel"
	"github.com/brennerlint/brennerlint/lint"
)

// Bounds in bytes for whole threads and artifacts in a report: for those with findings, and for
// those without.
const (
	maxViewed      = 1_500_000
	maxViewedClean = 500_000
)

// Show adds to a report of the mailbox what some formats need in addition to findings. It reads
// the files, threads and artifacts again: only now is known which of them have findings, so a
// check keeps none in memory.
func (b *Mailbox) Show(ctx context.Context, rep *lint.Report, data lint.Data) error {
	if data.LineHashes {
		b.hashLines(rep.Findings)
	}
	if !data.Threads {
		return nil
	}
	x, err := b.read(ctx, allThreads)
	if err != nil {
		return err
	}
	// A thread or an artifact is the heavier, the more severe its findings are.
	faults := map[string]int{}
	count := func(of string, f *lint.Finding) { faults[of] = max(faults[of], int(lint.Info-f.Severity)+1) }
	for _, f := range rep.Findings {
		if f.Artifact {
			count(f.Path, f)
		}
		if f.Thread != "" || f.Mail != nil {
			count("\x00"+f.Thread, f)
		}
	}
	infos := x.store.Threads()
	chosen := choose(len(infos), func(i int) (int, int64) { return faults["\x00"+infos[i].ID], infos[i].Size })
	views := make([]*lint.ThreadView, len(chosen))
	parallel.Do(b.opts.Workers, len(chosen), func(i int) {
		if ctx.Err() == nil {
			views[i] = x.threadView(infos[chosen[i]])
		}
	})
	for _, v := range views {
		if v != nil && len(v.Messages) > 0 {
			rep.Threads = append(rep.Threads, *v)
		}
	}
	files := slices.SortedFunc(slices.Values(b.artifacts.list), func(a, b *artifactFile) int { return strings.Compare(a.in.Path(), b.in.Path()) })
	for _, i := range choose(len(files), func(i int) (int, int64) { return faults[files[i].in.Path()], files[i].size }) {
		if a, _ := b.readArtifact(files[i].in); a != nil {
			rep.Artifacts = append(rep.Artifacts, lint.ArtifactView{Path: files[i].in.Path(), Thread: files[i].thread, Text: string(a.Text.Data)})
		}
	}
	return nil
}

// choose takes as many of n things as there is room for: the heaviest, and among equal ones
// the first. Things without weight have their own limit. The result keeps their order.
func choose(n int, of func(i int) (weight int, size int64)) []int {
	order := make([]int, n)
	weights, sizes := make([]int, n), make([]int64, n)
	for i := range order {
		order[i] = i
		weights[i], sizes[i] = of(i)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(weights[b], weights[a]) })
	var chosen []int
	faulty, clean := int64(maxViewed), int64(maxViewedClean)
	for _, i := range order {
		room := &faulty
		if weights[i] == 0 {
			room = &clean
		}
		if sizes[i] <= *room {
			*room -= sizes[i]
			chosen = append(chosen, i)
		}
	}
	slices.Sort(chosen)
	return chosen
}

// threadView reads a thread again and makes a view of it; nil where that breaks.
func (x *mailIndex) threadView(info export.ThreadInfo) *lint.ThreadView {
	v := &lint.ThreadView{Project: info.Project, ID: info.ID}
	var broken failures // reported by the check of the thread
	ok := broken.guard(threadStage, "", info.ID, func() {
		t := x.openThread(info)
		t.read(context.Background(), nil)
		for _, m := range t.session.Messages {
			view := lint.MessageView{Path: m.Path(), ID: m.ID, Type: string(m.Intended), Subject: m.SubjectText, From: m.From.String(), Time: brenner.FormatMinute(m.Time)}
			if m.Body != nil {
				view.Body = string(m.Body.Data)
			}
			v.Messages = append(v.Messages, view)
		}
		if t.replay == nil {
			return
		}
		before := &brenner.State{}
		for _, w := range t.replay.All() {
			v.Versions = append(v.Versions, x.versionView(w, before))
			before = w.State
		}
	})
	if !ok {
		return nil
	}
	return v
}

// maxPublished bounds in how many items a view says that a version was published otherwise
// than it was merged: a publisher may leave out all items, again and again.
const maxPublished = 20

// versionView returns a merge as a report shows it; before is the state merged before.
func (b *Mailbox) versionView(w *replay.Window, before *brenner.State) lint.VersionView {
	v := lint.VersionView{Message: -1, Base: w.Base, Unread: w.Unread, Matches: w.Matches, OrderSensitive: w.OrderSensitive}
	if w.Compiled != nil {
		v.Message, v.Number = w.Compiled.Index, max(0, w.Compiled.Version.Number)
	}
	// First those that were rejected before the merge, then the others in the order of the merge.
	unmerged := slices.DeleteFunc(slices.Clone(w.Rejected), func(d *replay.Delta) bool { return d.Entry != nil })
	v.Deltas = b.deltaViews(slices.Concat(unmerged, w.Merged()))
	if w.BaseState() != before {
		v.Rebased, _ = itemViews(diff.States(before, w.BaseState()), nil, math.MaxInt)
	}
	if w.Unread {
		return v
	}
	v.Changes, _ = itemViews(diff.States(w.BaseState(), w.State), w, math.MaxInt)
	if w.Published != nil && w.Matches != nil && !*w.Matches {
		v.Published, v.MorePublished = itemViews(diff.States(w.State, w.Published), nil, maxPublished)
	}
	return v
}

// deltaViews returns what became of deltas, or what the next merge makes of them.
func (b *Mailbox) deltaViews(deltas []*replay.Delta) (out []lint.DeltaView) {
	for _, d := range deltas {
		v := lint.DeltaView{Message: d.In.Index, Delta: d.Index, Operation: d.Operation, Item: d.Section.ID()}
		if d.Target != (brenner.ItemID{}) {
			v.Item = d.Target.String()
		}
		if e := d.Entry; e != nil {
			v.Outcome = e.Outcome
			if e.Item != (brenner.ItemID{}) {
				v.Item = e.Item.String()
			}
			if e.Refusal != nil && d.Rejection == nil {
				v.Kill = e.Refusal.Kill
			}
		}
		if d.Rejection != nil {
			v.Outcome = merge.Rejected
			v.Rule, v.Reason = b.rules.RejectedBy(d.Rejection)
			v.Quoted = d.Rejection.Quoted()
		}
		out = append(out, v)
	}
	return out
}

// itemViews returns the first items in which two states differ, with the deltas of a window that set
// their fields, if one is given, and reports whether there are more.
func itemViews(changes iter.Seq[diff.Change], w *replay.Window, most int) (out []lint.ItemView, more bool) {
	for c := range changes {
		if len(out) == most {
			return out, true
		}
		v := lint.ItemView{ID: c.ID.String(), Title: diff.Title(c.Item()), Kind: c.Kind, Fields: make([]lint.FieldView, len(c.Fields))}
		for j := range c.Fields {
			f := &c.Fields[j]
			v.Fields[j] = lint.FieldView{Key: f.Key, Part: f.Part, Before: brenner.OneLine(f.Before), After: brenner.OneLine(f.After)}
			if w == nil || c.After == nil {
				continue
			}
			if d := setBy(w, c.ID, f); d != nil {
				v.Fields[j].By = &lint.DeltaRef{Message: d.In.Index, Delta: d.Index}
			}
		}
		out = append(out, v)
	}
	return out, false
}

// setBy finds the delta of a window that set a field. An outcome that is N/A because its
// hypothesis was killed was set by that KILL.
func setBy(w *replay.Window, id brenner.ItemID, f *diff.FieldChange) *replay.Delta {
	switch f.Key {
	case "killed_by", "killed_at", "kill_reason":
		return w.SetBy(id, "killed")
	case "predictions":
		if h, ok := brenner.ParseItemID(f.Part); ok && f.After == brenner.NotApplicable {
			if kill := w.SetBy(h, "killed"); kill != nil {
				return kill
			}
		}
	}
	return w.SetBy(id, f.Key)
}

// agentTally counts what became of the contributions of agents, by their names.
type agentTally map[string]*lint.AgentView

// of returns what is counted of an agent.
func (t agentTally) of(name string) *lint.AgentView {
	a := t[name]
	if a == nil {
		name = strings.Clone(name) // it is a part of a message
		a = &lint.AgentView{Name: name}
		t[name] = a
	}
	return a
}

// count counts the messages of a thread by who sent them and, if any says so, what became of the
// deltas.
func (t agentTally) count(thread *Thread) {
	signed := false
	for _, m := range thread.session.Messages {
		if from := m.From.String(); from != "" {
			t.of(from).Messages++
			signed = true
		}
	}
	r := thread.replay
	if r == nil || !signed {
		return
	}
	for _, w := range r.All() {
		for _, d := range w.Deltas {
			t.of(d.Agent).Deltas++
		}
		for _, d := range w.Rejected {
			t.of(d.Agent).Rejected++
		}
		for _, d := range w.Merged() {
			switch d.Entry.Outcome {
			case merge.Applied:
				t.of(d.Agent).Applied++
			case merge.Skipped, merge.Dropped:
				t.of(d.Agent).Dropped++
			}
		}
	}
	unpublished := map[*replay.Delta]bool{nil: true} // those whose effect a published artifact does not show
	count := func(d *replay.Delta) {
		if !unpublished[d] {
			unpublished[d] = true
			t.of(d.Agent).Unpublished++
		}
	}
	for _, fact := range r.Facts {
		switch f := fact.(type) {
		case replay.OmittedItem:
			count(f.Added)
		case replay.FieldDiff:
			count(f.By)
		case replay.KillDiff:
			count(f.Kill)
		}
	}
}

// views returns the agents by name.
func (t agentTally) views() []lint.AgentView {
	out := make([]lint.AgentView, 0, len(t))
	for _, name := range slices.Sorted(maps.Keys(t)) {
		out = append(out, *t[name])
	}
	return out
}
