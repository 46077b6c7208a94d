package brenner

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// Hash returns "sha256:" and the hexadecimal SHA-256 of the canonical JSON
// (decisions.md 28).
func (s *State) Hash() string { return fmt.Sprintf("sha256:%x", sha256.Sum256(s.CanonicalJSON())) }

// CanonicalJSON returns the state as RFC 8785 JSON: an object of the seven sections,
// research_thread an object or null, the others arrays of items, each with its
// id, its stored fields and, if killed, by whom, when and why (decisions.md 28).
func (s *State) CanonicalJSON() []byte {
	sections := slices.SortedFunc(slices.Values(Sections[:]), func(a, b Section) int { return cmp.Compare(a.ID(), b.ID()) })
	out := []byte("{")
	for i, sec := range sections {
		if i > 0 {
			out = append(out, ',')
		}
		out = fmt.Appendf(out, "%q:", sec.ID())
		var items [][]byte
		for _, it := range s.sections[sec].items {
			items = append(items, it.canonicalJSON())
		}
		switch list := bytes.Join(items, []byte(",")); {
		case sec != ResearchThread:
			out = fmt.Appendf(out, "[%s]", list)
		case len(items) == 0:
			out = append(out, "null"...)
		default:
			out = append(out, list...)
		}
	}
	return append(out, '}')
}

// canonicalJSON returns an item as RFC 8785 JSON: its fields, its id and how it was killed. It is
// kept: each version of a thread is hashed, and holds mostly the items of the one before.
func (it *Item) canonicalJSON() []byte {
	if it.json == nil {
		members := make(map[string]any, len(it.fields)+5)
		maps.Copy(members, it.fields)
		members["id"] = it.ID.String()
		if k := it.Killed; k != nil {
			members["killed"], members["killed_by"], members["kill_reason"] = true, k.By, k.Reason
			members["killed_at"] = FormatTime(k.At)
		}
		it.json = []byte(Canonical(members))
	}
	return it.json
}

// Equal reports whether two states have the same canonical JSON.
func (s *State) Equal(o *State) bool {
	same := func(a, b *Item) bool { return a == b || bytes.Equal(a.canonicalJSON(), b.canonicalJSON()) }
	return slices.EqualFunc(s.sections[:], o.sections[:], func(a, b section) bool { return slices.EqualFunc(a.items, b.items, same) })
}

// SameValue reports whether two values of plain JSON data are equal.
func SameValue(a, b any) bool {
	switch a := a.(type) {
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, SameValue)
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && maps.EqualFunc(a, b, SameValue)
	}
	switch b.(type) {
	case []any, map[string]any:
		return false // they cannot be compared with ==
	}
	return a == b
}

// Canonical returns plain JSON data in the form of RFC 8785. Equal values have the same form,
// and different values different forms.
func Canonical(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // it is not plain JSON data
	}
	out := jsontext.Value(data)
	if err := out.Canonicalize(jsontext.AllowDuplicateNames(true)); err != nil { // names of invalid UTF-8 may become equal
		panic(err)
	}
	return string(out)
}
