package state

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/brennerlint/brennerlint/brenner"
)

// Hash returns "sha256:" and the hexadecimal SHA-256 of the canonical JSON
// (decisions.md 28).
func (s *State) Hash() string {
	h := sha256.New()
	s.writeCanonical(h)
	return fmt.Sprintf("sha256:%x", h.Sum(nil))
}

// CanonicalJSON returns the state as RFC 8785 JSON: an object of the seven sections,
// research_thread an object or null, the others arrays of items, each with its
// id, its stored fields and, if killed, by whom, when and why (decisions.md 28).
func (s *State) CanonicalJSON() []byte {
	var out bytes.Buffer
	s.writeCanonical(&out)
	return out.Bytes()
}

// writeCanonical writes CanonicalJSON.
func (s *State) writeCanonical(w io.Writer) {
	sections := slices.SortedFunc(slices.Values(brenner.Sections[:]), func(a, b brenner.Section) int { return cmp.Compare(a.ID(), b.ID()) })
	for i, sec := range sections {
		open, end := `":[`, "]"
		if sec == brenner.ResearchThread {
			if open, end = `":`, ""; s.Len(sec) == 0 {
				end = "null"
			}
		}
		fmt.Fprint(w, "{,"[min(i, 1):min(i, 1)+1], `"`, sec.ID(), open)
		for j, it := range s.sections[sec].items {
			if j > 0 {
				io.WriteString(w, ",")
			}
			w.Write(it.canonicalJSON())
		}
		io.WriteString(w, end)
	}
	io.WriteString(w, "}")
}

// canonicalJSON returns the members of an item as RFC 8785 JSON. It is kept: each version of a thread
// is hashed, and holds mostly the items of the one before.
func (it *Item) canonicalJSON() []byte {
	if it.json == nil {
		it.json = canonical(it.members())
	}
	return it.json
}

// members returns the members of an item: its fields, its id and how it was killed.
func (it *Item) members() map[string]any {
	out := make(map[string]any, len(it.fields)+5)
	maps.Copy(out, it.fields)
	out["id"] = it.ID.String()
	if k := it.Killed; k != nil {
		out["killed"], out["killed_by"], out["kill_reason"] = true, k.By, k.Reason
		out["killed_at"] = brenner.FormatTime(k.At)
	}
	return out
}

// Equal reports whether two states have the same canonical JSON.
func (s *State) Equal(o *State) bool {
	for _, sec := range brenner.Sections {
		same := func(a, b *Item) bool { return a == b || a.ID == b.ID && SameValue(a.members(), b.members()) }
		if !slices.EqualFunc(s.sections[sec].items, o.sections[sec].items, same) {
			return false
		}
	}
	return true
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

// Canonical returns the RFC 8785 form of plain JSON data. Two values have the same form
// exactly if they are equal.
func Canonical(v any) string { return string(canonical(v)) }

func canonical(v any) []byte {
	// Invalid UTF-8 becomes U+FFFD.
	data, err := json.Marshal(v, finite, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	value := jsontext.Value(data)
	if err == nil {
		err = value.Canonicalize(jsontext.AllowDuplicateNames(true))
	}
	if err != nil { // nested deeper than JSON is written
		return []byte("null")
	}
	return value
}

// finite writes a number beyond the range of a double, which is read as infinite, as the
// largest one: RFC 8785 has only finite ones.
var finite = json.WithMarshalers(json.MarshalToFunc(func(out *jsontext.Encoder, n float64) error {
	return out.WriteToken(jsontext.Float(max(min(n, math.MaxFloat64), -math.MaxFloat64)))
}))
