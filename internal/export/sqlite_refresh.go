//go:build !js

package export

import (
	"cmp"
	"maps"
	"slices"
	"sort"
	"strconv"

	"github.com/ncruces/go-sqlite3"
	"github.com/tidwall/btree"

	"github.com/brennerlint/brennerlint/internal/database"
	"github.com/brennerlint/brennerlint/protocol"
)

// tracked is a database whose changes are followed: which rows are on which pages, and
// to which threads they belong.
type tracked struct {
	*mailbox
	export *export
	order  int32
	schema [24]byte

	messages, recipients, agents, projects *database.Table // nil where there is none
	// rows are the rows of messages, and sentTo the messages of the rows of recipients,
	// by row.
	rows   btree.Map[int64, *ThreadInfo]
	sentTo btree.Map[int64, int64]
	groups map[groupKey]*ThreadInfo // all, in scope or not
}

// groupKey is what messages of one thread have in common; each without a thread has a key
// of its own.
type groupKey struct {
	project, thread string
	alone           int64
}

func (s *Store) keyOf(e *indexEntry) groupKey {
	from := s.origin(e)
	if from.thread == "" {
		return groupKey{from.project, "", e.ref}
	}
	return groupKey{from.project, from.thread, 0}
}

// Track prepares Refresh, if a live database is all the mail of the Store; false if its
// changes cannot be tracked.
func (s *Store) Track() bool {
	s.seal.Do(s.sort)
	if s.tracked != nil || len(s.entries) == 0 {
		return s.tracked != nil
	}
	x := s.origin(&s.entries[0]).export
	m, ok := x.loader.(*mailbox)
	if !ok || m.reopen == nil || len(s.info) != 1 || len(s.faults) > 0 || s.rest != nil {
		return false
	}
	t := &tracked{mailbox: m, export: x, order: s.entries[0].order, groups: map[groupKey]*ThreadInfo{}}
	if !t.survey() {
		return false
	}
	s.listMessages()
	for lo := 0; lo < len(s.entries); {
		hi := lo + 1
		for hi < len(s.entries) && s.sameThread(&s.entries[lo], &s.entries[hi]) {
			hi++
		}
		g := &ThreadInfo{entries: s.entries[lo:hi:hi]}
		t.groups[s.keyOf(&s.entries[lo])] = g
		for i := lo; i < hi; i++ {
			t.rows.Set(s.entries[i].ref, g)
		}
		lo = hi
	}
	for i := range s.threads {
		*t.groups[s.keyOf(&s.threads[i].entries[0])] = s.threads[i]
	}
	for _, g := range t.groups {
		if g.Stamp == 0 {
			*g = s.newThread(g.entries)
		}
	}
	s.tracked = t
	return true
}

// survey finds the pages of the tables, and reports whether their changes can be tracked.
func (t *tracked) survey() bool {
	snap := t.snap
	if snap.Damage != nil || !snap.Version().Is(t.shown) || snap.Changed() {
		return false
	}
	t.schema = snap.Schema()
	var err error
	find := func(name string) (table *database.Table) {
		if err == nil {
			table, err = snap.Table(name)
		}
		return table
	}
	t.messages, t.recipients, t.agents, t.projects = find("messages"), find("message_recipients"), find("agents"), find("projects")
	if err != nil || t.messages == nil || t.hasReceived && t.recipients == nil {
		return false
	}
	ok := true
	err = snap.Do(func(conn *database.Conn) error {
		numbered, err := conn.IsRowNumber("messages", "id")
		indexed := !t.hasReceived
		if err == nil && !indexed {
			indexed, err = conn.HasIndex("message_recipients", "message_id")
		}
		ok = numbered && indexed
		if err != nil || !ok || !t.hasReceived {
			return err
		}
		r := &indexReader{conn: conn, mailbox: t.mailbox}
		return r.each("SELECT rowid, message_id, 0 FROM message_recipients", func(row *sqlite3.Stmt) {
			t.sentTo.Set(row.ColumnInt64(0), row.ColumnInt64(1))
		})
	})
	return ok && err == nil && !snap.Changed()
}

// refresh implements tracker.
func (t *tracked) refresh(s *Store) bool {
	snap, err := t.reopen(t.snap)
	if err != nil {
		return false
	}
	changes, known := snap.Since(t.shown)
	if !known || snap.Schema() != t.schema {
		snap.Close()
		return false
	}
	if len(changes) == 0 {
		t.shown = snap.Version()
		snap.Close()
		return true
	}
	t.mu.Lock()
	old := t.snap
	t.snap, t.shown = snap, snap.Version()
	t.mu.Unlock()
	old.Close()
	u := &update{tracked: t, store: s, changes: changes, rows: map[int64]bool{}, found: map[int64]*rawEntry{}, listed: map[*ThreadInfo]indexEntry{}}
	err = snap.Do(func(conn *database.Conn) error {
		u.conn = conn
		return u.read()
	})
	if err != nil || u.doubt || snap.Changed() {
		return false
	}
	u.apply()
	return true
}

// update applies the changes of a database.
type update struct {
	*tracked
	store   *Store
	conn    *database.Conn
	changes database.Changes
	rows    map[int64]bool             // of messages that may have changed
	found   map[int64]*rawEntry        // what they are now; those that are gone have none
	listed  map[*ThreadInfo]indexEntry // the first messages of threads that were in scope
	doubt   bool                       // the changes affect more than messages
}

// read reads what has changed.
func (u *update) read() error {
	if err := u.readNames(); err != nil || u.doubt {
		return err
	}
	now, before, err := u.messages.Update(u.snap, u.changes)
	if err != nil {
		return err
	}
	for _, row := range now {
		u.rows[row] = true
	}
	within(before, &u.tracked.rows, func(row int64, _ *ThreadInfo) { u.rows[row] = true })
	if u.recipients != nil {
		if err := u.readRecipients(); err != nil {
			return err
		}
	}
	return u.readMessages()
}

// within calls f for the known values of rows in some ranges.
func within[T any](ranges []database.Rows, known *btree.Map[int64, T], f func(int64, T)) {
	for _, r := range ranges {
		known.Ascend(r.Above, func(row int64, value T) bool {
			if row > r.Above && row <= r.Last {
				f(row, value)
			}
			return row < r.Last
		})
	}
}

// readNames reads agents and projects again, if their rows may have changed: a new name may
// affect every thread.
func (u *update) readNames() error {
	changed := false
	for _, table := range []*database.Table{u.agents, u.projects} {
		if table == nil {
			continue
		}
		now, before, err := table.Update(u.snap, u.changes)
		if err != nil {
			return err
		}
		changed = changed || len(now)+len(before) > 0
	}
	if !changed {
		return nil
	}
	facts := *u.facts
	again := &mailbox{facts: &facts, snap: u.snap}
	r := &indexReader{conn: u.conn, mailbox: again}
	if err := cmp.Or(r.readProjects(), r.readAgents()); err != nil {
		return err
	}
	u.doubt = !maps.Equal(again.slugs, u.slugs) || !maps.Equal(again.agents, u.mailbox.agents) || !maps.EqualFunc(facts.Roster, u.facts.Roster, slices.Equal)
	return nil
}

// readRecipients finds the messages whose recipients have changed.
func (u *update) readRecipients() error {
	now, before, err := u.recipients.Update(u.snap, u.changes)
	if err != nil || len(now)+len(before) == 0 {
		return err
	}
	messages := map[int64]bool{}
	var gone []int64
	within(before, &u.sentTo, func(row, message int64) {
		messages[message] = true
		gone = append(gone, row)
	})
	for _, row := range gone {
		u.sentTo.Delete(row)
	}
	r := &indexReader{conn: u.conn, mailbox: u.mailbox}
	for _, row := range now {
		if err := r.each("SELECT message_id, 0 FROM message_recipients WHERE rowid = ?", func(stmt *sqlite3.Stmt) {
			messages[stmt.ColumnInt64(0)] = true
			u.sentTo.Set(row, stmt.ColumnInt64(0))
		}, row); err != nil {
			return err
		}
	}
	return u.compareRecipients(slices.Sorted(maps.Keys(messages)))
}

// compareRecipients reads the recipients of messages again.
func (u *update) compareRecipients(messages []int64) error {
	if len(messages) == 0 { // what was changed was changed back
		return nil
	}
	again := &mailbox{facts: u.facts, snap: u.snap}
	r := &indexReader{conn: u.conn, mailbox: again}
	if err := r.recipients(func(query string) error {
		for _, id := range messages {
			if err := r.eachRecipient(query+" WHERE message_id = ?", r.addRecipient, id); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return err
	}
	for _, id := range messages {
		if !slices.Equal(u.recipientsOf(id), again.recipientsOf(id)) {
			u.rows[id] = true
		}
	}
	u.received = replaceReceived(u.received, messages, again.received)
	return nil
}

// replaceReceived replaces the recipients of some messages by the current ones. Nothing
// before the first of the messages is moved, and what is after the last only if the number
// of recipients changes.
func replaceReceived(all []received, messages []int64, now []received) []received {
	first, last := messages[0], messages[len(messages)-1]
	from := sort.Search(len(all), func(i int) bool { return all[i].message >= first })
	to := from + sort.Search(len(all)-from, func(i int) bool { return all[from+i].message > last })
	between := make([]received, 0, to-from+len(now))
	for _, one := range all[from:to] {
		for len(now) > 0 && compareReceived(now[0], one) <= 0 {
			between, now = append(between, now[0]), now[1:]
		}
		if _, stale := slices.BinarySearch(messages, one.message); !stale {
			between = append(between, one)
		}
	}
	return slices.Replace(all, from, to, append(between, now...)...)
}

// readMessages reads what the index needs of the messages that may have changed, and of
// those that started the threads of others.
func (u *update) readMessages() error {
	left := slices.Sorted(maps.Keys(u.rows))
	for len(left) > 0 {
		r := &indexReader{conn: u.conn, mailbox: u.mailbox, commit: func(list []rawEntry) {
			for _, e := range list {
				u.found[e.ref] = &e
			}
		}}
		query, err := r.selectMessages()
		if err != nil {
			return err
		}
		for _, row := range left {
			if err := r.eachMessage(query+" WHERE rowid = ?", r.add, row); err != nil {
				return err
			}
		}
		r.flush()
		var starters []int64
		for _, row := range left {
			if e := u.found[row]; e != nil {
				starters = u.starter(starters, e.thread)
			}
			if g, known := u.tracked.rows.Get(row); known {
				starters = u.starter(starters, g.ID)
			}
		}
		left = starters
	}
	return nil
}

// starter adds the message that started a thread, by its id.
func (u *update) starter(list []int64, thread string) []int64 {
	n, err := strconv.ParseInt(thread, 10, 64)
	if err != nil || !protocol.IsNumber(thread) || u.rows[n] {
		return list
	}
	u.rows[n] = true
	return append(list, n)
}
