package artifact

import (
	"iter"
	"slices"

	"github.com/brennerlint/brennerlint/protocol"
)

// Items yields the items that State has: of those with one id the first, and no research
// thread without content.
func (a *Artifact) Items() iter.Seq[*Item] {
	return func(yield func(*Item) bool) {
		var seen idSet
		for _, sec := range a.Sections {
			if !sec.eachItem(&seen, yield) {
				return
			}
		}
	}
}

// ItemsIn yields those of Items that belong to a section.
func (a *Artifact) ItemsIn(kind protocol.Section) iter.Seq[*Item] {
	return func(yield func(*Item) bool) {
		var seen idSet
		for _, sec := range a.Sections {
			if sec.Kind == kind && !sec.eachItem(&seen, yield) {
				return
			}
		}
	}
}

// eachItem yields the items of a section that count and were not seen; false if there is no
// need to go on.
func (s *Section) eachItem(seen *idSet, yield func(*Item) bool) bool {
	for _, it := range s.Items {
		if it.counts() && seen.add(it.ID) && !yield(it) {
			return false
		}
	}
	return true
}

// idSet is a set of ids; most have small numbers.
type idSet struct {
	small [len(protocol.Sections) + 1]uint64 // a bit for each number
	large map[protocol.ItemID]bool
}

// add adds an id; false if the set has it.
func (s *idSet) add(id protocol.ItemID) bool {
	if id.Hypothesis == 0 && uint(id.Number) < 64 {
		bit := uint64(1) << id.Number
		had := s.small[id.Section]&bit != 0
		s.small[id.Section] |= bit
		return !had
	}
	if s.large == nil {
		s.large = map[protocol.ItemID]bool{}
	}
	had := s.large[id]
	s.large[id] = true
	return !had
}

// counts reports whether the item counts: a section without a statement has no research
// thread.
func (it *Item) counts() bool {
	return it.ID.Section != protocol.ResearchThread || it.Killed ||
		slices.ContainsFunc(it.Fields, func(f *Field) bool { return !isSystemField(f.Key) && !f.isAbsent() })
}
