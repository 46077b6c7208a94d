package replay

import (
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/artifact"
	"github.com/brennerlint/brennerlint/brenner/diff"
	"github.com/brennerlint/brennerlint/brenner/merge"
	"github.com/brennerlint/brennerlint/brenner/state"
	"github.com/brennerlint/brennerlint/brenner/workspace"
)

// Summary returns the thread as other sessions may refer to it: its items, their
// references, and what was added and killed.
func (r *Thread) Summary() *workspace.Session {
	return r.summary(func(*merge.Delta) bool { return true })
}

// SummaryAlone is Summary for a thread that is not compared with other sessions: of what was
// added, only that is needed which was added when or after something was killed (see
// [workspace.Workspace.Reproposals]).
func (r *Thread) SummaryAlone() *workspace.Session {
	kill := r.firstKill()
	return r.summary(func(d *merge.Delta) bool { return kill != nil && !d.Time.Before(kill.Time) })
}

// firstKill returns the earliest KILL that was applied, nil if none was.
func (r *Thread) firstKill() *merge.Delta {
	var first *merge.Delta
	for _, w := range append(slices.Clone(r.Windows), r.Pending) {
		for i := range w.result.Log {
			e := &w.result.Log[i]
			if e.Outcome == merge.Applied && e.Delta.Operation == brenner.Kill && (first == nil || e.Delta.Time.Before(first.Time)) {
				first = e.Delta
			}
		}
	}
	return first
}

// summary returns the thread with those of the added items whose deltas are needed.
func (r *Thread) summary(needs func(*merge.Delta) bool) *workspace.Session {
	s := &workspace.Session{ID: r.Thread.ID, Project: r.Thread.Project, Complete: true}
	if len(r.Thread.Messages) > 0 && r.Thread.Messages[0].ExportInfo != nil {
		s.Path = r.Thread.Messages[0].ExportInfo.Path
	}
	final := &finalRefs{final: r.Pending.State}
	windows, items, added := append(slices.Clone(r.Windows), r.Pending), 0, 0
	for _, w := range windows {
		items += w.Applied + len(w.kept)
		for i := range w.result.Log {
			if e := &w.result.Log[i]; isAdd(e) && needs(e.Delta) {
				added++
			}
		}
	}
	s.Items = make([]workspace.Item, 0, items)
	if added > 0 {
		s.Added = make([]workspace.ItemRecord, 0, added)
	}
	for _, w := range windows {
		s.Complete = s.Complete && !w.Unread
		for i := range w.strict.Log {
			if e := &w.strict.Log[i]; e.Outcome == merge.Applied {
				s.Items = append(s.Items, workspace.ItemOf(e.Item))
			}
		}
		for i := range w.result.Log {
			if e := &w.result.Log[i]; e.Outcome == merge.Applied {
				r.summarize(s, final, e, isAdd(e) && needs(e.Delta))
			}
		}
		s.Items, s.Killed = append(s.Items, w.kept...), append(s.Killed, w.killed...)
	}
	return s.Finish()
}

func (r *Thread) summarize(s *workspace.Session, final *finalRefs, e *merge.Entry, added bool) {
	at := refOf(e)
	if added {
		if key, ok := itemKey(e.Item.Section, e.Delta.Payload); ok {
			s.Added = append(s.Added, workspace.NewItemRecord(at, key, e.Delta.Time))
		}
	}
	for i, ref := range of(e.Delta).references() {
		if final.has(e.Item, ref) {
			at.Reference = int32(i)
			s.AddReference(at, ref)
		}
	}
}

// refOf returns a reference to the item that a delta was applied to.
func refOf(e *merge.Entry) workspace.Ref {
	d := of(e.Delta)
	return workspace.Ref{Item: workspace.ItemOf(e.Item), Message: int32(d.In.Index), Delta: int32(d.Index), Reference: -1}
}

// summarizeStates records what the summary needs of the states of a closed window: the
// items that it killed, and those with which the next starts because they were
// published, which the deltas alone do not show. The other items of the next base are
// those of earlier windows: they are known, and may be far more.
func (w *Window) summarizeStates(next *state.State) {
	rebased := next != w.State
	if rebased {
		for _, sec := range brenner.Sections {
			if w.Published.SameItems(sec, w.result.State) {
				continue // they are known from the windows before, and this one's deltas
			}
			for _, it := range w.Published.Items(sec) {
				w.kept = append(w.kept, workspace.ItemOf(it.ID))
			}
		}
	}
	for i := range w.result.Log { // also rejected ones that were published
		e := &w.result.Log[i]
		if e.Outcome != merge.Applied {
			continue
		}
		if rebased && next.Find(e.Item) != nil {
			w.kept = append(w.kept, workspace.ItemOf(e.Item))
		}
		if e.Delta.Operation != brenner.Kill {
			continue
		}
		if key, ok := itemKey(e.Item.Section, w.result.State.Find(e.Item).Fields()); ok {
			w.killed = append(w.killed, workspace.KilledItem{ItemRecord: workspace.NewItemRecord(refOf(e), key, e.Delta.Time), By: strings.Clone(of(e.Delta).Agent)})
		}
	}
}

// finalRefs are the references that items have in the end.
type finalRefs struct {
	final  *state.State
	byItem map[brenner.ItemID]map[string]bool
}

// has reports whether an item has a reference.
func (h *finalRefs) has(id brenner.ItemID, ref any) bool {
	set, ok := h.byItem[id]
	if !ok {
		if it := h.final.Find(id); it != nil {
			refs, _ := it.Fields()["references"].([]any)
			set = make(map[string]bool, len(refs))
			for _, r := range refs {
				set[state.Canonical(r)] = true
			}
		}
		if h.byItem == nil {
			h.byItem = map[brenner.ItemID]map[string]bool{}
		}
		h.byItem[id] = set
	}
	return set[state.Canonical(ref)]
}

// itemKey returns the key that an item shares with others that say the same; false if
// it has no name or says nothing.
func itemKey(sec brenner.Section, values map[string]any) (workspace.Key, bool) {
	id := diff.Identify(sec, values)
	if id.Name == "" || id.Main == "" {
		return workspace.Key{}, false
	}
	return workspace.KeyOf(sec, id.Name, id.Main), true
}

// SummarizeFile returns an artifact file as other sessions may refer to it. Its session
// is the one that it names, else id.
func SummarizeFile(f File, id string) *workspace.Session {
	s := &workspace.Session{ID: id, Path: f.Path, Complete: true}
	n := 0
	for _, sec := range f.Artifact.Sections {
		n += len(sec.Items)
	}
	s.Items = make([]workspace.Item, 0, n)
	for it := range f.Artifact.Items(0) {
		summarizeItem(s, it.ID.Section, it)
	}
	return s.Finish()
}

// summarizeItem makes no data for most items: there are many.
func summarizeItem(s *workspace.Session, sec brenner.Section, it *artifact.Item) {
	s.Items = append(s.Items, workspace.ItemOf(it.ID))
	if !it.Killed && it.Field("references") == nil {
		return
	}
	at := workspace.Ref{Item: workspace.ItemOf(it.ID), Reference: -1}
	data := it.State(sec)
	if data.Killed != nil {
		if key, ok := itemKey(sec, data.Fields()); ok {
			s.Killed = append(s.Killed, workspace.KilledItem{ItemRecord: workspace.NewItemRecord(at, key, data.Killed.At), By: strings.Clone(data.Killed.By)})
		}
	}
	refs, _ := data.Fields()["references"].([]any)
	for i, ref := range refs {
		at.Reference = int32(i)
		s.AddReference(at, ref)
	}
}
