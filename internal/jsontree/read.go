package jsontree

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/brennerlint/brennerlint/source"
)

// Options are limits on what is read.
type Options struct {
	MaxDepth int // 0 means MaxDepth
	// Only, if not nil, are the names of the members that the tree keeps, of
	// repeated ones the last; all other members and the items of arrays are checked
	// and left out, so that the tree is small however long the text is.
	Only map[string]bool

	allowInvalidUTF8 bool
}

// Parse reads data as one JSON value, perhaps with white space around it. The error is the first
// fault, or nil.
func Parse(data []byte, opts Options) (*Node, *SyntaxError) {
	r := newReader(data, opts)
	r.src = string(data)
	n, err := r.value(true)
	if fault := r.end(err); fault != nil {
		return nil, fault
	}
	return n, nil
}

// Check returns the fault that Parse would find, nil if there is none. It makes no
// tree, and knows no limit on depth but the decoder's own.
func Check(data []byte) *SyntaxError {
	r := newReader(data, Options{})
	return r.end(r.SkipValue())
}

// CheckSyntax is Check, but that strings may hold bytes that are not UTF-8.
func CheckSyntax(data []byte) *SyntaxError {
	r := newReader(data, Options{allowInvalidUTF8: true})
	return r.end(r.SkipValue())
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
	errMore  = errors.New("more data after the value")
	errDepth = errors.New("nested too deeply")
)

// reader makes a tree of the tokens that jsontext finds in a text.
type reader struct {
	*jsontext.Decoder
	data []byte
	src  string // data: strings of the tree are parts of it
	opts Options
}

func newReader(data []byte, opts Options) *reader {
	opts.MaxDepth = cmp.Or(opts.MaxDepth, MaxDepth)
	// Invalid UTF-8 is looked for in end: the decoder counts surrogate escapes without a
	// partner as such, which RFC 8259 allows.
	d := jsontext.NewDecoder(bytes.NewBuffer(data), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	return &reader{Decoder: d, data: data, opts: opts}
}

// end returns the fault of the text after its value was read, or not.
func (r *reader) end(err error) *SyntaxError {
	if err == nil && skipSpace(r.data, int(r.InputOffset())) < len(r.data) {
		err = errMore
	}
	var fault *SyntaxError
	if err != nil {
		fault = r.diagnose(err)
	}
	if r.opts.allowInvalidUTF8 || utf8.Valid(r.data) {
		return fault
	}
	if bad := source.ValidLen(r.data); fault == nil || bad <= fault.Span.Start {
		fault = &SyntaxError{
			Span:    source.Span{Start: bad, End: bad + 1},
			Message: fmt.Sprintf("byte 0x%02X is not valid UTF-8", r.data[bad]),
			Hint:    "save the text as UTF-8",
		}
	}
	return fault
}

// diagnose turns the decoder's error into the place and the usual mistake.
func (r *reader) diagnose(err error) *SyntaxError {
	read := int(r.InputOffset())
	at := source.Span{Start: read - 1, End: read}
	switch {
	case errors.Is(err, errDepth):
		return &SyntaxError{
			Span: at, Message: fmt.Sprintf("nested deeper than %d levels", r.opts.MaxDepth),
			Hint: "reduce the nesting, or raise limits.json-depth in .brennerlint.yaml",
		}
	case r.StackDepth() >= decoderDepth:
		return &SyntaxError{Span: at, Message: fmt.Sprintf("nested deeper than %d levels", decoderDepth)}
	}
	if e := firstMistake(r.data, decoderDepth); e != nil {
		return e
	}
	return &SyntaxError{Span: source.Span{Start: read, End: read}, Message: "not JSON"}
}

// value reads the next value. Unless it is kept, there is no node.
func (r *reader) value(keep bool) (*Node, error) {
	kind := r.PeekKind()
	switch kind {
	case '{':
		return r.list(Object, keep)
	case '[':
		return r.list(Array, keep)
	}
	raw, err := r.ReadValue()
	if err != nil || !keep {
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
func (r *reader) list(kind Kind, keep bool) (*Node, error) {
	if _, err := r.ReadToken(); err != nil {
		return nil, err
	}
	if r.StackDepth() > r.opts.MaxDepth {
		return nil, errDepth
	}
	start, in := r.InputOffset()-1, new(content)
	read := r.item
	if kind == Object {
		read = r.member
	}
	for next := r.PeekKind(); next != '}' && next != ']'; next = r.PeekKind() {
		if err := read(in, keep); err != nil {
			return nil, err
		}
	}
	if _, err := r.ReadToken(); err != nil {
		return nil, err
	}
	if !keep {
		return nil, nil
	}
	in.index()
	return &Node{Kind: kind, start: uint32(start), end: uint32(r.InputOffset()), in: in}, nil
}

// item reads an item of an array.
func (r *reader) item(in *content, keep bool) error {
	keep = keep && r.opts.Only == nil
	n, err := r.value(keep)
	if keep {
		in.items = append(in.items, n)
	}
	return err
}

// member reads a member of an object.
func (r *reader) member(in *content, keep bool) error {
	raw, err := r.ReadValue()
	if err != nil {
		return err
	}
	var m Member
	if keep {
		span := r.last(raw)
		m = Member{Name: r.text(raw, span), start: uint32(span.Start), end: uint32(span.End)}
	}
	if keep && r.opts.Only != nil {
		if keep = r.opts.Only[m.Name]; keep {
			others := len(in.members)
			in.members = slices.DeleteFunc(in.members, func(other Member) bool { return other.Name == m.Name })
			m.Repeated = len(in.members) < others
		}
	}
	m.Value, err = r.value(keep)
	if keep {
		if in.members == nil {
			in.members = make([]Member, 0, 4) // few objects have less
		}
		in.members = append(in.members, m)
	}
	return err
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
	text, _ := unquoted(raw)
	return text
}

// unquoted returns the text of a string literal; false if raw is not one. A surrogate without
// its partner, which RFC 8259 section 8.2 allows, becomes U+FFFD.
func unquoted(raw []byte) (string, bool) {
	out, err := jsontext.AppendUnquote(nil, raw)
	return string(out), err == nil
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
