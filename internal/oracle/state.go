// Package oracle is a second merge, small and slow, written from the specifications
// and decisions.md 16 to 29, 43 to 60 and 81 to 91. It shares no code with packages merge and
// replay, which are compared with it, and tries everything. The conformance suite's
// expected states come from it.
package oracle

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"maps"
	"strings"
)

// item is an item as the state hash has it (decisions.md 28).
type item = map[string]any

// state is the items of each section, by id of the section.
type state map[string][]item

func (s state) clone() state {
	out := state{}
	for sec, items := range s {
		for _, it := range items {
			out[sec] = append(out[sec], maps.Clone(it))
		}
	}
	return out
}

func (s state) find(sec, id string) item {
	for _, it := range s[sec] {
		if it["id"] == id {
			return it
		}
	}
	return nil
}

// item returns the item with an id; nil if there is none.
func (s state) item(id string) item {
	for sec := range s {
		if it := s.find(sec, id); it != nil {
			return it
		}
	}
	return nil
}

// canonical returns the state as decisions.md 28 writes it.
func (s state) canonical() string {
	out := map[string]any{}
	for _, sec := range Sections {
		items := append([]item{}, s[sec.ID]...)
		if out[sec.ID] = items; sec.ID == "research_thread" {
			if out[sec.ID] = nil; len(items) > 0 {
				out[sec.ID] = items[0]
			}
		}
	}
	return canonical(out)
}

func (s state) hash() string {
	return fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(s.canonical())))
}

// compareValues orders scalars as values: null, false, true, numbers, texts.
func compareValues(a, b any) int {
	rank := func(v any) (int, float64, string) {
		switch v := v.(type) {
		case bool:
			if v {
				return 2, 0, ""
			}
			return 1, 0, ""
		case float64:
			return 3, v, ""
		case string:
			return 4, 0, v
		}
		return 0, 0, ""
	}
	ra, na, ta := rank(a)
	rb, nb, tb := rank(b)
	return cmp.Or(ra-rb, cmp.Compare(na, nb), strings.Compare(ta, tb))
}
