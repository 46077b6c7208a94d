package jsontree

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"
	"strings"
	"sync"

	"github.com/brennerlint/brennerlint/source"
)

// reader finds the values of a text that is JSON. It gives up at the first byte that is
// not: the decoder, which takes several times as long, then finds out what is wrong.
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

// tree returns the tree of a text, and whether the text is JSON.
func tree(data []byte, opts Options) (*Node, bool) {
	r := readers.Get().(*reader)
	defer r.free()
	r.data, r.at, r.depth, r.marks = data, 0, 0, r.marks[:0]
	r.maxDepth, r.only = min(opts.depth(), decoderDepth), opts.Only
	if !r.value(true) || skipSpace(data, r.at) < len(data) {
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

// peek returns the next byte that is not white space; 0 at the end, which JSON has nowhere.
func (r *reader) peek() byte {
	for r.at < len(r.data) {
		c := r.data[r.at]
		if !source.IsSpace(c) {
			return c
		}
		r.at++
	}
	return 0
}

// value reads a value. Without keep it is in no tree.
func (r *reader) value(keep bool) (ok bool) {
	first := r.peek()
	m := mark{start: uint32(r.at), kind: Number}
	switch first {
	case '{', '[':
		return r.list(first, keep)
	case '"':
		m.kind = String
		m.escaped, ok = r.str()
	case 't':
		m.kind, ok = Bool, r.word("true")
	case 'f':
		m.kind, ok = Bool, r.word("false")
	case 'n':
		m.kind, ok = Null, r.word("null")
	default:
		ok = r.number()
	}
	if ok && keep {
		m.end, m.size = uint32(r.at), 1
		r.marks = append(r.marks, m)
	}
	return ok
}

// list reads an object or array from its opening bracket on.
func (r *reader) list(opening byte, keep bool) (ok bool) {
	own, kind, closing := len(r.marks), Array, byte(']')
	if opening == '{' {
		kind, closing = Object, '}'
	}
	if keep {
		r.marks = append(r.marks, mark{start: uint32(r.at), kind: kind})
	}
	r.at++
	if r.depth++; r.depth > r.maxDepth {
		return false
	}
	for more := r.peek() != closing; more; {
		if kind == Object {
			ok = r.member(keep, own)
		} else if ok = r.value(keep && r.only == nil); keep && r.only == nil {
			r.marks[own].in++
		}
		if !ok {
			return false
		}
		switch r.peek() {
		case ',':
			r.at++
		case closing:
			more = false
		default:
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
	if r.peek() != '"' {
		return false
	}
	m := mark{start: uint32(r.at)}
	escaped, ok := r.str()
	m.end, m.escaped = uint32(r.at), escaped
	if !ok || r.peek() != ':' {
		return false
	}
	r.at++
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
func (r *reader) str() (escaped, ok bool) {
	for r.at++; ; {
		r.at += plainLen(r.data[r.at:])
		if r.at == len(r.data) {
			return escaped, false
		}
		if r.data[r.at] == '"' {
			r.at++
			return escaped, true
		}
		n := escapeLen(r.data[r.at:])
		if n == 0 { // or it is a control character
			return escaped, false
		}
		escaped = true
		r.at += n
	}
}

// plainLen returns how many bytes are before the first that ends a string, begins an escape
// or is a control character. Eight are looked at in one step.
func plainLen(data []byte) int {
	const each, high = 0x0101010101010101, 0x8080808080808080 // the lowest and highest bits of bytes
	rest := data
	for len(rest) >= 8 {
		w := binary.LittleEndian.Uint64(rest)
		quote, backslash := w^'"'*each, w^'\\'*each
		// Where a byte is less than what is subtracted, its highest bit is borrowed. Only
		// bytes above that one may be wrong.
		found := ((w-' '*each)&^w | (quote-each)&^quote | (backslash-each)&^backslash) & high
		if found != 0 {
			return len(data) - len(rest) + bits.TrailingZeros64(found)/8
		}
		rest = rest[8:]
	}
	for len(rest) > 0 && rest[0] >= ' ' && rest[0] != '"' && rest[0] != '\\' {
		rest = rest[1:]
	}
	return len(data) - len(rest)
}

// escapeLen returns the length of the escape at the start of data, 0 if there is none.
func escapeLen(data []byte) int {
	switch {
	case len(data) < 2 || data[0] != '\\':
	case strings.IndexByte(`"\/bfnrt`, data[1]) >= 0:
		return 2
	case len(data) >= 6 && data[1] == 'u' && isHex(data[2:6]):
		return 6
	}
	return 0
}

// word reads a literal.
func (r *reader) word(w string) bool {
	if !bytes.HasPrefix(r.data[r.at:], []byte(w)) {
		return false
	}
	r.at += len(w)
	return true
}

// number reads a number.
func (r *reader) number() bool {
	r.accept('-')
	if !r.accept('0') && !r.digits() || r.accept('.') && !r.digits() {
		return false
	}
	if r.accept('e') || r.accept('E') {
		_ = r.accept('+') || r.accept('-')
		return r.digits()
	}
	return true
}

// accept goes over a byte, if it is the next.
func (r *reader) accept(c byte) bool {
	if r.at < len(r.data) && r.data[r.at] == c {
		r.at++
		return true
	}
	return false
}

// digits goes over digits, and reports whether there are any.
func (r *reader) digits() bool {
	start := r.at
	for r.at < len(r.data) && isDigit(r.data[r.at]) {
		r.at++
	}
	return r.at > start
}
