//go:build !js

package export

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/ncruces/go-sqlite3"

	"github.com/brennerlint/brennerlint/internal/database"
	"github.com/brennerlint/brennerlint/mail"
	"github.com/brennerlint/brennerlint/protocol"
)

// indexReader reads what the index needs of a database: everything but bodies.
type indexReader struct {
	*mailbox
	conn   *database.Conn
	commit func([]rawEntry)

	entries []rawEntry // not yet committed
	count   int        // of messages
	keeps   bool       // the messages are kept
	room    []byte     // for their texts
	texts   int        // how many bytes are kept
}

// batch is how many entries are committed together.
const batch = 512

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
	return r.eachOf(query, textSize, f, parameters)
}

// textSize returns how many bytes of text are in a row.
func textSize(row *sqlite3.Stmt) (size int64) {
	for i := range row.ColumnCount() {
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
	r.facts.Roster = map[string][]string{}
	err = r.table("agents", has, []string{"id", "project_id", "name"}, func(row *sqlite3.Stmt) {
		slug, name := r.slugs[row.ColumnInt64(1)], row.ColumnText(2)
		r.agents[row.ColumnInt64(0)] = name
		r.facts.Roster[slug] = append(r.facts.Roster[slug], name)
	})
	for _, names := range r.facts.Roster {
		slices.Sort(names) // not by SQLite, which would read all rows before it returns the first
	}
	return err
}

// readRecipients reads all recipients in one query: few bytes each, and no look-up depends
// on an index.
func (r *indexReader) readRecipients() error {
	return r.recipients(func(query string) error { return r.eachRead(query, r.addRecipient) })
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

func (r *indexReader) addRecipient(row *sqlite3.Stmt) {
	one := received{message: row.ColumnInt64(0), agent: int32(row.ColumnInt64(1))}
	kind := string(row.ColumnRawText(2))
	if one.kind = int8(slices.Index(recipientKinds, kind)); one.kind < 0 {
		one.kind = int8(len(recipientKinds) - 1)
	}
	if at := row.ColumnRawText(3); len(at) > 0 {
		if t, ok := protocol.ParseTime(string(at)); ok {
			one.acked = t.Time.UnixNano()
		}
	}
	r.received = append(r.received, one)
}

// messageTexts are the texts of a message.
var messageTexts = []string{"id", "thread_id", "subject", "created_ts", "body_md"}

// redactedBody is what a strict share puts in place of a body.
const redactedBody = "[Message body redacted]"

// selectMessages returns the query for what the index has of messages, and for what else is
// kept of them.
func (r *indexReader) selectMessages() string {
	body := "CASE WHEN body_md IS NULL THEN 1 ELSE 0 END"
	if r.facts.BodiesRedacted {
		body = "CASE WHEN body_md IS NULL THEN 1 WHEN octet_length(body_md) < 100 AND body_md = '" + redactedBody + "' THEN 2 ELSE 0 END"
	}
	columns := "rowid, " + r.wanted(r.has, "id", "project_id", "thread_id", "subject", "created_ts") + ", " + body + ", "
	if r.kept != nil {
		columns += r.wanted(r.has, "sender_id", "ack_required", "body_md") + ", "
	}
	return "SELECT " + columns + r.sizeOf(r.has, messageTexts...) + " FROM messages"
}

// keptBody is the column of the body in what selectMessages selects of kept messages.
const keptBody = 9

// readMessages indexes the messages, while SQLite reads the next ones.
func (r *indexReader) readMessages() error {
	if r.kept, r.texts = nil, 0; r.keeps {
		r.kept = [][]indexedRow{}
	}
	query := r.selectMessages() + " ORDER BY rowid"
	batches := make(chan []indexedRow, 1)
	var indexing sync.WaitGroup
	indexing.Go(func() {
		for rows := range batches {
			for i := range rows {
				r.add(&rows[i])
			}
			if r.kept != nil && len(rows) > 0 {
				r.kept = append(r.kept, rows)
			}
		}
	})
	err := r.readRows(query, batches)
	close(batches)
	indexing.Wait()
	if err != nil && len(r.kept) > 0 { // a part may have been read backwards
		all := slices.Concat(r.kept...)
		slices.SortFunc(all, compareRows)
		r.kept = [][]indexedRow{all}
	}
	r.flush()
	return err
}

// readRows reads the rows of messages in batches. A damaged table is read from both ends up
// to the damage.
func (r *indexReader) readRows(query string, batches chan<- []indexedRow) error {
	var rows []indexedRow
	take := func(ref int64, stmt *sqlite3.Stmt) {
		if rows = append(rows, r.row(ref, stmt)); len(rows) == batch {
			batches <- rows
			rows = make([]indexedRow, 0, batch)
		}
	}
	// Rows come in order; in a damaged table some may come again.
	low, high := int64(math.MinInt64), int64(math.MaxInt64)
	err := r.each(query, func(stmt *sqlite3.Stmt) {
		if ref := stmt.ColumnInt64(0); ref > low {
			low = ref
			take(ref, stmt)
		}
	})
	if errors.Is(err, sqlite3.CORRUPT) {
		// The second error is the same damage, reached from the other side.
		_ = r.each(query+" DESC", func(stmt *sqlite3.Stmt) {
			if ref := stmt.ColumnInt64(0); ref > low && ref < high {
				high = ref
				take(ref, stmt)
			}
		})
	}
	batches <- rows
	return err
}

// indexedRow is a message as selectMessages selects it.
type indexedRow struct {
	messageRow
	ref, project int64
	row          string // the number of the project
	state        mail.BodyState
	size         int
	kept         bool
}

func compareRows(a, b indexedRow) int { return cmp.Compare(a.ref, b.ref) }

// row copies a row out of SQLite.
func (r *indexReader) row(ref int64, stmt *sqlite3.Stmt) indexedRow {
	row := indexedRow{
		ref: ref, project: stmt.ColumnInt64(2), row: stmt.ColumnText(2), size: int(min(stmt.ColumnInt64(stmt.ColumnCount()-1), maxSize)),
		state: [...]mail.BodyState{mail.BodyPresent, mail.BodyNull, mail.BodyRedacted}[stmt.ColumnInt(6)],
		kept:  stmt.ColumnCount() > keptBody && r.texts <= maxHeld, // else the file is damaged, and shorter
	}
	row.id, row.number = stmt.ColumnText(1), stmt.ColumnInt64(1)
	text := textColumn
	if row.kept {
		text = r.keep
		row.sender, row.ack, row.body = stmt.ColumnInt64(7), stmt.ColumnBool(8), r.keep(stmt, keptBody)
	}
	row.thread, row.subject, row.created = text(stmt, 3), text(stmt, 4), text(stmt, 5)
	return row
}

// addRow indexes the message of a row.
func (r *indexReader) addRow(ref int64, stmt *sqlite3.Stmt) {
	row := r.row(ref, stmt)
	r.add(&row)
}

// add indexes a message.
func (r *indexReader) add(row *indexedRow) {
	row.setTime()
	e := rawEntry{
		ref: row.ref, id: row.id, row: row.row, project: r.slugs[row.project],
		thread: string(bytes.TrimSpace(row.thread)), subject: string(row.subject), size: row.size, body: row.state,
		time: row.time, hasTime: row.hasTime,
	}
	if !row.kept {
		r.kept = nil
	}
	r.count++
	if r.entries = append(r.entries, e); len(r.entries) == batch {
		r.flush()
	}
}

// keep returns a text column that is kept, nil for NULL.
func (r *indexReader) keep(row *sqlite3.Stmt, col int) []byte {
	if row.ColumnType(col) == sqlite3.NULL {
		return nil
	}
	const chunk = 256 << 10
	text := row.ColumnRawText(col)
	r.texts += len(text)
	if len(text) > chunk/8 {
		return bytes.Clone(text)
	}
	if r.room == nil || len(r.room)+len(text) > cap(r.room) {
		r.room = make([]byte, 0, chunk)
	}
	start := len(r.room)
	r.room = append(r.room, text...)
	return r.room[start:len(r.room):len(r.room)]
}

func (r *indexReader) flush() {
	r.commit(r.entries)
	r.entries = r.entries[:0]
}
