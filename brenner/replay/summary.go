package replay

import (
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/diff"
	"github.com/brennerlint/brennerlint/brenner/session"
)

// Summary returns the summary of the thread, for references from other sessions: its items,
// their references, and what was added and killed.
func (r *Thread) Summary() *session.Session {
	s := &session.Session{ID: r.Thread.ID, Project: r.Thread.Project, Complete: true}
	if len(r.Thread.Messages) > 0 && r.Thread.Messages[0].ExportInfo != nil {
		s.Path = r.Thread.Messages[0].ExportInfo.Path
	}
	known := map[brenner.ItemID]bool{}
	refers := map[string]bool{} // the references that items have in the end
	for _, sec := range brenner.Sections {
		for _, it := range r.Pending.State.Items(sec) {
			refs, _ := it.Fields()["references"].([]any)
			for _, ref := range refs {
				refers[it.ID.String()+brenner.Canonical(ref)] = true
			}
		}
	}
	for _, w := range r.All() {
		s.Complete = s.Complete && !w.Unread
		for _, sec := range brenner.Sections {
			for _, it := range w.State.Items(sec) {
				if !known[it.ID] {
					known[it.ID] = true
					s.Items = append(s.Items, it.ID)
				}
			}
		}
		for e := range applied(w.asPublished) { // also rejected ones that were published
			d := deltaOf(e.Delta)
			at := session.Ref{From: s, Item: e.Item, Message: int32(d.In.Index), Delta: int32(d.Index), Reference: -1}
			switch e.Delta.Operation {
			case brenner.Add:
				s.Added = withItem(s.Added, session.ItemRecord{Ref: at, At: e.Delta.Time}, e.Delta.Payload)
			case brenner.Kill:
				fields := w.asPublished.State.Find(e.Item).Fields()
				s.Killed = withItem(s.Killed, session.ItemRecord{Ref: at, At: e.Delta.Time, By: strings.Clone(d.Agent)}, fields)
			}
			refs, _ := e.Delta.Payload["references"].([]any)
			for i, ref := range refs {
				if refers[e.Item.String()+brenner.Canonical(ref)] {
					at.Reference = int32(i)
					s.AddReference(at, ref)
				}
			}
		}
	}
	return s.Finish()
}

// withItem returns a list with an item, under the key that it shares with others that say the same,
// unless it has no name or says nothing.
func withItem(list []session.ItemRecord, it session.ItemRecord, fields map[string]any) []session.ItemRecord {
	id := diff.Identify(it.Item.Section, fields)
	if id.Name == "" || id.Main == "" {
		return list
	}
	it.Key = session.KeyOf(it.Item.Section, id.Name, id.Main)
	return append(list, it)
}

// SummarizeFile returns the summary of an artifact file, for references from other sessions. Its
// session is the one that it names, else id.
func SummarizeFile(f File, id string) *session.Session {
	s := &session.Session{ID: id, Path: f.Path, Complete: true}
	for it := range f.Artifact.Items(0) {
		s.Items = append(s.Items, it.ID)
		if !it.Killed && it.Field("references") == nil {
			continue // most items need not be data
		}
		at := session.Ref{From: s, Item: it.ID, Reference: -1}
		data := it.State(it.ID.Section)
		if k := data.Killed; k != nil {
			s.Killed = withItem(s.Killed, session.ItemRecord{Ref: at, At: k.At, By: strings.Clone(k.By)}, data.Fields())
		}
		refs, _ := data.Fields()["references"].([]any)
		for i, ref := range refs {
			at.Reference = int32(i)
			s.AddReference(at, ref)
		}
	}
	return s.Finish()
}
