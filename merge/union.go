package merge

import (
	"slices"

	"github.com/brennerlint/brennerlint/state"
)

// memberSet is an array with an index of its values, so that many unions with
// it cost no more than what they bring.
type memberSet struct {
	list []any
	keys map[string]bool
}

func newMemberSet(list []any) *memberSet {
	s := &memberSet{list: slices.Clip(list), keys: make(map[string]bool, len(list))}
	for _, v := range list {
		s.keys[memberKey(v)] = true
	}
	return s
}

// add appends the values that are not there yet and reports whether there were
// any. Lists handed out before stay as they were.
func (s *memberSet) add(values []any) bool {
	before := len(s.list)
	for _, v := range values {
		if key := memberKey(v); !s.keys[key] {
			s.keys[key] = true
			s.list = append(s.list, v)
		}
	}
	return len(s.list) > before
}

// memberKey tells values apart: references are united by value (decisions.md 20).
func memberKey(v any) string {
	if text, ok := v.(string); ok {
		return `"` + text // no canonical form of another value begins so
	}
	return state.Canonical(v)
}
