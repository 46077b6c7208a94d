package export

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"sync"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/source"
)

// jsonScan is what was found in a JSON file: one document, JSON Lines, or a stream of
// server-sent events (mail_formats.md section 4).
type jsonScan struct {
	raw  *source.Text // the file
	text *source.Text // the file as it is read: bytes that JSON does not allow may be masked

	findings
	documents int  // JSON values at the outermost level
	broken    bool // it does not parse
	utf16     bool
	garbled   bool // some bytes are not allowed in JSON
}

// scanJSON scans a file. If it does not parse, and bytes that JSON does not allow may be the
// reason, they are masked, and the file is scanned again.
func scanJSON(path string, data []byte) *jsonScan {
	x := &jsonScan{raw: source.NewFile(path, data).Whole()}
	x.text = x.raw
	x.scan()
	if x.broken && !x.utf16 {
		if masked, ok := maskJSON(data); ok {
			x = &jsonScan{raw: x.raw, text: source.NewFile(path, masked).Whole()}
			x.scan()
		}
	}
	for i := range x.faults {
		f := &x.faults[i]
		f.Path = path
		span, _ := f.At.Text.ToFile(f.At.Span)
		// Only its own lines are shown: those around it may hold a credential.
		lines := source.Span{Start: x.raw.Line(x.raw.LineAt(span.Start)).Start, End: max(span.End, x.raw.Line(x.raw.LineAt(span.End)).End)}
		f.At = x.raw.File.Part(lines).Place(span.Shift(-lines.Start))
	}
	x.checkBytes()
	return x
}

// scan finds the messages of all documents of the file.
func (x *jsonScan) scan() {
	start := 0
	if bytes.HasPrefix(x.text.Data, []byte(source.BOM)) {
		start = len(source.BOM)
	}
	switch head := x.text.Data[start:min(len(x.text.Data), start+16<<10)]; {
	case input.IsUTF16(head):
		x.utf16 = true
		f := input.NotUTF8(x.raw.File.Path, head)
		f.At = x.text.Place(source.Span{End: 2})
		x.faults = append(x.faults, f)
		return
	case input.IsSSE(head):
		x.scanEvents(start)
		return
	}
	for from := start; from >= 0; {
		from = x.scanFrom(from)
	}
	if x.documents == 0 && len(x.faults) == 0 {
		x.broken = true
		x.faults = append(x.faults, malformed(x.text.Place(source.Span{Start: start, End: start}), errors.New("the file is empty, expected mail as JSON"), ""))
	}
}

// take adds what a scanner found, and a fault if it could not go on.
func (x *jsonScan) take(c *scanner, more ...source.Fault) {
	x.add(&c.findings)
	x.faults = append(x.faults, more...)
	x.broken = x.broken || len(c.faults)+len(more) > 0
}

// scanFrom scans documents from an offset to the end of the file or a fault. After a fault
// it returns where to continue, else -1.
func (x *jsonScan) scanFrom(start int) int {
	c := newScanner(x.text, source.Span{Start: start, End: x.text.Len()})
	end := start // of the last document that was read whole
	var scalars []source.Fault
	for c.more(0) {
		if kind := c.PeekKind(); kind == '{' || kind == '[' {
			c.value(nil, false)
		} else if raw := c.read(); c.err == nil && len(scalars) < maxScalars {
			scalars = append(scalars, malformed(c.last(len(raw)), errNoMessage, ""))
		}
		if c.err == nil {
			end = c.offset()
			x.documents++
		}
	}
	if len(c.found) > 0 {
		c.faults = append(c.faults, scalars...)
	}
	if c.token(); !errors.Is(c.err, io.EOF) {
		return x.resume(c, end)
	}
	x.take(c)
	return -1
}

// resume reports the fault at which a scanner has stopped, in the document that begins at start.
// In JSON Lines it returns where the next line begins, because a fault ends with its line; else
// -1.
func (x *jsonScan) resume(c *scanner, start int) (next int) {
	data := x.text.Data
	start += len(data[start:]) - len(bytes.TrimLeft(data[start:], " \t\r\n"))
	part, next := source.Span{Start: start, End: len(data)}, -1
	rest := data[start:]
	if n := bytes.IndexByte(rest, '\n'); n >= 0 && rest[0] == '{' && (x.documents > 0 || !opensLine(rest[:n])) && jsontree.CheckSyntax(rest[:n]) != nil {
		if more := bytes.Index(rest[n:], []byte("\n{")); more >= 0 {
			part.End, next = start+n, start+n+more+1
			rest = rest[:n]
		}
	}
	f := c.diagnose(part)
	if line := x.text.Line(x.text.LineAt(f.At.Span.Start)); f.At.Text == x.text && isConflictMarker(x.text.Bytes(line)) {
		f.At, f.Err, f.Hint = x.text.Place(line), errors.New("the line is a conflict marker"), "resolve the conflict"
	}
	if before := beforeJSON(rest); before > 0 && x.documents == 0 {
		f.At = x.text.Place(source.Span{Start: start, End: start + min(before, firstLine(rest))})
		above := bytes.LastIndexByte(rest[:before], '\n') + 1
		var remove []string
		if above > 0 {
			remove = append(remove, "what is before line "+strconv.Itoa(x.raw.LineAt(start+before)))
		}
		if beside := rest[above:before]; firstByte(beside) != 0 {
			remove = append(remove, text.Quote(string(beside)))
		}
		f.Err, f.Hint = errors.New("the file does not begin with JSON"), "remove "+text.And(remove)
		if isConflictMarker(rest) {
			f.Err, f.Hint = errors.New("the file begins with a conflict marker"), "resolve the conflict"
		}
	}
	if len(x.faults)+len(c.faults) >= maxFaults && next >= 0 {
		f.Hint, next = fmt.Sprintf("this is fault %d of the file, the rest of which is not read", maxFaults+1), -1
	}
	x.take(c, f)
	return next
}

// isConflictMarker reports whether a line is one that version control leaves.
func isConflictMarker(line []byte) bool {
	return slices.ContainsFunc([]string{"<<<<<<<", "|||||||", ">>>>>>>"}, func(mark string) bool { return bytes.HasPrefix(line, []byte(mark)) })
}

// maxFaults is the number of faults of JSON Lines after which scanning stops.
const maxFaults = 100

// beforeJSON returns the length of what is before the first line that begins like JSON, such as
// the lines of a log, or before a value that begins within a line; 0 if there is nothing.
func beforeJSON(data []byte) int {
	at := 0
	for line := range bytes.Lines(data) {
		if c := firstByte(line); c == '{' || c == '[' {
			return at
		}
		i := bytes.IndexAny(line, "{[")
		if i >= 0 && (firstByte(line[i+1:]) == 0 || newDecoder(line[i:]).SkipValue() == nil) {
			return at + i
		}
		at += len(line)
	}
	return 0
}

// opensLine reports whether a line is the first of an indented document, not a line of JSON
// Lines.
func opensLine(line []byte) bool {
	line = bytes.TrimRight(line, " \t\r")
	return len(line) > 0 && bytes.IndexByte([]byte("{[,:"), line[len(line)-1]) >= 0
}

// scanEvents scans a stream of server-sent events, whose data lines hold JSON. The lines of one
// event make one document.
func (x *jsonScan) scanEvents(start int) {
	var event []source.Span
	ofMessage := true
	flush := func() {
		doc, isMessage := x.text.Join(event), ofMessage
		event, ofMessage = nil, true
		first := firstByte(doc.Data)
		if first == 0 || !isMessage && first != '{' && first != '[' || string(bytes.TrimSpace(doc.Data)) == "[DONE]" {
			return // the transport has events of its own
		}
		c := newScanner(doc, doc.WholePlace().Span)
		if c.document(nil, false); c.err != nil {
			c.faults = append(c.faults, c.diagnose(doc.WholePlace().Span))
		}
		x.documents++
		if isEmptyList(doc.Data) {
			x.evidence |= likely
		}
		x.take(c)
	}
	at := start
	for line := range input.EventLines(x.text.Data[start:]) {
		field, rest, _ := bytes.Cut(line, []byte(":"))
		switch {
		case string(field) == "data":
			rest = bytes.TrimPrefix(rest, []byte(" "))
			event = append(event, source.Span{Start: at + len(line) - len(rest), End: at + len(line)})
		case string(field) == "event":
			ofMessage = string(bytes.TrimSpace(rest)) == "message"
		case len(bytes.TrimRight(line, "\r\n")) == 0:
			flush()
		}
		at += len(line)
	}
	flush()
}

// Bytes that cannot be in an export (decisions.md 40) are those that are not UTF-8, and raw
// control characters where JSON has none. Either is reported once per message, which is
// read with U+FFFD in their place.

// masked reports whether the file can only be read without bytes that JSON does not allow.
func (x *jsonScan) masked() bool { return x.text != x.raw }

// checkBytes records the first byte outside of messages that JSON does not allow; those in
// messages are reported when they are read.
func (x *jsonScan) checkBytes() {
	raw := x.raw.Data
	if x.utf16 || !x.masked() && utf8.Valid(raw) {
		return
	}
	x.garbled = true
	outside := bytes.Clone(raw)
	for _, o := range x.found {
		span, _ := o.text.ToFile(o.span)
		for i := span.Start; i < span.End; i++ {
			outside[i] = ' '
		}
	}
	if i := source.ValidLen(outside); i < len(outside) {
		f := input.NotUTF8(x.raw.File.Path, outside[i:i+1])
		f.At = x.raw.Place(source.Span{Start: i, End: i + 1})
		x.faults = append(x.faults, f)
	}
	if i := jsontree.RawControl(outside); i >= 0 && x.masked() {
		x.faults = append(x.faults, source.Fault{
			Kind: source.RawControl, Path: x.raw.File.Path, At: x.raw.Place(source.Span{Start: i, End: i + 1}),
			Err: &source.ControlError{Char: outside[i]},
		})
	}
}

// checkBytes records the first byte of a message that is not UTF-8, and its first control
// character, if that is not -1.
func (m *loaded) checkBytes(raw []byte, control int, at func(i int) source.Place) {
	if i := source.ValidLen(raw); i < len(raw) {
		m.garble(source.NotUTF8, at(i), &source.EncodingError{Byte: raw[i]})
	}
	if control >= 0 {
		m.garble(source.RawControl, at(control), &source.ControlError{Char: raw[control]})
	}
}

// garble records a fault of a message's bytes.
func (m *loaded) garble(kind source.FaultKind, at source.Place, err error) {
	m.Garbled = true
	m.faults = append(m.faults, source.Fault{Kind: kind, Path: pathOf(&m.Message), At: at, Err: err, InMessage: true, MessageID: m.ID})
}

// isGarbled reports whether the text at a place begins with a byte that was read as U+FFFD.
func isGarbled(m *mail.Message, at source.Place) bool {
	return m.Garbled && at.Known() && bytes.HasPrefix(at.Text.Bytes(at.Span), []byte(string(utf8.RuneError)))
}

// readJSONFile indexes the messages of a JSON file. A file that is not mail is reported only if
// the user says that it is mail.
func readJSONFile(r *reading) error {
	in := r.in
	data, ok := r.bytes()
	if !ok {
		return nil
	}
	x := scanJSON(in.Path(), data)
	isRefusal := x.evidence.has(refused) && x.documents == 1
	isMail := x.evidence.isMail() || isRefusal || x.evidence.has(likely) && in.Explicit()
	isBroken := in.Malformed && len(x.faults) > 0 || x.broken && x.evidence.isBrokenMail()
	if !isMail && !isBroken && !in.Explicit() {
		return ErrNoMail
	}
	r.faults = append(r.faults, x.faults...)
	if !isMail || len(x.found) == 0 {
		if isMail || len(x.faults) > 0 || isEmptyList(x.text.Data) {
			return nil
		}
		return ErrNoMail
	}
	file := &jsonFile{in: in, messages: len(x.found)}
	if r.hold(int64(len(data))) {
		file.kept = x
	}
	// What the file says about the thread of a message decides in which export it is.
	type shape struct{ listing, single bool }
	exports := map[shape]*export{}
	for i, f := range x.found {
		is := shape{listing: f.inListing() || x.broken, single: !f.listed && x.documents == 1}
		from := exports[is]
		if from == nil {
			from = &export{loader: file, info: &mail.ExportInfo{
				Path: in.Path(), Form: mail.JSON, Partial: is.listing, Standalone: is.single, Mailbox: is.listing && !x.broken,
				WithoutBodies: true,
			}}
			exports[is], r.exports = from, append(r.exports, from)
		}
		e, subject := f.entry()
		e.ref = int64(i)
		if e.body != mail.BodyAbsent {
			from.info.WithoutBodies = false
		}
		from.add(e, in, subject)
	}
	return nil
}

// isEmptyList reports whether a text is an inbox without mail: `[]`.
func isEmptyList(data []byte) bool {
	return len(data) < 64 && string(bytes.Join(bytes.Fields(data), nil)) == "[]"
}

// jsonFile loads messages of one JSON file.
type jsonFile struct {
	in       *input.Input
	messages int

	mu   sync.Mutex
	kept *jsonScan // nil if the file must be read again
}

// open returns the file for loading some of its messages. If there are others, of other
// threads, it is kept for them: else it would be read again for each thread.
func (x *jsonFile) open(messages int) (*jsonScan, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	file := x.kept
	if file == nil {
		data, err := x.in.Bytes()
		if err != nil {
			return nil, err
		}
		file = scanJSON(x.in.Path(), data)
	}
	if x.kept = nil; messages < x.messages {
		x.kept = file
	}
	return file, nil
}

// load implements loader.
func (x *jsonFile) load(entries []*entry, report func(source.Fault)) []*loaded {
	out := make([]*loaded, len(entries))
	file, err := x.open(len(entries))
	if err != nil {
		report(source.UnreadableFault(x.in.Path(), err))
		return out
	}
	for i, e := range entries {
		if out[i], err = file.message(e); err != nil {
			report(source.UnreadableFault(x.in.Path(), fmt.Errorf("the file changed while it was read: %w", err)))
			return out
		}
	}
	return out
}

// message reads the message of an entry.
func (x *jsonScan) message(e *entry) (*loaded, error) {
	if e.ref >= int64(len(x.found)) || e.size != uint32(x.found[e.ref].span.Len()) {
		return nil, errNoObject
	}
	at := x.found[e.ref]
	m := at.load()
	m.Form, m.File = mail.JSON, x.text.File
	if !x.garbled {
		return m, nil
	}
	span, _ := at.text.ToFile(at.span)
	raw, control := x.raw.Bytes(span), -1
	if x.masked() {
		control = jsontree.RawControl(raw)
	}
	m.checkBytes(raw, control, func(i int) source.Place {
		return x.text.Place(source.Span{Start: span.Start + i, End: span.Start + i + 1})
	})
	return m, nil
}

// maxMended bounds how many bytes of a file are replaced by signs of JSON on trial, and
// maxMendedSize how many bytes are read for one sign.
const (
	maxMended     = 4
	maxMendedSize = 8 << 20
)

// maskJSON returns a copy of a JSON text in which bytes that JSON does not allow are replaced by
// harmless ones; false if it has no such bytes. If one of them must have been a sign of JSON, it
// is replaced by the first sign that makes the text JSON.
func maskJSON(data []byte) (masked []byte, ok bool) {
	mask := func(data []byte) bool {
		masked = bytes.Clone(data)
		ok = jsontree.Mask(masked)
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
