package diff

import (
	"slices"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/state"
)

// Before is what the previous version shows of the wanted items. Each wanted item is in
// Published, in Absent or in Changed; a comparison relies on that.
type Before struct {
	Published *state.State
	Absent    *Absent // as they were omitted
	Changed   map[brenner.ItemID]bool
}

// omits reports whether items of a section were left out.
func (b *Before) omits(sec brenner.Section) bool { return b != nil && b.Absent.Len(sec) > 0 }

// ids returns the items of a section that are always compared: what was published before
// and what may have changed. Some are listed more than once.
func (b *Before) ids(sec brenner.Section) (ids []brenner.ItemID) {
	for _, it := range b.Published.Items(sec) {
		ids = append(ids, it.ID)
	}
	for id := range b.Changed {
		if id.Section == sec {
			ids = append(ids, id)
		}
	}
	return ids
}

// withKey returns the absent items of a section that have a key and have not changed:
// the first ones in order of id, up to a maximum.
func (b *Before) withKey(sec brenner.Section, k key, most int) (ids []brenner.ItemID) {
	s := &b.Absent.sections[sec]
	for id := range s.byKey[k] {
		if !b.Changed[id] {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, brenner.ItemID.Compare)
	return ids[:min(len(ids), most)]
}

// Absent are items that versions left out of what they published. They may be far more
// than what is published, in each version: a comparison reads only those that something
// published may match. The zero Absent is empty.
type Absent struct {
	sections [len(brenner.Sections) + 1]absentSection
}

type absentSection struct {
	items map[brenner.ItemID]Identity
	byKey map[key]map[brenner.ItemID]bool
}

// Len returns the number of absent items of a section.
func (a *Absent) Len(sec brenner.Section) int { return len(a.sections[sec].items) }

// Has reports whether an item is absent.
func (a *Absent) Has(id brenner.ItemID) bool {
	_, has := a.sections[id.Section].items[id]
	return has
}

// Add adds or updates an item.
func (a *Absent) Add(it *state.Item) {
	a.Remove(it.ID)
	s := &a.sections[it.ID.Section]
	if s.items == nil {
		s.items, s.byKey = map[brenner.ItemID]Identity{}, map[key]map[brenner.ItemID]bool{}
	}
	identity := Identify(it.ID.Section, it.Fields())
	s.items[it.ID] = identity
	for _, k := range identity.keys() {
		if s.byKey[k] == nil {
			s.byKey[k] = map[brenner.ItemID]bool{}
		}
		s.byKey[k][it.ID] = true
	}
}

// Remove removes an item, if it is absent.
func (a *Absent) Remove(id brenner.ItemID) {
	s := &a.sections[id.Section]
	for _, k := range s.items[id].keys() {
		delete(s.byKey[k], id)
	}
	delete(s.items, id)
}

// Clear removes the items of a section.
func (a *Absent) Clear(sec brenner.Section) { a.sections[sec] = absentSection{} }
