package workspace

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/internal/wording"
	"github.com/brennerlint/brennerlint/protocol"
)

// Crossing is a fault in what sessions say of each other.
type Crossing struct {
	From       *Session
	At         Where
	Field      string
	Message    string
	Suggestion string
	// Other is the session concerned, and its place; nil if there is none.
	Other   *Session
	OtherAt Where
	Note    string
}

// workspace is all sessions, found by id. A thread and a file of one session, or
// threads of several projects, count together.
type workspace struct {
	sessions []*Session
	byID     map[string][]*Session
}

func newWorkspace(sessions []*Session) *workspace {
	w := &workspace{sessions: slices.Clone(sessions), byID: map[string][]*Session{}}
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

// references walks over all references, those of a thread before the same ones
// of its files.
func (w *workspace) references(visit func(s *Session, r *Reference)) {
	type link struct {
		from           string
		item           protocol.ItemID
		session, other string
	}
	seen := map[link]bool{}
	for _, files := range [...]bool{false, true} {
		for _, s := range w.sessions {
			for i := range s.References {
				r := &s.References[i]
				l := link{s.ID, r.Item.ID(), r.Session, r.Target}
				if isFile := r.Delta == 0; isFile == files && !seen[l] {
					seen[l] = true
					visit(s, r)
				}
			}
		}
	}
}

// UnknownSessions finds references to sessions that are not among the inputs,
// where others are (XR-001).
func UnknownSessions(sessions []*Session) []Crossing {
	w := newWorkspace(sessions)
	if len(w.byID) < 2 {
		return nil
	}
	var ids []string
	for id := range w.byID {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	var out []Crossing
	w.references(func(s *Session, r *Reference) {
		if w.byID[r.Session] != nil {
			return
		}
		c := Crossing{From: s, At: r.Where, Field: "references", Message: fmt.Sprintf("%s refers to session %s, which is not among the inputs", r.Item, wording.Quote(r.Session))}
		if near := wording.Nearest(r.Session, ids[:min(len(ids), 1000)]); near != "" {
			c.Suggestion = fmt.Sprintf("did you mean %s?", near)
		}
		out = append(out, c)
	})
	return out
}

// UnknownItems finds references to items that their session does not have
// (XR-002).
func UnknownItems(sessions []*Session) []Crossing {
	w := newWorkspace(sessions)
	var out []Crossing
	w.references(func(s *Session, r *Reference) {
		at := w.byID[r.Session]
		if at == nil || slices.ContainsFunc(at, func(s *Session) bool { return !s.Complete }) {
			return
		}
		id, ok := protocol.ParseItemID(r.Target)
		if ok && slices.ContainsFunc(at, func(s *Session) bool { return s.has(id) }) {
			return
		}
		c := Crossing{From: s, At: r.Where, Field: "references", Message: fmt.Sprintf("%s refers to %s of %s, which has no such item", r.Item, wording.Quote(r.Target), r.Session)}
		if ok {
			c.Suggestion = has(at, id.Section)
		}
		out = append(out, c)
	})
	return out
}

// has says which items of a section a session has.
func has(at []*Session, sec protocol.Section) string {
	high := 0
	for _, s := range at {
		for _, it := range s.Items {
			if it.section == sec {
				high = max(high, int(it.number))
			}
		}
	}
	if high == 0 {
		return fmt.Sprintf("it has no %s", sec.Noun())
	}
	return fmt.Sprintf("its %s end with %s%d", sec.Noun(), sec.Prefix(), high)
}

// ProposedAgain finds ADDs that repeat an item that was killed before (XR-004).
func ProposedAgain(sessions []*Session) []Crossing {
	w := newWorkspace(sessions)
	type grave struct {
		*Session
		idea *Grave
	}
	killed := map[Key]grave{} // the earliest of each idea, undated ones last
	for _, s := range w.sessions {
		for i := range s.Killed {
			k := &s.Killed[i]
			if g, ok := killed[k.Key]; !ok || g.idea.undated() || !k.undated() && k.At < g.idea.At {
				killed[k.Key] = grave{s, k}
			}
		}
	}
	var out []Crossing
	for _, s := range w.sessions {
		for i := range s.Added {
			a := &s.Added[i]
			g, ok := killed[a.Key]
			if !ok || g.idea.At >= a.At || g.idea.undated() && g.ID == s.ID {
				continue // within a session, only the time tells what was first
			}
			where := ""
			if g.ID != s.ID {
				where = " of " + g.ID
			}
			by := ""
			if g.idea.By != "" {
				by = " by " + g.idea.By
			}
			out = append(out, Crossing{
				From: s, At: a.Where, Other: g.Session, OtherAt: g.idea.Where, Note: "killed" + by,
				Message:    fmt.Sprintf("%s proposes again what was killed%s as %s%s, in name and text", a.Item, by, g.idea.Item, where),
				Suggestion: fmt.Sprintf("say what has changed, and refer to %s%s", g.idea.Item, where),
			})
		}
	}
	return out
}
