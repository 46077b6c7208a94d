// Package state is an artifact as data: seven sections of items with JSON
// values, and nothing of where or how they were written.
//
// Merging makes states, rendering writes them as Markdown, comparing holds two
// of them against each other. It imports nothing but protocol.
package state

import (
	"maps"
	"slices"
	"time"

	"github.com/brennerlint/brennerlint/internal/protocol"
)

// State is the content of an artifact. The zero State is an empty one.
//
// A clone shares its items with the original, so items found in a state are
// read only; Own gives one that may be changed.
type State struct {
	sections [len(protocol.Sections) + 1]section
	// self marks the items that this state alone holds.
	self *owner
}

type section struct {
	// items stand in numeric id order, killed ones included; research_thread
	// holds one item, RT, or none.
	items []*Item
	// highest is the highest number ever assigned, of items that are gone too
	// (decisions.md 23).
	highest int
}

// owner is an identity; it must not have size zero, or all would be one.
type owner struct{ _ byte }

// Item is one item. Fields hold plain JSON data (nil, bool, float64, string,
// []any, map[string]any) by JSON key, without the system fields. Values are
// never changed in place.
type Item struct {
	ID     protocol.ItemID
	Fields map[string]any
	Killed *Kill // nil while the item is active

	owner *owner
}

// Kill tells who killed an item, when and why.
type Kill struct {
	By     string
	At     time.Time // UTC; zero where a rendering gives none
	Reason string
}

// Sentence says who killed the item and when, as far as is known.
func (k *Kill) Sentence() string {
	out := "it is killed"
	if k.By != "" {
		out = k.By + " killed it"
	}
	if !k.At.IsZero() {
		out += " at " + protocol.FormatTime(k.At)
	}
	return out
}

// Active reports whether the item is not killed.
func (it *Item) Active() bool { return it.Killed == nil }

// Text is the string that a field holds, "" if it holds none.
func (it *Item) Text(key string) string {
	s, _ := it.Fields[key].(string)
	return s
}

// Items are the items of a section in id order. The slice is the state's own.
func (s *State) Items(sec protocol.Section) []*Item { return s.sections[sec].items }

// Find is the item of that id, or nil.
func (s *State) Find(id protocol.ItemID) *Item {
	if i, ok := s.index(id); ok {
		return s.sections[id.Section].items[i]
	}
	return nil
}

// index is where the item of that id stands, or would. Ids without a gap are
// found at once.
func (s *State) index(id protocol.ItemID) (int, bool) {
	items := s.sections[id.Section].items
	if n := id.Number - 1; n >= 0 && n < len(items) && items[n].ID == id {
		return n, true
	}
	if n := len(items); n == 0 || items[n-1].ID.Compare(id) < 0 {
		return n, false
	}
	return slices.BinarySearchFunc(items, id, func(it *Item, id protocol.ItemID) int { return it.ID.Compare(id) })
}

// Add puts an item in its place in id order. An item whose id is taken is not
// added: Add reports false.
func (s *State) Add(it *Item) bool {
	i, taken := s.index(it.ID)
	if taken {
		return false
	}
	it.owner = s.identity()
	sec := &s.sections[it.ID.Section]
	sec.items = slices.Insert(sec.items, i, it)
	s.Reserve(it.ID.Section, it.ID.Number)
	return true
}

// Own is the item of that id for changing, or nil: a copy that takes the place
// of one shared with a clone.
func (s *State) Own(id protocol.ItemID) *Item {
	i, ok := s.index(id)
	if !ok {
		return nil
	}
	at := &s.sections[id.Section].items[i]
	if self := s.identity(); (*at).owner != self {
		*at = &Item{ID: id, Fields: maps.Clone((*at).Fields), Killed: (*at).Killed, owner: self}
	}
	return *at
}

// Highest is the highest number ever assigned in a section, 0 if none was.
func (s *State) Highest(sec protocol.Section) int { return s.sections[sec].highest }

// Reserve notes that a number was assigned, so that it is not again.
func (s *State) Reserve(sec protocol.Section, number int) {
	s.sections[sec].highest = max(s.sections[sec].highest, number)
}

// Clone is a copy that can be changed without the original noticing, and the
// other way round.
func (s *State) Clone() *State {
	c := &State{sections: s.sections}
	for i := range c.sections {
		c.sections[i].items = slices.Clone(c.sections[i].items)
	}
	s.self = nil // what was its own is shared from now on
	return c
}

func (s *State) identity() *owner {
	if s.self == nil {
		s.self = new(owner)
	}
	return s.self
}
