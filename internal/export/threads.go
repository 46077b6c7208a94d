package export

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/source"
)

// ThreadInfo is a thread as the index knows it.
type ThreadInfo struct {
	Project, ID string
	Messages    int   // copies of one message count once
	Size        int64 // bytes that loading reads, roughly: to schedule the largest first

	entries []indexEntry // a part of Store.entries
}

// ThreadKey identifies a thread of a Store with the messages that it has: a Store may grow,
// but loses none.
type ThreadKey struct {
	project, id string
	alone       int64 // a message without a thread
	copies      int
}

// Key returns the key of the thread.
func (t ThreadInfo) Key() ThreadKey {
	k := ThreadKey{project: t.Project, id: t.ID, copies: len(t.entries)}
	if t.ID == "" {
		k.alone = t.entries[0].ref
	}
	return k
}

// InProject reports whether the thread belongs to the project with a slug, or with the path
// that the slug is derived from.
func (t ThreadInfo) InProject(name string) bool { return t.Project == name || t.Project == slug(name) }

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

// Notices say what a reader should know of the exports that is no fault.
func (s *Store) Notices() []string {
	s.seal.Do(s.sort)
	return s.notices
}

// Counts counts messages and threads.
func (s *Store) Counts() Counts {
	s.seal.Do(s.sort)
	return s.counts
}

// Has reports whether some export contains a message of that project with that id.
func (s *Store) Has(project, id string) bool {
	s.seal.Do(s.sort)
	if s.rest != nil {
		return s.rest.holds(project, id)
	}
	s.listMessages()
	ids := s.ids[project]
	return ids != nil && ids.has(id)
}

// listMessages lists the ids of all messages, once.
func (s *Store) listMessages() {
	s.listIDs.Do(func() {
		s.ids = map[string]*idSet{}
		for i := range s.entries {
			e := &s.entries[i]
			s.addID(s.idsOf(s.origin(e).project), e)
		}
		for _, ids := range s.ids {
			ids.sort()
		}
	})
}

// idsOf returns the message ids of a project.
func (s *Store) idsOf(project string) *idSet {
	if s.ids[project] == nil {
		s.ids[project] = &idSet{}
	}
	return s.ids[project]
}

// rowNumber parses an id that is a number as rows have: without leading zeros or a plus
// sign. It allocates nothing, as long as the number is not out of range.
func rowNumber(id string) (int64, bool) {
	digits := strings.TrimPrefix(id, "-")
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.ParseInt(id, 10, 64)
	var buf [20]byte // the longest number
	return n, err == nil && string(strconv.AppendInt(buf[:0], n, 10)) == id
}

// idSet is the set of message ids of a project: nearly all are numbers, which take little
// memory.
type idSet struct {
	numbers []int64 // sorted once all are added
	others  map[string]struct{}
}

// addID adds the id of an entry to a set that is not sorted yet.
func (s *Store) addID(to *idSet, e *indexEntry) {
	if e.id >= 0 {
		to.numbers = append(to.numbers, int64(e.id))
	} else if n, ok := rowNumber(s.id(e)); ok {
		to.numbers = append(to.numbers, n)
	} else {
		to.addOther(s.id(e))
	}
}

// sort sorts a set.
func (k *idSet) sort() {
	slices.Sort(k.numbers)
	k.numbers = slices.Compact(k.numbers)
}

func (k *idSet) addOther(id string) {
	if k.others == nil {
		k.others = map[string]struct{}{}
	}
	k.others[id] = struct{}{}
}

func (k *idSet) has(id string) bool {
	if n, ok := rowNumber(id); ok {
		_, found := slices.BinarySearch(k.numbers, n)
		return found
	}
	_, found := k.others[id]
	return found
}

// SoleRoster returns the agents of the only project that has a thread in scope among the
// possible ones; nil if there are several, or none.
func (s *Store) SoleRoster(maybe func(project string) bool) []mail.Agent {
	s.seal.Do(s.sort)
	if s.rest != nil {
		project, ok := s.rest.soleProject(s.opts.Scope, maybe)
		if !ok {
			return nil
		}
		return s.rest.roster(project)
	}
	var only *ThreadInfo
	for i := range s.threads {
		switch t := &s.threads[i]; {
		case !maybe(t.Project):
		case only == nil:
			only = t
		case only.Project != t.Project:
			return nil
		}
	}
	if only == nil {
		return nil
	}
	return s.Open(*only).Roster
}

// Exports returns what the exports say about themselves, by path.
func (s *Store) Exports() []*mail.ExportInfo {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]*mail.ExportInfo, len(s.exports))
	for i, x := range s.exports {
		out[i] = x.info
	}
	slices.SortStableFunc(out, func(a, b *mail.ExportInfo) int { return cmp.Compare(a.Path, b.Path) })
	return out
}

// Faults returns the faults found while exports were added, in input order.
func (s *Store) Faults() []source.Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	slices.SortStableFunc(s.faults, func(a, b orderedFault) int { return cmp.Compare(a.order, b.order) })
	out := make([]source.Fault, len(s.faults))
	for i, f := range s.faults {
		out[i] = f.Fault
	}
	return out
}

// sort makes threads of the entries.
func (s *Store) sort() {
	s.gather()
	s.resolveProjects()
	s.joinNumericThreads()
	s.joinGarbledThreads()
	s.placeLost()
	slices.SortFunc(s.entries, s.compareEntries)
	s.separate()
	for lo := 0; lo < len(s.entries); {
		hi := lo + 1
		for hi < len(s.entries) && s.sameThread(&s.entries[lo], &s.entries[hi]) {
			hi++
		}
		s.addThread(s.entries[lo:hi:hi])
		lo = hi
	}
	s.noteLost()
	s.lookAround()
	s.numbers = nil // few are needed again
}

// unseal makes threads of the entries again when they are asked for next.
func (s *Store) unseal() {
	s.seal, s.listIDs = sync.Once{}, sync.Once{}
	s.threads, s.counts, s.ids, s.notices = nil, Counts{}, nil, nil
}

func (s *Store) addThread(entries []indexEntry) {
	t := s.newThread(entries)
	if s.count(&t) {
		s.threads = append(s.threads, t)
	}
}

// newThread returns the description of a thread.
func (s *Store) newThread(entries []indexEntry) ThreadInfo {
	from := s.origin(&entries[0])
	t := ThreadInfo{Project: from.project, ID: from.thread, entries: entries}
	for i := range entries {
		b := &entries[i]
		if b.lost {
			continue
		}
		if i == 0 || !s.sameMessage(&entries[i-1], b) {
			t.Messages++
			t.Size += int64(b.size)
		}
	}
	return t
}

// count counts a thread, and reports whether it is in scope.
func (s *Store) count(t *ThreadInfo) bool {
	switch {
	case t.Messages == 0:
		return false
	case !s.inScope(t.entries):
		s.counts.Skipped += t.Messages
		return false
	}
	s.counts.Threads++
	s.counts.Messages += t.Messages
	return true
}

// inScope applies decisions.md 15 to a thread.
func (s *Store) inScope(entries []indexEntry) bool {
	if s.opts.Scope == AllScope {
		return true
	}
	if kind, _ := brenner.ClassifyThreadID(s.origin(&entries[0]).thread); kind != brenner.EngineeringThread {
		return true
	}
	for i := range entries {
		if entries[i].typed || s.opts.Scope == AutoScope && !s.origin(&entries[i]).export.info.Mailbox {
			return true
		}
	}
	return false
}

// compareEntries orders entries by thread, message, and copy: the copy that is
// reported comes first.
func (s *Store) compareEntries(a, b indexEntry) int {
	if c := s.compareThreads(&a, &b); c != 0 {
		return c
	}
	if c := s.compareIDs(&a, &b); c != 0 {
		return c
	}
	if a.id != noID {
		if c := cmp.Compare(a.again, b.again); c != 0 {
			return c
		}
		if c := compareCopies(&a, &b); c != 0 {
			return c
		}
	}
	if c := cmp.Compare(a.order, b.order); c != 0 {
		return c
	}
	return cmp.Compare(a.ref, b.ref)
}

// compareThreads orders entries by thread.
func (s *Store) compareThreads(a, b *indexEntry) int {
	if a.origin == b.origin {
		return 0
	}
	x, y := s.origin(a), s.origin(b)
	return cmp.Or(strings.Compare(x.thread, y.thread), strings.Compare(x.project, y.project))
}

// compareCopies orders the copies of one message by how complete they are.
func compareCopies(a, b *indexEntry) int {
	if a.lost != b.lost {
		if b.lost {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(bodyRank(a.body), bodyRank(b.body)), cmp.Compare(a.form, b.form), cmp.Compare(a.copy, b.copy))
}

// bodyRank ranks copies with a body before those without.
func bodyRank(b mail.BodyState) int {
	switch b {
	case mail.BodyPresent:
		return 0
	case mail.BodyNull:
		return 1
	default:
		return 2
	}
}

// sameThread reports whether two neighbours belong to one thread. Messages without a
// thread are unrelated.
func (s *Store) sameThread(a, b *indexEntry) bool {
	x, y := s.origin(a), s.origin(b)
	return x.project == y.project && x.thread == y.thread && (x.thread != "" || s.sameMessage(a, b))
}

// sameMessage reports whether two neighbours of a thread are copies.
func (s *Store) sameMessage(a, b *indexEntry) bool {
	return a.id != noID && a.again == b.again && s.compareIDs(a, b) == 0
}

// joinNumericThreads adds a mail without a thread to the thread that its replies began:
// they name its id (mail_formats.md section 6).
func (s *Store) joinNumericThreads() {
	started := map[messageKey]bool{}
	for i := range s.entries {
		if o := s.origin(&s.entries[i]); brenner.IsNumber(o.thread) {
			started[messageKey{o.project, o.thread}] = true
		}
	}
	for i := range s.entries {
		e := &s.entries[i]
		if from := *s.origin(e); from.thread == "" && len(started) > 0 && started[messageKey{from.project, s.id(e)}] {
			e.origin = s.numberOf(origin{from.export, from.project, from.row, s.id(e)})
		}
	}
}

// ThreadOf returns the thread that an unsent message would join, nil if the exports have
// none: it has the message's thread id and, if several projects have that, is preferably of
// the message's.
func (s *Store) ThreadOf(m *mail.Message) *ThreadInfo {
	id := m.Thread.String()
	if id == "" {
		return nil
	}
	var first *ThreadInfo
	infos := s.Threads()
	for i := range infos {
		switch t := &infos[i]; {
		case t.ID != id:
		case t.Project == m.Project:
			return t
		case first == nil:
			first = t
		}
	}
	return first
}

// RosterOf returns the agents known to the exports where an unsent message would be sent:
// those of its thread, else of its project, else of the only one (decisions.md 54); nil if
// unknown.
func (s *Store) RosterOf(m *mail.Message) []mail.Agent {
	if t := s.ThreadOf(m); t != nil {
		return s.Open(*t).Roster
	}
	if m.Project != "" {
		if roster := s.SoleRoster(func(project string) bool { return project == m.Project }); roster != nil {
			return roster
		}
	}
	return s.SoleRoster(func(string) bool { return true })
}
