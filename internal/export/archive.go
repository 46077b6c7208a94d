package export

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/internal/files"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/internal/jsontree"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/source"
)

// archive is one git archive with all its projects (mail_formats.md section 1).
type archive struct {
	export
	// around are folders of messages of which only some may be inputs, with the archive as shown, ""
	// if a walk went through it and left messages out.
	around map[string]string
	// files are the message files by a hash of their bytes: copies of a message are byte for byte the
	// same, and are parsed once.
	files map[uint64]*entry
}

// archiveKey identifies an archive. A message that is named alone does not make its archive a
// mailbox.
type archiveKey struct {
	root  string
	named bool
}

// archiveOf returns the archive of a file. The caller holds Store.inArchive.
func (r *reading) archiveOf(place archivePlace) *archive {
	in := r.in
	key := archiveKey{placeOf(in.Path()).root, in.Named}
	a := r.store.archives[key]
	if a == nil {
		a = &archive{files: map[uint64]*entry{}, around: map[string]string{}}
		a.load = loadFiles
		a.info = &mail.ExportInfo{Path: key.root, Form: mail.Archive, Mailbox: !in.Named, Standalone: in.Named}
		r.store.archives[key] = a
		r.exports = append(r.exports, &a.export)
	}
	a.noteAround(in, place)
	return a
}

// archivePlace is where in an archive a file is.
type archivePlace struct {
	root     string // the folder of the archive; outside of one, that of the file
	project  string // its slug, "" if the archive is that of one project
	messages string // the folder of the messages of the project, "" outside of an archive
	copy     copyKind
}

// placeOf finds the folder of the archive that contains a file: the parent of
// projects/SLUG/messages and projects/SLUG/agents, or of messages and agents.
func placeOf(file string) (p archivePlace) {
	for end := strings.LastIndexByte(file, '/'); end >= 0; {
		start := strings.LastIndexByte(file[:end], '/') + 1
		switch file[start:end] {
		case "outbox":
			p.copy = cmp.Or(p.copy, outbox)
		case "inbox":
			p.copy = cmp.Or(p.copy, inbox)
		case "messages", "agents":
			p.messages = file[:start] + "messages"
			project := file[:max(start-1, 0)]
			parent, slug := path.Split(project)
			if root, ok := strings.CutSuffix(parent, "projects/"); ok && (root == "" || strings.HasSuffix(root, "/")) {
				project, p.project = strings.TrimSuffix(root, "/"), slug
			}
			p.root = cmp.Or(project, ".")
			return p
		}
		end = start - 1
	}
	p.root = path.Dir(file)
	return p
}

// readMessageFile indexes one message file.
func readMessageFile(r *reading) error {
	in := r.in
	data, err := in.Bytes()
	hash := maphash.Bytes(hashSeed, data)
	place := placeOf(in.Abs())
	r.store.inArchive.Lock()
	a := r.archiveOf(place)
	repeats := err == nil && a.repeats(hash, in, place.copy)
	r.store.inArchive.Unlock()
	if repeats {
		return nil
	}
	if err != nil {
		data = nil
	}
	x := scanMessage(in.Path(), data)
	if err != nil {
		x.faults = []source.Fault{source.UnreadableFault(in.Path(), err)}
	}
	r.store.inArchive.Lock()
	defer r.store.inArchive.Unlock()
	e := x.index(&a.export, in, 0)
	e.copy, e.file = place.copy, &keptFile{}
	a.files[hash] = e
	if len(x.faults) > 0 || r.reserve(int64(len(data))+sizeOfMessage) {
		e.file = keep(x)
	}
	for _, f := range x.faults { // one at most
		r.report(f)
		e.setLost(path.Base(in.Path()), place.project)
	}
	return nil
}

// sizeOfMessage is what a message that is kept adds to the peak of memory besides its bytes, roughly.
const sizeOfMessage = 12 << 10

// repeats reports whether a file with the same bytes is in the index. The one nearer to the
// canonical copy stays in it.
func (a *archive) repeats(hash uint64, in *input.Input, kind copyKind) bool {
	e := a.files[hash]
	if e == nil || e.lost { // each broken file is reported
		return false
	}
	if kind < e.copy || kind == e.copy && in.Order < e.in.Order {
		e.copy, e.in = kind, in
		if x := e.file.found; x != nil {
			x.raw.File.Path, x.text.File.Path = in.Path(), in.Path()
		}
	}
	return true
}

// splitArchive finds the front matter and the body of a message file: the
// front matter ends at the first line that is exactly ---, as bodies may begin
// with one (mail_formats.md, trap 3). The error is about a span.
func splitArchive(t []byte) (front, body, at source.Span, err error) {
	start := bytes.IndexByte(t, '\n') + 1
	if start == 0 || string(bytes.TrimRight(t[:start], " \t\r\n")) != input.ArchiveStart {
		return front, body, source.Span{End: source.LineEnd(t, 0)}, notMessage(t)
	}
	front = source.Span{Start: start, End: start}
	for line := range bytes.Lines(t[start:]) {
		if string(bytes.TrimRight(line, "\r\n")) == "---" {
			return front, bodySpan(t, front.End+len(line)), at, nil
		}
		front.End += len(line)
	}
	return front, source.Span{Start: len(t), End: len(t)}, source.Span{End: len(input.ArchiveStart)}, errors.New("the front matter is never closed: expected a line --- after it")
}

// notMessage says why a text without front matter is no message.
func notMessage(t []byte) error {
	switch {
	case len(bytes.TrimSpace(t)) == 0:
		return errors.New("the file of a message is empty")
	case bytes.HasPrefix(t, []byte("<<<<<<<")):
		return errors.New("begins with a conflict marker; expected the line ---json")
	}
	return errors.New("does not begin with the line ---json")
}

// bodySpan returns the body after the front matter, without the blank line before it and
// the line end after it, which the archive adds.
func bodySpan(t []byte, start int) source.Span {
	body := bytes.TrimPrefix(bytes.TrimPrefix(t[start:], []byte("\r")), []byte("\n")) // no \r is alone in normal text
	start = len(t) - len(body)
	body = bytes.TrimSuffix(bytes.TrimSuffix(body, []byte("\n")), []byte("\r"))
	return source.Span{Start: start, End: start + len(body)}
}

// scanMessage scans a message file. If it has a fault, what can be read of it is found anyway.
func scanMessage(path string, data []byte) *mailFile {
	x := &mailFile{form: mail.Archive, raw: source.NewFile(path, data).Text(), garbled: !utf8.Valid(data)}
	x.text = x.raw.Normalize()
	front, body, at, err := splitArchive(x.text.Data)
	if jsontree.RawControl(x.text.Bytes(front)) >= 0 {
		x.garbled = true
		x.controls, _ = x.text.ToFile(front)
		masked := bytes.Clone(data)
		jsontree.Mask(masked[x.controls.Start:x.controls.End])
		x.text = source.NewFile(path, masked).Text().Normalize()
		front, body, at, err = splitArchive(x.text.Data)
	}
	if err != nil && input.IsUTF16(data) {
		err = errors.New("is in UTF-16; expected a message in UTF-8")
	}
	o, fault := messageAt(x.text, front)
	m := &o.message
	switch {
	case err != nil:
		fault = malformed(x.text.Place(at), err, "")
	case fault.Err == nil && m.Subject == nil && m.From == nil && !o.has("thread_id"):
		fault = malformed(x.text.Place(front), errNotMail, "")
	}
	if fault.Err != nil {
		damaged := x.text.Bytes(front)
		if len(damaged) == 0 { // it does not begin where it should
			damaged = bytes.ReplaceAll(x.text.Data[:min(len(x.text.Data), maxDamaged)], []byte{0}, nil)
		}
		o.project, o.thread = lenientMember(damaged, "project_slug"), lenientMember(damaged, "thread_id")
		span, _ := x.text.ToFile(fault.At.Span)
		fault.Path, fault.At = path, x.raw.File.Place(span)
		x.faults = []source.Fault{fault}
	}
	m.BodyState, o.bodyText, o.span = mail.BodyPresent, x.text.Sub(body), x.text.WholePlace().Span
	o.Node = nil // it is read
	x.found = []*object{o}
	return x
}

var (
	errNoFront = errors.New("the front matter is not a JSON object")
	errNotMail = errors.New("the front matter has no subject, no sender and no thread")
)

// maxDamaged is how much of a file is searched for its front matter, in bytes.
const maxDamaged = 16 << 10

// lenientMember returns a string member of text that is not valid JSON: enough to find the
// thread of a damaged message.
func lenientMember(text []byte, m string) string {
	_, rest, ok := bytes.Cut(text, []byte(`"`+m+`"`))
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

// readProfile adds an agent to the roster of its archive, with those of the other profiles beside it,
// which need not be inputs: a part of the agents is no list of them.
func readProfile(r *reading) error {
	in := r.in
	agent := agentOf(in, r.report)
	if agent.Name == "" {
		return ErrNoMail
	}
	place := placeOf(in.Abs())
	slug := place.project
	r.store.inArchive.Lock()
	defer r.store.inArchive.Unlock()
	facts := r.archiveOf(place).info
	if facts.Roster == nil {
		facts.Roster = map[string][]mail.Agent{}
	}
	add := func(agent mail.Agent) {
		list := facts.Roster[slug]
		if at, known := slices.BinarySearchFunc(list, agent, compareAgents); !known && agent.Name != "" {
			facts.Roster[slug] = slices.Insert(list, at, agent)
		}
	}
	if facts.Roster[slug] == nil && place.messages != "" && !in.InMemory() {
		agents := path.Dir(path.Dir(in.Abs()))
		folders, _ := os.ReadDir(agents) // those that cannot be listed are inputs, or not known
		for _, folder := range folders {
			profile := path.Join(agents, folder.Name(), "profile.json")
			if info, err := os.Lstat(profile); err == nil && info.Mode().IsRegular() {
				add(agentOf(input.New(input.Profile, profile), func(source.Fault) {}))
			}
		}
	}
	add(agent)
	return nil
}

// agentOf reads a profile. If that is not possible, the agent is known by the name of the folder.
func agentOf(in *input.Input, report func(source.Fault)) mail.Agent {
	agent := mail.Agent{Name: path.Base(path.Dir(in.Abs()))}
	data, err := in.Bytes()
	if err != nil {
		report(source.UnreadableFault(in.Path(), err))
		return agent
	}
	f := source.NewFile(in.Path(), data)
	root, e := jsontree.Parse(f.Text().Data, jsontree.Options{})
	switch bad := input.CheckUTF8(f); {
	case bad != nil:
		report(*bad)
	case e != nil:
		report(source.Fault{Kind: source.Malformed, Path: in.Path(), At: f.Text().Place(e.Span), Err: e, Hint: e.Hint})
	default:
		agent = mail.Agent{Name: root.Get("name").StringOr(""), Program: root.Get("program").StringOr(""), Model: root.Get("model").StringOr("")}
	}
	return agent
}

func compareAgents(a, b mail.Agent) int {
	return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Program, b.Program), strings.Compare(a.Model, b.Model))
}

// Parts of an archive (decisions.md 75): if no walk went through all messages of an archive, it
// may have other messages of the threads that were found.

// noteAround notes the folder of the messages of a file's project, unless a walk went through it.
func (a *archive) noteAround(in *input.Input, place archivePlace) {
	top, holes := in.Walked()
	isThrough := top != "" && isWithin(top, place.messages)
	if shown, known := a.around[place.messages]; place.messages == "" || in.InMemory() || isThrough && !holes || known && shown == "" {
		return
	}
	if isThrough {
		a.around[place.messages] = ""
		return
	}
	a.around[place.messages] = place.root
	wd, err := filepath.Abs(".")
	if err != nil || path.IsAbs(in.Path()) {
		return
	}
	if rel, err := filepath.Rel(wd, filepath.FromSlash(place.root)); err == nil {
		a.around[place.messages] = filepath.ToSlash(rel)
	}
}

// isWithin reports whether a folder is top or below it.
func isWithin(top, folder string) bool {
	return folder == top || strings.HasPrefix(folder, strings.TrimSuffix(top, "/")+"/")
}

// lookAround finds the threads with messages that are not among the inputs.
func (s *Store) lookAround() {
	for _, a := range s.archives {
		if len(a.around) == 0 {
			continue
		}
		known := map[messageKey]bool{}      // the messages, of other exports too
		wanted := map[messageKey][]*entry{} // the entries of the threads
		for _, t := range s.threads {
			for _, e := range t.entries {
				known[messageKey{e.project, e.id}] = true
				if key := (messageKey{e.project, e.thread}); e.thread != "" && e.export == &a.export {
					wanted[key] = append(wanted[key], e)
				}
			}
		}
		for dir, shown := range a.around {
			what, todo := "messages that were not named", "check the folder "+shown
			if shown == "" {
				what, todo = "messages that .gitignore or an exclude leaves out", "take the exclude away, or use --no-gitignore"
			}
			s.noteParts(lookIn(dir, known, wanted), what, todo)
		}
	}
	slices.Sort(s.notices)
}

// monthFolder is the folder of the messages of a month, below that of all.
var monthFolder = text.Pattern(`^(\.|\d{4}(/\d\d)?)$`)

// maxFront is how much is read of a message to find its thread, in bytes.
const maxFront = 256 << 10

// lookIn looks in a folder of messages for other messages of the wanted threads. It returns the
// ids of the threads that have some, and removes them from wanted.
func lookIn(dir string, known map[messageKey]bool, wanted map[messageKey][]*entry) (ids []string) {
	folder := files.NewDir(dir)
	folder.Hold()
	defer folder.Release()
	began := map[string]map[string]int64{}
	for thread, entries := range wanted {
		for _, e := range entries {
			noteBegin(began, thread, e)
		}
	}
	_ = fs.WalkDir(os.DirFS(dir), ".", func(name string, e fs.DirEntry, err error) error { // what cannot be listed is not looked at
		switch {
		case err != nil || e.IsDir() && !monthFolder().MatchString(name):
			return fs.SkipDir
		case !e.Type().IsRegular() || !strings.HasSuffix(name, ".md"):
			return nil
		}
		m := messageKey{placeOf(dir + "/x").project, idOfName(name)}
		if m.id != "" && known[m] {
			return nil
		}
		inThread, isLost := "", true
		if f, _, err := (files.Ref{Dir: folder, Name: name}).Open(); err == nil {
			data, err := io.ReadAll(io.LimitReader(f, maxFront))
			f.Close()
			if err == nil {
				x := scanMessage(name, data)
				front := x.found[0]
				isLost = len(x.faults) > 0
				inThread, m = front.thread, messageKey{cmp.Or(front.project, m.project), cmp.Or(m.id, front.message.ID)}
			}
		}
		if isLost && inThread == "" && m.id != "" { // decisions.md 76
			lost := &entry{}
			lost.setLost(path.Base(name), m.project)
			inThread = threadOfName(path.Base(name), began[m.project], lost)
		}
		thread := messageKey{m.project, cmp.Or(inThread, m.id)} // replies to a message without one have its id as theirs
		if entries := wanted[thread]; entries != nil && !known[m] {
			delete(wanted, thread)
			ids = append(ids, thread.id)
			for _, e := range entries {
				e.part = true
			}
		}
		if len(wanted) == 0 {
			return fs.SkipAll
		}
		return nil
	})
	return ids
}

// ofMailbox matches a message of an inbox or outbox, which are folders of years and months.
var ofMailbox = text.Pattern(`/(?:in|out)box/\d{4}/\d\d/[^/]+$`)

// noteCopies finds the threads that are known only from an inbox or outbox without the folder of the
// messages: as a listing it has what one agent sent and got (decisions.md 17).
func (s *Store) noteCopies() {
	isAlone := func(e *entry) bool {
		if e.copy == canonical || e.in.InMemory() {
			return false
		}
		messages := placeOf(e.in.Abs()).messages
		if messages == "" { // outside of an archive
			return ofMailbox().MatchString(e.in.Abs())
		}
		info, err := os.Stat(messages)
		return err != nil || !info.IsDir()
	}
	var ids []string
	for _, t := range s.threads {
		var alone []*entry
		for _, e := range t.entries {
			if isAlone(e) {
				alone = append(alone, e)
			}
		}
		if len(alone) == 0 || !isWhole(t.groups()) {
			continue
		}
		for _, e := range alone {
			e.part = true
		}
		if t.ID != "" && !isWhole(t.groups()) {
			ids = append(ids, t.ID)
		}
	}
	s.noteParts(ids, "only messages of an inbox or outbox", "check the archive with its folder messages")
}

// noteParts notes that only parts of threads were checked, and where the rest is.
func (s *Store) noteParts(ids []string, what, todo string) {
	if len(ids) == 0 {
		return
	}
	slices.Sort(ids)
	have := "thread " + ids[0] + " has"
	if n := len(ids); n > 1 {
		have = text.Count(n, "thread", "threads") + " have"
	}
	s.notices = append(s.notices, fmt.Sprintf("%s %s, so the rules about whole threads were skipped: %s", have, what, todo))
}
