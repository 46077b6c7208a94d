package jsontree

import (
	"bytes"
	"slices"
	"sync"

	"github.com/brennerlint/brennerlint/source"
)

// reader finds the values of a text that is JSON, which jsontext has found out.
type reader struct {
	data     []byte
	at       int // the next byte
	depth    int // of the arrays and objects that are open
	maxDepth int
	only     map[string]bool
	marks    []mark
}

// mark is a value or name that was found. Those of what is in an object or array follow its
// own, so that a tree can be made of them in memory of exactly its size.
type mark struct {
	start, end uint32
	size       uint32 // of a value: the number of marks of it and what is in it
	in         uint32 // the number of members or items in it
	kind       Kind   // 0 for a name
	escaped    bool   // a string or name with escapes
	repeated   bool   // a name that stands for an earlier one too: see Options.Only
}

// maxMarks bounds how many marks of a text are kept for the next one.
const maxMarks = 4096

var readers = sync.Pool{New: func() any { return new(reader) }}

// tree returns the tree of a text that is JSON; false if it nests too deeply.
func tree(data []byte, opts Options) (*Node, bool) {
	r := readers.Get().(*reader)
	defer r.free()
	r.data, r.at, r.depth, r.marks = data, 0, 0, r.marks[:0]
	r.maxDepth, r.only = opts.depth(), opts.Only
	if !r.value(true) {
		return nil, false
	}
	return build(string(data), r.marks), true
}

// free lets others use the reader, and does not keep the input alive.
func (r *reader) free() {
	r.data, r.only = nil, nil
	if cap(r.marks) > maxMarks {
		r.marks = nil
	}
	readers.Put(r)
}

// next goes to the next byte that is not white space, and returns it.
func (r *reader) next() byte {
	for source.IsSpace(r.data[r.at]) {
		r.at++
	}
	return r.data[r.at]
}

// value reads a value; false if it nests too deeply. Without keep it is in no tree.
func (r *reader) value(keep bool) bool {
	first := r.next()
	if first == '{' || first == '[' {
		return r.list(first, keep)
	}
	m := mark{start: uint32(r.at), size: 1}
	switch first {
	case '"':
		m.kind, m.escaped = String, r.str()
	case 't', 'f':
		m.kind = Bool
		r.word()
	case 'n':
		m.kind = Null
		r.word()
	default:
		m.kind = Number
		r.word()
	}
	if keep {
		m.end = uint32(r.at)
		r.marks = append(r.marks, m)
	}
	return true
}

// list reads an object or array from its opening bracket on.
func (r *reader) list(opening byte, keep bool) bool {
	own, kind, closing := len(r.marks), Array, byte(']')
	if opening == '{' {
		kind, closing = Object, '}'
	}
	if keep {
		r.marks = append(r.marks, mark{start: uint32(r.at), kind: kind})
	}
	if r.depth++; r.depth > r.maxDepth {
		return false
	}
	for r.at++; r.next() != closing; {
		if r.data[r.at] == ',' {
			r.at++
		}
		if kind == Object && !r.member(keep, own) || kind == Array && !r.item(keep, own) {
			return false
		}
	}
	r.at++
	r.depth--
	if keep {
		r.marks[own].end, r.marks[own].size = uint32(r.at), uint32(len(r.marks)-own)
	}
	return true
}

// member reads a member of an object, whose mark is its own.
func (r *reader) member(keep bool, own int) bool {
	r.next()
	m := mark{start: uint32(r.at)}
	m.escaped = r.str()
	m.end = uint32(r.at)
	r.next()
	r.at++ // the colon
	if keep && r.only != nil {
		name := m.text(string(r.data[m.start:m.end]))
		if keep = r.only[name]; keep {
			m.repeated = r.forget(name, own)
		}
	}
	if keep {
		r.marks[own].in++
		r.marks = append(r.marks, m)
	}
	return r.value(keep)
}

// item reads an item of an array, whose mark is its own.
func (r *reader) item(keep bool, own int) bool {
	if keep = keep && r.only == nil; keep {
		r.marks[own].in++
	}
	return r.value(keep)
}

// forget drops an earlier member of an object with a name, if there is one.
func (r *reader) forget(name string, own int) bool {
	for i := own + 1; i < len(r.marks); {
		next := i + 1 + int(r.marks[i+1].size)
		if m := &r.marks[i]; m.text(string(r.data[m.start:m.end])) == name {
			r.marks = slices.Delete(r.marks, i, next)
			r.marks[own].in--
			return true
		}
		i = next
	}
	return false
}

// str reads a string, and reports whether it has escapes.
func (r *reader) str() (escaped bool) {
	r.at++
	for quote := -1; ; {
		if quote < r.at {
			quote = r.at + bytes.IndexByte(r.data[r.at:], '"')
		}
		backslash := bytes.IndexByte(r.data[r.at:quote], '\\')
		if backslash < 0 {
			r.at = quote + 1
			return escaped
		}
		escaped = true
		r.at += backslash + 2
	}
}

// word reads a number or a literal: up to what ends it.
func (r *reader) word() {
	for r.at++; r.at < len(r.data) && !source.IsSpace(r.data[r.at]); r.at++ {
		switch r.data[r.at] {
		case ',', ']', '}':
			return
		}
	}
}
