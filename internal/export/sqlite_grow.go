//go:build !js

package export

import (
	"cmp"
	"errors"
	"maps"
	"math"
	"slices"
	"sync"

	"github.com/brennerlint/brennerlint/internal/database"
)

// A new message in a large live database is to be seen at once: `watch` and the language server
// read what was added, 0.15 s for one among 200,000 messages, where an index of all takes 9 s.

// liveDatabase is a database that another program may write, as it was indexed.
type liveDatabase struct {
	*mailbox
	export *export
	order  int
	state  database.State
	rows   tableRows
}

// tableRows describe the tables of mail. A sent message never changes. So if only rows with
// higher numbers are new, and nothing else here differs, mail was added and nothing else
// happened.
type tableRows struct {
	schema, messages, lastMessage           int64
	recipients, acknowledged, lastRecipient int64 // rows of recipients
}

// countRows describes the tables.
func (r *tables) countRows() (now tableRows, err error) {
	err = cmp.Or(
		r.numbers("PRAGMA schema_version", &now.schema),
		r.numbers("SELECT count(*), max(rowid) FROM messages", &now.messages, &now.lastMessage),
		r.numbers("SELECT count(*), count(ack_ts), max(rowid) FROM message_recipients", &now.recipients, &now.acknowledged, &now.lastRecipient),
	)
	return now, err
}

// numbers calls a query that returns one row of numbers.
func (r *tables) numbers(query string, to ...*int64) error {
	for row, err := range r.rows(query) {
		if err != nil {
			return err
		}
		for i, n := range to {
			*n = row.ColumnInt64(i)
		}
	}
	return nil
}

// growing returns what Grow needs to know of a database that was indexed last; nil if it
// cannot grow.
func (r *tables) growing(x *export, order int) *liveDatabase {
	if r.reopen == nil || r.snap.Damage != nil {
		return nil
	}
	rows, err := r.countRows()
	if err != nil { // it has no recipients, or they do not acknowledge: it is no live one
		return nil
	}
	return &liveDatabase{mailbox: r.mailbox, export: x, order: order, state: r.snap.State(), rows: rows}
}

// Grow indexes new messages of a live database that is the only mail of the Store. It returns
// false if anything else may have changed; then do not use the Store any more. Call it while no
// thread is being read. Earlier ThreadInfos are invalid afterwards.
func (s *Store) Grow() bool {
	l := s.live
	if l == nil || len(s.exports) != 1 || len(s.faults) > 0 {
		return false
	}
	snap, err := l.open()
	if err != nil {
		return false
	}
	if snap.State().Is(l.state) {
		snap.Close()
		return true
	}
	facts := *l.facts
	now := &mailbox{facts: &facts, snap: snap, has: l.has}
	var added export
	var rows tableRows
	err = snap.Do(func(conn *database.Conn) (err error) {
		rows, err = (&tables{mailbox: now, conn: conn}).readAdded(l, &added)
		return err
	})
	if err != nil || snap.Damage != nil || snap.Changed() || !snap.State().IsOf(l.state) {
		snap.Close()
		return false
	}
	l.mu.Lock()
	l.snap, snap = snap, l.snap
	l.mu.Unlock()
	snap.Close()
	l.state, l.rows, l.kept = l.snap.State(), rows, nil
	l.received = append(l.received, now.received...)
	for _, e := range added.entries {
		e.export = l.export
	}
	l.export.entries = added.entries // the Store has taken the others
	s.unseal()
	return true
}

// unseal makes the next query sort the entries into threads again.
func (s *Store) unseal() {
	for _, e := range s.entries {
		e.again = 0
	}
	s.seal, s.listIDs = sync.Once{}, sync.Once{}
	s.threads, s.notices, s.earlier, s.counts, s.ids = nil, nil, nil, Counts{}, nil
}

var errOtherChange = errors.New("more has changed than that mail was added")

// readAdded reads the messages that were added to a database, and describes its tables.
func (r *tables) readAdded(l *liveDatabase, added *export) (rows tableRows, err error) {
	if err := cmp.Or(r.readProjects(), r.readAgents()); err != nil {
		return rows, err
	}
	if !maps.Equal(r.slugs, l.slugs) || !maps.Equal(r.agents, l.agents) || !maps.EqualFunc(r.facts.Roster, l.facts.Roster, slices.Equal) {
		return rows, errOtherChange
	}
	numbers := map[int64]bool{}
	for row, err := range r.rows(r.selectMessages(false)+" WHERE rowid > ? ORDER BY rowid", l.rows.lastMessage) {
		if err != nil {
			return rows, err
		}
		numbers[row.ColumnInt64(3)] = true
		r.addMessage(added, l.order, row)
	}
	was := l.rows
	if err := r.readRecipients(" WHERE rowid > ?", was.lastRecipient); err != nil {
		return rows, err
	}
	last := int64(math.MinInt64)
	if n := len(l.received); n > 0 {
		last = l.received[n-1].message
	}
	for _, one := range r.received {
		if !numbers[one.message] || one.message < last {
			return rows, errOtherChange
		}
		if one.acked != 0 {
			was.acknowledged++
		}
	}
	rows, err = r.countRows()
	was.messages, was.lastMessage = was.messages+int64(len(added.entries)), rows.lastMessage
	was.recipients, was.lastRecipient = was.recipients+int64(len(r.received)), rows.lastRecipient
	if err == nil && (len(added.entries) == 0 || rows != was) {
		err = errOtherChange
	}
	return rows, err
}
