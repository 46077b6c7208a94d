//go:build !js

package export

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ncruces/go-sqlite3"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/internal/database"
)

// indexReader reads what the index needs of a database: everything but bodies.
type indexReader struct {
	*mailbox
	conn   *database.Conn
	export *export
	order  int // of the input

	count int  // of messages
	keeps bool // the messages are kept
	texts int  // how many bytes are kept
}

// received is one recipient of a message, in few bytes: each message of the mailbox has
// several.
type received struct {
	message int64
	acked   int64 // Unix time in nanoseconds, 0 for never
	agent   int32
	kind    int8 // index in recipientKinds
}

// recipientKinds are the kinds in the order in which recipients are listed: the server
// stores no order.
var recipientKinds = []string{"to", "cc", "bcc", ""}

// read reads the small tables, then the messages. A table that is damaged is
// read as far as it goes; the error is that of the first.
func (r *indexReader) read() error {
	if err := r.readColumns(); err != nil {
		return err
	}
	err := cmp.Or(r.readProjects(), r.readAgents(), r.readRecipients())
	return cmp.Or(r.readMessages(), err)
}

func (r *indexReader) readColumns() (err error) {
	if r.has, err = r.conn.Columns("messages"); err != nil {
		return err
	}
	if !r.has["subject"] || !r.has["body_md"] {
		return fmt.Errorf("%w: the database has no table messages with subject and body_md", ErrNoMail)
	}
	r.loadAny = "SELECT " + r.wanted(r.has, "id", "thread_id", "subject", "sender_id", "created_ts", "ack_required", "body_md") + " FROM messages WHERE rowid = ?"
	r.loadOne = r.loadAny + " AND min(" + r.sizeOf(r.has, messageTexts...) + ", ?) = ?" // as it was indexed
	return nil
}

// wanted returns columns for a query, with NULL for those that the table lacks.
func (r *indexReader) wanted(has map[string]bool, names ...string) string {
	list := slices.Clone(names)
	for i, name := range names {
		if !has[name] {
			list[i] = "NULL"
		}
	}
	return strings.Join(list, ", ")
}

// sizeOf returns an expression for the bytes of text in the columns of a row, which
// SQLite computes without reading them.
func (r *indexReader) sizeOf(has map[string]bool, names ...string) string {
	sizes := []string{"0"}
	for _, name := range names {
		if has[name] {
			sizes = append(sizes, "ifnull(octet_length("+name+"), 0)")
		}
	}
	return strings.Join(sizes, " + ")
}

var errRows = errors.New("the database is damaged: a table has more rows than the file has room for")

// each calls f for every row of a query with its parameters; its last column is the size of
// the row's texts. Pages that refer to each other in cycles or repeatedly are not followed
// without end, and overlapping texts are not read.
func (r *indexReader) each(query string, f func(row *sqlite3.Stmt), parameters ...any) error {
	return r.eachOf(query, func(row *sqlite3.Stmt) int64 { return row.ColumnInt64(row.ColumnCount() - 1) }, f, parameters)
}

// eachRead returns each for a query without a column for the size: all columns are read, so
// SQLite need not convert numbers to text to determine their length.
func (r *indexReader) eachRead(query string, f func(row *sqlite3.Stmt), parameters ...any) error {
	return r.eachOf(query, func(row *sqlite3.Stmt) int64 { return textSize(row, row.ColumnCount()) }, f, parameters)
}

// textSize returns how many bytes of text are in the first columns of a row.
func textSize(row *sqlite3.Stmt, columns int) (size int64) {
	for i := range columns {
		if kind := row.ColumnType(i); kind == sqlite3.TEXT || kind == sqlite3.BLOB {
			size += int64(len(row.ColumnRawBlob(i)))
		}
	}
	return size
}

func (r *indexReader) eachOf(query string, size func(row *sqlite3.Stmt) int64, f func(row *sqlite3.Stmt), parameters []any) error {
	stmt, err := r.conn.Keep(query)
	if err != nil {
		return err
	}
	defer func() { _ = stmt.Reset() }() // it returns the error of Step again
	if err := bind(stmt, parameters); err != nil {
		return err
	}
	rows, text := r.snap.MaxRows(), r.snap.MaxText()
	for stmt.Step() {
		rows--
		text -= size(stmt)
		if rows < 0 || text < 0 {
			return errRows
		}
		f(stmt)
	}
	return stmt.Err()
}

func bind(stmt *sqlite3.Stmt, parameters []any) (err error) {
	for i, p := range parameters {
		switch p := p.(type) {
		case int64:
			err = errors.Join(err, stmt.BindInt64(i+1, p))
		case string:
			err = errors.Join(err, stmt.BindText(i+1, p))
		}
	}
	return err
}

// table calls f for every row of a table with those columns, if there is one.
func (r *indexReader) table(name string, has map[string]bool, columns []string, f func(row *sqlite3.Stmt)) error {
	return r.eachRead("SELECT "+r.wanted(has, columns...)+" FROM "+name, f)
}

func (r *indexReader) readProjects() error {
	r.slugs = map[int64]string{}
	has, err := r.conn.Columns("projects")
	if err != nil || len(has) == 0 {
		return err
	}
	return r.table("projects", has, []string{"id", "slug"}, func(row *sqlite3.Stmt) {
		r.slugs[row.ColumnInt64(0)] = row.ColumnText(1)
	})
}

func (r *indexReader) readAgents() error {
	r.agents, r.facts.Roster = map[int64]string{}, nil
	has, err := r.conn.Columns("agents")
	if err != nil || len(has) == 0 {
		return err
	}
	r.facts.Roster = map[string][]mail.Agent{}
	err = r.table("agents", has, []string{"id", "project_id", "name", "program", "model"}, func(row *sqlite3.Stmt) {
		slug, agent := r.slugs[row.ColumnInt64(1)], mail.Agent{Name: row.ColumnText(2), Program: row.ColumnText(3), Model: row.ColumnText(4)}
		r.agents[row.ColumnInt64(0)] = agent.Name
		r.facts.Roster[slug] = append(r.facts.Roster[slug], agent)
	})
	for _, agents := range r.facts.Roster {
		slices.SortFunc(agents, compareAgents) // not by SQLite, which would read all rows before it returns the first
	}
	return err
}

// readRecipients reads all recipients in one query: few bytes each, and no look-up depends
// on an index.
func (r *indexReader) readRecipients() error {
	return r.recipients(func(query string) error { return r.eachRecipient(query, r.addRecipient) })
}

// recipients prepares reading the recipients of messages; read does it.
func (r *indexReader) recipients(read func(query string) error) error {
	r.received, r.hasReceived = nil, false
	has, err := r.conn.Columns("message_recipients")
	if err != nil || len(has) == 0 {
		return err
	}
	r.hasReceived = true
	r.facts.RecordsAcks = has["ack_ts"] && !r.facts.AckFlagsCleared
	columns := []string{"message_id", "agent_id", "kind", "ack_ts"}
	err = read("SELECT " + r.wanted(has, columns...) + " FROM message_recipients")
	slices.SortFunc(r.received, compareReceived)
	return err
}

func compareReceived(a, b received) int {
	return cmp.Or(cmp.Compare(a.message, b.message), cmp.Compare(a.kind, b.kind), cmp.Compare(a.agent, b.agent))
}

// recipientRow is a row of recipients, its texts in the memory of SQLite.
type recipientRow struct {
	message, agent int64
	kind, acked    []byte
}

// eachRecipient calls f for every row of a query of recipients.
func (r *indexReader) eachRecipient(query string, f func(recipientRow), parameters ...any) error {
	var one recipientRow
	return r.eachOf(query, func(row *sqlite3.Stmt) int64 {
		acked, size := timeColumn(row, 3)
		one = recipientRow{row.ColumnInt64(0), row.ColumnInt64(1), row.ColumnRawText(2), acked}
		return textSize(row, 2) + int64(len(one.kind)+size)
	}, func(*sqlite3.Stmt) { f(one) }, parameters)
}

func (r *indexReader) addRecipient(row recipientRow) {
	one := received{message: row.message, agent: int32(row.agent)}
	if one.kind = int8(slices.Index(recipientKinds, string(row.kind))); one.kind < 0 {
		one.kind = int8(len(recipientKinds) - 1)
	}
	if len(row.acked) > 0 {
		if t, ok := brenner.ParseTime(string(row.acked)); ok {
			one.acked = t.Time.UnixNano()
		}
	}
	r.received = append(r.received, one)
}
