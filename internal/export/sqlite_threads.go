//go:build !js

package export

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/ncruces/go-sqlite3"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/internal/database"
	"github.com/brennerlint/brennerlint/source"
)

// indexThreads indexes the wanted threads, and leaves other queries to look-ups, so that neither
// reads nor memory grow with the mailbox. It returns false if the threads cannot be found
// without reading all messages.
func (r *tables) indexThreads(ids []string) (bool, error) {
	if r.snap.Damage != nil || !r.has["thread_id"] || !r.has["id"] {
		return false, nil
	}
	if slices.ContainsFunc(ids, func(id string) bool { return strings.ContainsRune(id, utf8.RuneError) }) {
		return false, nil // invalid bytes are read as U+FFFD
	}
	// Texts in another encoding are ordered otherwise, and so are values that are no texts, and texts that begin
	// with white space, which is no part of an id.
	const others = "SELECT 1 FROM pragma_encoding WHERE encoding <> 'UTF-8' UNION ALL " +
		"SELECT 1 FROM (SELECT 1 FROM messages WHERE thread_id < '!' OR thread_id >= char(127) LIMIT 1)"
	for range r.Rows(others) {
		return false, nil
	}
	if r.Err != nil {
		return false, r.Err
	}
	rows, err := r.rowsOf(ids)
	if err != nil {
		return false, err
	}
	where := " WHERE rowid IN (" + strings.Trim(strings.ReplaceAll(fmt.Sprint(rows), " ", ","), "[]") + ")"
	return true, r.index(where, " WHERE message_id IN (SELECT CAST(id AS INTEGER) FROM messages"+where+")", false)
}

// rowsOf returns the rows of the messages of threads, and of those that may have started them.
func (r *tables) rowsOf(ids []string) (rows []int64, _ error) {
	for _, id := range ids {
		if id == "" {
			continue
		}
		for row := range r.Rows("SELECT rowid, thread_id FROM messages WHERE thread_id >= ? AND thread_id < ?", id, id+string(utf8.MaxRune)) {
			if strings.TrimSpace(r.text(row, 1)) == id {
				rows = append(rows, row.ColumnInt64(0))
			}
		}
		if r.Err == nil && brenner.IsNumber(id) { // replies name it as their thread
			for row := range r.Rows("SELECT rowid, id, thread_id FROM messages"+hasID, id) {
				if r.text(row, 1) == id && strings.TrimSpace(r.text(row, 2)) == "" {
					rows = append(rows, row.ColumnInt64(0))
				}
			}
		}
		if r.Err != nil {
			return nil, r.Err
		}
	}
	slices.Sort(rows)
	return slices.Compact(rows), nil
}

// hasID is the condition that a message has an id, written as a number or as text; what it
// finds may also be written otherwise.
const hasID = " WHERE id IN (?1, CAST(?1 AS INTEGER))"

// holds reports whether there is a message of a project with an id.
func (m *mailbox) holds(project, id string) (found bool) {
	err := m.do(func(conn *database.Conn) error {
		found = false
		r := &tables{mailbox: m, Conn: conn}
		for row := range r.Rows("SELECT id, "+columnList(m.has, "project_id")+" FROM messages"+hasID, id) {
			found = found || r.text(row, 0) == id && source.ValidString(m.slugs[row.ColumnInt64(1)]) == project
		}
		return r.Err
	})
	return found && err == nil
}

// rosters returns the agents of the projects that have mail in scope, of two at most; of the
// project alone that is given, unless it is "".
func (m *mailbox) rosters(scope Scope, only string) (out [][]mail.Agent) {
	err := m.do(func(conn *database.Conn) error {
		out = nil
		r := &tables{mailbox: m, Conn: conn}
		found := map[string]bool{}
		for row := range r.Rows("SELECT thread_id, subject, " + columnList(m.has, "project_id") + " FROM messages") {
			slug, known := m.slugs[row.ColumnInt64(2)]
			if row.ColumnType(2) == sqlite3.NULL || len(m.slugs) == 0 {
				slug, known = "", true
			}
			if slug = source.ValidString(slug); !known || found[slug] || only != "" && slug != only {
				continue
			}
			thread, subject := source.ValidString(strings.TrimSpace(r.text(row, 0))), source.ValidString(r.text(row, 1))
			if scope == AllScope || isOfProtocol(thread) || brenner.ParseSubject(subject).Intended != "" {
				found[slug] = true
				if out = append(out, m.info.Roster[slug]); len(out) > 1 {
					return nil
				}
			}
		}
		return r.Err
	})
	if err != nil {
		return nil
	}
	return out
}

// A new message in a large live database is to be seen at once: `watch` and the language server
// read what was added, 0.2 s for one among 200,000 messages, where an index of all takes 9 s.

// grown is what a live database was when it was indexed.
type grown struct {
	state database.State
	rows  tableRows
}

// tableRows describe the tables of mail. A sent message never changes. So if only rows with
// higher numbers are new, and nothing else here differs, mail was added and nothing else
// happened.
type tableRows struct {
	schema, messages, lastMessage           int64
	recipients, acknowledged, lastRecipient int64 // rows of recipients
}

// countRows describes the tables.
func (r *tables) countRows() (now tableRows, _ error) {
	const query = "SELECT * FROM pragma_schema_version, (SELECT count(*), max(rowid) FROM messages), " +
		"(SELECT count(*), count(ack_ts), max(rowid) FROM message_recipients)"
	for row := range r.Rows(query) {
		for i, n := range []*int64{&now.schema, &now.messages, &now.lastMessage, &now.recipients, &now.acknowledged, &now.lastRecipient} {
			*n = row.ColumnInt64(i)
		}
	}
	return now, r.Err
}

// noteGrown notes what Grow needs to know of a database that was just indexed, unless it cannot
// grow.
func (r *tables) noteGrown() {
	if r.reopen == nil || r.snap.Damage != nil {
		return
	}
	if rows, err := r.countRows(); err == nil { // else it has no recipients, or they do not acknowledge: it is no live one
		r.grown = &grown{r.snap.State(), rows}
	}
}

// Grow indexes new messages of a live database that is the only mail of the Store. It returns
// false if anything else may have changed; then do not use the Store any more. Call it while no
// thread is being read. Earlier ThreadInfos are invalid afterwards.
func (s *Store) Grow() bool {
	m := s.database
	if m == nil || m.grown == nil || len(s.exports()) != 1 || len(s.Faults()) > 0 {
		return false
	}
	snap, err := m.open()
	if err != nil {
		return false
	}
	if snap.State().Is(m.grown.state) {
		snap.Close()
		return true
	}
	info := *m.info
	now := newMailbox(m.in, &info)
	now.snap, now.has, now.reopen = snap, m.has, m.reopen
	err = snap.Do(func(conn *database.Conn) error { return (&tables{mailbox: now, Conn: conn}).readAdded(m) })
	if err != nil || snap.Damage != nil || snap.Changed() || !snap.State().IsOf(m.grown.state) {
		snap.Close()
		return false
	}
	m.mu.Lock()
	m.snap, snap = snap, m.snap
	m.mu.Unlock()
	snap.Close()
	m.grown = now.grown
	m.received = append(m.received, now.received...)
	for _, e := range now.entries {
		e.export = &m.export
	}
	m.entries = now.entries // the Store has taken the others
	s.unseal()
	return true
}

// unseal makes the next query sort the entries into threads again.
func (s *Store) unseal() {
	for _, e := range s.entries {
		e.nth = 0
	}
	s.seal, s.listIDs = sync.Once{}, sync.Once{}
	s.threads, s.notices, s.earlier, s.counts, s.ids = nil, nil, nil, Counts{}, nil
}

var errOtherChange = errors.New("more has changed than that mail was added")

// readAdded indexes the messages that were added to a database since it was indexed.
func (r *tables) readAdded(m *mailbox) error {
	was := m.grown.rows
	if err := r.index(fmt.Sprint(" WHERE rowid > ", was.lastMessage), fmt.Sprint(" WHERE rowid > ", was.lastRecipient), false); err != nil {
		return err
	}
	if !maps.Equal(r.slugs, m.slugs) || !maps.Equal(r.agents, m.agents) || !maps.EqualFunc(r.info.Roster, m.info.Roster, slices.Equal) {
		return errOtherChange
	}
	numbers := map[int64]bool{}
	for _, e := range r.entries {
		n, _ := strconv.ParseInt(e.id, 10, 64)
		numbers[n] = true
	}
	last := int64(math.MinInt64)
	if n := len(m.received); n > 0 {
		last = m.received[n-1].message
	}
	for _, one := range r.received {
		if !numbers[one.message] || one.message < last {
			return errOtherChange
		}
		if one.acked {
			was.acknowledged++
		}
	}
	now, err := r.countRows()
	was.messages, was.lastMessage = was.messages+int64(len(r.entries)), now.lastMessage
	was.recipients, was.lastRecipient = was.recipients+int64(len(r.received)), now.lastRecipient
	if err == nil && (len(r.entries) == 0 || now != was) {
		err = errOtherChange
	}
	r.grown = &grown{r.snap.State(), now}
	return err
}
