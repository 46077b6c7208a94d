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
	sessions []*Session // by path
	byID     map[string][]*Session
}

// New is a workspace of sessions, in whatever order.
func New(sessions []*Session) *Workspace {
	w := &Workspace{sessions: slices.Clone(sessions), byID: make(map[string][]*Session, len(sessions))}
	order := func(a, b *Session) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.ID, b.ID), strings.Compare(a.Project, b.Project))
	}
	if !slices.IsSortedFunc(w.sessions, order) { // those of one mailbox are
		slices.SortStableFunc(w.sessions, order)
	}
	for i, s := range w.sessions {
		switch same := w.byID[s.ID]; {
		case s.ID == "":
		case same == nil:
			w.byID[s.ID] = w.sessions[i : i+1 : i+1] // nearly always, and nothing is allocated
		default:
			w.byID[s.ID] = append(same, s)
		}
	}
	return w
}

// IDs are the ids of all sessions, in order.
func (w *Workspace) IDs() []string { return slices.Sorted(maps.Keys(w.byID)) }

// Sessions are all sessions, in the order of their paths and ids. The slice is shared:
// do not change it.
func (w *Workspace) Sessions() []*Session { return w.sessions }

// Highest is the highest number of an item of a section in the sessions of an id;
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
		for _, s := range w.sessions {
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

// UnknownSessions are the references to sessions that are not among the inputs,
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

// UnknownItems are the references to items that their session does not have.
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

// Reproposal is an item that was added although one that says the same had been
// killed.
type Reproposal struct {
	Added, Killed *Session // where each is
	Item          *ItemRecord
	Of            *KilledItem // the earliest
}

// Reproposals are the items that were added again, in the order of the sessions.
func (w *Workspace) Reproposals() []Reproposal {
	killed := map[Key]Reproposal{} // the earliest of each, undated ones last
	var seen keyFilter
	for _, s := range w.sessions {
		for i := range s.Killed {
			k := &s.Killed[i]
			seen.add(k.Key)
			if r, ok := killed[k.Key]; !ok || r.Of.undated() || !k.undated() && k.At < r.Of.At {
				killed[k.Key] = Reproposal{Killed: s, Of: k}
			}
		}
	}
	var out []Reproposal
	for _, s := range w.sessions {
		for i := range s.Added {
			if !seen.mayHave(s.Added[i].Key) {
				continue
			}
			r, ok := killed[s.Added[i].Key]
			r.Added, r.Item = s, &s.Added[i]
			if !ok || r.Of.At >= r.Item.At || r.Of.undated() && r.Killed.ID == s.ID {
				continue // within a session, only the time tells what was first
			}
			out = append(out, r)
		}
	}
	return out
}

// keyFilter tells of most keys that they are in no set: mailboxes have hundreds of
// thousands of items, of which few were killed.
type keyFilter struct{ bits [1 << 14]uint64 }

func (f *keyFilter) at(k Key) (word *uint64, bit uint64) {
	n := uint32(k[0])<<12 | uint32(k[1])<<4 | uint32(k[2])>>4
	return &f.bits[n/64], 1 << (n % 64)
}

func (f *keyFilter) add(k Key) {
	word, bit := f.at(k)
	*word |= bit
}

// mayHave reports whether a key may have been added.
func (f *keyFilter) mayHave(k Key) bool {
	word, bit := f.at(k)
	return *word&bit != 0
}
