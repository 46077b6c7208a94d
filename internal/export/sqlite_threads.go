//go:build !js

package export

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ncruces/go-sqlite3"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/internal/database"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/source"
)

// AddThreads indexes an export for a caller that needs some threads only. For a database it
// indexes only their messages, and other queries to the Store are looked up: neither reads
// nor memory grow with the mailbox. Exports that do not allow that are indexed as by Add.
//
// It must be the only export of the Store: other exports could name the project of messages
// that are not indexed.
func (s *Store) AddThreads(ctx context.Context, in *input.Input, ids ...string) error {
	if in.Kind != input.SQLite {
		return s.Add(ctx, in)
	}
	return s.add(ctx, in, func(in *input.Input, r *reading) error {
		return openDatabase(in, r, func(in *input.Input, r *reading, m *mailbox) error {
			if indexThreads(in, r, m, ids) {
				return nil
			}
			return index(in, r, m)
		})
	})
}

// indexThreads indexes threads of an opened database. It reports whether that was
// possible: a damaged database, or one of another form, is read as a whole.
func indexThreads(in *input.Input, r *reading, m *mailbox, ids []string) bool {
	if m.snap.Damage != nil {
		return false
	}
	x := &export{info: m.facts, loader: m}
	found := false
	err := m.do(func(conn *database.Conn) (err error) {
		x.clear() // of an earlier attempt
		f := &threadFinder{indexReader{conn: conn, mailbox: m, export: x, order: in.Order}}
		found, err = f.find(ids)
		return err
	})
	if !found || err != nil {
		return false
	}
	r.exports, r.rest = append(r.exports, x), m
	return true
}

// threadFinder reads what the index needs of some threads of a database.
type threadFinder struct{ indexReader }

// find indexes threads; false if they cannot be distinguished from others without reading
// all messages.
func (r *threadFinder) find(ids []string) (bool, error) {
	if err := r.readColumns(); err != nil || !r.has["thread_id"] {
		return false, err
	}
	if slices.ContainsFunc(ids, func(id string) bool { return strings.ContainsRune(id, utf8.RuneError) }) {
		return false, nil // invalid bytes are read as U+FFFD
	}
	if numbered, err := r.conn.IsRowNumber("messages", "id"); err != nil || !numbered {
		return false, err
	}
	if err := cmp.Or(r.readProjects(), r.readAgents()); err != nil {
		return false, err
	}
	rows, err := r.rowsOf(ids)
	if err != nil {
		return false, err
	}
	if err := r.readFew(rows); err != nil {
		return false, err
	}
	return true, nil
}

// readFew indexes some messages.
func (r *threadFinder) readFew(rows []int64) error {
	query, err := r.selectMessages()
	if err != nil {
		return err
	}
	for _, row := range rows {
		if err := r.eachMessage(query+" WHERE rowid = ?", r.add, row); err != nil {
			return err
		}
	}
	indexed, err := r.conn.HasIndex("message_recipients", "message_id")
	if err != nil {
		return err
	}
	return r.recipients(func(query string) error {
		if !indexed {
			return r.eachRecipient(query, func(row recipientRow) {
				if _, ok := slices.BinarySearch(rows, row.message); ok {
					r.addRecipient(row)
				}
			})
		}
		for _, row := range rows {
			if err := r.eachRecipient(query+" WHERE message_id = ?", r.addRecipient, row); err != nil {
				return err
			}
		}
		return nil
	})
}

// rowsOf returns the rows of the messages of threads, and of those that started them.
func (r *threadFinder) rowsOf(ids []string) ([]int64, error) {
	started := map[int64]map[string]bool{} // projects by the message that began a thread there
	var rows []int64
	err := r.eachThreadID(ids, func(row *sqlite3.Stmt) {
		id := strings.TrimSpace(row.ColumnText(1))
		if !slices.Contains(ids, id) {
			return
		}
		rows = append(rows, row.ColumnInt64(0))
		if n, ok := rowNumber(id); ok && brenner.IsNumber(id) {
			if started[n] == nil {
				started[n] = map[string]bool{}
			}
			started[n][r.slugs[row.ColumnInt64(2)]] = true
		}
	})
	for n, projects := range started {
		if err != nil {
			break
		}
		err = r.each("SELECT thread_id, "+r.wanted(r.has, "project_id")+", ifnull(octet_length(thread_id), 0) FROM messages WHERE rowid = ?", func(row *sqlite3.Stmt) {
			if strings.TrimSpace(row.ColumnText(0)) == "" && projects[r.slugs[row.ColumnInt64(1)]] {
				rows = append(rows, n)
			}
		}, n)
	}
	slices.Sort(rows)
	return slices.Compact(rows), err
}

// spaces are the ranges of texts that begin with a space, from the first up to the second:
// a space before a thread id is not part of it. Those of ASCII, and what is not text, are
// below "!".
var spaces = [][2]string{
	{"\u0085", "\u0086"}, {"\u00a0", "\u00a1"}, {"\u1680", "\u1681"}, {"\u2000", "\u200b"},
	{"\u2028", "\u202a"}, {"\u202f", "\u2030"}, {"\u205f", "\u2060"}, {"\u3000", "\u3001"},
}

// eachThreadID calls f with the row, the thread id and the project of all messages
// whose thread may be one of those asked for: by the index of thread ids, or else
// of all messages.
func (r *threadFinder) eachThreadID(ids []string, f func(row *sqlite3.Stmt)) error {
	if len(ids) == 0 {
		return nil
	}
	query := "SELECT rowid, thread_id, " + r.wanted(r.has, "project_id") + ", ifnull(octet_length(thread_id), 0) FROM messages"
	indexed, err := r.conn.HasIndex("messages", "thread_id")
	ordered, orderErr := r.conn.OrdersTexts("messages", "thread_id")
	if err = cmp.Or(err, orderErr); err != nil || !indexed || !ordered {
		return cmp.Or(err, r.each(query, f))
	}
	ranges := slices.Clone(spaces)
	for _, id := range ids {
		if id != "" {
			after := []byte(id) // spaces after it are not part of it either
			after[len(after)-1]++
			ranges = append(ranges, [2]string{id, string(after)})
		}
	}
	const column = " thread_id COLLATE BINARY "
	err = cmp.Or(r.each(query+" WHERE"+column+"< '!'", f), r.each(query+" WHERE"+column+">= x''", f))
	for _, texts := range ranges {
		err = cmp.Or(err, r.each(query+" WHERE"+column+">= ? AND"+column+"< ?", f, texts[0], texts[1]))
	}
	return err
}

func (m *mailbox) roster(project string) []mail.Agent { return m.facts.Roster[project] }

// holds reports whether a database has a message of that project with that id.
func (m *mailbox) holds(project, id string) (found bool) {
	n, ok := rowNumber(id)
	if !ok {
		return false
	}
	err := m.do(func(conn *database.Conn) error {
		r := &indexReader{conn: conn, mailbox: m}
		found = false
		return r.each("SELECT "+r.wanted(m.has, "project_id")+", 0 FROM messages WHERE rowid = ?", func(row *sqlite3.Stmt) {
			found = source.ValidString(m.slugs[row.ColumnInt64(0)]) == project
		}, n)
	})
	return found && err == nil
}

// soleProject returns the only project that has mail in scope among the possible ones;
// false if there are several, or none. Messages of each project are read until one is in
// scope.
func (m *mailbox) soleProject(scope Scope, maybe func(project string) bool) (only string, ok bool) {
	err := m.do(func(conn *database.Conn) error {
		r := &scopeReader{indexReader: indexReader{conn: conn, mailbox: m}, scope: scope, maybe: maybe, found: map[string]bool{}}
		err := r.read()
		only, ok = "", len(r.found) == 1
		for only = range r.found { //revive:disable-line:empty-block
		}
		return err
	})
	return only, ok && err == nil
}

// scopeReader finds projects that have mail in scope, until there are two.
type scopeReader struct {
	indexReader
	scope Scope
	maybe func(project string) bool
	found map[string]bool
}

func (r *scopeReader) read() error {
	query := "SELECT " + r.wanted(r.has, "project_id", "thread_id", "subject") + " FROM messages"
	indexed, err := r.conn.HasIndex("messages", "project_id")
	if err != nil {
		return err
	}
	if !indexed {
		return r.until(2, query)
	}
	// Some messages may belong to a project that is not in the database.
	known := make([]int64, 0, len(r.slugs))
	for id := range r.slugs {
		known = append(known, id)
	}
	slices.Sort(known)
	err = r.until(len(r.found)+1, query+" WHERE project_id IS NULL")
	for i, id := range known {
		below := query + " WHERE project_id < ?"
		parameters := []any{id}
		if i > 0 {
			below += " AND project_id > ?"
			parameters = append(parameters, known[i-1])
		}
		err = cmp.Or(err, r.until(len(r.found)+1, query+" WHERE project_id = ?", id), r.until(len(r.found)+1, below, parameters...))
	}
	if n := len(known); n > 0 {
		return cmp.Or(err, r.until(len(r.found)+1, query+" WHERE project_id > ?", known[n-1]))
	}
	return cmp.Or(err, r.until(len(r.found)+1, query+" WHERE project_id IS NOT NULL"))
}

// until reads messages until so many projects are found; two are enough.
func (r *scopeReader) until(enough int, query string, parameters ...any) error {
	if len(r.found) == 2 {
		return nil
	}
	stmt, err := r.conn.Keep(query)
	if err != nil {
		return err
	}
	defer func() { _ = stmt.Reset() }() // it returns the error of Step again
	if err := bind(stmt, parameters); err != nil {
		return err
	}
	for rows := r.snap.MaxRows(); len(r.found) < enough && stmt.Step(); rows-- {
		project := source.ValidString(r.slugs[stmt.ColumnInt64(0)])
		if rows == 0 {
			return errRows
		}
		if r.maybe(project) && r.inScope(stmt.ColumnText(1), stmt.ColumnText(2)) {
			r.found[project] = true
		}
	}
	return stmt.Err()
}

// inScope is Store.inScope for the thread of one message.
func (r *scopeReader) inScope(thread, subject string) bool {
	kind, _ := brenner.ClassifyThreadID(source.ValidString(strings.TrimSpace(thread)))
	return r.scope == AllScope || kind != brenner.EngineeringThread || brenner.ParseSubject(source.ValidString(subject)).Intended != 0
}
