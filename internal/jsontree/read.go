package jsontree

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/brennerlint/brennerlint/source"
)

// Options are limits on what is read.
type Options struct {
	MaxDepth int // 0 means MaxDepth
	// Only, if not nil, are the names of the members that the tree has, each once. All other members,
	// and the items of arrays, are checked and left out: of a long text the tree is small.
	Only map[string]bool
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

var errDepth = errors.New("nested too deeply")

// reader makes a tree of the tokens that jsontext finds in a text.
type reader struct {
	*jsontext.Decoder
	data []byte
	src  string // data: strings of the tree are parts of it
	opts Options

	unquoted []byte // kept for its room
}

func newReader(data []byte, opts Options) *reader {
	opts.MaxDepth = cmp.Or(opts.MaxDepth, MaxDepth)
	return &reader{Decoder: NewDecoder(data), data: data, opts: opts}
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
	case r.StackDepth() >= decoderDepth:
		return &SyntaxError{Span: at, Message: fmt.Sprintf("nested deeper than %d levels", decoderDepth)}
	}
	return cmp.Or((*SyntaxError)(readLoosely(r.data).first), &SyntaxError{Span: source.Span{Start: read, End: read}, Message: "not JSON"})
}

// value reads the next value.
func (r *reader) value() (*Node, error) {
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
	span := r.last(raw)
	n := &Node{start: uint32(span.Start), end: uint32(span.End)}
	switch kind {
	case 'n':
		n.Kind = Null
	case 't', 'f':
		n.Kind, n.Text = Bool, r.src[span.Start:span.End]
	case '"':
		n.Kind, n.Text = String, r.text(raw, span)
	default:
		n.Kind, n.Text = Number, r.src[span.Start:span.End]
	}
	return n, nil
}

// list reads an object or array.
func (r *reader) list(kind Kind) (*Node, error) {
	if _, err := r.ReadToken(); err != nil {
		return nil, err
	}
	if r.StackDepth() > r.opts.MaxDepth {
		return nil, errDepth
	}
	start, in := r.InputOffset()-1, new(content)
	for next := r.PeekKind(); next != '}' && next != ']'; next = r.PeekKind() {
		var m Member
		if kind == Object {
			name, err := r.ReadValue()
			if err != nil {
				return nil, err
			}
			span := r.last(name)
			m = Member{Name: r.text(name, span), start: uint32(span.Start), end: uint32(span.End)}
		}
		if r.opts.Only != nil && !r.opts.Only[m.Name] {
			if err := r.SkipValue(); err != nil {
				return nil, err
			}
			continue
		}
		if r.opts.Only != nil { // the last counts
			in.members = slices.DeleteFunc(in.members, func(o Member) bool { return o.Name == m.Name })
		}
		value, err := r.value()
		switch m.Value = value; {
		case err != nil:
			return nil, err
		case kind == Array:
			in.items = append(in.items, value)
		case in.members == nil:
			in.members = append(make([]Member, 0, 4), m) // few objects have less
		default:
			in.members = append(in.members, m)
		}
	}
	if _, err := r.ReadToken(); err != nil {
		return nil, err
	}
	in.index()
	return &Node{Kind: kind, start: uint32(start), end: uint32(r.InputOffset()), in: in}, nil
}

// last returns where the value is that was read last.
func (r *reader) last(raw jsontext.Value) source.Span {
	end := int(r.InputOffset())
	return source.Span{Start: end - len(raw), End: end}
}

// text returns what a string says.
func (r *reader) text(raw jsontext.Value, at source.Span) string {
	if bytes.IndexByte(raw, '\\') < 0 {
		return r.src[at.Start+1 : at.End-1]
	}
	r.unquoted, _ = jsontext.AppendUnquote(r.unquoted[:0], raw)
	return string(r.unquoted)
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
