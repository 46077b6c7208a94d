package delta

import (
	"bytes"

	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/source"
)

// objectScan finds objects with the keys operation and section in text that may
// be JSON, may be JSON with faults, and may be neither. It reads each byte once.
type objectScan struct {
	open []openObject
	over int // braces that are open beyond those kept
}

type openObject struct {
	start              int
	operation, section bool
}

func (o openObject) isDelta() bool { return o.operation && o.section }

// line reads a line and returns the objects that end in it, inner ones first. A string
// ends at the end of its line at the latest, so that a stray quote is harmless.
func (s *objectScan) line(data []byte, line source.Span) []source.Span {
	var out []source.Span
	for i := line.Start; i < line.End; i++ {
		if len(s.open) == 0 {
			n := bytes.IndexByte(data[i:line.End], '{')
			if n < 0 {
				return out
			}
			i += n
		}
		switch data[i] {
		case '{':
			if len(s.open) < jsontree.MaxDepth {
				s.open = append(s.open, openObject{start: i})
			} else {
				s.over++
			}
		case '}':
			if s.over > 0 {
				s.over--
				continue
			}
			o := s.open[len(s.open)-1]
			s.open = s.open[:len(s.open)-1]
			if o.isDelta() {
				out = append(out, source.Span{Start: o.start, End: i + 1})
			}
		case '"':
			i = s.str(data, i, line.End) - 1
		}
	}
	return out
}

// str skips the string at i and records the key that it may be.
func (s *objectScan) str(data []byte, i, end int) int {
	j := i + 1
	for j < end && data[j] != '"' {
		if data[j] == '\\' {
			j++
		}
		j++
	}
	if j >= end {
		return end
	}
	rest := bytes.TrimLeft(data[j+1:end], " \t")
	if s.over == 0 && len(rest) > 0 && rest[0] == ':' {
		o := &s.open[len(s.open)-1]
		switch string(data[i+1 : j]) {
		case "operation":
			o.operation = true
		case "section":
			o.section = true
		}
	}
	return j + 1
}

// end discards what is open. An outermost open object that is a delta nevertheless is
// cut off at the end of the text: end returns where it starts.
func (s *objectScan) end() (start int, ok bool) {
	for _, o := range s.open {
		if o.isDelta() {
			start, ok = o.start, true
			break
		}
	}
	s.open, s.over = s.open[:0], 0
	return start, ok
}

// objectsIn returns the objects of delta form in lines that are in no other one.
func objectsIn(data []byte, lines []source.Span) []source.Span {
	var scan objectScan
	var out []source.Span
	for _, line := range lines {
		for _, o := range scan.line(data, line) {
			for len(out) > 0 && o.Contains(out[len(out)-1]) {
				out = out[:len(out)-1]
			}
			out = append(out, o)
		}
	}
	return out
}
