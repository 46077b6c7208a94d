//go:build !js

package export

import (
	"maps"
	"slices"
)

// apply puts what has changed into the index.
func (u *update) apply() {
	s := u.store
	s.mu.Lock()
	defer s.mu.Unlock()
	affected := map[groupKey]*ThreadInfo{}
	for row := range u.rows {
		if g, known := u.tracked.rows.Get(row); known {
			affected[s.keyOf(&g.entries[0])] = g
		}
	}
	for _, g := range affected {
		u.remove(g)
	}
	u.insert(affected)
	for key, g := range affected {
		inScope := false
		if len(g.entries) > 0 {
			slices.SortFunc(g.entries, s.compareEntries)
			*g = s.newThread(g.entries)
			u.groups[key], inScope = g, s.count(g, 1)
		} else {
			delete(u.groups, key)
		}
		u.list(g, inScope)
	}
}

// list adds a thread to the list of those in scope, or removes it.
func (u *update) list(g *ThreadInfo, inScope bool) {
	s := u.store
	first, listed := u.listed[g]
	switch {
	case !listed && !inScope:
		return
	case !listed:
		first = g.entries[0]
	}
	at, _ := s.find(&first)
	switch {
	case listed && inScope:
		s.threads[at] = *g // what orders threads stays the same
	case listed:
		s.threads = slices.Delete(s.threads, at, at+1)
	case inScope:
		s.threads = slices.Insert(s.threads, at, *g)
	}
}

// remove removes the messages that may have changed from a thread.
func (u *update) remove(g *ThreadInfo) {
	s := u.store
	if s.count(g, -1) {
		u.listed[g] = g.entries[0]
	}
	kept := make([]indexEntry, 0, len(g.entries)+1)
	for _, e := range g.entries {
		if !u.rows[e.ref] {
			kept = append(kept, e)
			continue
		}
		u.tracked.rows.Delete(e.ref)
		if s.ids != nil {
			s.idsOf(s.origin(&e).project).remove(s.id(&e))
		}
	}
	g.entries = kept
}

// find returns the position in the list of the thread that begins with an entry.
func (s *Store) find(first *indexEntry) (int, bool) {
	return slices.BinarySearchFunc(s.threads, first, func(t ThreadInfo, b *indexEntry) int {
		a := &t.entries[0]
		if c := s.compareThreads(a, b); c != 0 || t.ID != "" {
			return c
		}
		return s.compareEntries(*a, *b)
	})
}

// insert adds the current messages to their threads: those without a thread last, since
// they may have started one.
func (u *update) insert(affected map[groupKey]*ThreadInfo) {
	s := u.store
	var alone []indexEntry
	put := func(e indexEntry) {
		key := s.keyOf(&e)
		g := affected[key]
		if g == nil {
			if g = u.groups[key]; g == nil {
				g = &ThreadInfo{}
			} else {
				u.remove(g)
			}
			affected[key] = g
		}
		g.entries = append(g.entries, e)
		u.tracked.rows.Set(e.ref, g)
		if s.ids != nil {
			s.idsOf(s.origin(&e).project).add(s.id(&e))
		}
	}
	for _, row := range slices.Sorted(maps.Keys(u.found)) {
		e := s.newEntry(u.export, int(u.order), u.found[row])
		if s.origin(&e).thread == "" {
			alone = append(alone, e)
		} else {
			put(e)
		}
	}
	for _, e := range alone {
		from, id := *s.origin(&e), s.id(&e)
		began := groupKey{from.project, id, 0}
		if g := affected[began]; id != "" && (g != nil && len(g.entries) > 0 || g == nil && u.groups[began] != nil) {
			e.origin = s.numberOf(origin{from.export, from.project, from.row, id})
		}
		put(e)
	}
}
