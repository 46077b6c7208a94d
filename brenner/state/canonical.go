package state

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/brennerlint/brennerlint/brenner"
)

// Hash returns "sha256:" and the hexadecimal SHA-256 of the canonical JSON
// (decisions.md 28).
func (s *State) Hash() string {
	sum := sha256.Sum256(s.CanonicalJSON())
	return "sha256:" + hex.EncodeToString(sum[:])
}

// CanonicalJSON returns the state as RFC 8785 JSON: an object of the seven sections,
// research_thread an object or null, the others arrays of items, each with its
// id, its stored fields and, if killed, by whom, when and why (decisions.md 28).
func (s *State) CanonicalJSON() []byte {
	out := make([]byte, 0, 4<<10)
	open := byte('{')
	for _, sec := range sectionsByID {
		out = append(appendString(append(out, open), sec.ID()), ':')
		out = s.appendSection(out, sec)
		open = ','
	}
	return append(out, '}')
}

// sectionsByID are the sections in the order of their ids, as RFC 8785 requires.
var sectionsByID = slices.SortedFunc(slices.Values(brenner.Sections[:]), func(a, b brenner.Section) int {
	return strings.Compare(a.ID(), b.ID())
})

func (s *State) appendSection(out []byte, sec brenner.Section) []byte {
	if sec == brenner.ResearchThread {
		thread, _ := s.Bounds(sec)
		if thread == nil {
			return append(out, "null"...)
		}
		return thread.appendJSON(out)
	}
	separator := byte('[')
	s.sections[sec].items.Scan(func(_ uint64, it *Item) bool {
		out = it.appendJSON(append(out, separator))
		separator = ','
		return true
	})
	if separator == '[' {
		out = append(out, '[')
	}
	return append(out, ']')
}

// Equal reports whether two states have the same canonical JSON. Shared sections and
// items cost nothing.
func (s *State) Equal(o *State) bool {
	if s == o {
		return true
	}
	for _, sec := range brenner.Sections {
		if s.SharesSection(sec, o) {
			continue
		}
		if s.Len(sec) != o.Len(sec) {
			return false
		}
		ours, theirs := s.Items(sec), o.Items(sec)
		same := func(a, b *Item) bool {
			return a == b || a.ID == b.ID && bytes.Equal(a.appendJSON(nil), b.appendJSON(nil))
		}
		if !slices.EqualFunc(ours, theirs, same) {
			return false
		}
	}
	return true
}

// Content returns the canonical JSON of an item without its id: items of one content
// differ only in the id.
func (it *Item) Content() string {
	return string((&Item{fields: it.Fields(), Killed: it.Killed}).appendJSON(nil))
}

// appendJSON writes an item: its own members and its fields as one object.
func (it *Item) appendJSON(out []byte) []byte {
	fields := it.Fields()
	members := make(map[string]any, len(fields)+5)
	maps.Copy(members, fields)
	members["id"] = it.ID.String()
	if k := it.Killed; k != nil {
		members["killed"] = true
		members["killed_by"], members["killed_at"], members["kill_reason"] = k.By, brenner.FormatTime(k.At), k.Reason
	}
	return appendValue(out, members)
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
func Canonical(v any) string { return string(appendValue(nil, v)) }

func appendString(out []byte, s string) []byte {
	out, _ = jsontext.AppendQuote(out, s) // invalid UTF-8 becomes U+FFFD
	return out
}

// appendValue writes plain JSON data in RFC 8785 form.
func appendValue(out []byte, v any) []byte {
	switch v := v.(type) {
	case bool:
		return strconv.AppendBool(out, v)
	case float64:
		// A number beyond the range of a double is read as infinite; RFC 8785 has only
		// finite ones, and one zero.
		return jsontext.AppendFloat(out, max(min(v, math.MaxFloat64), -math.MaxFloat64)+0, 64)
	case string:
		return appendString(out, v)
	case []any:
		out = append(out, '[')
		for i, e := range v {
			if i > 0 {
				out = append(out, ',')
			}
			out = appendValue(out, e)
		}
		return append(out, ']')
	case map[string]any:
		return appendObject(out, v)
	}
	return append(out, "null"...)
}

func appendObject(out []byte, members map[string]any) []byte {
	names := make([]string, 0, 16) // on the stack
	for name := range members {
		names = append(names, name)
	}
	slices.SortFunc(names, compareNames)
	out = append(out, '{')
	for i, name := range names {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(appendString(out, name), ':')
		out = appendValue(out, members[name])
	}
	return append(out, '}')
}

// compareNames compares names by their UTF-16 code units, as RFC 8785 orders them. That
// is the order of their bytes except for characters beyond U+FFFF, whose surrogates
// sort before the characters from U+E000 on.
func compareNames(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	if n < min(len(a), len(b)) {
		if beyondA, beyondB := a[n] >= 0xf0, b[n] >= 0xf0; beyondA != beyondB && min(a[n], b[n]) >= 0xee {
			return -strings.Compare(a[n:], b[n:])
		}
	}
	return strings.Compare(a[n:], b[n:])
}
