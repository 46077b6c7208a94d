package export

import (
	"bytes"
	"cmp"
	"io"
	"slices"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/jsontree"
	"github.com/brennerlint/brennerlint/mail"
	"github.com/brennerlint/brennerlint/source"
)

// Bytes that cannot be in an export (decisions.md 40): those that are not UTF-8, and raw
// control characters where JSON has none. Either is reported once per message, which is
// read with U+FFFD in their place.

// loaded is a message as a loader reads it.
type loaded struct {
	mail.Message
	faults []source.Fault              // of its bytes
	texts  [textsOfMessage]source.Text // room for its texts: all are one piece of memory
}

// textsOfMessage is how many texts a message has: thread, subject, sender, time and body.
const textsOfMessage = 5

// garble records a fault of a message's bytes.
func (m *loaded) garble(kind source.FaultKind, at source.Place, err error) {
	m.Garbled = true
	m.faults = append(m.faults, source.Fault{Kind: kind, Path: pathOf(&m.Message), At: at, Err: err, InMessage: true, MessageID: m.ID})
}

// unmask scans the file again if bytes that JSON does not allow are, or may be, all that is
// wrong with it.
func (x *jsonIndexer) unmask() error {
	if !x.broken || x.utf16 {
		return nil
	}
	if x.in.InMemory() {
		x.data = bytes.Clone(x.data) // the input stays as it is
	}
	if !jsontree.Mask(x.data, false) {
		return nil
	}
	x.documents, x.evidence, x.broken, x.found, x.reports = 0, evidence{}, false, nil, nil
	x.file.masked = true
	return x.scanOnce()
}

// checkBytes records the first byte outside of messages that JSON does not allow; those in
// messages are reported when they are read.
func (x *jsonIndexer) checkBytes() {
	switch {
	case x.utf16:
		return
	case x.file.masked:
	case x.data != nil && source.Valid(x.data):
		return
	case x.data == nil && x.valid != nil && !x.valid.failed():
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
		g := x.gap(at, end)
		if bad, ok := g.valid.fault(); ok && !utf8Fault {
			utf8Fault = true
			x.report(input.NotUTF8(x.in.Path(), x.byteAt(at+bad)), place{start: at + bad, end: at + bad + 1})
		}
		if x.file.masked && g.control > 0 && !controlFault {
			controlFault = true
			off := at + g.control - 1
			err := &source.ControlError{Char: x.byteAt(off)[0]}
			x.report(source.Fault{Kind: source.RawControl, Path: x.in.Path(), Err: err}, place{start: off, end: off + 1})
		}
	}
	for _, f := range spans {
		gap(f.start)
		at = max(at, f.end)
	}
	gap(int(x.content.Size()))
}

func (x *jsonIndexer) byteAt(off int) []byte {
	b := make([]byte, 1)
	_, _ = x.content.ReadAt(b, int64(off)) // it could be read before
	return b
}

// gap returns what is wrong with the bytes of the file between two offsets.
func (x *jsonIndexer) gap(start, end int) *gap {
	g := &gap{}
	_, _ = io.Copy(g, io.NewSectionReader(x.content, int64(start), int64(end-start))) // it could be read before
	return g
}

type gap struct {
	valid   validator
	control int // 1 + offset of the first control character
	read    int
}

func (g *gap) Write(p []byte) (int, error) {
	if at := jsontree.RawControl(p); at >= 0 && g.control == 0 {
		g.control = g.read + at + 1
	}
	g.read += len(p)
	return g.valid.Write(p)
}

// byteFaults adds the faults of the bytes of a message at an offset of a file.
func (x *jsonFile) byteFaults(m *loaded, f *source.File, raw []byte, off int) {
	at := func(i int) source.Place { return f.Place(source.Span{Start: off + i, End: off + i + 1}) }
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
