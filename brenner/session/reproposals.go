package session

// Reproposal is an item that was added after an item with the same Key was killed.
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
			if !s.Added[i].follows(r) {
				continue
			}
			out = append(out, r)
		}
	}
	return out
}

// follows reports whether an item was added after one was killed. Within a session the time
// shows that, and in one message the order of its deltas.
func (i *ItemRecord) follows(r Reproposal) bool {
	k := r.Of
	if r.Killed.ID != r.Added.ID {
		return i.At > k.At
	}
	return !k.undated() && (i.At > k.At || i.At == k.At && i.Message == k.Message && i.Delta > k.Delta)
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
