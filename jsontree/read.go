package jsontree

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"sync"
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

func (o *Options) depth() int { return cmp.Or(o.MaxDepth, MaxDepth) }

var decoders = sync.Pool{New: func() any { return new(decoder) }}

type decoder struct {
	jsontext.Decoder
	buf      bytes.Buffer
	maxDepth int
}

// Parse reads one JSON value that fills data but for white space around it. The error
// is the first fault, or nil.
func Parse(data []byte, opts Options) (*Node, *SyntaxError) {
	if isJSON(data) {
		if n, ok := tree(data, opts); ok {
			return n, nil
		}
	}
	return nil, read(data, opts, (*decoder).value)
}

// isJSON reports whether data is one JSON value. To know this takes a fraction of finding
// out what is wrong and where.
func isJSON(data []byte) bool {
	d := decoders.Get().(*decoder)
	defer d.free()
	d.begin(data)
	_, err := d.ReadValue()
	return err == nil && skipSpace(data, int(d.InputOffset())) == len(data) && utf8.Valid(data)
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
	d.maxDepth = opts.depth()
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

// value goes past the next value.
func (d *decoder) value() error {
	switch d.PeekKind() {
	case '{':
		return d.object()
	case '[':
		return d.array()
	}
	_, err := d.ReadValue()
	return err
}

func (d *decoder) object() error {
	if err := d.open(); err != nil {
		return err
	}
	for d.PeekKind() != '}' {
		if _, err := d.ReadValue(); err != nil {
			return err
		}
		if err := d.value(); err != nil {
			return err
		}
	}
	_, err := d.ReadToken()
	return err
}

func (d *decoder) array() error {
	if err := d.open(); err != nil {
		return err
	}
	for d.PeekKind() != ']' {
		if err := d.value(); err != nil {
			return err
		}
	}
	_, err := d.ReadToken()
	return err
}

func (d *decoder) open() error {
	_, err := d.ReadToken()
	if err == nil && d.StackDepth() > d.maxDepth {
		return errDepth
	}
	return err
}
