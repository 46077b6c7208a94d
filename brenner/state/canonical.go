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
	sum := sha256.New()
	s.write(func(json []byte) { sum.Write(json) })
	return "sha256:" + hex.EncodeToString(sum.Sum(nil))
}

// CanonicalJSON returns the state as RFC 8785 JSON: an object of the seven sections,
// research_thread an object or null, the others arrays of items, each with its
// id, its stored fields and, if killed, by whom, when and why (decisions.md 28).
func (s *State) CanonicalJSON() []byte {
	var out []byte
	s.write(func(json []byte) { out = append(out, json...) })
	return out
}

// write gives the canonical JSON to a function, piece by piece.
func (s *State) write(to func(json []byte)) {
	buf := make([]byte, 0, 4<<10)
	open := byte('{')
	for _, sec := range sectionsByID {
		buf = append(appendString(append(buf, open), sec.ID()), ':')
		open = ','
		items := s.sections[sec].items
		switch {
		case sec != brenner.ResearchThread:
			buf = append(buf, '[')
		case len(items) == 0:
			buf = append(buf, "null"...)
		}
		for i, it := range items {
			if i > 0 {
				buf = append(buf, ',')
			}
			buf = it.appendJSON(buf)
			to(buf)
			buf = buf[:0]
		}
		if sec != brenner.ResearchThread {
			buf = append(buf, ']')
		}
	}
	to(append(buf, '}'))
}

// sectionsByID are the sections in the order of their ids, as RFC 8785 requires.
var sectionsByID = slices.SortedFunc(slices.Values(brenner.Sections[:]), func(a, b brenner.Section) int {
	return strings.Compare(a.ID(), b.ID())
})

// Equal reports whether two states have the same canonical JSON.
func (s *State) Equal(o *State) bool {
	for _, sec := range brenner.Sections {
		same := func(a, b *Item) bool {
			return a == b || a.ID == b.ID && bytes.Equal(a.appendJSON(nil), b.appendJSON(nil))
		}
		if !slices.EqualFunc(s.sections[sec].items, o.sections[sec].items, same) {
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
	return appendMembers(out, it.fields, it.system())
}

// system returns the members of an item beside its fields.
func (it *Item) system() map[string]any {
	if it.Killed == nil {
		return map[string]any{"id": it.ID.String()}
	}
	return map[string]any{
		"id": it.ID.String(), "killed": true, "killed_by": it.Killed.By,
		"killed_at": brenner.FormatTime(it.Killed.At), "kill_reason": it.Killed.Reason,
	}
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

func appendObject(out []byte, members map[string]any) []byte { return appendMembers(out, members, nil) }

// appendMembers writes an object with members, and others that stand over them.
func appendMembers(out []byte, members, over map[string]any) []byte {
	names := make([]string, 0, 24) // on the stack
	for name := range over {
		names = append(names, name)
	}
	for name := range members {
		if _, known := over[name]; !known {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, compareNames)
	out = append(out, '{')
	for i, name := range names {
		if i > 0 {
			out = append(out, ',')
		}
		v, known := over[name]
		if !known {
			v = members[name]
		}
		out = append(appendString(out, name), ':')
		out = appendValue(out, v)
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
