package state

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/brennerlint/brennerlint/internal/protocol"
)

// Hash is "sha256:" and the hexadecimal SHA-256 of the canonical JSON
// (decisions.md 28).
func (s *State) Hash() string {
	sum := sha256.Sum256(s.CanonicalJSON())
	return "sha256:" + hex.EncodeToString(sum[:])
}

// CanonicalJSON is the state as RFC 8785 JSON: an object of the seven sections,
// research_thread an object or null, the others arrays of items, each with its
// id, its stored fields and, if killed, by whom, when and why (decisions.md 28).
func (s *State) CanonicalJSON() []byte {
	out := []byte{'{'}
	for _, sec := range protocol.Sections {
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(appendString(out, sec.ID()), ':')
		out = s.appendSection(out, sec)
	}
	return canonical(append(out, '}'))
}

func (s *State) appendSection(out []byte, sec protocol.Section) []byte {
	items := s.sections[sec].items
	if sec == protocol.ResearchThread {
		if len(items) == 0 {
			return append(out, "null"...)
		}
		return items[0].appendJSON(out)
	}
	out = append(out, '[')
	for i, it := range items {
		if i > 0 {
			out = append(out, ',')
		}
		out = it.appendJSON(out)
	}
	return append(out, ']')
}

// Content is the canonical JSON of an item but for its id: items of one content
// differ in nothing else.
func (it *Item) Content() string {
	return string(canonical((&Item{Fields: it.Fields, Killed: it.Killed}).appendJSON(nil)))
}

func (it *Item) appendJSON(out []byte) []byte {
	out = append(out, `{"id":`...)
	out = appendString(out, it.ID.String())
	for _, key := range slices.Sorted(maps.Keys(it.Fields)) {
		out = append(out, ',')
		out = append(appendString(out, key), ':')
		out = appendValue(out, it.Fields[key])
	}
	if k := it.Killed; k != nil {
		out = append(out, `,"killed":true,"killed_by":`...)
		out = append(appendString(out, k.By), `,"killed_at":`...)
		out = append(appendString(out, protocol.FormatTime(k.At)), `,"kill_reason":`...)
		out = appendString(out, k.Reason)
	}
	return append(out, '}')
}

// Canonical is the RFC 8785 form of plain JSON data. Equal values, and only
// they, have equal forms.
func Canonical(v any) string { return string(canonical(appendValue(nil, v))) }

// canonical brings JSON into RFC 8785 form: member order and numbers.
func canonical(data []byte) []byte {
	v := jsontext.Value(data)
	// The only error left would be a value nested more than 10,000 deep, which no
	// reader lets through; such data still has one form for one value.
	_ = v.Canonicalize(jsontext.AllowDuplicateNames(true))
	return v
}

func appendString(out []byte, s string) []byte {
	out, _ = jsontext.AppendQuote(out, s) // invalid UTF-8 becomes U+FFFD
	return out
}

// appendValue writes plain JSON data; members in order of name, so that the
// same data always gives the same bytes.
func appendValue(out []byte, v any) []byte {
	switch v := v.(type) {
	case bool:
		return strconv.AppendBool(out, v)
	case float64:
		// A number beyond what a double holds is read as infinite; RFC 8785 knows
		// doubles only.
		return jsontext.AppendFloat(out, max(min(v, math.MaxFloat64), -math.MaxFloat64), 64)
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
		for i, key := range slices.Sorted(maps.Keys(v)) {
			if i > 0 {
				out = append(out, ',')
			}
			out = append(appendString(out, key), ':')
			out = appendValue(out, v[key])
		}
		return append(out, '}')
	}
	return append(out, "null"...)
}
