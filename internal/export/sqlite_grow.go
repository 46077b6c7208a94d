//go:build !js

package export

import (
	"cmp"
	"errors"
	"maps"
	"math"
	"slices"

	"github.com/ncruces/go-sqlite3"

	"github.com/brennerlint/brennerlint/internal/database"
)

// liveDatabase is a database that another program may write, as it was indexed.
type liveDatabase struct {
	*mailbox
	export *export
	order  int
	state  database.State
	rows   tableRows
}

// tableRows describe the tables of mail. A message does not change once it is sent: if
// there are rows with higher numbers, and nothing else here is different, mail was added
// and that is all.
type tableRows struct {
	schema                int64
	messages, lastMessage int64
	recipients            recipientRows
}

type recipientRows struct{ count, acknowledged, last int64 }

// one calls a query that returns one row of numbers.
func (r *indexReader) one(to []*int64, query string, parameters ...any) error {
	return r.eachRead(query, func(row *sqlite3.Stmt) {
		for i, n := range to {
			*n = row.ColumnInt64(i)
		}
	}, parameters...)
}

// countRows describes the tables, but for recipients after a row.
func (r *indexReader) countRows(lastRecipient int64) (n tableRows, err error) {
	err = cmp.Or(
		r.one([]*int64{&n.schema}, "PRAGMA schema_version"),
		r.one([]*int64{&n.messages}, "SELECT count(*) FROM messages"),
		r.one([]*int64{&n.lastMessage}, "SELECT max(rowid) FROM messages"),
	)
	if err == nil {
		n.recipients, err = r.countRecipients("rowid <= ?", lastRecipient)
	}
	return n, err
}

func (r *indexReader) countRecipients(where string, row int64) (n recipientRows, err error) {
	if !r.hasReceived {
		return n, nil
	}
	acknowledged := "0"
	if r.facts.RecordsAcks {
		acknowledged = "count(ack_ts)"
	}
	err = r.one([]*int64{&n.count, &n.acknowledged, &n.last}, "SELECT count(*), "+acknowledged+", max(rowid) FROM message_recipients WHERE "+where, row)
	return n, err
}

// growing returns what Grow needs to know of a database that was indexed last; nil if it
// cannot grow.
func (r *indexReader) growing() *liveDatabase {
	if r.reopen == nil || r.snap.Damage != nil {
		return nil
	}
	if numbered, err := r.conn.IsRowNumber("messages", "id"); err != nil || !numbered {
		return nil
	}
	rows, err := r.countRows(math.MaxInt64)
	if err != nil {
		return nil
	}
	return &liveDatabase{mailbox: r.mailbox, export: r.export, order: r.order, state: r.snap.State(), rows: rows}
}

// Grow indexes the messages that were added to the live database that is all the mail of the
// Store. It returns false if anything else may have changed: then the Store must not be used
// any more. No thread may be being read, and earlier descriptions of threads are void.
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
	var rows tableRows
	err = snap.Do(func(conn *database.Conn) (err error) {
		r := &indexReader{conn: conn, mailbox: now, export: l.export, order: l.order}
		rows, err = r.readAdded(l)
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
	l.state, l.rows = l.snap.State(), rows
	l.received = append(l.received, now.received...)
	s.unseal()
	return true
}

var errOtherChange = errors.New("more has changed than that mail was added")

// readAdded reads the messages that were added to a database, and describes its tables.
func (r *indexReader) readAdded(l *liveDatabase) (rows tableRows, err error) {
	if err := cmp.Or(r.readProjects(), r.readAgents()); err != nil {
		return rows, err
	}
	if !maps.Equal(r.slugs, l.slugs) || !maps.Equal(r.agents, l.agents) || !maps.EqualFunc(r.facts.Roster, l.facts.Roster, slices.Equal) {
		return rows, errOtherChange
	}
	query, err := r.selectMessages()
	if err != nil {
		return rows, err
	}
	if err := r.eachMessage(query+" WHERE rowid > ? ORDER BY rowid", r.add, l.rows.lastMessage); err != nil {
		return rows, err
	}
	was := l.rows
	if err := r.recipients(func(query string) error {
		return r.eachRecipient(query+" WHERE rowid > ?", r.addRecipient, was.recipients.last)
	}); err != nil {
		return rows, err
	}
	if rows, err = r.countRows(was.recipients.last); err != nil {
		return rows, err
	}
	was.messages, was.lastMessage = was.messages+int64(r.count), rows.lastMessage
	if r.count == 0 || rows != was || !r.areOfNew(l) {
		return rows, errOtherChange
	}
	more, err := r.countRecipients("rowid > ?", was.recipients.last)
	rows.recipients = recipientRows{was.recipients.count + more.count, was.recipients.acknowledged + more.acknowledged, max(was.recipients.last, more.last)}
	return rows, err
}

// areOfNew reports whether the recipients that were read are of messages after all that a
// database had recipients of.
func (r *indexReader) areOfNew(l *liveDatabase) bool {
	if len(r.received) == 0 {
		return true
	}
	last := l.rows.lastMessage
	if n := len(l.received); n > 0 {
		last = max(last, l.received[n-1].message)
	}
	return r.received[0].message > last
}
