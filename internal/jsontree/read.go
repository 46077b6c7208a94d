package jsontree

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/brennerlint/brennerlint/source"
)

// Options are limits on what is read.
type Options struct {
	MaxDepth int // 0 means MaxDepth
	// Name, if not nil, returns the names of the members that the tree has, "" for others: these are checked
	// and left out. Then the memory of the tree is bounded, see reader.room.
	Name func(name []byte) string
}

// Parse reads data as one JSON value, perhaps with white space around it. The error is the first
// fault, or nil.
func Parse(data []byte, opts Options) (*Node, *SyntaxError) {
	r := newReader(data, opts)
	r.src = string(data)
	n, err := r.value()
	fault, bad := r.fault(err), source.ValidLen(r.data)
	switch {
	case bad < len(data) && (fault == nil || bad <= fault.Span.Start):
		return nil, &SyntaxError{
			Span:    source.Span{Start: bad, End: bad + 1},
			Message: fmt.Sprintf("byte 0x%02X is not valid UTF-8", data[bad]),
			Hint:    "save the text as UTF-8",
		}
	case fault != nil:
		return nil, fault
	}
	return n, nil
}

// Values returns the values of a text from an offset on, one after the other as in JSON Lines, up to
// the first fault. What was read of the last one before a fault has lists without an end: their spans are
// empty. The trees have no texts, which are read at their places: little of a long file is copied.
func Values(data []byte, start int, name func(name []byte) string) (values []*Node, err error) {
	r := newReader(data[start:], Options{MaxDepth: decoderDepth, Name: name})
	r.start = start
	for err == nil && r.PeekKind() != 0 {
		var n *Node
		if n, err = r.value(); n != nil {
			values = append(values, n)
		}
	}
	if err == nil {
		_, err = r.ReadToken()
	}
	switch {
	case errors.Is(err, io.EOF):
		return values, nil
	case errors.Is(err, errMany):
		fault := r.fault(err)
		fault.Span = fault.Span.Shift(start)
		return values, fault
	}
	return values, err
}

// CheckSyntax returns the fault that Parse would find, nil if there is none. Strings may have
// bytes that are not UTF-8. It makes no tree, and knows no limit on depth but the decoder's own.
func CheckSyntax(data []byte) *SyntaxError {
	r := newReader(data, Options{})
	return r.fault(r.SkipValue())
}

// ValueEnd returns where the JSON value ends that data begins with; what follows it is not
// looked at. It reports false if data begins with none.
func ValueEnd(data []byte) (end int, ok bool) {
	r := newReader(data, Options{})
	err := r.SkipValue()
	return int(r.InputOffset()), err == nil
}

// decoderDepth is the decoder's own limit on depth.
const decoderDepth = 10_000

var (
	errDepth = errors.New("nested too deeply")
	errMany  = errors.New("too many values for the length of the text")
)

// reader makes a tree of the tokens that jsontext finds in a text.
type reader struct {
	*jsontext.Decoder
	data []byte
	src  string // data: strings of the tree are parts of it; "" if the tree has none
	opts Options

	start    int    // where data begins in its text
	room     int    // how many values, members and, twice, lists with contents the tree may still have: mail has fewer
	unquoted []byte // kept for its room
}

func newReader(data []byte, opts Options) *reader {
	opts.MaxDepth = cmp.Or(opts.MaxDepth, MaxDepth)
	return &reader{Decoder: NewDecoder(data), data: data, opts: opts, room: len(data)/4 + 1<<16}
}

// NewDecoder returns a decoder of a text. If a member is given twice, the last counts (decisions.md
// 9). It allows invalid UTF-8, which its caller looks for: the decoder counts surrogate escapes
// without a partner as such, and RFC 8259 allows these.
func NewDecoder(data []byte) *jsontext.Decoder {
	return jsontext.NewDecoder(bytes.NewBuffer(data), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// fault returns the fault of the text after its value was read, or not: its place, and the usual
// mistake.
func (r *reader) fault(err error) *SyntaxError {
	read := int(r.InputOffset())
	at := source.Span{Start: read - 1, End: read}
	switch {
	case err == nil && source.SkipSpace(r.data, read) == len(r.data):
		return nil
	case errors.Is(err, errDepth):
		return &SyntaxError{
			Span: at, Message: fmt.Sprintf("nested deeper than %d levels", r.opts.MaxDepth),
			Hint: "reduce the nesting, or raise limits.json-depth in .brennerlint.yaml",
		}
	case errors.Is(err, errMany):
		return &SyntaxError{Span: at, Message: err.Error(), Hint: "remove the values that say nothing, or split the text"}
	case r.StackDepth() >= decoderDepth:
		return &SyntaxError{Span: at, Message: fmt.Sprintf("nested deeper than %d levels", decoderDepth)}
	}
	return cmp.Or((*SyntaxError)(readLoosely(r.data).first), &SyntaxError{Span: source.Span{Start: read, End: read}, Message: "not JSON"})
}

// value reads the next value.
func (r *reader) value() (*Node, error) {
	if r.room--; r.room < 0 && r.opts.Name != nil {
		return nil, errMany
	}
	kind := r.PeekKind()
	switch kind {
	case '{':
		return r.list(Object)
	case '[':
		return r.list(Array)
	}
	raw, err := r.ReadValue()
	if err != nil {
		return nil, err
	}
	span := r.last(len(raw))
	n := &Node{Kind: kinds[kind], start: uint32(span.Start), end: uint32(span.End)}
	switch {
	case r.src == "" || n.Kind == Null:
	case n.Kind == String:
		n.Text = r.text(raw, span)
	default:
		n.Text = r.src[span.Start:span.End]
	}
	return n, nil
}

var kinds = [128]Kind{'n': Null, 't': Bool, 'f': Bool, '0': Number, '"': String}

// list reads an object or array. After a fault it has no end.
func (r *reader) list(kind Kind) (*Node, error) {
	if _, err := r.ReadToken(); err != nil {
		return nil, err
	}
	start := uint32(r.last(1).Start)
	n := &Node{Kind: kind, start: start, end: start}
	if r.StackDepth() > r.opts.MaxDepth {
		return n, errDepth
	}
	for next := r.PeekKind(); next != '}' && next != ']'; next = r.PeekKind() {
		var m Member
		if kind == Object {
			name, err := r.ReadValue()
			if err != nil {
				return n, err
			}
			span := r.last(len(name))
			m = Member{start: uint32(span.Start), end: uint32(span.End)}
			if r.opts.Name == nil {
				m.Name = r.text(name, span)
			} else if m.Name = r.opts.Name(r.unquote(name)); m.Name == "" {
				if err := r.SkipValue(); err != nil {
					return n, err
				}
				continue
			}
			r.room--
		}
		value, err := r.value()
		if n.in == nil {
			n.in = new(content)
			r.room -= 2
		}
		switch in := n.in; {
		case kind == Object:
			if in.members == nil && r.opts.Name == nil {
				in.members = make([]Member, 0, 4) // few objects have less
			}
			m.Value = value
			in.members = append(in.members, m)
		case value != nil:
			in.items = append(in.items, value)
		}
		if err != nil {
			return n, err
		}
	}
	if _, err := r.ReadToken(); err != nil {
		return n, err
	}
	if n.in != nil {
		n.in.index()
	}
	n.end = uint32(r.last(0).End)
	return n, nil
}

// last returns where the value of n bytes is that was read last.
func (r *reader) last(n int) source.Span {
	end := r.start + int(r.InputOffset())
	return source.Span{Start: end - n, End: end}
}

// text returns what a string says.
func (r *reader) text(raw jsontext.Value, at source.Span) string {
	if bytes.IndexByte(raw, '\\') < 0 {
		return r.src[at.Start+1 : at.End-1]
	}
	return string(r.unquote(raw))
}

// unquote returns what a string says, until the next call.
func (r *reader) unquote(raw jsontext.Value) []byte {
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw[1 : len(raw)-1]
	}
	r.unquoted, _ = jsontext.AppendUnquote(r.unquoted[:0], raw)
	return r.unquoted
}

// Compact returns JSON without white space, except one space after colons and commas. A text
// that is not JSON is returned unchanged.
func Compact(text string) string {
	v := jsontext.Value(text)
	if v.Format(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true), jsontext.SpaceAfterColon(true), jsontext.SpaceAfterComma(true)) != nil {
		return text
	}
	return string(v)
}

// Quote returns a text as a JSON string.
func Quote(text string) string {
	out, _ := jsontext.AppendQuote(nil, text) // invalid UTF-8 becomes U+FFFD
	return string(out)
}
