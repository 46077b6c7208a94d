// Package oracle is a second merge, small and slow, written from the specifications
// and decisions.md 16 to 29, 43 to 60 and 81 to 91. It shares no code with packages merge and
// replay, which are compared with it, and tries everything. The conformance suite's
// expected states come from it. Its tests also judge what publishers make of a merge.
package oracle

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// item is an item as the state hash has it (decisions.md 28).
type item = map[string]any

// numberOf returns the number in an item's id.
func numberOf(id any) int {
	n, _ := strconv.Atoi(strings.TrimLeft(id.(string), "RTHPAXC"))
	return n
}

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

// item returns the item with an id; nil if there is none.
func (s state) item(id string) item {
	for _, items := range s {
		for _, it := range items {
			if it["id"] == id {
				return it
			}
		}
	}
	return nil
}

// canonical returns the state as decisions.md 28 writes it.
func (s state) canonical() string {
	out := map[string]any{"research_thread": nil}
	for _, sec := range Sections {
		switch {
		case sec.ID != "research_thread":
			out[sec.ID] = append([]item{}, s[sec.ID]...)
		case len(s[sec.ID]) > 0:
			out[sec.ID] = s[sec.ID][0]
		}
	}
	return canonical(out)
}

func (s state) hash() string {
	return fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(s.canonical())))
}

// compareValues orders scalars as values: null, false, true, numbers, texts.
func compareValues(a, b any) int {
	kind := func(v any) int {
		return slices.Index([]string{"<nil>", "bool", "float64", "string"}, fmt.Sprintf("%T", v))
	}
	x, _ := a.(float64)
	y, _ := b.(float64)
	return cmp.Or(kind(a)-kind(b), cmp.Compare(x, y), strings.Compare(fmt.Sprint(a), fmt.Sprint(b)))
}
