package delta

import (
	"bytes"
	"cmp"
	"iter"
	"slices"
	"strings"
	"unicode"

	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/source"
)

// objectScan finds objects with the keys operation and section, and those that may have them under
// other names, in text that may be JSON, may be JSON with faults, and may be neither. It reads each
// byte once.
type objectScan struct {
	open []openObject
}

type openObject struct {
	start              int
	operation, section bool
	signs              sign
	holdsDelta         bool
}

func (o openObject) isDelta() bool { return o.operation && o.section }

// sign is a set of members that keys of an object may mean.
type sign uint8

const (
	saysOperation sign = 1 << iota
	saysSection
	saysPayload
)

// signOf returns the member that a key may mean. Two of them make an object worth reading.
func signOf(key string) sign {
	if len(key) > maxWord {
		return 0
	}
	key = strings.ToLower(key)
	switch cmp.Or(memberAliases[key], strings.TrimSuffix(key, "s")) {
	case "operation":
		return saysOperation
	case "section":
		return saysSection
	case "payload":
		return saysPayload
	}
	return 0
}

// foundObject is an object that has the keys in double quotes, or with otherKeys one that may mean them
// and has no such object in it.
type foundObject struct {
	source.Span
	otherKeys bool
}

// isNoName reports whether a character cannot be in the name of a member.
func isNoName(r rune) bool { return r != '_' && !unicode.IsLetter(r) }

// line reads a line and returns the objects that end in it, inner ones first. A string
// ends at the end of its line at the latest, so that a stray quote is harmless.
func (s *objectScan) line(data []byte, line source.Span) []foundObject {
	var out []foundObject
	for i := line.Start; i < line.End; i++ {
		n := len(s.open)
		if n == 0 {
			next := bytes.IndexByte(data[i:line.End], '{')
			if next < 0 {
				return out
			}
			i += next
		}
		switch data[i] {
		case '{':
			if n == jsontree.MaxDepth { // not JSON
				s.open = s.open[:0]
			}
			s.open = append(s.open, openObject{start: i})
		case '}':
			o := s.open[n-1]
			s.open = s.open[:n-1]
			isDelta := o.isDelta()
			if isDelta || !o.holdsDelta && o.signs&(o.signs-1) != 0 {
				out = append(out, foundObject{source.Span{Start: o.start, End: i + 1}, !isDelta})
			}
			if n > 1 {
				s.open[n-2].holdsDelta = s.open[n-2].holdsDelta || isDelta || o.holdsDelta
			}
		case '"':
			start := i + 1
			for i++; i < line.End && data[i] != '"'; i++ {
				if data[i] == '\\' {
					i++
				}
			}
			rest := bytes.TrimLeft(data[min(i+1, line.End):line.End], " \t")
			if len(rest) > 0 && rest[0] == ':' {
				name := string(data[start:min(i, start+len("operation")+1)])
				s.open[n-1].operation = s.open[n-1].operation || name == "operation"
				s.open[n-1].section = s.open[n-1].section || name == "section"
			}
		case ':':
			key := bytes.TrimRight(data[line.Start:i], "\"'’”` \t")
			key = key[bytes.LastIndexFunc(key, isNoName)+1:]
			s.open[n-1].signs |= signOf(string(key))
		}
	}
	return out
}

// end discards what is open. An outermost open object that is a delta nevertheless is
// cut off at the end of the text: end returns where it starts.
func (s *objectScan) end() (start int, ok bool) {
	i := slices.IndexFunc(s.open, openObject.isDelta)
	if i >= 0 {
		start = s.open[i].start
	}
	s.open = s.open[:0]
	return start, i >= 0
}

// outermost reads lines and returns the objects that are, or may be, deltas and are in no other one.
func (s *objectScan) outermost(data []byte, lines iter.Seq[source.Span]) []foundObject {
	var out []foundObject
	for line := range lines {
		for _, o := range s.line(data, line) {
			for len(out) > 0 && o.Contains(out[len(out)-1].Span) {
				out = out[:len(out)-1]
			}
			out = append(out, o)
		}
	}
	return out
}

// deltasIn returns the objects of a text that have the keys in double quotes.
func deltasIn(data []byte) []source.Span {
	var scan objectScan
	var out []source.Span
	for _, o := range scan.outermost(data, lines(data)) {
		if !o.otherKeys {
			out = append(out, o.Span)
		}
	}
	return out
}
