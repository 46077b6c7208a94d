package export

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// newDecoder returns a decoder of a text. Of members given twice the last counts
// (decisions.md 9), and a surrogate escape without its partner is no fault, which the
// decoder takes for invalid UTF-8. Bytes that are none are looked for by the reader.
func newDecoder(text []byte) *jsontext.Decoder {
	return jsontext.NewDecoder(bytes.NewBuffer(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}
