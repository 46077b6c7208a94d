package export

import (
	"bytes"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/brennerlint/brennerlint/source"
)

// scanOptions: of members given twice the last counts (decisions.md 9), and a
// surrogate escape without its partner is no fault, which the decoder takes for
// invalid UTF-8. Bytes that are none are looked for by the reader.
var scanOptions = []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}

// decoder is a reusable decoder.
type decoder struct {
	jsontext.Decoder
	buf bytes.Buffer // the text, if it is not a stream
}

var decoders = sync.Pool{New: func() any { return new(decoder) }}

// newDecoder returns a decoder of bytes. free returns it to the pool.
func newDecoder(data []byte) *decoder {
	d := decoders.Get().(*decoder)
	d.decode(data)
	return d
}

// decode lets d decode bytes from now on.
func (d *decoder) decode(data []byte) {
	d.buf = *bytes.NewBuffer(data)
	d.Reset(&d.buf, scanOptions...)
}

func (d *decoder) free() {
	d.release()
	decoders.Put(d)
}

// release releases the text.
func (d *decoder) release() {
	d.buf = bytes.Buffer{}
	d.Reset(&d.buf)
}

// offset returns the end of what was read last.
func (d *decoder) offset() int { return int(d.InputOffset()) }

// span returns the span of the value that was read last.
func (d *decoder) span(last jsontext.Value) source.Span {
	return source.Span{Start: d.offset() - len(last), End: d.offset()}
}
