package export

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/source"
)

// readJSONFile indexes the messages of a JSON file.
func readJSONFile(in *input.Input, r *reading) error {
	data, err := in.Bytes()
	if err != nil {
		r.report(source.UnreadableFault(in.Path(), err))
		return nil
	}
	x := &jsonIndexer{reading: r, in: in, raw: source.NewFile(in.Path(), data).Whole(), data: data, file: &jsonFile{in: in}}
	x.scanOnce()
	x.unmask()
	x.checkBytes()
	return x.finish()
}

// jsonIndexer indexes one JSON file.
type jsonIndexer struct {
	*reading
	in   *input.Input
	raw  *source.Text // the file
	data []byte       // it as it is scanned: masked, if it must be

	documents int // JSON values at the outermost level
	evidence
	broken  bool // it does not parse
	found   []found
	reports []source.Fault // of what may turn out not to be mail
	utf16   bool
	file    *jsonFile
}

// scanOnce finds the messages of all documents of the file.
func (x *jsonIndexer) scanOnce() {
	start := 0
	text := x.data
	if bytes.HasPrefix(text, []byte(source.BOM)) {
		start, text = len(source.BOM), text[len(source.BOM):]
	}
	switch head := text[:min(len(text), 512)]; {
	case input.IsUTF16(head):
		x.utf16 = true
		x.note(input.NotUTF8(x.in.Path(), head), place{end: 2})
		return
	case input.IsSSE(head):
		x.file.sse = true
		x.scanEvents(start)
		return
	}
	for from := start; from >= 0; {
		from = x.scanFrom(from)
	}
	if x.documents == 0 && len(x.reports) == 0 {
		x.fault(fault{place: place{start: start, end: start}, err: errors.New("the file is empty, expected mail as JSON")})
	}
}

// scanFrom scans documents from an offset to the end of the file or a fault. After a fault
// it returns where to continue, else -1.
func (x *jsonIndexer) scanFrom(start int) int {
	c := newScanner(x.data[start:], 0)
	end := 0 // of the last document that was read whole
	var err error
	for err == nil && c.PeekKind() != 0 {
		if err = c.value(nil); err == nil {
			end = c.offset()
			x.documents++
		}
	}
	if err == nil {
		if _, err = c.ReadToken(); errors.Is(err, io.EOF) {
			err = nil
		}
	}
	c.eachPlace(func(p *place) { p.start, p.end = p.start+start, p.end+start })
	x.take(c)
	if err != nil {
		return x.resume(start+end, start+c.offset(), err)
	}
	return -1
}

// take adds what a scanner found; its places are those of the file.
func (x *jsonIndexer) take(c *scanner) {
	x.found = append(x.found, c.found...)
	x.evidence.add(c.evidence)
	for _, f := range c.faults {
		x.fault(f)
	}
}

// resume reports the fault of the document that begins at start and could be
// scanned up to an offset. In JSON Lines, where the fault ends with its line, it
// returns where the next one begins; else -1.
func (x *jsonIndexer) resume(start, at int, err error) int {
	data := x.data
	start += len(data[start:]) - len(bytes.TrimLeft(data[start:], " \t\r\n"))
	rest, next := data[start:], -1
	if n := bytes.IndexByte(rest, '\n'); n >= 0 && rest[0] == '{' && (x.documents > 0 || !opensLine(rest[:n])) && jsontree.CheckSyntax(rest[:n]) != nil {
		if more := bytes.Index(rest[n:], []byte("\n{")); more >= 0 {
			rest, next = rest[:n], start+n+more+1
		}
	}
	f := diagnose(rest, err, at-start, 0)
	if below := linesAbove(rest); below > 0 && x.documents == 0 {
		f.place = place{end: firstLine(rest)}
		f.err, f.hint = errors.New("the file does not begin with JSON"), "remove what is before line "+strconv.Itoa(x.raw.LineAt(start+below))
		if bytes.HasPrefix(rest, []byte("<<<<<<<")) {
			f.err, f.hint = errors.New("the file begins with a conflict marker"), "resolve the conflict"
		}
	}
	f.start, f.end = f.start+start, f.end+start
	if len(x.reports) >= maxFaults && next >= 0 {
		f.hint, next = fmt.Sprintf("this is fault %d of the file, the rest of which is not read", maxFaults+1), -1
	}
	x.fault(f)
	return next
}

// linesAbove returns the length of the lines before the first one that begins like JSON, such as
// those of a log; 0 if there are none.
func linesAbove(text []byte) int {
	if text[0] == '{' || text[0] == '[' {
		return 0
	}
	at := 0
	for line := range bytes.Lines(text) {
		if c := firstByte(line); c == '{' || c == '[' {
			return at
		}
		at += len(line)
	}
	return 0
}

// maxFaults is the number of faults of JSON Lines after which scanning stops.
const maxFaults = 100

// opensLine reports whether a document continues after a line: it is the first of an
// indented document, and not a line of JSON Lines.
func opensLine(line []byte) bool {
	line = bytes.TrimRight(line, " \t\r")
	return len(line) > 0 && bytes.IndexByte([]byte("{[,:"), line[len(line)-1]) >= 0
}

// fault records a fault of the format.
func (x *jsonIndexer) fault(f fault) {
	x.broken = true
	x.note(source.Fault{Kind: source.Malformed, Path: x.in.Path(), Err: f.err, Hint: f.hint, Sensitive: f.sensitive}, f.place)
}

func (x *jsonIndexer) note(f source.Fault, at place) {
	lines := source.Span{Start: x.raw.Line(x.raw.LineAt(at.start)).Start, End: max(at.end, x.raw.Line(x.raw.LineAt(at.end)).End)}
	lines.Start = min(lines.Start, at.start)
	f.At = x.raw.File.Part(lines).Place(source.Span{Start: at.start, End: at.end}.Shift(-lines.Start))
	x.reports = append(x.reports, f)
}

// finish adds what was found to the index. What turns out not to be mail is reported only
// if the user says that it is.
func (x *jsonIndexer) finish() error {
	refused := x.refused && x.documents == 1 // where an export was asked for; else it may be a log
	isMail := x.isMail() || refused || x.likely && x.in.Explicit()
	if !isMail {
		x.found = nil
		if !x.in.Explicit() && !(x.in.Malformed && len(x.reports) > 0 || x.broken && x.isBrokenMail()) {
			return ErrNoMail
		}
	}
	x.faults = append(x.faults, x.reports...)
	if len(x.found) == 0 {
		if isMail || len(x.reports) > 0 || isEmptyList(x.data) {
			return nil
		}
		return ErrNoMail
	}
	x.file.places = make([]place, 0, len(x.found))
	if x.hold(int64(len(x.data))) {
		x.file.kept = x.file.textOf(x.raw.Data)
	}
	var has, hasBody [4]bool // by shape
	for i := range x.found {
		f := &x.found[i]
		x.file.add(f.place, f.outerThread())
		shape := x.shapeOf(f)
		has[shape], hasBody[shape] = true, hasBody[shape] || f.entry.body != mail.BodyAbsent
	}
	for shape := range has {
		if has[shape] {
			x.commit(shape, hasBody[shape])
		}
	}
	return nil
}

// commit adds the messages of one shape to the index.
func (x *jsonIndexer) commit(shape int, hasBody bool) {
	listing := shape&isListing != 0
	from, facts := &x.file.export, &x.file.facts
	if from.info != nil {
		from, facts = new(export), new(mail.ExportInfo)
	}
	*facts = mail.ExportInfo{
		Path: x.in.Path(), Form: mail.JSON, Partial: listing, Standalone: shape&isSingle != 0, Mailbox: listing && !x.broken,
		WithoutBodies: !hasBody,
	}
	from.info, from.loader = facts, x.file
	x.reading.exports = append(x.reading.exports, from)
	for i := range x.found {
		if f := &x.found[i]; x.shapeOf(f) == shape {
			e := f.resolve()
			e.ref, e.order = int64(i), x.in.Order
			from.add(e, f.subject)
		}
	}
}

// What an export says about the threads of its messages.
const (
	isListing = 1 << iota
	isSingle
)

// shapeOf returns what the file says about the thread of a message.
func (x *jsonIndexer) shapeOf(f *found) (shape int) {
	if f.hasKind || f.inListing() || x.broken {
		shape |= isListing
	}
	if !f.listed && x.documents == 1 {
		shape |= isSingle
	}
	return shape
}

// outerThread returns the envelope whose thread the message has without one of its own, or
// nil.
func (f *found) outerThread() *envelope {
	if f.hasThread {
		return nil
	}
	for e := f.env.outer; e != nil; e = e.outer {
		if e.thread != "" {
			return e
		}
	}
	return nil
}

// inListing reports whether a message is of an inbox, an outbox or a mailbox.
func (f *found) inListing() bool {
	for e := f.env.outer; e != nil; e = e.outer {
		if e.agent || e.projects != nil {
			return true
		}
	}
	return false
}

// resolve returns the entry of a message, with what its envelopes say about it.
func (f *found) resolve() *entry {
	e := f.entry
	if e.project == "" {
		e.project = f.env.slug()
	}
	for o := f.env.outer; o != nil; o = o.outer {
		if e.project == "" {
			e.project = o.slug()
		}
		if e.project == "" && o.projects != nil {
			e.project = o.projects[e.row]
		}
		if e.thread == "" {
			e.thread = o.thread
		}
	}
	if e.project != "" {
		e.row = ""
	}
	return &e
}

// isEmptyList reports whether a text is an inbox without mail: `[]`.
func isEmptyList(data []byte) bool {
	return len(data) < 64 && string(bytes.Join(bytes.Fields(data), nil)) == "[]"
}
