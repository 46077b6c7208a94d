package workspace

// Reproposal is an item that was added although one that says the same had been
// killed.
type Reproposal struct {
	Added, Killed *Session // where each is
	Item          *ItemRecord
	Of            *KilledItem // the earliest
}

// Reproposals returns the items that were added again, in the order of the sessions.
func (w *Workspace) Reproposals() []Reproposal {
	killed := w.earliestKilled()
	if len(killed) == 0 {
		return nil
	}
	var out []Reproposal
	for _, s := range w.sessions {
		for i := range s.Added {
			r, ok := killed[s.Added[i].Key]
			if !ok {
				continue
			}
			r.Added, r.Item = s, &s.Added[i]
			if r.Of.At >= r.Item.At || r.Of.undated() && r.Killed.ID == s.ID {
				continue // within a session, only the time shows what was first
			}
			out = append(out, r)
		}
	}
	return out
}

// earliestKilled returns the killed items by their keys, of those that say the same the
// earliest; undated ones come last.
func (w *Workspace) earliestKilled() map[Key]Reproposal {
	killed := map[Key]Reproposal{}
	for _, s := range w.sessions {
		for i := range s.Killed {
			k := &s.Killed[i]
			if r, ok := killed[k.Key]; !ok || r.Of.undated() || !k.undated() && k.At < r.Of.At {
				killed[k.Key] = Reproposal{Killed: s, Of: k}
			}
		}
	}
	return killed
}
