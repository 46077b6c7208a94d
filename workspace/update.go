package workspace

import "slices"

// maxSteps is up to how many sessions are put in or taken out one by one: each moves
// those after it.
const maxSteps = 100

// Update makes it the workspace of these sessions, as New would, and looks only at those
// that it did not have yet: the others must be as they were.
func (w *Workspace) Update(sessions []*Session) {
	removed, added, ok := changes(w.given, sessions)
	if w.byID == nil || !ok || len(removed)+len(added) > maxSteps || !w.replace(removed, added) {
		w.reset(sessions)
		return
	}
	w.given = append(w.given[:0], sessions...)
	clear(w.given[len(w.given):cap(w.given)]) // what is gone is let go of
	w.updateKilled(removed, added)
}

// changes are the sessions that are in one of two lists only; false if the others are not
// in the same order.
func changes(was, is []*Session) (removed, added []*Session, ok bool) {
	for len(was) > 0 && len(is) > 0 && was[0] == is[0] {
		was, is = was[1:], is[1:]
	}
	for len(was) > 0 && len(is) > 0 && was[len(was)-1] == is[len(is)-1] {
		was, is = was[:len(was)-1], is[:len(is)-1]
	}
	removed, stay := apart(was, is)
	added, stayed := apart(is, was)
	return removed, added, slices.Equal(stay, stayed)
}

// apart are the sessions of a list that another does not have, and those that it has.
func apart(list, others []*Session) (out, common []*Session) {
	in := make(map[*Session]bool, len(others))
	for _, s := range others {
		in[s] = true
	}
	for _, s := range list {
		if in[s] {
			common = append(common, s)
		} else {
			out = append(out, s)
		}
	}
	return out, common
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

// insert reports false for one of which the order does not tell where it belongs.
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

// find is where a session is; -1 if it is not there.
func (w *Workspace) find(s *Session) int {
	at, _ := slices.BinarySearchFunc(w.sessions, s, inOrder)
	for ; at < len(w.sessions); at++ {
		if w.sessions[at] == s {
			return at
		}
	}
	return -1
}

// updateKilled takes over what was killed in sessions that came and went, and what was
// added.
func (w *Workspace) updateKilled(removed, added []*Session) {
	if w.killed == nil {
		return // nobody has asked yet
	}
	hasKilled := func(s *Session) bool { return markOf(s)&kills != 0 }
	if slices.ContainsFunc(removed, hasKilled) || slices.ContainsFunc(added, hasKilled) {
		before := w.killed
		w.killed = w.earliestKilled()
		w.markRepeats(newIn(w.killed, before))
	}
	for _, s := range added {
		if s.hasAdded(func(key Key) bool { return w.killed[key] != nil }) {
			w.marks[w.find(s)] |= repeats
		}
	}
}

// newIn are the killed items of which nobody knew before.
func newIn(killed, before map[Key]*Reproposal) map[Key]*Reproposal {
	out := map[Key]*Reproposal{}
	for key, r := range killed {
		if before[key] == nil {
			out[key] = r
		}
	}
	return out
}
