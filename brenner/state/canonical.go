package state

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

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
func (s *State) writeCanonical(to io.Writer) {
	w := bufio.NewWriter(to) // it keeps the first error, and neither a hash nor a buffer has one
	defer w.Flush()
	sections := slices.SortedFunc(slices.Values(brenner.Sections[:]), func(a, b brenner.Section) int { return cmp.Compare(a.ID(), b.ID()) })
	lead := "{"
	for _, sec := range sections {
		items := s.sections[sec].items
		open, end := "[", "]"
		switch {
		case sec != brenner.ResearchThread:
		case len(items) == 0:
			open, end = "null", ""
		default:
			open, end = "", ""
		}
		fmt.Fprintf(w, "%s%q:%s", lead, sec.ID(), open)
		for i, it := range items {
			if i > 0 {
				w.WriteString(",")
			}
			w.Write(it.canonicalJSON())
		}
		w.WriteString(end)
		lead = ","
	}
	w.WriteString("}")
}

// canonicalJSON returns the members of an item as RFC 8785 JSON. It is kept: each version of a
// thread is hashed, and holds mostly the items of the one before.
func (it *Item) canonicalJSON() []byte {
	if it.json == nil {
		it.json = appendValue(nil, it.members())
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

// Canonical returns plain JSON data in the form of RFC 8785. Equal values have the same form,
// and different values different forms.
func Canonical(v any) string { return string(appendValue(nil, v)) }

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
		out = append(out, '{')
		for i, name := range slices.SortedFunc(maps.Keys(v), compareNames) {
			if i > 0 {
				out = append(out, ',')
			}
			out = appendValue(append(appendString(out, name), ':'), v[name])
		}
		return append(out, '}')
	}
	return append(out, "null"...)
}

func appendString(out []byte, s string) []byte {
	out, _ = jsontext.AppendQuote(out, s) // invalid UTF-8 becomes U+FFFD
	return out
}

// compareNames compares names by their UTF-16 code units, as RFC 8785 orders them. That
// is the order of their bytes unless both have characters from U+E000 on: the surrogates
// of those beyond U+FFFF come before.
func compareNames(a, b string) int {
	beyond := func(r rune) bool { return r >= 0xE000 }
	if !strings.ContainsFunc(a, beyond) || !strings.ContainsFunc(b, beyond) {
		return strings.Compare(a, b)
	}
	return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
}
