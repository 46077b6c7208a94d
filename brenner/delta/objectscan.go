package delta

import (
	"bytes"
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/source"
)

// objectScan finds objects with the keys operation and section, and those that may have them in another form,
// in text that may be JSON, may be JSON with faults, and may be neither. It reads each byte once.
type objectScan struct {
	open  []openObject
	found []foundObject // that are in no other one
	last  int           // the end of the last object that is in no other one
	keyed int           // how many such objects have keys
}

type openObject struct {
	start                                  int
	operation, section                     bool
	otherOperation, otherSection           bool // without quotes, or in others
	isAlone                                bool // in no other object, and without words before it on its line
	hasOperationLikeKey, hasPayloadLikeKey bool // keys that may mean the operation or the section, and the payload, a reason or a path
	hasKey, holdsDelta                     bool
	isEscaped                              bool
}

func (o openObject) isDelta() bool { return o.operation && o.section }

// mayBeDelta reports whether an object may have the keys in other quotes or under other names.
func (o openObject) mayBeDelta() bool {
	hasKeys := (o.operation || o.otherOperation) && (o.section || o.otherSection)
	return (hasKeys || o.isAlone && o.hasOperationLikeKey && o.hasPayloadLikeKey) && !o.holdsDelta
}

// read notes a key of an object that may mean one of a delta.
func (o *openObject) read(key string) {
	key = strings.ToLower(key)
	switch meant := cmp.Or(memberAliases[key], key); {
	case strings.HasPrefix(meant, "operat"), strings.HasPrefix(meant, "section"):
		o.hasOperationLikeKey = true
	case strings.HasPrefix(meant, "payload"), key == "reason", key == "path":
		o.hasPayloadLikeKey = true
	}
}

// foundObject is an object that has the keys in double quotes, or with otherKeys one that may have others.
type foundObject struct {
	source.Span
	otherKeys bool
}

// maxKey is longer than all keys that may mean one of a delta.
const maxKey = 20

// otherKey is a key that is not in double quotes, or in such as are written in a string or in HTML, and otherColon is
// behind one in double quotes in place of a colon, or with marks before it.
var (
	otherKey   = text.Pattern("^(?:operation|section)(?:['’”“»«›‹」』＂` \t]|\\\\\"|" + entity + ")*(?:[:：]|=>?)")
	otherColon = text.Pattern(`^(?:[*_]{1,3}[ \t]*:|：|=>?)`)
)

// entity is a double quote as HTML writes it, and entityKey a key in such.
const entity = "&(?:quot|#34|#x22);"

var entityKey = text.Pattern(entity + "operation" + entity)

// moreMembers are those of a delta behind a brace that closes it, up to another one that does.
var moreMembers = text.Pattern(`^\s*(?:,\s*"(?:` + strings.Join(Members, "|") + `)"\s*:\s*(?:null|"(?:[^"\\\n]|\\.)*")\s*)+\}`)

// line reads a line. A string ends at its end at the latest, so that a stray quote is harmless.
func (s *objectScan) line(data []byte, line source.Span) {
	for i := line.Start; i < line.End; i++ {
		n := len(s.open)
		if n == 0 {
			next := bytes.IndexByte(data[i:line.End], '{')
			if next < 0 {
				return
			}
			i += next
		}
		switch data[i] {
		case '{':
			if n == jsontree.MaxDepth { // not JSON
				s.open = s.open[:0]
			}
			isAlone := n == 0 && len(bytes.Trim(data[max(line.Start, s.last):i], " \t[,`")) == 0
			s.open = append(s.open, openObject{start: i, isAlone: isAlone, isEscaped: isEscaped(data[i:])})
		case '}':
			if n == 1 && moreMembers().Match(data[i+1:]) {
				continue // it closes the object too early
			}
			o := s.open[n-1]
			s.open = s.open[:n-1]
			if o.isDelta() || o.mayBeDelta() {
				s.add(foundObject{source.Span{Start: o.start, End: i + 1}, !o.isDelta()})
				o.holdsDelta = true
			}
			if n == 1 {
				s.last = i + 1
				if o.hasKey {
					s.keyed++
				}
			} else if o.holdsDelta {
				s.open[n-2].holdsDelta = true
			}
		case 'o', 's':
			isKey := otherKey().Match(data[i:line.End])
			s.open[n-1].otherOperation = s.open[n-1].otherOperation || isKey && data[i] == 'o'
			s.open[n-1].otherSection = s.open[n-1].otherSection || isKey && data[i] == 's'
		case '"':
			if s.open[n-1].isEscaped && data[i-1] == '\\' {
				continue
			}
			start := i + 1
			for i++; i < line.End && data[i] != '"'; i++ {
				if data[i] == '\\' {
					i++
				}
			}
			rest := bytes.TrimLeft(data[min(i+1, line.End):line.End], " \t")
			hasColon := len(rest) > 0 && rest[0] == ':'
			if hasColon || otherColon().Match(rest) {
				s.open[n-1].hasKey = true
				name := string(data[start:min(i, start+maxKey)])
				s.open[n-1].operation = s.open[n-1].operation || hasColon && name == "operation"
				s.open[n-1].section = s.open[n-1].section || hasColon && name == "section"
				s.open[n-1].otherOperation = s.open[n-1].otherOperation || name == "operation"
				s.open[n-1].otherSection = s.open[n-1].otherSection || name == "section"
				if s.open[n-1].isAlone {
					s.open[n-1].read(name)
				}
			}
		}
	}
}

// isEscaped reports whether the first key of an object is in escaped quotes.
func isEscaped(object []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(withoutBreaks(object[1:]), " \t\r\n"), []byte(`\"`))
}

// add notes an object in place of those that it contains: it is the delta, and they are its content.
func (s *objectScan) add(o foundObject) {
	for n := len(s.found); n > 0 && o.Contains(s.found[n-1].Span); n-- {
		s.found = s.found[:n-1]
	}
	s.found = append(s.found, o)
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

// scan reads the lines of a text, or of parts of it.
func scan(data []byte, lines iter.Seq[source.Span]) *objectScan {
	s := &objectScan{}
	for line := range lines {
		s.line(data, line)
	}
	return s
}

// deltasIn returns the objects of a text that have the keys in double quotes.
func deltasIn(data []byte) []source.Span {
	var out []source.Span
	for _, o := range scan(data, lines(data)).found {
		if !o.otherKeys {
			out = append(out, o.Span)
		}
	}
	return out
}
