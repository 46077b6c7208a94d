package export

import (
	"bytes"
	"cmp"
	"fmt"
	"iter"
	"math"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/internal/text"
	"github.com/brennerlint/brennerlint/source"
)

// ThreadInfo is a thread as the index knows it.
type ThreadInfo struct {
	Project, ID string
	Messages    int   // copies of one message count once
	Size        int64 // bytes that loading reads, roughly: to schedule the largest first

	entries []*entry // a part of Store.entries
}

// ThreadKey identifies a thread of a Store with the messages that it has: a Store may grow,
// but loses none.
type ThreadKey struct {
	first  *entry
	copies int
}

// Key returns the key of the thread.
func (t ThreadInfo) Key() ThreadKey { return ThreadKey{t.entries[0], len(t.entries)} }

// InProject reports whether the thread belongs to the project with a slug, or with the path
// that the slug is derived from.
func (t ThreadInfo) InProject(name string) bool { return t.Project == name || t.Project == slug(name) }

// groups returns the copies of each message, by id: the reported one first.
func (t ThreadInfo) groups() [][]*entry { return slices.Collect(runs(t.entries, sameMessage)) }

// Counts is the number of threads and messages.
type Counts struct {
	Threads  int // in scope
	Messages int // of these
	Skipped  int // messages out of scope
}

type messageKey struct{ project, id string }

// Threads returns the threads in scope, by thread id, then project. A message without a
// thread is listed alone. No export can be added afterwards.
func (s *Store) Threads() []ThreadInfo {
	s.seal.Do(s.sort)
	return s.threads
}

// Notices say what a reader should know about the exports, apart from faults.
func (s *Store) Notices() []string {
	s.seal.Do(s.sort)
	return s.notices
}

// Counts counts messages and threads.
func (s *Store) Counts() Counts {
	s.seal.Do(s.sort)
	return s.counts
}

// Has reports whether an export has a message of that project with that id.
func (s *Store) Has(project, id string) bool {
	s.seal.Do(s.sort)
	if s.database != nil && s.database.looksUp {
		return s.database.holds(project, id)
	}
	s.listIDs.Do(func() {
		s.ids = make(map[messageKey]bool, len(s.entries))
		for _, e := range s.entries {
			s.ids[messageKey{e.project, e.id}] = true
		}
	})
	return id != "" && s.ids[messageKey{project, id}]
}

// Exports returns what the exports say about themselves, in any order.
func (s *Store) Exports() (out []*mail.ExportInfo) {
	for _, x := range s.exports() {
		out = append(out, x.info)
	}
	return out
}

// Faults returns the faults found while exports were added, in input order.
func (s *Store) Faults() []source.Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	slices.SortStableFunc(s.readings, func(a, b *reading) int { return cmp.Compare(a.in.Order, b.in.Order) })
	var out []source.Fault
	for _, r := range s.readings {
		out = append(out, r.faults...)
	}
	return out
}

func (s *Store) exports() (out []*export) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.readings {
		out = append(out, r.exports...)
	}
	return out
}

// sort makes threads of the entries.
func (s *Store) sort() {
	s.collect()
	s.resolveProjects()
	s.joinNumericThreads()
	s.joinGarbledThreads()
	s.placeLost()
	slices.SortFunc(s.entries, compareEntries)
	s.separate()
	for entries := range runs(s.entries, sameThread) {
		s.addThread(entries)
	}
	s.noteLost()
	s.noteCopies()
	s.lookAround()
}

// collect takes the messages of all exports.
func (s *Store) collect() {
	for _, x := range s.exports() {
		s.entries = append(s.entries, x.entries...)
		x.entries = nil
	}
}

// runs returns the parts of a list in which neighbours are the same by a comparison.
func runs(list []*entry, same func(a, b *entry) bool) iter.Seq[[]*entry] {
	return func(yield func([]*entry) bool) {
		for len(list) > 0 {
			n := 1
			for n < len(list) && same(list[n-1], list[n]) {
				n++
			}
			if !yield(list[:n:n]) {
				return
			}
			list = list[n:]
		}
	}
}

// addThread lists a thread if it is in scope, and counts it.
func (s *Store) addThread(entries []*entry) {
	t := ThreadInfo{Project: entries[0].project, ID: entries[0].thread, entries: entries}
	for g := range runs(entries, sameMessage) {
		if !g[0].lost { // of the copies it is the last one that is
			t.Messages++
			t.Size += int64(g[0].size)
		}
	}
	switch {
	case t.Messages == 0:
	case !s.inScope(entries):
		s.counts.Skipped += t.Messages
	default:
		s.counts.Threads++
		s.counts.Messages += t.Messages
		s.threads = append(s.threads, t)
	}
}

// inScope applies decisions.md 15 to a thread.
func (s *Store) inScope(entries []*entry) bool {
	return s.opts.Scope == AllScope || isOfProtocol(entries[0].thread) || slices.ContainsFunc(entries, func(e *entry) bool {
		return e.typed || s.opts.Scope != ProtocolScope && !e.export.info.Mailbox
	})
}

// isOfProtocol reports whether a thread is one of the protocol by its id.
func isOfProtocol(thread string) bool {
	kind, _ := brenner.ClassifyThreadID(thread)
	return kind != brenner.EngineeringThread
}

// compareEntries orders entries by thread, message, and copy: the copy that is
// reported comes first.
func compareEntries(a, b *entry) int {
	c := compareEntryIDs(a, b)
	if c == 0 && a.id != "" {
		c = cmp.Or(cmp.Compare(a.nth, b.nth), compareCopies(a, b))
	}
	return cmp.Or(c, cmp.Compare(a.in.Order, b.in.Order), cmp.Compare(a.ref, b.ref))
}

// compareEntryIDs orders entries by thread and id.
func compareEntryIDs(a, b *entry) int {
	return cmp.Or(compareThreads(a, b), brenner.CompareMessageIDs(a.id, b.id))
}

// compareThreads orders entries by thread.
func compareThreads(a, b *entry) int {
	return cmp.Or(strings.Compare(a.thread, b.thread), strings.Compare(a.project, b.project))
}

// compareCopies orders the copies of one message by how complete they are: those with a body
// come before those without.
func compareCopies(a, b *entry) int {
	rank := func(e *entry) int {
		switch {
		case e.lost:
			return 3
		case e.body == mail.BodyPresent:
			return 0
		case e.body == mail.BodyNull:
			return 1
		}
		return 2
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.export.info.Form, b.export.info.Form), cmp.Compare(a.copy, b.copy))
}

// sameThread reports whether two neighbours belong to one thread. Messages without a
// thread are unrelated.
func sameThread(a, b *entry) bool {
	return compareThreads(a, b) == 0 && (a.thread != "" || sameMessage(a, b))
}

// sameMessage reports whether two neighbours of a thread are copies.
func sameMessage(a, b *entry) bool {
	return a.id != "" && a.nth == b.nth && brenner.CompareMessageIDs(a.id, b.id) == 0
}

// joinNumericThreads adds a mail without a thread to the thread that its replies began:
// they name its id (mail_formats.md section 6).
func (s *Store) joinNumericThreads() {
	started := map[messageKey]bool{}
	for _, e := range s.entries {
		if brenner.IsNumber(e.thread) {
			started[messageKey{e.project, e.thread}] = true
		}
	}
	for _, e := range s.entries {
		if e.thread == "" && started[messageKey{e.project, e.id}] {
			e.thread = e.id
		}
	}
}

// ThreadOf returns the thread that an unsent message would join: the one with its thread id,
// preferably in its project. It returns nil if the exports have no such thread.
func (s *Store) ThreadOf(m *mail.Message) *ThreadInfo {
	id := m.Thread.String()
	if id == "" {
		return nil
	}
	var found *ThreadInfo
	infos := s.Threads()
	for i := range infos {
		if t := &infos[i]; t.ID == id && (found == nil || t.Project == m.Project) {
			found = t
		}
	}
	return found
}

// RosterOf returns the agents that the exports list for an unsent message: those of its thread,
// else of its project, else of the only project (decisions.md 54); nil if unknown.
func (s *Store) RosterOf(m *mail.Message) []mail.Agent {
	if t := s.ThreadOf(m); t != nil {
		return s.Open(*t).Roster
	}
	for _, project := range []string{m.Project, ""} {
		if rosters := s.rosters(project); len(rosters) == 1 && rosters[0] != nil {
			return rosters[0]
		}
	}
	return nil
}

// rosters returns the agents of the projects that have a thread in scope; of the project alone
// that is given, unless it is "".
func (s *Store) rosters(project string) (out [][]mail.Agent) {
	if s.database != nil && s.database.looksUp {
		return s.database.rosters(s.opts.Scope, project)
	}
	seen := map[string]bool{}
	for _, t := range s.Threads() {
		if (project == "" || t.Project == project) && !seen[t.Project] {
			seen[t.Project] = true
			out = append(out, s.Open(t).Roster)
		}
	}
	return out
}

// joinGarbledThreads adds a mail whose thread id has a replaced byte to the thread of its project
// that is meant, if only one can be.
func (s *Store) joinGarbledThreads() {
	if !slices.ContainsFunc(s.entries, func(e *entry) bool { return e.garbled }) {
		return
	}
	ids, seen := map[string][]string{}, map[messageKey]bool{} // by project
	for _, e := range s.entries {
		if key := (messageKey{e.project, e.thread}); !seen[key] && !strings.Contains(e.thread, replaced) && len(ids[e.project]) < maxMeant {
			seen[key] = true
			ids[e.project] = append(ids[e.project], e.thread)
		}
	}
	left := maxMeant
	for _, e := range s.entries {
		if e.garbled && left > 0 {
			left--
			e.thread = cmp.Or(brenner.Meant(e.thread, ids[e.project]...), e.thread)
		}
	}
}

// maxMeant bounds the ids and names that are compared, and the messages for which they are.
const maxMeant = 1000

// resolveProjects finds the project of messages whose export does not name it, if another
// export has the same message with its project. The project of one message of a thread, or
// of a database's project number, is that of all such messages of the export.
func (s *Store) resolveProjects() {
	// A message is known across exports by its id, subject and time.
	type copyKey struct {
		id      string
		subject uint32
		time    int64
	}
	const several = "\x00" // several projects are named: no slug is equal to it
	// note notes a project, unless another one is known.
	note := func(known string, project string) string {
		if known == "" || known == project {
			return project
		}
		return several
	}
	known, unnamed := map[copyKey]string{}, 0
	for _, e := range s.entries {
		if e.project == "" {
			unnamed++
		}
	}
	if unnamed == 0 || unnamed == len(s.entries) {
		return
	}
	for _, e := range s.entries {
		if e.project != "" {
			key := copyKey{e.id, e.subject, e.time}
			known[key] = note(known[key], e.project)
		}
	}
	// Messages of one project have its number in common or, without a number, the thread.
	type group struct {
		export            *export
		projectID, thread string
	}
	groupOf := func(e *entry) group {
		if e.projectID != "" {
			return group{e.export, e.projectID, ""}
		}
		return group{e.export, "", e.thread}
	}
	found := map[group]string{}
	for _, e := range s.entries {
		p := known[copyKey{e.id, e.subject, e.time}]
		if e.project == "" && e.id != "" && e.hasTime && p != "" && p != several {
			found[groupOf(e)] = note(found[groupOf(e)], p)
		}
	}
	for _, e := range s.entries {
		if p := found[groupOf(e)]; e.project == "" && p != several {
			e.project = p
		}
	}
}

// Messages of an archive that cannot be read (decisions.md 76). The name of the file has the
// time and the id. The thread is known from readable front matter, another copy or the name.
// Later messages of the thread are not compared.

// setLost notes that a message cannot be read, with its time and id from the name of the file.
func (e *entry) setLost(name, project string) {
	e.lost, e.id, e.project = true, cmp.Or(e.id, idOfName(name)), cmp.Or(e.project, project)
	if !e.hasTime {
		stamp, _, _ := strings.Cut(name, "__")
		t, err := time.Parse("2006-01-02T15-04-05Z", stamp)
		e.time, e.hasTime = t.UnixMicro(), err == nil
	}
}

// placeLost finds the threads of messages that cannot be read.
func (s *Store) placeLost() {
	lost := map[messageKey][]*entry{}
	for _, e := range s.entries {
		if e.lost && e.thread == "" {
			key := messageKey{e.project, e.id}
			lost[key] = append(lost[key], e)
		}
	}
	if len(lost) == 0 {
		return
	}
	began := map[string]map[string]int64{} // when each thread of the protocol began, by project and id
	for _, e := range s.entries {
		for _, o := range lost[messageKey{e.project, e.id}] {
			if e.id != "" && !e.lost && sameSecond(o, e) && e.thread != "" {
				o.thread = e.thread
			}
		}
		if e.thread == "" || e.lost || !isOfProtocol(e.thread) && !e.typed {
			continue
		}
		noteBegin(began, messageKey{e.project, e.thread}, e)
	}
	for _, entries := range lost {
		for _, e := range entries {
			if e.thread == "" {
				e.thread = threadOfName(path.Base(e.in.Path()), began[e.project], e)
			}
		}
	}
}

// noteBegin notes when a thread began, by project and id, of which a message is.
func noteBegin(began map[string]map[string]int64, thread messageKey, e *entry) {
	if began[thread.project] == nil {
		began[thread.project] = map[string]int64{}
	}
	if first, known := began[thread.project][thread.id]; !known || e.second() < first {
		began[thread.project][thread.id] = e.second()
	}
}

// threadOfName returns the thread of a message that cannot be read: the one with the longest id
// in the name of its file (which is in lower case), else the only thread that had begun. It is
// "" if neither is known.
func threadOfName(name string, began map[string]int64, e *entry) string {
	best, only, possible := "", "", 0
	for id, first := range began {
		if len(id) > len(best) && hasWord(name, strings.ToLower(id)) {
			best = id
		}
		if !e.hasTime || first <= e.second() {
			only = id
			possible++
		}
	}
	if best == "" && possible == 1 {
		return only
	}
	return best
}

// hasWord reports whether a name contains a thread id, not as a part of a longer word.
func hasWord(name, id string) bool {
	at := strings.Index(name, id)
	if at < 0 {
		return false
	}
	end := at + len(id)
	return (at == 0 || !isWord(name[at-1])) && (end == len(name) || !isWord(name[end]) || strings.HasPrefix(name[end:], "__"))
}

func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_'
}

// noteLost notes the messages that cannot be read and are in no listed thread.
func (s *Store) noteLost() {
	var paths []string
	for i, e := range s.entries {
		if e.lost && e.thread == "" && (i == 0 || !sameMessage(s.entries[i-1], e)) {
			paths = append(paths, e.in.Path())
		}
	}
	if len(paths) > 0 {
		slices.Sort(paths)
		s.notices = append(s.notices, fmt.Sprintf("%s cannot be read, nor is the thread known: what follows from the absence may be blamed on others",
			text.And(paths)))
	}
}

// Ids that were given again, as after a reset of the server's database (decisions.md 73): two
// canonical messages of one id that differ in time, and in sender or body, are two messages.

// sameSecond reports whether two entries may have the same time: names of files have no
// fractions.
func sameSecond(a, b *entry) bool { return !a.hasTime || !b.hasTime || a.second() == b.second() }

// second returns the time in seconds since 1970, 0 if it is unknown.
func (e *entry) second() int64 {
	if !e.hasTime {
		return 0
	}
	return time.UnixMicro(e.time).Unix()
}

// separate finds ids of sorted entries that were given to a second message.
func (s *Store) separate() {
	s.earlier = map[*entry]*entry{}
	sameID := func(a, b *entry) bool { return a.id != "" && compareEntryIDs(a, b) == 0 }
	for run := range runs(s.entries, sameID) {
		if slices.ContainsFunc(run, func(e *entry) bool { return !sameSecond(run[0], e) }) {
			s.separateRun(run)
		}
	}
	s.compareAcrossThreads()
}

// separateRun separates the messages of one id in a thread. A copy belongs to the message with
// its time.
func (s *Store) separateRun(run []*entry) {
	slices.SortFunc(run, func(a, b *entry) int { return cmp.Or(cmp.Compare(a.second(), b.second()), compareEntries(a, b)) })
	count, bySecond, byText := uint16(0), map[int64]uint16{}, map[string]uint16{}
	for _, e := range run {
		if e.copy != canonical || !e.hasTime {
			continue
		}
		n, known := bySecond[e.second()]
		text := senderAndBody(e)
		if text == "" && !e.lost { // its bytes are not as they were written, and prove nothing
			count, bySecond = 0, nil
			break
		}
		if !known && text != "" {
			n, known = byText[text]
		}
		if !known {
			n = count
			count = min(count, math.MaxUint16-1) + 1
		}
		e.nth, bySecond[e.second()], byText[text] = n, n, n
	}
	for _, e := range run {
		if count == 0 || e.copy != canonical {
			e.nth = bySecond[e.second()]
		}
	}
	slices.SortFunc(run, compareEntries)
	for i := 1; i < len(run); i++ {
		if run[i].nth != run[i-1].nth {
			s.earlier[run[i]] = run[0]
		}
	}
}

// senderAndBody returns the sender and the body or, in an export without bodies, the subject. Two
// messages of one id that agree in it are copies, even if their times differ. It is "" if the
// message cannot be read, or has replaced bytes.
func senderAndBody(e *entry) string {
	m := loadOne(e)
	if m == nil || m.Garbled {
		return ""
	}
	if m.BodyState == mail.BodyPresent {
		return m.From.String() + "\x00" + string(bytes.TrimSpace(withoutCR(m.Body.Data)))
	}
	return m.From.String() + "\n\x00" + strings.TrimSpace(m.Subject.String())
}

// loadOne reads one message, nil if that is not possible.
func loadOne(e *entry) *mail.Message {
	if e.lost {
		return nil
	}
	m := e.export.load([]*entry{e}, func(source.Fault) {})[0]
	if m == nil {
		return nil
	}
	m.ExportInfo = e.export.info
	return &m.Message
}

// compareAcrossThreads finds ids of a project that messages of several threads have.
func (s *Store) compareAcrossThreads() {
	if all := s.exports(); len(all) == 1 && all[0].info.Form == mail.SQLite {
		return // its ids are unique
	}
	first := make(map[messageKey]*entry, len(s.entries))
	for _, e := range s.entries {
		key := messageKey{e.project, e.id}
		if !brenner.IsNumber(e.id) || key.project == "" || e.lost || e.copy != canonical || !e.hasTime {
			continue
		}
		o := first[key]
		if o == nil {
			first[key] = e
			continue
		}
		if compareThreads(o, e) == 0 || sameSecond(o, e) {
			continue
		}
		if x, y := senderAndBody(o), senderAndBody(e); x == "" || y == "" || x == y {
			continue
		}
		if e.time < o.time {
			o, e, first[key] = e, o, e
		}
		s.earlier[e] = o
	}
}
