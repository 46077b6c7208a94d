package export

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"hash/maphash"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/source"
)

// archive is one git archive (mail_formats.md section 1): all its projects. It
// loads its messages.
type archive struct {
	export
	all      *archives
	messages []*input.Input         // by ref
	faults   map[int64]source.Place // of those that cannot be read, by ref
	around   map[string]string      // folders of messages of which only some may be inputs, with the archive as shown
	parts    map[messageKey]bool    // threads with messages that are no inputs; the id is the thread's
	// files are the message files by a hash of their bytes: copies of a message are byte for byte the
	// same, and are parsed once.
	files map[uint64]*entry
}

// archives are those of all inputs: each message is a file of its own.
type archives struct {
	mu      sync.Mutex // of all archives, while they are read
	byRoot  map[archiveKey]*archive
	folders map[archiveKey]archiveFolder
}

// archiveKey identifies an archive. Messages named alone are not a mailbox, even if they
// are in one.
type archiveKey struct {
	root  string
	named bool
}

// archiveFolder is a folder of an archive: all its files are of one kind.
type archiveFolder struct {
	*archive
	copy copyKind
}

// folderOf returns the folder of a file of an archive.
func (r *reading) folderOf(in *input.Input) archiveFolder {
	all := r.archives
	all.mu.Lock()
	defer all.mu.Unlock()
	folder := archiveKey{in.Folder(), in.Named}
	f, known := all.folders[folder]
	if known {
		return f
	}
	f.copy = copyOf(in.Abs())
	defer func() { f.noteAround(in) }()
	key := archiveKey{archiveRoot(in.Path()), in.Named}
	if f.archive = all.byRoot[key]; f.archive == nil {
		f.archive = &archive{all: all, files: map[uint64]*entry{}, faults: map[int64]source.Place{}, around: map[string]string{}}
		f.info = &mail.ExportInfo{Path: key.root, Form: mail.Archive, Mailbox: !in.Named, Standalone: in.Named}
		f.loader = f.archive
		if all.byRoot == nil {
			all.byRoot, all.folders = map[archiveKey]*archive{}, map[archiveKey]archiveFolder{}
		}
		all.byRoot[key] = f.archive
		r.exports = append(r.exports, &f.export)
	}
	all.folders[folder] = f
	return f
}

// archiveRoot returns the folder of the archive that contains a file: the parent of
// projects/SLUG/messages and projects/SLUG/agents, or of messages and agents, else the
// file's own folder.
func archiveRoot(file string) string {
	parts := strings.Split(file, "/")
	for i, p := range parts {
		if i+2 < len(parts) && p == "projects" && isArchiveFolder(parts[i+2]) || isArchiveFolder(p) && i+1 < len(parts) {
			if i == 0 {
				return "."
			}
			return strings.Join(parts[:i], "/")
		}
	}
	return path.Dir(file)
}

func isArchiveFolder(name string) bool { return name == "messages" || name == "agents" }

// copyOf returns which copy of a message a file is, by its folder.
func copyOf(abs string) copyKind {
	parts := strings.Split(abs, "/")
	for _, p := range slices.Backward(parts[:len(parts)-1]) {
		switch p {
		case "inbox":
			return inbox
		case "outbox":
			return outbox
		case "messages":
			return canonical
		}
	}
	return canonical
}

// readMessageFile indexes one message file.
func readMessageFile(in *input.Input, r *reading) error {
	data, err := in.Visited()
	f := r.folderOf(in)
	if err != nil {
		r.report(source.UnreadableFault(in.Path(), err))
		f.addLost(0, in, &entry{}, "", source.Place{})
		return nil
	}
	hash := maphash.Bytes(hashSeed, data)
	f.all.mu.Lock()
	repeats := f.repeats(hash, in, f.copy)
	f.all.mu.Unlock()
	if repeats {
		return nil
	}
	e, subject, fault := indexArchive(data)
	if fault.err != nil {
		report := fault.of(in, data)
		r.report(report)
		f.addLost(hash, in, e, subject, report.At)
		return nil
	}
	e.copy = f.copy
	f.all.mu.Lock()
	defer f.all.mu.Unlock()
	if !f.repeats(hash, in, f.copy) { // another worker may have read a copy by now
		f.addFile(hash, in, e, subject)
	}
	return nil
}

// repeats reports whether a file with the same bytes is in the index. The one nearer to the
// canonical copy stays in it. The lock of the archives is held.
func (a *archive) repeats(hash uint64, in *input.Input, kind copyKind) bool {
	e := a.files[hash]
	if e == nil || e.lost { // each broken file is reported
		return false
	}
	if kind < e.copy || kind == e.copy && in.Order < e.order {
		e.copy, e.order, a.messages[e.ref] = kind, in.Order, in
	}
	return true
}

// addFile adds a message; the lock of the archives is held.
func (a *archive) addFile(hash uint64, in *input.Input, e *entry, subject string) {
	a.files[hash] = e
	e.ref, e.order = int64(len(a.messages)), in.Order
	a.messages = append(a.messages, in)
	a.add(e, subject)
}

// archiveFault is what is wrong with the front matter of a message file; zero if nothing.
type archiveFault struct {
	place source.Span // in the file without its byte order mark
	err   error
	hint  string
}

func (f archiveFault) of(in *input.Input, data []byte) source.Fault {
	file := source.NewFile(in.Path(), slices.Clone(data))
	return source.Fault{Kind: source.Malformed, Path: in.Path(), At: file.Text().Place(f.place), Err: f.err, Hint: f.hint}
}

const archiveStart = "---json"

// splitArchive finds the front matter and the body of a message file: the
// front matter ends at the first line that is exactly ---, as bodies may begin
// with one (mail_formats.md, trap 3).
func splitArchive(t []byte) (front, body source.Span, fault archiveFault) {
	at := bytes.IndexByte(t, '\n') + 1
	if at == 0 || string(bytes.TrimRight(t[:at], " \t\r\n")) != archiveStart {
		return front, body, archiveFault{place: source.Span{End: firstLine(t)}, err: notMessage(t)}
	}
	front = source.Span{Start: at, End: len(t)}
	for at < len(t) {
		end := len(t)
		if n := bytes.IndexByte(t[at:], '\n'); n >= 0 {
			end = at + n + 1
		}
		if string(bytes.TrimRight(t[at:end], "\r\n")) == "---" {
			front.End = at
			return front, bodySpan(t, end), fault
		}
		at = end
	}
	return front, source.Span{Start: len(t), End: len(t)}, archiveFault{
		place: source.Span{End: len(archiveStart)},
		err:   errors.New("the front matter is never closed: expected a line --- after it"),
	}
}

// notMessage says why a text without front matter is no message.
func notMessage(t []byte) error {
	switch {
	case len(bytes.TrimSpace(t)) == 0:
		return errors.New("the file of a message is empty")
	case input.IsUTF16(t):
		return errors.New("is in UTF-16; expected a message in UTF-8")
	case bytes.HasPrefix(t, []byte("<<<<<<<")):
		return errors.New("begins with a conflict marker; expected the line ---json")
	}
	return errors.New("does not begin with the line ---json")
}

// bodySpan returns the body after the front matter, without the blank line before it and
// the line end after it, which the archive adds.
func bodySpan(t []byte, start int) source.Span {
	s := source.Span{Start: start, End: len(t)}
	for _, eol := range []string{"\r\n", "\n"} {
		if bytes.HasPrefix(t[s.Start:], []byte(eol)) {
			s.Start += len(eol)
			break
		}
	}
	for _, eol := range []string{"\r\n", "\n"} {
		if bytes.HasSuffix(t[s.Start:], []byte(eol)) {
			s.End -= len(eol)
			break
		}
	}
	return s
}

func firstLine(t []byte) int {
	if n := bytes.IndexByte(t, '\n'); n >= 0 {
		return n
	}
	return len(t)
}

// indexArchive reads what the index needs of a message file, and its subject, as far as it can
// if the file has a fault.
func indexArchive(data []byte) (e *entry, subject string, _ archiveFault) {
	t := source.NormalizedLines(bytes.TrimPrefix(data, []byte(source.BOM)))
	front, body, fault := splitArchive(t)
	if jsontree.RawControl(t[front.Start:front.End]) >= 0 {
		t = slices.Clone(t)
		jsontree.Mask(t[front.Start:front.End], false)
	}
	c := newScanner(source.NewText(t[:front.End]), front.Start)
	c.list = true
	around := &envelope{messages: true} // what is here is a message, whatever it lacks
	err := c.document(around)
	if err != nil && fault.err == nil {
		f := diagnose(c.text, front, err, c.offset())
		fault = archiveFault{place: f.At.Span, err: f.Err, hint: f.Hint}
	}
	e = &entry{}
	switch {
	case len(c.found) > 0 && firstByte(t[front.Start:front.End]) == '{':
		f := c.found[len(c.found)-1]
		e, subject = f.resolve(), f.subject
	case fault.err == nil:
		fault = archiveFault{place: front, err: errors.New("the front matter is not a JSON object")}
	}
	if fault.err != nil {
		damaged := t[front.Start:front.End]
		if len(damaged) == 0 { // it does not begin where it should
			damaged = bytes.ReplaceAll(t[:min(len(t), maxDamaged)], []byte{0}, nil)
		}
		e.project, e.thread = lenientMember(damaged, mail.MemberProjectSlug), lenientMember(damaged, mail.MemberThreadID)
	}
	e.body = mail.BodyPresent
	e.size = int64(len(data))
	e.digest = textDigest([]byte(subject), t[body.Start:body.End])
	return e, subject, fault
}

// maxDamaged is how much of a file is searched for its front matter, in bytes.
const maxDamaged = 16 << 10

// lenientMember returns a string member of text that is not valid JSON: enough to find the
// thread of a damaged message.
func lenientMember(text []byte, m mail.Member) string {
	_, rest, ok := bytes.Cut(text, []byte(`"`+m.String()+`"`))
	if !ok {
		return ""
	}
	rest = bytes.TrimLeft(rest, " \t:")
	if len(rest) == 0 || rest[0] != '"' {
		return ""
	}
	value, _, ok := bytes.Cut(rest[1:], []byte(`"`))
	if !ok || len(value) > 200 {
		return ""
	}
	return string(value)
}

// idOfName returns the id at the end of a message file's name, after the last __.
func idOfName(name string) string {
	stem := strings.TrimSuffix(name, path.Ext(name))
	if i := strings.LastIndex(stem, "__"); i >= 0 {
		stem = stem[i+2:]
	}
	if !brenner.IsNumber(stem) {
		return ""
	}
	return stem
}

// load implements loader.
func (a *archive) load(entries []*entry, report func(source.Fault)) []*loaded {
	out := make([]*loaded, len(entries))
	for i, s := range entries {
		in := a.messages[s.ref]
		data, err := in.Bytes()
		if err != nil {
			report(source.UnreadableFault(in.Path(), err))
			continue
		}
		if out[i], err = readArchive(in.Path(), data); err != nil {
			report(source.UnreadableFault(in.Path(), fmt.Errorf("the file changed while it was read: %w", err)))
		}
	}
	return out
}

// readArchive reads a message file whose front matter is known to be valid.
func readArchive(path string, data []byte) (*loaded, error) {
	badByte := source.ValidLen(data)
	masked, badChar, c := maskFront(data)
	f := source.NewFile(path, masked)
	t := f.Text().Normalize()
	front, body, fault := splitArchive(t.Data)
	if fault.err != nil {
		return nil, fault.err
	}
	m := &loaded{Message: mail.Message{Form: mail.Archive, File: f}}
	if err := readMessage(&m.Message, t, front.Trim(t.Data)); err != nil {
		return nil, err
	}
	m.Body, m.BodyState = t.Sub(body), mail.BodyPresent
	at := func(i int) source.Place { return f.Place(source.Span{Start: i, End: i + 1}) }
	if badByte < len(data) {
		m.garble(source.NotUTF8, at(badByte), &source.EncodingError{Byte: data[badByte]})
	}
	if badChar >= 0 {
		m.garble(source.RawControl, at(badChar), &source.ControlError{Char: c})
	}
	return m, nil
}

// maskFront returns a message file with the control characters in its front matter masked,
// the offset of the first and the character; -1 if there are none.
func maskFront(data []byte) (masked []byte, at int, c byte) {
	text := bytes.TrimPrefix(data, []byte(source.BOM))
	front, _, _ := splitArchive(source.NormalizedLines(text))
	if at = jsontree.RawControl(text[front.Start:front.End]); at < 0 {
		return data, at, 0
	}
	front = front.Shift(len(data) - len(text))
	masked = bytes.Clone(data)
	jsontree.Mask(masked[front.Start:front.End], false)
	return masked, front.Start + at, data[front.Start+at]
}

// readProfile adds an agent to the roster of its archive.
func readProfile(in *input.Input, r *reading) error {
	data, err := in.Bytes()
	if err != nil {
		r.report(source.UnreadableFault(in.Path(), err))
		return nil
	}
	data = bytes.TrimPrefix(data, []byte(source.BOM))
	if e := jsontree.Check(data); e != nil {
		f := source.NewFile(in.Path(), data)
		r.report(source.Fault{Kind: source.Malformed, Path: in.Path(), At: f.Text().Place(e.Span), Err: e, Hint: e.Hint})
		return nil
	}
	text := func(key string) string {
		value, _ := memberOf(data, key)
		return unquoted(value)
	}
	agent := mail.Agent{Name: text("name"), Program: text("program"), Model: text("model")}
	if agent.Name == "" {
		return ErrNoMail
	}
	slug := ""
	if parts := strings.Split(in.Abs(), "/"); len(parts) > 5 && parts[len(parts)-5] == "projects" {
		slug = parts[len(parts)-4]
	}
	facts := r.folderOf(in).info
	r.archives.mu.Lock()
	defer r.archives.mu.Unlock()
	if facts.Roster == nil {
		facts.Roster = map[string][]mail.Agent{}
	}
	if list := facts.Roster[slug]; !slices.Contains(list, agent) {
		facts.Roster[slug] = append(list, agent)
		slices.SortFunc(facts.Roster[slug], compareAgents)
	}
	return nil
}

func compareAgents(a, b mail.Agent) int {
	return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Program, b.Program), strings.Compare(a.Model, b.Model))
}
