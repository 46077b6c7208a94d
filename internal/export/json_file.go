package export

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/source"
)

// mailFile is what was found in a file of mail: a message of the archive, one document of JSON,
// JSON Lines, or a stream of server-sent events (mail_formats.md sections 1 and 4).
type mailFile struct {
	form mail.Form
	raw  *source.Text // the file
	text *source.Text // the file as it is read: bytes that JSON does not allow may be masked

	findings
	documents int  // JSON values at the outermost level
	broken    bool // it does not parse
	commas    bool // they are separated by commas, as in a list
	utf16     bool
	garbled   bool        // some bytes are not allowed
	above     int         // how much is not JSON, before what is
	controls  source.Span // in the file: where control characters are not allowed, and some may be
}

// scanJSON scans a file. If it does not parse, and bytes that JSON does not allow may be the
// reason, they are masked, and the file is scanned again.
func scanJSON(path string, data []byte) *mailFile {
	x := &mailFile{form: mail.JSON, raw: source.NewFile(path, data).Whole()}
	x.text = x.raw
	x.scan()
	if x.broken && !x.utf16 {
		if masked, ok := maskJSON(data); ok {
			x = &mailFile{form: mail.JSON, raw: x.raw, text: source.NewFile(path, masked).Whole(), controls: source.Span{End: len(data)}}
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
func (x *mailFile) scan() {
	start := 0
	if bytes.HasPrefix(x.text.Data, []byte(source.BOM)) {
		start = len(source.BOM)
	}
	switch head := x.text.Data[start:min(len(x.text.Data), start+16<<10)]; {
	case input.IsUTF16(head):
		x.utf16 = true
		err := &source.EncodingError{Byte: head[0], UTF16: true}
		x.faults = append(x.faults, source.Fault{Kind: source.NotUTF8, At: x.text.Place(source.Span{End: 2}), Err: err})
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

// collect adds what a scanner found, and a fault if it could not go on.
func (x *mailFile) collect(c *scanner, more ...source.Fault) {
	x.add(&c.findings)
	x.faults = append(x.faults, more...)
	x.broken = x.broken || len(c.faults)+len(more) > 0
}

// scanFrom scans documents from an offset to the end of the file or a fault. After a fault
// it returns where to continue, else -1.
func (x *mailFile) scanFrom(start int) int {
	values, err := jsontree.Values(x.text.Data, start, memberNamed)
	c := &scanner{text: x.text}
	end := start // of the last document that was read whole
	for _, n := range values {
		if c.value(n, nil, false, !n.Is(jsontree.Object) && !n.Is(jsontree.Array)); c.err == nil && !n.Span().Empty() {
			end = n.Span().End
			x.documents++
		}
	}
	if len(c.found) > 0 {
		c.faults = append(c.faults, c.scalars...)
	}
	if c.err = cmp.Or(c.err, err); c.err != nil {
		return x.resume(c, end)
	}
	x.collect(c)
	return -1
}

// resume reports the fault at which a scanner has stopped, in the document that begins at start.
// In JSON Lines it returns where the next line begins, because a fault ends with its line; else
// -1.
func (x *mailFile) resume(c *scanner, start int) (next int) {
	data := x.text.Data
	start += len(data[start:]) - len(bytes.TrimLeft(data[start:], " \t\r\n"))
	part, next := source.Span{Start: start, End: len(data)}, -1
	rest := data[start:]
	if after, ok := bytes.CutPrefix(rest, []byte(",")); ok && x.documents > 0 && (firstByte(after) == '{' || firstByte(after) == 0 && x.commas) {
		if !x.commas {
			at := x.text.Place(source.Span{Start: start, End: start + 1})
			c.faults = append(c.faults, malformed(at, errors.New("a comma after the value; JSON Lines have none"), "remove the comma at the end of each line"))
		}
		x.commas = true
		x.collect(c)
		return start + 1
	}
	if n := bytes.IndexByte(rest, '\n'); n >= 0 && (x.documents > 0 && !isConflictMarker(rest) || rest[0] == '{' && !opensLine(rest[:n])) && jsontree.CheckSyntax(rest[:n]) != nil {
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
		x.above = start + before
		f.At = x.text.Place(source.Span{Start: start, End: start + min(before, source.LineEnd(rest, 0))})
		above := bytes.LastIndexByte(rest[:before], '\n') + 1
		var remove []string
		if above > 0 {
			remove = append(remove, "what is before line "+strconv.Itoa(x.raw.LineAt(start+before)))
		}
		switch beside := rest[above:before]; {
		case firstByte(beside) == 0:
		case input.NamesCredential(rest[above:source.LineEnd(rest, above)]):
			remove = append(remove, "what is before the value")
		default:
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
	x.collect(c, f)
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
		if c := firstByte(line); c == '{' || c == '[' && !logTag().Match(line) {
			return at
		}
		if i := bytes.IndexAny(line, "{["); i >= 0 && (firstByte(line[i+1:]) == 0 || endsAsObject(line[i:])) {
			return at + i
		}
		at += len(line)
	}
	return 0
}

// logTag is what the lines of a log may begin with, and text: [INFO] exporting, or a colour.
var logTag = text.Pattern(`^[ \t]*\[([0-9;]*m|[^][{}",]+\][ \t]+[^ \t\r\n,])`)

// endsAsObject reports whether the rest of a line is an object or array that is not empty: `[1]:
// started` is text of a log.
func endsAsObject(rest []byte) bool {
	rest = bytes.TrimRight(rest, " \t\r\n;")
	inner := firstByte(rest[1:])
	return (inner == '"' || inner == '{' || inner == '[') && jsontree.CheckSyntax(rest) == nil
}

// opensLine reports whether a line is the first of an indented document, not a line of JSON
// Lines.
func opensLine(line []byte) bool {
	line = bytes.TrimRight(line, " \t\r")
	return len(line) > 0 && bytes.IndexByte([]byte("{[,:"), line[len(line)-1]) >= 0
}

// scanEvents scans a stream of server-sent events, whose data lines hold JSON. The lines of one
// event make one document.
func (x *mailFile) scanEvents(start int) {
	var event []source.Span
	ofMessage := true
	flush := func() {
		doc, isMessage := x.text.Join(event), ofMessage
		event, ofMessage = nil, true
		first := firstByte(doc.Data)
		if first == 0 || !isMessage && first != '{' && first != '[' || string(bytes.TrimSpace(doc.Data)) == "[DONE]" {
			return // the transport has events of its own
		}
		c := &scanner{text: doc}
		if c.document(nil); c.err != nil {
			c.faults = append(c.faults, c.diagnose(doc.WholePlace().Span))
		}
		x.documents++
		if isEmptyList(doc.Data) {
			x.evidence |= likely
		}
		x.collect(c)
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

// checkBytes records the first byte outside of messages that JSON does not allow; those in
// messages are reported when they are read.
func (x *mailFile) checkBytes() {
	raw := x.raw.Data
	if x.utf16 || x.text == x.raw && utf8.Valid(raw) {
		return
	}
	x.garbled = true
	outside := append(bytes.Repeat([]byte(" "), x.above), raw[x.above:]...)
	for _, o := range x.found {
		span, _ := o.text.ToFile(o.span)
		for i := span.Start; i < span.End; i++ {
			outside[i] = ' '
		}
	}
	x.faults = append(x.faults, x.badBytes(x.raw.File, outside, 0)...)
}

// badBytes returns the faults of bytes that begin at an offset of a file: of the first that is not
// UTF-8, and of the first control character.
func (x *mailFile) badBytes(file *source.File, raw []byte, start int) (out []source.Fault) {
	add := func(kind source.FaultKind, i int, err error) {
		at := source.Span{Start: start + i, End: start + i + 1}
		out = append(out, source.Fault{Kind: kind, Path: file.Path, At: file.Place(at), Err: err})
	}
	if i := source.ValidLen(raw); i < len(raw) {
		add(source.NotUTF8, i, &source.EncodingError{Byte: raw[i]})
	}
	part := source.Span{Start: max(x.controls.Start-start, 0), End: min(x.controls.End-start, len(raw))}
	if part.Len() > 0 {
		if i := jsontree.RawControl(raw[part.Start:part.End]); i >= 0 {
			add(source.RawControl, part.Start+i, &source.ControlError{Char: raw[part.Start+i]})
		}
	}
	return out
}

// garble records a fault of a message's bytes.
func (m *loaded) garble(f source.Fault) {
	m.Garbled = true
	f.InMessage, f.MessageID = true, m.ID
	m.faults = append(m.faults, f)
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
	// What the file says about the thread of a message decides in which export it is.
	type shape struct{ listing, single, ackless bool }
	exports := map[shape]*export{}
	file := &keptFile{}
	if r.reserve(int64(len(data))) {
		file = keep(x)
	}
	for i, f := range x.found {
		is := shape{listing: f.inListing || x.broken, single: !f.listed && x.documents == 1, ackless: f.inUnified && !f.message.AckPlace.Known()}
		from := exports[is]
		if from == nil {
			from = &export{load: loadFiles, info: &mail.ExportInfo{
				Path: in.Path(), Form: mail.JSON, Partial: is.listing, Standalone: is.single, Mailbox: is.listing && !x.broken,
				AckFlagsCleared: is.ackless, WithoutBodies: true,
			}}
			exports[is], r.exports = from, append(r.exports, from)
		}
		e := x.index(from, in, i)
		e.file = file
		from.info.WithoutBodies = from.info.WithoutBodies && e.body == mail.BodyAbsent
	}
	return nil
}

// isEmptyList reports whether a text is an inbox without mail: `[]`.
func isEmptyList(data []byte) bool {
	return len(data) < 64 && string(bytes.Join(bytes.Fields(data), nil)) == "[]"
}

// keptFile is what was found in a file, until all its messages are loaded; of a file that is read again, too: else
// each of its threads would read it.
type keptFile struct {
	mu    sync.Mutex
	found *mailFile // nil if it must be read again
	left  int       // messages that are not loaded yet
}

func keep(x *mailFile) *keptFile { return &keptFile{found: x, left: len(x.found)} }

// forLoading returns the file of a message that is about to be loaded.
func (k *keptFile) forLoading(e *entry) (*mailFile, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	x := k.found
	if x == nil {
		data, err := e.in.Bytes()
		if err != nil {
			return nil, err
		}
		if e.in.Kind == input.Archive {
			x = scanMessage(e.in.Path(), data)
		} else {
			x = scanJSON(e.in.Path(), data)
		}
		k.found, k.left = x, len(x.found)
	}
	if k.left--; k.left <= 0 {
		k.found = nil
	}
	return x, nil
}

// loadFiles loads messages of files. What is wrong with a file is reported once.
func loadFiles(entries []*entry, report func(source.Fault)) []*loaded {
	out := make([]*loaded, len(entries))
	var unreadable *input.Input
	for i, e := range entries {
		if e.in == unreadable {
			continue
		}
		x, err := e.file.forLoading(e)
		if err == nil {
			out[i], err = x.message(e)
		}
		if err != nil {
			report(source.UnreadableFault(e.in.Path(), err))
			unreadable = e.in
		}
	}
	return out
}

// index adds a message that was found to an export.
func (x *mailFile) index(to *export, in *input.Input, i int) *entry {
	o := x.found[i]
	m := &o.message
	e := &entry{
		in: in, ref: int64(i), size: uint32(o.span.Len()), project: o.project, thread: o.thread,
		id: m.ID, body: m.BodyState, time: m.Time.UnixMicro(), hasTime: m.HasTime,
	}
	if e.project == "" {
		e.projectID = o.projectID
	}
	to.add(e, strings.TrimSpace(m.Subject.String()))
	return e
}

// message reads the message of an entry.
func (x *mailFile) message(e *entry) (*loaded, error) {
	if x.form == mail.Archive && len(x.faults) > 0 || e.ref >= int64(len(x.found)) || e.size != uint32(x.found[e.ref].span.Len()) {
		return nil, errChanged
	}
	o := x.found[e.ref]
	m := o.load()
	m.Form, m.File = x.form, x.text.File
	if x.garbled {
		span, _ := o.text.ToFile(o.span)
		for _, f := range x.badBytes(m.File, x.raw.File.Bytes(span), span.Start) {
			m.garble(f)
		}
	}
	return m, nil
}

var errChanged = errors.New("the file changed while it was read")

// maxTried bounds how many bytes of a file are replaced by signs of JSON on trial, and
// maxTriedSize how many bytes are read for one sign.
const (
	maxTried     = 4
	maxTriedSize = 8 << 20
)

// maskJSON returns a copy of a JSON text in which bytes that JSON does not allow are replaced by
// harmless ones; false if it has no such bytes. If one of them must have been a sign of JSON, it
// is replaced by the first sign that makes the text JSON.
func maskJSON(data []byte) (masked []byte, ok bool) {
	masked = bytes.Clone(data)
	if ok = jsontree.Mask(masked); isJSON(masked) {
		return masked, ok
	}
	var bad []int
	for i := 0; i < len(data) && len(bad) <= maxTried; i++ {
		if i += source.ValidLen(data[i:]); i < len(data) {
			bad = append(bad, i)
		}
	}
	if len(bad) > maxTried || len(bad)*len(data) > maxTriedSize {
		return masked, ok
	}
	for _, at := range bad {
		for _, sign := range []byte(`":,{}[]\truefalsn0`) {
			tried := bytes.Clone(data)
			tried[at] = sign
			if jsontree.Mask(tried); isJSON(tried) {
				return tried, true
			}
		}
	}
	return masked, ok
}

// isJSON reports whether a text is JSON, or several values of JSON one after the other. Bytes in
// strings need not be UTF-8.
func isJSON(text []byte) bool {
	d := jsontree.NewDecoder(bytes.TrimPrefix(text, []byte(source.BOM)))
	for {
		if err := d.SkipValue(); err != nil {
			return errors.Is(err, io.EOF)
		}
	}
}
