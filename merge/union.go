package merge

import (
	"maps"
	"slices"

	"github.com/brennerlint/brennerlint/state"
)

// memberSet is an array with an index of its values, so that the cost of a union
// depends only on what it adds.
type memberSet struct {
	list []any
	at   map[string]int // index in the list, by value
}

func newMemberSet(list []any) *memberSet {
	s := &memberSet{list: slices.Clip(list), at: make(map[string]int, len(list))}
	for i, v := range list {
		if key := memberKey(v); !s.has(key, i) {
			s.at[key] = i
		}
	}
	return s
}

// has reports whether a value is among the first n of the list.
func (s *memberSet) has(key string, n int) bool {
	i, ok := s.at[key]
	return ok && i < n
}

// add appends the values that are not there yet and reports whether there were any.
// Lists returned before do not change.
func (s *memberSet) add(values []any) bool {
	before := len(s.list)
	for _, v := range values {
		if key := memberKey(v); !s.has(key, len(s.list)) {
			s.at[key] = len(s.list)
			s.list = append(s.list, v)
		}
	}
	return len(s.list) > before
}

// Arrays keeps the indexes of arrays from one merge to the next that continues from
// its state: a long array is not indexed again for each window. It is for one sequence
// of merges and not safe for concurrent use.
type Arrays struct{ sets map[fieldKey]*memberSet }

// find returns the index of exactly that array, or nil.
func (a *Arrays) find(k fieldKey, list []any) *memberSet {
	if a == nil || a.sets[k] == nil || len(list) == 0 {
		return nil
	}
	set := a.sets[k]
	if len(set.list) != len(list) || &set.list[0] != &list[0] {
		return nil
	}
	return set
}

// keep keeps the indexes of a merge.
func (a *Arrays) keep(sets map[fieldKey]*memberSet) {
	if a == nil || len(sets) == 0 {
		return
	}
	if a.sets == nil {
		a.sets = make(map[fieldKey]*memberSet, len(sets))
	}
	maps.Copy(a.sets, sets)
}

// memberKey distinguishes values: references are united by value (decisions.md 20).
func memberKey(v any) string {
	if text, ok := v.(string); ok {
		return `"` + text // no canonical form of another value begins like this
	}
	return state.Canonical(v)
}
