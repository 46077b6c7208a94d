// Package workspace holds what the sessions among the inputs say of each other:
// references between their items, and items that are proposed again after they
// were killed (delta_output_format, Cross-Session References).
//
// A [Session] is a compact summary of a thread or an artifact file, which package
// replay makes; how it came about is not known here. A [Workspace] answers
// questions about all of them with facts; package rules words the diagnostics.
package workspace

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/protocol"
)

// Workspace is all sessions, found by id. A thread and a file of one session, or
// threads of several projects, count together.
type Workspace struct {
	given    []*Session // in any order
	sessions []*Session // by path
	marks    []mark     // of each of them
	byID     map[string][]*Session
	ids      []string            // in order, made on first use
	killed   map[Key]*Reproposal // the earliest of each, made on first use
}

// mark says what a session has, so that sessions without it are skipped.
type mark uint8

const (
	refers  mark = 1 << iota // it has references
	kills                    // it has killed items
	echoes                   // it has added what was killed at some time; known once killed is
	repeats                  // it has added what was killed before
)

// New returns a workspace of sessions, in whatever order.
func New(sessions []*Session) *Workspace {
	w := &Workspace{}
	w.reset(sessions)
	return w
}

func inOrder(a, b *Session) int {
	return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.ID, b.ID), strings.Compare(a.Project, b.Project))
}

// reset takes all sessions in.
func (w *Workspace) reset(sessions []*Session) {
	*w = Workspace{given: append(w.given[:0], sessions...), sessions: slices.Clone(sessions), byID: make(map[string][]*Session, len(sessions))}
	if !slices.IsSortedFunc(w.sessions, inOrder) { // those of one mailbox are
		slices.SortStableFunc(w.sessions, inOrder)
	}
	w.marks = make([]mark, len(w.sessions))
	alone := slices.Clone(w.sessions)
	for i, s := range w.sessions {
		w.marks[i] = markOf(s)
		switch same := w.byID[s.ID]; {
		case s.ID == "":
		case same == nil:
			w.byID[s.ID] = alone[i : i+1 : i+1] // nearly always, and nothing is allocated
		default:
			w.byID[s.ID] = append(same, s)
		}
	}
}

func markOf(s *Session) (m mark) {
	if len(s.References) > 0 {
		m |= refers
	}
	if len(s.Killed) > 0 {
		m |= kills
	}
	return m
}

// IDs returns the ids of all sessions, in order.
func (w *Workspace) IDs() []string {
	if w.ids == nil {
		w.ids = slices.Sorted(maps.Keys(w.byID))
	}
	return slices.Clone(w.ids)
}

// Sessions returns all sessions, in the order of their paths and ids. The slice is shared
// and changes with the next Update: do not change it.
func (w *Workspace) Sessions() []*Session { return w.sessions }

// Highest returns the highest number of an item of a section in the sessions of an id;
// 0 if there is none.
func (w *Workspace) Highest(id string, sec protocol.Section) int {
	high := 0
	for _, s := range w.byID[id] {
		for _, it := range s.Items {
			if it.Section == sec {
				high = max(high, int(it.Number))
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
		item           protocol.ItemID
		session, other string
	}
	seen := map[link]bool{}
	for _, files := range [...]bool{false, true} {
		for at, s := range w.sessions {
			if w.marks[at]&refers == 0 {
				continue
			}
			for i := range s.References {
				r := &s.References[i]
				l := link{s.ID, r.Item.ID(), r.Session, r.Target}
				if isFile := r.Delta == 0; isFile == files && !seen[l] {
					seen[l] = true
					visit(Link{s, r})
				}
			}
		}
	}
}

// UnknownSessions returns the references to sessions that are not among the inputs,
// where others are.
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
		id, ok := protocol.ParseItemID(l.Target)
		if !ok || !slices.ContainsFunc(at, func(s *Session) bool { return s.has(id) }) {
			out = append(out, l)
		}
	})
	return out
}
