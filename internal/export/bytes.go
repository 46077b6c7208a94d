package export

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"slices"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/source"
)

// Bytes that cannot be in an export (decisions.md 40): those that are not UTF-8, and raw
// control characters where JSON has none. Either is reported once per message, which is
// read with U+FFFD in their place.

// loaded is a message as a loader reads it.
type loaded struct {
	mail.Message
	faults []source.Fault // of its bytes
}

// garble records a fault of a message's bytes.
func (m *loaded) garble(kind source.FaultKind, at source.Place, err error) {
	m.Garbled = true
	m.faults = append(m.faults, source.Fault{Kind: kind, Path: pathOf(&m.Message), At: at, Err: err, InMessage: true, MessageID: m.ID})
}

// unmask scans the file again if bytes that JSON does not allow are, or may be, all that is
// wrong with it.
func (x *jsonIndexer) unmask() {
	if !x.broken || x.utf16 {
		return
	}
	masked, ok := maskJSON(x.data)
	if !ok {
		return
	}
	x.data = masked
	x.documents, x.evidence, x.broken, x.found, x.reports = 0, evidence{}, false, nil, nil
	x.file.masked = true
	x.scanOnce()
}

// maxMended bounds the bytes of a file in whose place signs of JSON are tried, and
// maxMendedSize, in bytes, what is read for one sign.
const (
	maxMended     = 4
	maxMendedSize = 8 << 20
)

// maskJSON returns a copy of a JSON text whose bytes that JSON does not allow are harmless; false
// if it has none. Where such a byte stands for a sign of JSON, and only one, the text is not JSON
// without it: it is read with the first sign that makes it JSON.
func maskJSON(data []byte) (masked []byte, ok bool) {
	mask := func(data []byte) bool {
		masked = bytes.Clone(data)
		ok = jsontree.Mask(masked, false)
		return isJSON(masked)
	}
	if mask(data) {
		return masked, ok
	}
	asIs, changed := masked, ok
	var bad []int
	for i := 0; i < len(data) && len(bad) <= maxMended; i++ {
		if i += source.ValidLen(data[i:]); i < len(data) {
			bad = append(bad, i)
		}
	}
	if len(bad) > maxMended || len(bad)*len(data) > maxMendedSize {
		return asIs, changed
	}
	mended := bytes.Clone(data)
	for _, at := range bad {
		for _, sign := range []byte(`":,{}[]\truefalsn0`) {
			if mended[at] = sign; mask(mended) {
				return masked, true
			}
		}
		mended[at] = data[at]
	}
	return asIs, changed
}

// isJSON reports whether a text is JSON, or several values of JSON one after the other. Bytes in
// strings need not be UTF-8.
func isJSON(text []byte) bool {
	d := jsontext.NewDecoder(bytes.NewReader(bytes.TrimPrefix(text, []byte(source.BOM))), jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	for {
		if err := d.SkipValue(); err != nil {
			return errors.Is(err, io.EOF)
		}
	}
}

// checkBytes records the first byte outside of messages that JSON does not allow; those in
// messages are reported when they are read.
func (x *jsonIndexer) checkBytes() {
	raw := x.raw.Data
	if x.utf16 || !x.file.masked && utf8.Valid(raw) {
		return
	}
	x.file.garbled = true
	spans := slices.SortedFunc(slices.Values(x.found), func(a, b found) int { return cmp.Compare(a.start, b.start) })
	at := 0
	var utf8Fault, controlFault bool
	gap := func(end int) {
		if at >= end {
			return
		}
		between := raw[at:end]
		if bad := source.ValidLen(between); bad < len(between) && !utf8Fault {
			utf8Fault = true
			x.note(input.NotUTF8(x.in.Path(), between[bad:bad+1]), place{start: at + bad, end: at + bad + 1})
		}
		if i := jsontree.RawControl(between); i >= 0 && x.file.masked && !controlFault {
			controlFault = true
			err := &source.ControlError{Char: between[i]}
			x.note(source.Fault{Kind: source.RawControl, Path: x.in.Path(), Err: err}, place{start: at + i, end: at + i + 1})
		}
	}
	for _, f := range spans {
		gap(f.start)
		at = max(at, f.end)
	}
	gap(len(raw))
}

// byteFaults adds the faults of the bytes of a message.
func (x *jsonFile) byteFaults(m *loaded, file *jsonData, p place) {
	raw := file.raw.Data[p.start:p.end]
	at := func(i int) source.Place {
		return file.read.Place(source.Span{Start: p.start + i, End: p.start + i + 1})
	}
	if i := source.ValidLen(raw); i < len(raw) {
		m.garble(source.NotUTF8, at(i), &source.EncodingError{Byte: raw[i]})
	}
	if i := jsontree.RawControl(raw); i >= 0 && x.masked {
		m.garble(source.RawControl, at(i), &source.ControlError{Char: raw[i]})
	}
}

// isGarbled reports whether the text at a place begins with a byte that was read as U+FFFD.
func isGarbled(m *mail.Message, at source.Place) bool {
	return m.Garbled && at.Known() && bytes.HasPrefix(at.Text.Bytes(at.Span), []byte(string(utf8.RuneError)))
}
