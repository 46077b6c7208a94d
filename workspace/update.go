package workspace

import "slices"

// maxSteps is up to how many sessions are put in or taken out one by one: each moves
// those after it.
const maxSteps = 100

// Update makes it the workspace of these sessions, as New would, and looks only at those
// that it did not have yet: the others must be as they were.
func (w *Workspace) Update(sessions []*Session) {
	removed, added, ok := changes(w.given, sessions)
	if w.byID == nil || !ok || !w.replace(removed, added) {
		w.reset(sessions)
		return
	}
	w.given = append(w.given[:0], sessions...)
	clear(w.given[len(w.given):cap(w.given)]) // release what is gone
	w.updateKilled(removed, added)
}

// changes returns the sessions that were removed from a list and those that were added,
// perhaps some that only moved; false if there are many.
func changes(was, is []*Session) (removed, added []*Session, ok bool) {
	for len(was) > 0 && len(is) > 0 && was[len(was)-1] == is[len(is)-1] {
		was, is = was[:len(was)-1], is[:len(is)-1]
	}
	for len(was)+len(is) > 0 {
		if len(was) > 0 && len(is) > 0 && was[0] == is[0] {
			was, is = was[1:], is[1:]
			continue
		}
		removes, adds := len(was) > 0, len(is) > 0
		switch both := removes && adds; { // one in place of another, if the next do not say otherwise
		case both && len(is) > 1 && was[0] == is[1]:
			removes = false
		case both && len(was) > 1 && is[0] == was[1]:
			adds = false
		}
		if removes {
			removed, was = append(removed, was[0]), was[1:]
		}
		if adds {
			added, is = append(added, is[0]), is[1:]
		}
		if len(removed)+len(added) > maxSteps {
			return nil, nil, false
		}
	}
	return removed, added, true
}

// replace takes sessions out and puts others in; false where that is not so simple.
func (w *Workspace) replace(removed, added []*Session) bool {
	isNew := func(s *Session) bool { return w.byID[s.ID] == nil }
	newID := slices.ContainsFunc(added, isNew)
	for _, s := range removed {
		if !w.remove(s) {
			return false
		}
	}
	for _, s := range added {
		if !w.insert(s) {
			return false
		}
	}
	if newID || slices.ContainsFunc(removed, isNew) {
		w.ids = nil
	}
	return true
}

func (w *Workspace) remove(s *Session) bool {
	at := w.find(s)
	if at < 0 {
		return false
	}
	w.sessions, w.marks = slices.Delete(w.sessions, at, at+1), slices.Delete(w.marks, at, at+1)
	same := w.byID[s.ID]
	rest := slices.DeleteFunc(slices.Clone(same), func(o *Session) bool { return o == s })
	clear(same) // a part of a list of all
	if len(rest) > 0 {
		w.byID[s.ID] = rest
	} else {
		delete(w.byID, s.ID)
	}
	return true
}

// insert returns false if the order does not show where it belongs.
func (w *Workspace) insert(s *Session) bool {
	at, found := slices.BinarySearchFunc(w.sessions, s, inOrder)
	if found {
		return false
	}
	w.sessions, w.marks = slices.Insert(w.sessions, at, s), slices.Insert(w.marks, at, markOf(s))
	if s.ID != "" {
		same := w.byID[s.ID]
		among, _ := slices.BinarySearchFunc(same, s, inOrder)
		w.byID[s.ID] = slices.Insert(slices.Clone(same), among, s)
	}
	return true
}

// find returns where a session is; -1 if it is not there.
func (w *Workspace) find(s *Session) int {
	at, _ := slices.BinarySearchFunc(w.sessions, s, inOrder)
	for ; at < len(w.sessions); at++ {
		if w.sessions[at] == s {
			return at
		}
	}
	return -1
}

// updateKilled takes over what was killed in the sessions removed and added, and what the
// latter added.
func (w *Workspace) updateKilled(removed, added []*Session) {
	if w.killed == nil {
		return // it was not asked for yet
	}
	var changed keySet
	for _, list := range [...][]*Session{removed, added} {
		for _, s := range list {
			for i := range s.Killed {
				changed.add(s.Killed[i].Key)
			}
		}
	}
	if len(changed.keys) > 0 {
		w.replaceKilled(&changed)
	}
	for _, s := range added {
		if s.hasAdded(func(key Key) bool { return w.killed[key] != nil }) {
			w.markRepeat(w.find(s))
		}
	}
}

// replaceKilled finds the earliest of some killed items again, and the sessions that have
// added them.
func (w *Workspace) replaceKilled(changed *keySet) {
	echoing := echoes
	now := w.earliestKilled(changed.has)
	for key := range changed.keys {
		if w.killed[key] == nil {
			echoing = 0 // any session may have added it
		}
		if now[key] != nil {
			w.killed[key] = now[key]
		} else {
			delete(w.killed, key)
		}
	}
	w.markRepeats(changed, echoing)
}
