package brenner

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

// model is a plain description of a state: what each item has, as text.
type model map[ItemID]string

func (m model) of(sec Section) []ItemID {
	var out []ItemID
	for id := range m {
		if id.Section == sec {
			out = append(out, id)
		}
	}
	slices.SortFunc(out, ItemID.Compare)
	return out
}

// Clones, even of clones, are independent of each other, and each counts and finds its
// items, however many it has.
func TestClonesAreIndependent(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 0))
		states, models := []*State{{}}, []model{{}}
		for range 1 + r.IntN(60) {
			i := r.IntN(len(states))
			s, m := states[i], models[i]
			switch r.IntN(7) {
			case 0:
				states, models = append(states, s.Clone()), append(models, maps.Clone(m))
			case 1:
				for _, it := range states[r.IntN(len(states))].Items(HypothesisSlate) {
					if s.Add(it) {
						m[it.ID] = text(it)
					}
				}
			case 2:
				other := states[r.IntN(len(states))]
				for _, sec := range []Section{HypothesisSlate, PredictionsTable} {
					for _, it := range other.Items(sec) {
						s.Put(it)
						m[it.ID] = text(it)
					}
				}
			case 3:
				sec, other := Sections[r.IntN(len(Sections))], r.IntN(len(states))
				highest := max(s.Highest(sec), states[other].Highest(sec))
				if s.Replace(sec, states[other]); s.Highest(sec) != highest {
					t.Fatalf("the highest number of %s is %d, not %d", sec, s.Highest(sec), highest)
				}
				for id := range m {
					if id.Section == sec {
						delete(m, id)
					}
				}
				for _, it := range states[other].Items(sec) {
					m[it.ID] = text(it)
				}
			default:
				sec := []Section{HypothesisSlate, PredictionsTable, AssumptionLedger}[r.IntN(3)]
				low := 1 + r.Int32N(150)
				for n := range r.Int32N(100) {
					change(r, s, m, ItemID{Section: sec, Number: low + n})
				}
			}
			if r.IntN(4) == 0 {
				check(t, s, m)
			}
		}
		for i, s := range states {
			check(t, s, models[i])
			for j, other := range states {
				if same := maps.Equal(models[i], models[j]); s.Equal(other) != same {
					t.Fatalf("states %d and %d are equal: %t", i, j, !same)
				}
			}
		}
	}
}

// change adds an item, or changes it if it exists.
func change(r *rand.Rand, s *State, m model, id ItemID) {
	fields := map[string]any{"name": []string{"x", "Third alternative", "Scale check"}[r.IntN(3)]}
	if id.Section == PredictionsTable {
		fields["predictions"] = map[string]any{fmt.Sprint("H", 1+r.IntN(3)): "up"}
	}
	if _, there := m[id]; !there {
		it := NewItem(id, fields)
		s.Add(it)
		m[id] = text(it)
		return
	}
	it := s.Find(id).Clone()
	maps.Copy(it.Fields(), fields)
	it.Killed = nil
	if r.IntN(2) == 0 {
		it.Killed = &Killing{By: "Ada"}
	}
	m[id] = text(it)
	s.Put(it)
}

func text(it *Item) string { return string(it.canonicalJSON()) }

func check(t *testing.T, s *State, m model) {
	for _, sec := range Sections {
		ids, items := m.of(sec), s.Items(sec)
		active, marked := 0, 0
		for i, it := range items {
			if i >= len(ids) || it.ID != ids[i] || text(it) != m[it.ID] || s.Find(it.ID) != it {
				t.Fatalf("item %d of %s is %s", i, sec, text(it))
			}
			if it.Active() {
				active++
				if it.Marked() {
					marked++
				}
			}
		}
		if len(items) != len(ids) || s.Len(sec) != len(ids) || s.Active(sec) != active || s.ActiveMarked(sec) != marked {
			t.Fatalf("%s: %d items of %d, %d active of %d, %d marked of %d", sec, s.Len(sec), len(ids), s.Active(sec), active, s.ActiveMarked(sec), marked)
		}
	}
}

func TestEqual(t *testing.T) {
	var a State
	for _, n := range []string{"RT", "H1", "H2"} {
		a.Add(NewItem(id(t, n), map[string]any{"name": n}))
	}
	b := a.Clone()
	noted := b.Find(id(t, "H1")).Clone()
	noted.Note = "noted"
	if b.Put(noted); !a.Equal(b) {
		t.Error("a note is taken for content")
	}
	other := noted.Clone()
	other.Fields()["name"] = "other"
	if b.Put(other); a.Equal(b) {
		t.Error("another name is not seen")
	}
	b = a.Clone()
	if b.Add(&Item{ID: id(t, "A1")}); a.Equal(b) || b.Equal(&a) {
		t.Error("an item more is not seen")
	}
}
