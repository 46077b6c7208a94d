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
	hasKey, holdsDelta, quotesDelta        bool
	isEscaped                              bool
}

func (o openObject) isDelta() bool { return o.operation && o.section }

// mayBeDelta reports whether an object may have the keys in other quotes or under other names.
func (o openObject) mayBeDelta() bool {
	hasKeys := (o.operation || o.otherOperation) && (o.section || o.otherSection)
	return (hasKeys || o.quotesDelta || o.isAlone && o.hasOperationLikeKey && o.hasPayloadLikeKey) && !o.holdsDelta
}

// string reads a string from its first quote, and notes the key of a delta that it may be. It returns where the string
// ends, or the line.
func (o *openObject) string(line []byte, quote int) (end int) {
	start := quote + 1
	for end = start; end < len(line) && line[end] != '"'; end++ {
		if line[end] == '\\' {
			end++
		}
	}
	rest := bytes.TrimLeft(line[min(end+1, len(line)):], " \t")
	hasColon := bytes.HasPrefix(rest, []byte(":"))
	if !hasColon && !otherColon().Match(rest) {
		o.quotesDelta = o.quotesDelta || quotedObject().Match(line[start:min(end, len(line))])
		return end
	}
	key := string(line[start:min(end, start+maxKey)])
	o.hasKey = true
	o.operation = o.operation || hasColon && key == "operation"
	o.section = o.section || hasColon && key == "section"
	o.otherOperation = o.otherOperation || key == "operation"
	o.otherSection = o.otherSection || key == "section"
	if !o.isAlone {
		return end
	}
	key = strings.ToLower(key)
	switch meant := cmp.Or(memberAliases[key], key); {
	case strings.HasPrefix(meant, "operat"), strings.HasPrefix(meant, "section"):
		o.hasOperationLikeKey = true
	case strings.HasPrefix(meant, "payload"), key == "reason", key == "path":
		o.hasPayloadLikeKey = true
	}
	return end
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

// quotedObject is the beginning of a delta in a string.
var quotedObject = text.Pattern(`^\{(?:\s|\\n)*\\"[a-z_]+\\".*\\"section\\"`)

// moreMembers are those of a delta behind a brace that closes it, up to another one that does.
var moreMembers = text.Pattern(`^\s*(?:,\s*"(?:` + strings.Join(Members, "|") + `)"\s*:\s*(?:null|"(?:[^"\\\n]|\\.)*")\s*)+\}`)

// line reads a line. A string ends with its line at the latest, so that a stray quote is harmless.
func (s *objectScan) line(data []byte, line source.Span) {
	for i := line.Start; i < line.End; i++ {
		if len(s.open) == 0 {
			next := bytes.IndexByte(data[i:line.End], '{')
			if next < 0 {
				return
			}
			i += next
			s.begin(data, line.Start, i)
			continue
		}
		o := &s.open[len(s.open)-1]
		switch data[i] {
		case '{':
			s.begin(data, line.Start, i)
		case '}':
			s.close(data, i)
		case 'o':
			o.otherOperation = o.otherOperation || otherKey().Match(data[i:line.End])
		case 's':
			o.otherSection = o.otherSection || otherKey().Match(data[i:line.End])
		case '"':
			if !o.isEscaped || data[i-1] != '\\' {
				i = o.string(data[:line.End], i)
			}
		}
	}
}

// begin opens an object at its brace; line is where the line of that begins.
func (s *objectScan) begin(data []byte, line, at int) {
	isAlone := len(s.open) == 0 && len(bytes.Trim(data[max(line, s.last):at], " \t[,`")) == 0
	if len(s.open) == jsontree.MaxDepth { // not JSON
		s.open = s.open[:0]
	}
	s.open = append(s.open, openObject{start: at, isAlone: isAlone, isEscaped: isEscaped(data[at:])})
}

// close ends the innermost object at its brace.
func (s *objectScan) close(data []byte, brace int) {
	around := s.open[:len(s.open)-1]
	if len(around) == 0 && moreMembers().Match(data[brace+1:]) {
		return // it closes the object too early
	}
	o := s.open[len(around)]
	s.open = around
	isFound := o.isDelta() || o.mayBeDelta()
	if isFound {
		s.add(foundObject{source.Span{Start: o.start, End: brace + 1}, !o.isDelta()})
	}
	if n := len(around); n > 0 {
		around[n-1].holdsDelta = around[n-1].holdsDelta || isFound || o.holdsDelta
		return
	}
	s.last = brace + 1
	if o.hasKey {
		s.keyed++
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
