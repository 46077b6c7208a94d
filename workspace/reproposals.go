package workspace

import "iter"

// Reproposal is an item that was added although one that says the same had been
// killed.
type Reproposal struct {
	Added, Killed *Session // where each is
	Item          *ItemRecord
	Of            *KilledItem // the earliest
}

// Reproposals returns the items that were added again, in the order of the sessions.
func (w *Workspace) Reproposals() []Reproposal {
	if w.killed == nil {
		w.killed = w.earliestKilled(func(Key) bool { return true })
		var all keySet
		for key := range w.killed {
			all.add(key)
		}
		w.markRepeats(&all, 0)
	}
	var out []Reproposal
	for at, s := range w.sessions {
		if w.marks[at]&repeats == 0 {
			continue
		}
		for r := range w.repeated(s) {
			out = append(out, r)
		}
	}
	return out
}

// repeated returns the items of a session that were killed before.
func (w *Workspace) repeated(s *Session) iter.Seq[Reproposal] {
	return func(yield func(Reproposal) bool) {
		for i := range s.Added {
			killed := w.killed[s.Added[i].Key]
			if killed == nil {
				continue
			}
			r := *killed
			r.Added, r.Item = s, &s.Added[i]
			if r.Of.At >= r.Item.At || r.Of.undated() && r.Killed.ID == s.ID {
				continue // within a session, only the time shows what was first
			}
			if !yield(r) {
				return
			}
		}
	}
}

// earliestKilled returns the killed items of some keys, of those that say the same the
// earliest; undated ones come last.
func (w *Workspace) earliestKilled(wanted func(Key) bool) map[Key]*Reproposal {
	killed := map[Key]*Reproposal{}
	for at, s := range w.sessions {
		if w.marks[at]&kills == 0 {
			continue
		}
		for i := range s.Killed {
			k := &s.Killed[i]
			if !wanted(k.Key) {
				continue
			}
			if r := killed[k.Key]; r == nil || r.Of.undated() || !k.undated() && k.At < r.Of.At {
				killed[k.Key] = &Reproposal{Killed: s, Of: k}
			}
		}
	}
	return killed
}

// markRepeats marks again the sessions that have added items of some keys, of those with a
// mark.
func (w *Workspace) markRepeats(keys *keySet, among mark) {
	if len(keys.keys) == 0 {
		return
	}
	for at, s := range w.sessions {
		if w.marks[at]&among == among && s.hasAdded(keys.has) {
			w.markRepeat(at)
		}
	}
}

// markRepeat marks a session that has added what was killed at some time: has it been
// killed before?
func (w *Workspace) markRepeat(at int) {
	w.marks[at] = w.marks[at]&^repeats | echoes
	for range w.repeated(w.sessions[at]) {
		w.marks[at] |= repeats
		break
	}
}

// hasAdded reports whether the key of an added item is one of those.
func (s *Session) hasAdded(isOne func(Key) bool) bool {
	for i := range s.Added {
		if isOne(s.Added[i].Key) {
			return true
		}
	}
	return false
}

// keySet is a set of keys that rules most others out by one bit: mailboxes have
// hundreds of thousands of items, of which few were killed.
type keySet struct {
	keys map[Key]bool
	bits [1 << 14]uint64
}

func (f *keySet) at(k Key) (word *uint64, bit uint64) {
	n := uint32(k[0])<<12 | uint32(k[1])<<4 | uint32(k[2])>>4
	return &f.bits[n/64], 1 << (n % 64)
}

func (f *keySet) add(k Key) {
	if f.keys == nil {
		f.keys = map[Key]bool{}
	}
	f.keys[k] = true
	word, bit := f.at(k)
	*word |= bit
}

func (f *keySet) has(k Key) bool {
	word, bit := f.at(k)
	return *word&bit != 0 && f.keys[k]
}
