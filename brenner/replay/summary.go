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
	for _, w := range r.all() {
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
			at := session.Ref{Item: e.Item, Message: int32(d.In.Index), Delta: int32(d.Index), Reference: -1}
			switch e.Delta.Operation {
			case brenner.Add:
				if key, ok := itemKey(e.Item.Section, e.Delta.Payload); ok {
					s.Added = append(s.Added, session.ItemRecord{Ref: at, Key: key, At: e.Delta.Time})
				}
			case brenner.Kill:
				if key, ok := itemKey(e.Item.Section, w.asPublished.State.Find(e.Item).Fields()); ok {
					s.Killed = append(s.Killed, session.ItemRecord{Ref: at, Key: key, At: e.Delta.Time, By: strings.Clone(d.Agent)})
				}
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

// itemKey returns the key that an item shares with others that say the same; false if
// it has no name or says nothing.
func itemKey(sec brenner.Section, values map[string]any) (session.Key, bool) {
	id := diff.Identify(sec, values)
	if id.Name == "" || id.Main == "" {
		return 0, false
	}
	return session.KeyOf(sec, id.Name, id.Main), true
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
		sec := it.ID.Section
		at := session.Ref{Item: it.ID, Reference: -1}
		data := it.State(sec)
		if data.Killed != nil {
			if key, ok := itemKey(sec, data.Fields()); ok {
				s.Killed = append(s.Killed, session.ItemRecord{Ref: at, Key: key, At: data.Killed.At, By: strings.Clone(data.Killed.By)})
			}
		}
		refs, _ := data.Fields()["references"].([]any)
		for i, ref := range refs {
			at.Reference = int32(i)
			s.AddReference(at, ref)
		}
	}
	return s.Finish()
}
