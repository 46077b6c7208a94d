package state

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"

	"github.com/brennerlint/brennerlint/brenner"
)

// Hasher hashes consecutive states, such as those of a thread's versions. Its result is
// that of State.Hash, but it makes the JSON of items that a state shares with the
// previous one only once, and rehashes only from the first section that differs. The
// states must not be changed afterwards.
//
// The zero Hasher has seen no state.
type Hasher struct {
	parts [len(brenner.Sections)]hashedPart // in the order of sectionsByID
}

// hashedPart is a section of the previous state.
type hashedPart struct {
	content *owner // of the section, nil if it has none
	items   []*Item
	spans   []span // of the items in data
	data    []byte // the section as JSON, with its name
	after   hash.Hash
	spare   []byte // for the next data
}

type span struct{ start, end int }

// Hash returns the hash of a state.
func (h *Hasher) Hash(s *State) string {
	sum, same := sha256.New(), true
	for i, sec := range sectionsByID {
		p := &h.parts[i]
		if p.after != nil && p.holds(s, sec) {
			if same {
				continue
			}
		} else {
			if same && i > 0 {
				sum = clone(h.parts[i-1].after)
			}
			same = false
			p.update(s, sec, i == 0)
		}
		sum.Write(p.data)
		p.after = clone(sum)
	}
	if same {
		sum = clone(h.parts[len(h.parts)-1].after)
	}
	sum.Write([]byte{'}'})
	return "sha256:" + hex.EncodeToString(sum.Sum(nil))
}

// clone returns a copy of a SHA-256 that is not finished.
func clone(sum hash.Hash) hash.Hash {
	out, err := sum.(hash.Cloner).Clone()
	if err != nil {
		panic(err) // that of crypto/sha256 can be copied
	}
	return out
}

// holds reports whether a section is unchanged.
func (p *hashedPart) holds(s *State, sec brenner.Section) bool {
	content := s.sections[sec].content
	if content != nil && content == p.content {
		return true
	}
	if s.Len(sec) != len(p.items) {
		return false
	}
	i, same := 0, true
	s.sections[sec].items.Scan(func(_ uint64, it *Item) bool {
		same = it == p.items[i]
		i++
		return same
	})
	if same {
		p.content = content
	}
	return same
}

// update records a section. Both lists of items are in the order of ids, so that an item
// in both is found in one pass.
func (p *hashedPart) update(s *State, sec brenner.Section, first bool) {
	out := p.spare[:0]
	if first {
		out = append(out, '{')
	} else {
		out = append(out, ',')
	}
	out = append(appendString(out, sec.ID()), ':')
	items, spans := s.Items(sec), make([]span, 0, s.Len(sec))
	open := byte('[')
	at := 0 // in the previous items
	for _, it := range items {
		if sec != brenner.ResearchThread {
			out = append(out, open)
			open = ','
		}
		for at < len(p.items) && key(p.items[at].ID) < key(it.ID) {
			at++
		}
		start := len(out)
		if at < len(p.items) && p.items[at] == it {
			out = append(out, p.data[p.spans[at].start:p.spans[at].end]...)
		} else {
			out = it.appendJSON(out)
		}
		spans = append(spans, span{start, len(out)})
	}
	switch {
	case sec == brenner.ResearchThread && len(items) == 0:
		out = append(out, "null"...)
	case sec == brenner.ResearchThread:
	case len(items) == 0:
		out = append(out, "[]"...)
	default:
		out = append(out, ']')
	}
	p.spare, p.data, p.items, p.spans, p.content = p.data, out, items, spans, s.sections[sec].content
}
