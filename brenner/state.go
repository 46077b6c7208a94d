package brenner

import (
	"maps"
	"slices"
	"time"
)

// State is an artifact as data: seven sections of items with JSON values, independent of the
// text that they came from. The zero State is an empty one. Package merge makes states, package
// artifact renders them as Markdown, package diff compares them with artifacts.
//
// Items of a state are read-only, because clones of the state share them. To change an item,
// Put a changed Clone of it.
type State struct {
	sections [len(Sections) + 1]section
}

type section struct {
	// items are in numeric id order, killed ones included; research_thread has one item,
	// RT, or none.
	items []*Item
	// highest is the highest number ever assigned, also to items that are no longer there
	// (decisions.md 23).
	highest int32
}

// Item is one item.
type Item struct {
	ID     ItemID
	Killed *Killing // nil while the item is active
	// Note belongs to the maker of the state, such as the item's origin. It is not part of the
	// content.
	Note any

	fields map[string]any
	json   []byte // canonicalJSON, nil until it is asked for
}

// NewItem returns an active item. Its fields are plain JSON data (nil, bool, float64,
// string, []any, map[string]any) by JSON key, without the system fields. Values are never
// changed in place.
func NewItem(id ItemID, fields map[string]any) *Item {
	if fields == nil {
		fields = map[string]any{}
	}
	return &Item{ID: id, fields: fields}
}

// Fields returns the item's fields. Only the code that made the item may change them, before a second
// state shares it.
func (it *Item) Fields() map[string]any { return it.fields }

// Clone returns a copy with fields of its own.
func (it *Item) Clone() *Item {
	c := *it
	c.fields, c.json = maps.Clone(it.fields), nil
	return &c
}

// Killing is who killed an item, when and why.
type Killing struct {
	By     string
	At     time.Time // UTC; zero if a rendering has none
	Reason string
}

// NotApplicable is the outcome of a prediction of a killed hypothesis
// (artifact_delta_spec, Predictions Table).
const NotApplicable = "N/A"

// Active reports whether the item is not killed.
func (it *Item) Active() bool { return it.Killed == nil }

// Text returns the string in a field, "" if it has none.
func (it *Item) Text(key string) string {
	s, _ := it.fields[key].(string)
	return s
}

// Marked reports whether the item is a third alternative, or a scale or physics
// check, by its flag or its name.
func (it *Item) Marked() bool {
	switch name := it.Text("name"); it.ID.Section {
	case HypothesisSlate:
		return it.fields["third_alternative"] == true || NamesThirdAlternative(name)
	case AssumptionLedger:
		return it.fields["scale_check"] == true || NamesScaleCheck(name)
	}
	return false
}

// Clone returns a copy. Changes of one do not affect the other.
func (s *State) Clone() *State {
	c := *s
	for i := range c.sections {
		c.sections[i].items = slices.Clone(c.sections[i].items)
	}
	return &c
}

// Len returns the number of items of a section.
func (s *State) Len(sec Section) int { return len(s.sections[sec].items) }

// Active returns the number of items of a section that are not killed.
func (s *State) Active(sec Section) (n int) {
	for _, it := range s.sections[sec].items {
		if it.Active() {
			n++
		}
	}
	return n
}

// HasMarked reports whether an active item of a section is Marked.
func (s *State) HasMarked(sec Section) bool {
	return slices.ContainsFunc(s.sections[sec].items, func(it *Item) bool { return it.Active() && it.Marked() })
}

// Items returns the items of a section in id order. It is a view of the state: it is read-only,
// and valid until the state gains or loses an item.
func (s *State) Items(sec Section) []*Item { return slices.Clip(s.sections[sec].items) }

// find returns the place of an id among the items of its section, and whether it is taken.
func (s *State) find(id ItemID) (int, bool) {
	return slices.BinarySearchFunc(s.sections[id.Section].items, id, func(it *Item, id ItemID) int { return it.ID.Compare(id) })
}

// Find returns the item of that id, or nil.
func (s *State) Find(id ItemID) *Item {
	if at, found := s.find(id); found {
		return s.sections[id.Section].items[at]
	}
	return nil
}

// IsKilled reports whether the item of that id is there, and killed.
func (s *State) IsKilled(id ItemID) bool {
	it := s.Find(id)
	return it != nil && !it.Active()
}

// Add inserts an item in id order. An item whose id is taken is not added: Add returns
// false.
func (s *State) Add(it *Item) bool {
	if s.Find(it.ID) != nil {
		return false
	}
	s.Put(it)
	return true
}

// Put inserts an item, or replaces the one with the same id.
func (s *State) Put(it *Item) {
	sec := &s.sections[it.ID.Section]
	at, found := s.find(it.ID)
	if !found {
		sec.items = slices.Insert(sec.items, at, it)
	}
	sec.items[at] = it
	s.ReserveID(it.ID.Section, it.ID.Number)
}

// Remove takes items out. Their ids stay reserved.
func (s *State) Remove(ids map[ItemID]bool) {
	for sec := range s.sections {
		s.sections[sec].items = slices.DeleteFunc(slices.Clone(s.sections[sec].items), func(it *Item) bool { return ids[it.ID] })
	}
}

// Replace replaces the items of a section by those of another state. Highest becomes the higher
// one of both states.
func (s *State) Replace(sec Section, of *State) {
	highest := s.Highest(sec)
	s.sections[sec] = of.sections[sec]
	s.sections[sec].items = slices.Clone(of.sections[sec].items)
	s.ReserveID(sec, highest)
}

// Highest returns the highest number ever assigned in a section, 0 if none was.
func (s *State) Highest(sec Section) int32 { return s.sections[sec].highest }

// ReserveID records that a number was assigned, so that it is not assigned again.
func (s *State) ReserveID(sec Section, number int32) {
	s.sections[sec].highest = max(s.sections[sec].highest, number)
}
