package export

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/mail"
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
	if s.rest != nil {
		return s.rest.holds(project, id)
	}
	s.listIDs.Do(func() {
		s.byID = slices.Clone(s.entries)
		slices.SortFunc(s.byID, func(a, b *entry) int { return compareKeys(a, messageKey{b.project, b.id}) })
	})
	_, found := slices.BinarySearchFunc(s.byID, messageKey{project, id}, compareKeys)
	return id != "" && found
}

// compareKeys orders messages by project and id.
func compareKeys(e *entry, k messageKey) int {
	return cmp.Or(strings.Compare(e.project, k.project), strings.Compare(e.id, k.id))
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
	slices.SortFunc(s.entries, compareEntries)
	s.separate()
	for entries := range runs(s.entries, sameThread) {
		s.addThread(entries)
	}
	s.noteLost()
	s.lookAround()
}

// gather takes the messages of all exports.
func (s *Store) gather() {
	for _, x := range s.exports {
		s.entries = append(s.entries, x.entries...)
		x.entries, x.labels = nil, nil
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
		return e.typed || s.opts.Scope == AutoScope && !e.export.info.Mailbox
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
		c = cmp.Or(cmp.Compare(a.again, b.again), compareCopies(a, b))
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
	return a.id != "" && a.again == b.again && brenner.CompareMessageIDs(a.id, b.id) == 0
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
			e.join(e.id)
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

// RosterOf returns the agents that the exports list for an unsent message: those of its thread,
// else of its project, else of the only project (decisions.md 54); nil if unknown.
func (s *Store) RosterOf(m *mail.Message) []mail.Agent {
	if t := s.ThreadOf(m); t != nil {
		return s.Open(*t).Roster
	}
	if m.Project != "" {
		if rosters := s.rosters(m.Project); len(rosters) == 1 && rosters[0] != nil {
			return rosters[0]
		}
	}
	if rosters := s.rosters(""); len(rosters) == 1 {
		return rosters[0]
	}
	return nil
}

// rosters returns the agents of the projects that have a thread in scope; of the project alone
// that is given, unless it is "".
func (s *Store) rosters(project string) (out [][]mail.Agent) {
	if s.rest != nil {
		return s.rest.rosters(s.opts.Scope, project)
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
