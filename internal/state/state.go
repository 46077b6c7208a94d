// Package state is an artifact as data: seven sections of items with JSON
// values, and nothing of where or how they were written.
//
// Merging makes states, rendering writes them as Markdown, comparing holds two
// of them against each other. It imports nothing but protocol.
package state

import (
	"time"

	"github.com/brennerlint/brennerlint/internal/protocol"
)

// State is the content of an artifact.
type State struct {
	// sections[s] are the items of section s in numeric id order, killed ones
	// included; research_thread holds one item, RT, or none.
	sections [len(protocol.Sections) + 1][]*Item
}

// Item is one item. Fields hold plain JSON data (nil, bool, float64, string,
// []any, map[string]any) by JSON key, without the system fields.
type Item struct {
	ID     protocol.ItemID
	Fields map[string]any
	Killed *Kill // nil while the item is active
}

// Kill tells who killed an item, when and why.
type Kill struct {
	By     string
	At     time.Time // UTC; zero where a rendering gives none
	Reason string
}

// Active reports whether the item is not killed.
func (it *Item) Active() bool { return it.Killed == nil }

// Items are the items of a section in id order. The slice is the state's own.
func (s *State) Items(sec protocol.Section) []*Item { return s.sections[sec] }

// Find is the item of that id, or nil.
func (s *State) Find(id protocol.ItemID) *Item {
	for _, it := range s.sections[id.Section] {
		if it.ID == id {
			return it
		}
	}
	return nil
}

// Add puts an item in its place in id order.
func (s *State) Add(it *Item) {
	items := s.sections[it.ID.Section]
	at := len(items)
	for at > 0 && items[at-1].ID.Compare(it.ID) > 0 {
		at--
	}
	items = append(items, nil)
	copy(items[at+1:], items[at:])
	items[at] = it
	s.sections[it.ID.Section] = items
}
