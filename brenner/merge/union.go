package merge

import (
	"maps"
	"slices"

	"github.com/brennerlint/brennerlint/brenner/state"
)

// memberSet is an array with an index of its values unless they are few texts, so that the
// cost of a union depends only on what it adds.
type memberSet struct {
	list []any
	at   map[string]int // index in the list, by value; nil if it is a few texts
}

// fewMembers is how many texts are searched without an index. Other values may be long, and
// would be encoded for each comparison.
const fewMembers = 8

func newMemberSet(list []any) *memberSet {
	s := &memberSet{list: slices.Clip(list)}
	s.index()
	return s
}

// index makes the index once the list is more than a few texts.
func (s *memberSet) index() {
	if s.at != nil || len(s.list) <= fewMembers && !slices.ContainsFunc(s.list, func(v any) bool { return !isText(v) }) {
		return
	}
	s.at = make(map[string]int, len(s.list))
	for i, v := range s.list {
		if key := memberKey(v); !s.known(key) {
			s.at[key] = i
		}
	}
}

func (s *memberSet) known(key string) bool {
	_, ok := s.at[key]
	return ok
}

// has reports whether a value is among the first n of the list.
func (s *memberSet) has(v any, n int) bool {
	if s.at == nil {
		return isText(v) && slices.Contains(s.list[:n], v)
	}
	i, ok := s.at[memberKey(v)]
	return ok && i < n
}

// add appends the values that are not there yet. Lists returned before do not change.
func (s *memberSet) add(values []any) {
	for _, v := range values {
		if s.has(v, len(s.list)) {
			continue
		}
		if s.list = append(s.list, v); s.at != nil {
			s.at[memberKey(v)] = len(s.list) - 1
		} else {
			s.index()
		}
	}
}

// Arrays keeps the indexes of long arrays from one merge to the next that continues from
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

func isText(v any) bool {
	_, is := v.(string)
	return is
}
