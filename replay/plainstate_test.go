package replay_test

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"maps"
	"strings"
)

// plainItem is an item as the state hash has it (decisions.md 28).
type plainItem = map[string]any

// plainState is the items of each section, by id of the section.
type plainState map[string][]plainItem

func (s plainState) clone() plainState {
	out := plainState{}
	for sec, items := range s {
		for _, it := range items {
			out[sec] = append(out[sec], maps.Clone(it))
		}
	}
	return out
}

func (s plainState) find(sec, id string) plainItem {
	for _, it := range s[sec] {
		if it["id"] == id {
			return it
		}
	}
	return nil
}

func (s plainState) hash() string {
	out := map[string]any{}
	for _, sec := range plainSections {
		items := append([]plainItem{}, s[sec.id]...)
		if out[sec.id] = items; sec.id == "research_thread" {
			if out[sec.id] = nil; len(items) > 0 {
				out[sec.id] = items[0]
			}
		}
	}
	return fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(plainJSON(out))))
}

// plainValues orders scalars as values: null, false, true, numbers, texts.
func plainValues(a, b any) int {
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
