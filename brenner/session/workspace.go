package session

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
)

// Workspace is all sessions, found by id. A thread and a file of one session, or threads of
// several projects, count together. It finds references between their items, and items that are
// proposed again after they were killed (delta_output_format, Cross-Session References).
type Workspace struct {
	sessions []*Session // by path
	byID     map[string][]*Session
}

// NewWorkspace returns a workspace of sessions, in whatever order.
func NewWorkspace(sessions []*Session) *Workspace {
	w := &Workspace{sessions: slices.Clone(sessions), byID: make(map[string][]*Session, len(sessions))}
	slices.SortStableFunc(w.sessions, func(a, b *Session) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.ID, b.ID), strings.Compare(a.Project, b.Project))
	})
	for _, s := range w.sessions {
		if s.ID != "" {
			w.byID[s.ID] = append(w.byID[s.ID], s)
		}
	}
	return w
}

// IDs returns the ids of all sessions, in order.
func (w *Workspace) IDs() []string { return slices.Sorted(maps.Keys(w.byID)) }

// Sessions returns all sessions, in the order of their paths and ids. The slice is shared:
// do not change it.
func (w *Workspace) Sessions() []*Session { return w.sessions }

// Highest returns the highest item number of a section in the sessions with an id; 0 if there is
// none.
func (w *Workspace) Highest(id string, sec brenner.Section) int32 {
	high := int32(0)
	for _, s := range w.byID[id] {
		for _, it := range s.Items {
			if it.Section == sec {
				high = max(high, it.Number)
			}
		}
	}
	return high
}

// Link is a reference with the session that it is in.
type Link struct {
	From *Session
	*Reference
}

// references walks over all references, those of a thread before the same ones
// of its files.
func (w *Workspace) references(visit func(Link)) {
	type link struct {
		from           string
		item           brenner.ItemID
		session, other string
	}
	seen := map[link]bool{}
	for _, files := range [...]bool{false, true} {
		for _, s := range w.sessions {
			for i := range s.References {
				r := &s.References[i]
				l := link{s.ID, r.Item, r.Session, r.Target}
				if isFile := r.Delta == 0; isFile == files && !seen[l] {
					seen[l] = true
					visit(Link{s, r})
				}
			}
		}
	}
}

// UnknownSessions returns the references to sessions that are not among the inputs. If only one
// session is, it returns none.
func (w *Workspace) UnknownSessions() []Link {
	if len(w.byID) < 2 {
		return nil
	}
	var out []Link
	w.references(func(l Link) {
		if w.byID[l.Session] == nil {
			out = append(out, l)
		}
	})
	return out
}

// UnknownItems returns the references to items that their session does not have.
func (w *Workspace) UnknownItems() []Link {
	var out []Link
	w.references(func(l Link) {
		at := w.byID[l.Session]
		if at == nil || slices.ContainsFunc(at, func(s *Session) bool { return !s.Complete }) {
			return
		}
		id, ok := brenner.ParseItemID(l.Target)
		if !ok || !slices.ContainsFunc(at, func(s *Session) bool { return s.has(id) }) {
			out = append(out, l)
		}
	})
	return out
}
