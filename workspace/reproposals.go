package workspace

import "iter"

// Reproposal is an item that was added although one that says the same had been
// killed.
type Reproposal struct {
	Added, Killed *Session // where each is
	Item          *ItemRecord
	Of            *KilledItem // the earliest
}

// Reproposals are the items that were added again, in the order of the sessions.
func (w *Workspace) Reproposals() []Reproposal {
	if w.killed == nil {
		w.killed = w.earliestKilled()
		w.markEchoes(w.killed)
		w.markRepeats()
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

// repeated are the items of a session that were killed before.
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
				continue // within a session, only the time tells what was first
			}
			if !yield(r) {
				return
			}
		}
	}
}

// earliestKilled are the killed items, of those that say the same the earliest; undated
// ones come last.
func (w *Workspace) earliestKilled() map[Key]*Reproposal {
	killed := map[Key]*Reproposal{}
	for at, s := range w.sessions {
		if w.marks[at]&kills == 0 {
			continue
		}
		for i := range s.Killed {
			k := &s.Killed[i]
			if r := killed[k.Key]; r == nil || r.Of.undated() || !k.undated() && k.At < r.Of.At {
				killed[k.Key] = &Reproposal{Killed: s, Of: k}
			}
		}
	}
	return killed
}

// markEchoes marks the sessions that have added some of the killed items: nearly all have
// not.
func (w *Workspace) markEchoes(killed map[Key]*Reproposal) {
	if len(killed) == 0 {
		return
	}
	var filter keyFilter
	for key := range killed {
		filter.add(key)
	}
	isKilled := func(key Key) bool { return filter.mayHave(key) && killed[key] != nil }
	for at, s := range w.sessions {
		if s.hasAdded(isKilled) {
			w.marks[at] |= echoes
		}
	}
}

// markRepeats marks the sessions that have added what was killed before.
func (w *Workspace) markRepeats() {
	for at, m := range w.marks {
		if m&echoes != 0 {
			w.markRepeat(at)
		}
	}
}

func (w *Workspace) markRepeat(at int) {
	w.marks[at] &^= repeats
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
