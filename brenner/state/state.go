// Package state is an artifact as data: seven sections of items with JSON values,
// independent of where or how they were written.
//
// Merging makes states, rendering writes them as Markdown, package diff compares them
// with artifacts. Of this module it imports only protocol.
package state

import (
	"maps"
	"time"

	"github.com/tidwall/btree"

	"github.com/brennerlint/brennerlint/brenner"
)

// State is the content of an artifact. The zero State is an empty one.
//
// A clone costs nothing, and shares with the original everything that neither of them
// changes afterwards: a thread of many versions has many states. So items found in a
// state are read-only; Change changes one.
type State struct {
	sections [len(brenner.Sections) + 1]section
	// predicting maps each hypothesis to the predictions that were given an outcome for
	// it; nil until first used.
	predicting *predicting
	// self marks the items that only this state has.
	self *owner
}

type section struct {
	// items are in numeric id order, killed ones included; research_thread has one item,
	// RT, or none.
	items btree.Map[uint64, *Item]
	// shared reports that a clone also has these items, so that those to be changed must
	// be copied first.
	shared bool
	// content identifies the content of the section: sections with the same one have the
	// same items. It is nil unless the section is shared.
	content *owner
	// highest is the highest number ever assigned, including removed items (decisions.md
	// 23).
	highest int
	// active counts the items that are not killed, marked those of them that are Marked.
	active, marked int
}

// owner is an identity; its size must not be zero, or all would be equal.
type owner struct{ _ byte }

// Item is one item.
type Item struct {
	ID     brenner.ItemID
	Killed *Kill // nil while the item is active
	// Note is metadata by the maker of the state, such as the item's origin. It is not
	// part of the content.
	Note any

	fields map[string]any
	owner  *owner
}

// NewItem returns an active item. Its fields are plain JSON data (nil, bool, float64,
// string, []any, map[string]any) by JSON key, without the system fields. Values are never
// changed in place.
func NewItem(id brenner.ItemID, fields map[string]any) *Item {
	if fields == nil {
		fields = map[string]any{}
	}
	return &Item{ID: id, fields: fields}
}

// Fields returns the fields of the item; only Change may change them.
func (it *Item) Fields() map[string]any { return it.fields }

// outcomes returns those of a prediction by hypothesis.
func (it *Item) outcomes() map[string]any {
	if it.ID.Section != brenner.PredictionsTable {
		return nil
	}
	outcomes, _ := it.fields["predictions"].(map[string]any)
	return outcomes
}

// Kill is who killed an item, when and why.
type Kill struct {
	By     string
	At     time.Time // UTC; zero if a rendering has none
	Reason string
}

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
	flag, named := "third_alternative", brenner.NamesThirdAlternative
	switch it.ID.Section {
	case brenner.HypothesisSlate:
	case brenner.AssumptionLedger:
		flag, named = "scale_check", brenner.NamesScaleCheck
	default:
		return false
	}
	return it.fields[flag] == true || named(it.Text("name"))
}

// key orders the items of a section by their ids.
func key(id brenner.ItemID) uint64 { return uint64(id.Number)<<32 | uint64(id.Hypothesis) }

// Len returns the number of items of a section.
func (s *State) Len(sec brenner.Section) int { return s.sections[sec].items.Len() }

// Active returns the number of items of a section that are not killed.
func (s *State) Active(sec brenner.Section) int { return s.sections[sec].active }

// ActiveMarked returns the number of active items of a section that are Marked.
func (s *State) ActiveMarked(sec brenner.Section) int { return s.sections[sec].marked }

// Items returns the items of a section in id order, in a new slice.
func (s *State) Items(sec brenner.Section) []*Item { return s.sections[sec].items.Values() }

// AppendItems appends the items of a section in id order to a list.
func (s *State) AppendItems(list []*Item, sec brenner.Section) []*Item {
	s.sections[sec].items.Scan(func(_ uint64, it *Item) bool {
		list = append(list, it)
		return true
	})
	return list
}

// Bounds returns the first and the last item of a section in id order; nil if there are
// none.
func (s *State) Bounds(sec brenner.Section) (first, last *Item) {
	_, first, _ = s.sections[sec].items.Min()
	_, last, _ = s.sections[sec].items.Max()
	return first, last
}

// Find returns the item of that id, or nil.
func (s *State) Find(id brenner.ItemID) *Item {
	it, _ := s.sections[id.Section].items.Get(key(id))
	return it
}

// Add inserts a new item in id order. An item whose id is taken is not added: Add returns
// false.
func (s *State) Add(it *Item) bool {
	if s.Find(it.ID) != nil {
		return false
	}
	it.owner = s.identity()
	s.put(it, nil)
	return true
}

// AddShared is Add for an item of another state, which both share until one of them
// changes it.
func (s *State) AddShared(it *Item) bool {
	if s.Find(it.ID) != nil {
		return false
	}
	s.SetShared(it)
	return true
}

// SetShared is AddShared that replaces the item with the same id, if any.
func (s *State) SetShared(it *Item) {
	var before map[string]any
	if old := s.Find(it.ID); old != nil {
		s.count(old, -1)
		before = s.indexed(old)
	}
	it.owner = nil
	s.put(it, before)
}

// ShareSection replaces the items of a section by those of another state, at no cost:
// both share them until one of them changes them. The other state must not be in use by
// another goroutine. The highest number becomes the higher one of both.
func (s *State) ShareSection(sec brenner.Section, of *State) {
	of.sections[sec].share()
	of.self = nil // its own items are shared from now on
	highest := s.Highest(sec)
	s.sections[sec] = of.sections[sec]
	s.ReserveID(sec, highest)
	if sec == brenner.PredictionsTable {
		s.predicting = nil
	}
}

// SharesSection reports whether two states are known to have the same items in a section;
// false means unknown.
func (s *State) SharesSection(sec brenner.Section, o *State) bool {
	content := s.sections[sec].content
	return content != nil && content == o.sections[sec].content
}

// put sets an item; before are the outcomes of the one in its place.
func (s *State) put(it *Item, before map[string]any) {
	s.writable(it.ID.Section).Set(key(it.ID), it)
	s.ReserveID(it.ID.Section, it.ID.Number)
	s.count(it, 1)
	s.predicted(it, before)
}

// Remove removes an item; false if there is none. Its number stays assigned.
func (s *State) Remove(id brenner.ItemID) bool {
	it := s.Find(id)
	if it == nil {
		return false
	}
	s.writable(id.Section).Delete(key(id))
	s.count(it, -1)
	return true
}

// Change changes an item; false if there is none. The item is a copy if clones
// share it.
func (s *State) Change(id brenner.ItemID, change func(it *Item)) bool {
	it := s.Find(id)
	if it == nil {
		return false
	}
	s.count(it, -1)
	if self := s.identity(); it.owner != self {
		it = &Item{ID: id, fields: maps.Clone(it.fields), Killed: it.Killed, Note: it.Note, owner: self}
		s.writable(id.Section).Set(key(id), it)
	}
	before := s.indexed(it) // outcomes are never removed in place
	change(it)
	s.count(it, 1)
	s.predicted(it, before)
	return true
}

// Kill kills an item and gives it another note; false if there is none. The fields remain
// shared.
func (s *State) Kill(id brenner.ItemID, k *Kill, note any) bool {
	it := s.Find(id)
	if it == nil {
		return false
	}
	s.count(it, -1)
	killed := &Item{ID: id, fields: it.fields, Killed: k, Note: note}
	s.writable(id.Section).Set(key(id), killed)
	return true
}

// count adds an item to the counts, or subtracts it.
func (s *State) count(it *Item, by int) {
	if sec := &s.sections[it.ID.Section]; it.Active() {
		sec.active += by
		if it.Marked() {
			sec.marked += by
		}
	}
}

// writable returns a section's items to be changed.
func (s *State) writable(sec brenner.Section) *btree.Map[uint64, *Item] {
	at := &s.sections[sec]
	if at.shared {
		at.items, at.shared, at.content = *at.items.Copy(), false, nil
	}
	return &at.items
}

// Highest returns the highest number ever assigned in a section, 0 if none was.
func (s *State) Highest(sec brenner.Section) int { return s.sections[sec].highest }

// ReserveID records that a number was assigned, so that it is not assigned again.
func (s *State) ReserveID(sec brenner.Section, number int) {
	s.sections[sec].highest = max(s.sections[sec].highest, number)
}

func (s *section) share() {
	if s.shared = true; s.content == nil {
		s.content = new(owner)
	}
}

// Clone returns a copy; changes to the copy do not affect the original, nor the other way
// round.
func (s *State) Clone() *State {
	for i := range s.sections {
		s.sections[i].share()
	}
	s.self = nil // its own items are shared from now on
	return &State{sections: s.sections, predicting: s.predicting.clone()}
}

func (s *State) identity() *owner {
	if s.self == nil {
		s.self = new(owner)
	}
	return s.self
}
