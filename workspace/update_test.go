package workspace

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/brennerlint/brennerlint/protocol"
)

// randomSession returns a session of few ids, projects and paths, which adds, kills and
// refers to few items: all may be the same as in others.
func randomSession(random *rand.Rand) *Session {
	item := func() Item {
		return ItemOf(protocol.ItemID{Section: protocol.AssumptionLedger, Number: 1 + random.IntN(3)})
	}
	record := func() ItemRecord {
		r := ItemRecord{Ref: Ref{Item: item()}, Key: Key{byte(random.IntN(40))}, At: int64(random.IntN(5))}
		if r.At == 0 {
			return NewItemRecord(r.Ref, r.Key, time.Time{})
		}
		return r
	}
	s := &Session{
		ID: []string{"", "RS-1", "RS-2", "RS-3", "RS-4", "RS-5", "RS-6"}[random.IntN(7)], Project: []string{"", "p", "q"}[random.IntN(3)],
		Path: []string{"a.md", "b.sqlite3", "c.md"}[random.IntN(3)], Complete: random.IntN(4) > 0,
	}
	for range random.IntN(3) {
		s.Items = append(s.Items, item())
		s.Added = append(s.Added, record())
	}
	if random.IntN(3) == 0 {
		s.Killed = append(s.Killed, KilledItem{ItemRecord: record()})
	}
	if random.IntN(2) == 0 {
		s.AddReference(Ref{Item: item(), Delta: int32(random.IntN(2))}, map[string]any{"session": fmt.Sprintf("RS-%d", random.IntN(8)), "item": item().String()})
	}
	return s.Finish()
}

// TestUpdate changes the sessions of a workspace at random, and holds that one that is
// updated answers like a new one.
func TestUpdate(t *testing.T) {
	for seed := range uint64(40) {
		random := rand.New(rand.NewPCG(seed, 1))
		kept := &Workspace{}
		var sessions []*Session
		for round := range 30 {
			changeAtRandom(random, &sessions)
			kept.Update(sessions)
			fresh := New(sessions)
			if got, want := answers(kept), answers(fresh); !slices.Equal(got, want) {
				t.Fatalf("seed %d, round %d: updated it says\n%q\nbuilt afresh\n%q", seed, round, got, want)
			}
		}
	}
}

// changeAtRandom adds, removes, replaces and moves sessions.
func changeAtRandom(random *rand.Rand, sessions *[]*Session) {
	for range random.IntN(4) {
		at := random.IntN(len(*sessions) + 1)
		switch n := random.IntN(8); {
		case n < 4 || at == len(*sessions):
			*sessions = slices.Insert(slices.Clone(*sessions), at, randomSession(random))
		case n == 4:
			*sessions = slices.Delete(slices.Clone(*sessions), at, at+1)
		case n == 5:
			moved := (*sessions)[at]
			*sessions = append(slices.Delete(slices.Clone(*sessions), at, at+1), moved)
		default:
			again := randomSession(random)
			again.ID, again.Project, again.Path = (*sessions)[at].ID, (*sessions)[at].Project, (*sessions)[at].Path
			*sessions = slices.Clone(*sessions)
			(*sessions)[at] = again
		}
	}
	switch {
	case len(*sessions) > 40:
		*sessions = slices.Clone(*sessions)[:20]
	case random.IntN(40) == 0:
		for range maxSteps + 1 {
			*sessions = append(slices.Clone(*sessions), randomSession(random))
		}
	}
}

// answers returns all that a workspace says.
func answers(w *Workspace) []string {
	link := func(l Link) string { return fmt.Sprintf("%p %+v", l.From, *l.Reference) }
	out := []string{fmt.Sprint(w.IDs())}
	for _, s := range w.Sessions() {
		out = append(out, fmt.Sprintf("%p", s))
	}
	for _, l := range w.UnknownSessions() {
		out = append(out, "unknown session "+link(l))
	}
	for _, l := range w.UnknownItems() {
		out = append(out, "unknown item "+link(l))
	}
	for _, c := range w.Cycles() {
		for _, l := range c {
			out = append(out, "cycle "+link(l))
		}
	}
	for _, r := range w.Reproposals() {
		out = append(out, fmt.Sprintf("again %p %+v %p %+v", r.Added, *r.Item, r.Killed, *r.Of))
	}
	for n := range 8 {
		out = append(out, fmt.Sprint("highest ", w.Highest(fmt.Sprintf("RS-%d", n), protocol.AssumptionLedger)))
	}
	return out
}

// TestUpdateLooksAtLittle checks that a session that did not change is not looked at.
func TestUpdateLooksAtLittle(t *testing.T) {
	sessions := ring(50)
	w := New(sessions)
	w.Reproposals()
	w.Cycles()
	stays := sessions[7]
	again := *sessions[20]
	sessions = slices.Clone(sessions)
	sessions[20] = &again
	stays.Killed = []KilledItem{{ItemRecord: ItemRecord{Key: Key{1}}}} // would be seen
	again.Added = []ItemRecord{{Key: Key{1}, At: 9}}
	w.Update(sessions)
	if found := w.Reproposals(); len(found) > 0 {
		t.Errorf("of sessions that did not change it is seen that %v", found)
	}
	if w.Sessions()[20] != &again {
		t.Error("the new session is not there")
	}
}
