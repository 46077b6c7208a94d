package export

import (
	"bytes"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/source"
)

// validator finds the first byte of a stream that is not UTF-8.
type validator struct {
	read int    // bytes seen
	rest []byte // the beginning of a character that is cut by the end of a chunk
	bad  int    // 1 + offset of the first fault, 0 for none
}

func (v *validator) Write(p []byte) (int, error) {
	n := len(p)
	if v.bad > 0 {
		return n, nil
	}
	start := v.read - len(v.rest)
	v.read += n
	if len(v.rest) > 0 {
		p = append(v.rest, p...)
		v.rest = nil
	}
	switch at := source.ValidLen(p); {
	case at == len(p):
	case utf8.FullRune(p[at:]):
		v.bad = start + at + 1
	default: // a character that is cut
		v.rest = bytes.Clone(p[at:])
	}
	return n, nil
}

func (v *validator) failed() bool { _, failed := v.fault(); return failed }

// fault returns the offset of the first fault, if there is one.
func (v *validator) fault() (int, bool) {
	if v.bad > 0 {
		return v.bad - 1, true
	}
	if len(v.rest) > 0 {
		return v.read - len(v.rest), true
	}
	return 0, false
}
