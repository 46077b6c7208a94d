package jsontree

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"sync"

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

var decoders = sync.Pool{New: func() any { return new(decoder) }}

type decoder struct {
	jsontext.Decoder
	buf      bytes.Buffer
	src      string // the input: strings of the tree are parts of it
	maxDepth int
	only     map[string]bool
	members  []Member // of the objects that are open, which spares allocations
	nodes    []Node   // a chunk to hand out, which spares allocations
}

// Parse reads one JSON value that fills data but for white space around it. The error
// is the first fault, or nil.
func Parse(data []byte, opts Options) (*Node, *SyntaxError) {
	var n *Node
	fault := read(data, opts, func(d *decoder) (err error) {
		d.src = string(data)
		n, err = d.value()
		d.src = ""
		clear(d.members)
		d.members = d.members[:0]
		return err
	})
	if fault != nil {
		return nil, fault
	}
	return n, nil
}

// Check returns the fault that Parse would find, nil if there is none. It makes no
// tree, and knows no limit on depth but the decoder's own.
func Check(data []byte) *SyntaxError {
	return read(data, Options{}, func(d *decoder) error { return d.SkipValue() })
}

// CheckSyntax is Check, but that strings may hold bytes that are not UTF-8.
func CheckSyntax(data []byte) *SyntaxError {
	return read(data, Options{allowInvalidUTF8: true}, func(d *decoder) error { return d.SkipValue() })
}

// ValueEnd returns where the JSON value ends that data begins with; what follows it is not
// looked at. It reports false if data begins with none.
func ValueEnd(data []byte) (end int, ok bool) {
	d := decoders.Get().(*decoder)
	defer d.free()
	d.begin(data)
	err := d.SkipValue()
	return int(d.InputOffset()), err == nil
}

// begin lets the decoder read data. Invalid UTF-8 is looked for elsewhere: the decoder
// counts surrogate escapes without a partner as such, which RFC 8259 allows.
func (d *decoder) begin(data []byte) {
	d.buf = *bytes.NewBuffer(data)
	d.Reset(&d.buf, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// free lets others use the decoder, and does not keep the input alive.
func (d *decoder) free() {
	d.buf = bytes.Buffer{}
	decoders.Put(d)
}

// read reads data by a function that reads one value.
func read(data []byte, opts Options, value func(*decoder) error) *SyntaxError {
	d := decoders.Get().(*decoder)
	defer d.free()
	d.maxDepth, d.only = opts.MaxDepth, opts.Only
	if d.maxDepth == 0 {
		d.maxDepth = MaxDepth
	}
	d.begin(data)
	err := value(d)
	if err == nil && skipSpace(data, int(d.InputOffset())) < len(data) {
		err = errMore
	}
	var fault *SyntaxError
	if err != nil {
		fault = d.diagnose(data, err)
	}
	if errors.Is(err, errMore) {
		fault.ValueEnd = int(d.InputOffset())
	}
	if bad := source.ValidLen(data); bad < len(data) && !opts.allowInvalidUTF8 && (fault == nil || bad <= fault.Span.Start) {
		fault = &SyntaxError{
			Span:    source.Span{Start: bad, End: bad + 1},
			Message: fmt.Sprintf("byte 0x%02X is not valid UTF-8", data[bad]),
			Hint:    "save the text as UTF-8",
		}
	}
	return fault
}

var (
	errMore  = errors.New("more data after the value")
	errDepth = errors.New("nested too deeply")
)

// chunk is how many nodes are made at once: a delta has some twelve.
const chunk = 16

// newNode returns a node that nothing else refers to.
func (d *decoder) newNode(k Kind) *Node {
	if len(d.nodes) == 0 {
		d.nodes = make([]Node, chunk)
	}
	n := &d.nodes[0]
	n.Kind, d.nodes = k, d.nodes[1:]
	return n
}

// value reads the next value.
func (d *decoder) value() (*Node, error) {
	switch d.PeekKind() {
	case '{':
		return d.object()
	case '[':
		return d.array()
	}
	raw, err := d.ReadValue()
	if err != nil {
		return nil, err
	}
	n, span := d.newNode(String), d.spanOf(raw)
	switch n.Span = span; raw.Kind() {
	case 'n':
		n.Kind = Null
	case 't', 'f':
		n.Kind, n.Text = Bool, d.src[span.Start:span.End]
	case '0':
		n.Kind, n.Text = Number, d.src[span.Start:span.End]
	default:
		n.Text = unquote(d.src[span.Start:span.End])
	}
	return n, nil
}

func (d *decoder) object() (*Node, error) {
	n := d.newNode(Object)
	if err := d.open(n); err != nil {
		return nil, err
	}
	first := len(d.members)
	for d.PeekKind() != '}' {
		raw, err := d.ReadValue()
		if err != nil {
			return nil, err
		}
		name := d.spanOf(raw)
		m := Member{Name: unquote(d.src[name.Start:name.End]), NameSpan: name}
		if d.only != nil && !d.only[m.Name] {
			if err := d.skip(); err != nil {
				return nil, err
			}
			continue
		}
		if m.Value, err = d.value(); err != nil {
			return nil, err
		}
		d.keep(first, m)
	}
	n.Members = append([]Member(nil), d.members[first:]...)
	d.members = d.members[:first]
	n.index()
	return n, d.close(n)
}

// keep adds a member to the object whose members begin at first. Where only some
// names are kept, it takes the place of one with the same name.
func (d *decoder) keep(first int, m Member) {
	if d.only != nil {
		for i := range d.members[first:] {
			if d.members[first+i].Name == m.Name {
				m.Repeated = true
				d.members[first+i] = m
				return
			}
		}
	}
	d.members = append(d.members, m)
}

func (d *decoder) array() (*Node, error) {
	n := d.newNode(Array)
	if err := d.open(n); err != nil {
		return nil, err
	}
	for d.PeekKind() != ']' {
		if d.only != nil {
			if err := d.skip(); err != nil {
				return nil, err
			}
			continue
		}
		v, err := d.value()
		if err != nil {
			return nil, err
		}
		n.Items = append(n.Items, v)
	}
	return n, d.close(n)
}

// skip reads the next value, which is in no tree but nests no deeper than one.
func (d *decoder) skip() error {
	for outside := d.StackDepth(); ; {
		if _, err := d.ReadToken(); err != nil {
			return err
		}
		switch depth := d.StackDepth(); {
		case depth > d.maxDepth:
			return errDepth
		case depth == outside:
			return nil
		}
	}
}

func (d *decoder) open(n *Node) error {
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	n.Span.Start = int(d.InputOffset()) - 1
	if d.StackDepth() > d.maxDepth {
		return errDepth
	}
	return nil
}

func (d *decoder) close(n *Node) error {
	_, err := d.ReadToken()
	n.Span.End = int(d.InputOffset())
	return err
}

// spanOf returns the span of the value that was read last.
func (d *decoder) spanOf(raw jsontext.Value) source.Span {
	end := int(d.InputOffset())
	return source.Span{Start: end - len(raw), End: end}
}

func unquote(raw string) string {
	if strings.IndexByte(raw, '\\') < 0 {
		return raw[1 : len(raw)-1]
	}
	// The decoder has checked the literal; the only error left is a surrogate
	// without its partner, which RFC 8259 section 8.2 allows: it becomes U+FFFD.
	out, _ := jsontext.AppendUnquote(nil, raw)
	return string(out)
}
