//go:build !js

package export

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/ncruces/go-sqlite3"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/internal/database"
	"github.com/brennerlint/brennerlint/source"
)

// tables reads the tables of a mailbox through a connection.
type tables struct {
	*mailbox
	*database.Conn
}

// bytes returns a column as a text, nil for NULL.
func (r *tables) bytes(row *sqlite3.Stmt, col int) []byte {
	if row.ColumnType(col) == sqlite3.NULL {
		return nil
	}
	text := bytes.Clone(row.ColumnRawText(col))
	r.Text -= int64(len(text))
	return text
}

// text returns a column as a text, "" for NULL.
func (r *tables) text(row *sqlite3.Stmt, col int) string {
	text := row.ColumnText(col)
	r.Text -= int64(len(text))
	return text
}

// columnList returns columns for a query, with NULL for columns that the table lacks.
func columnList(has map[string]bool, names ...string) string {
	list := slices.Clone(names)
	for i, name := range names {
		if !has[name] {
			list[i] = "NULL"
		}
	}
	return strings.Join(list, ", ")
}

// selectMessages is a query for messages, without a condition. If the index does not keep
// messages, it needs only short bodies, which may say that they are redacted.
func (m *mailbox) selectMessages(bodies bool) string {
	body := "body_md"
	if !bodies {
		body = "CASE WHEN octet_length(body_md) < 100 THEN body_md WHEN body_md IS NOT NULL THEN '' END"
	}
	const bodySize = "ifnull(octet_length(body_md), 0)" // SQLite knows it without reading the body
	return "SELECT rowid, " + bodySize + ", " + body + ", " + columnList(m.has, "id", "project_id", "sender_id", "ack_required", "created_ts", "thread_id", "subject") + " FROM messages"
}

// message returns the message of a row of selectMessages, and its entry.
func (r *tables) message(row *sqlite3.Stmt) (*entry, *loaded) {
	r.Text -= row.ColumnInt64(1) // also if the body is not read
	body, id, created, thread, subject := r.bytes(row, 2), r.text(row, 3), r.time(row, 7), r.bytes(row, 8), r.bytes(row, 9)
	text := func(data []byte) *source.Text {
		if data == nil { // NULL
			return nil
		}
		return source.NewText(data)
	}
	m := &loaded{Message: mail.Message{
		Form: mail.SQLite, ExportInfo: r.info, ID: id, Subject: text(subject), Created: text(created), Body: text(body),
		AckRequired: row.ColumnBool(6), BodyState: mail.BodyPresent,
	}}
	if t, ok := brenner.ParseTime(string(bytes.TrimSpace(created))); ok {
		m.Time, m.HasTime = t.Time, true
	}
	switch {
	case body == nil:
		m.BodyState = mail.BodyNull
	case r.info.BodiesRedacted && string(body) == redactedBody:
		m.Body, m.BodyState = nil, mail.BodyRedacted
	}
	e := &entry{
		in: r.in, ref: row.ColumnInt64(0), size: uint32(int(row.ColumnInt64(1)) + len(id) + len(created) + len(thread) + len(subject)),
		project: r.slugs[row.ColumnInt64(4)], thread: string(bytes.TrimSpace(thread)),
		id: id, body: m.BodyState, time: m.Time.UnixMicro(), hasTime: m.HasTime,
	}
	if e.project == "" {
		e.projectID = r.text(row, 4)
	}
	if e.thread != "" {
		m.Thread = text(thread)
	}
	if name := r.agents[row.ColumnInt64(5)]; name != "" {
		m.From = text([]byte(name))
	}
	if n, err := strconv.ParseInt(id, 10, 64); err == nil { // recipients are known by the numbers of messages
		r.addRecipients(&m.Message, n)
	}
	r.Text -= recipientSize * int64(len(m.Recipients)) // of messages with one number each has them all
	m.repair()
	return e, m
}

// recipientSize is about what a recipient takes in the file, in bytes.
const recipientSize = 16

// redactedBody is what a strict share puts in place of a body.
const redactedBody = "[Message body redacted]"

// time returns a column with a time as a text, nil for NULL. An integer is Unix time
// (decisions.md 79), and so are digits in a column of texts.
func (r *tables) time(row *sqlite3.Stmt, col int) []byte {
	const leastDigits = 9 // 20251230 is a date
	number := row.ColumnType(col) == sqlite3.INTEGER
	text := r.bytes(row, col)
	if !number && len(text) < leastDigits || len(text) > len("-9223372036854775808") {
		return text
	}
	if n, err := strconv.ParseInt(string(text), 10, 64); err == nil && strconv.FormatInt(n, 10) == string(text) {
		return unixTime(n).AppendFormat(nil, time.RFC3339Nano)
	}
	return text
}

// unixTime returns the instant of Unix time in seconds, milliseconds, microseconds or
// nanoseconds. The magnitude shows the unit: seconds of the years 1973 to 5138 would be years
// before 1973 in the other units.
func unixTime(n int64) time.Time {
	const most = 1e11 // seconds
	switch size := max(n, -n); {
	case size < 0, size >= 1e6*most:
		return time.Unix(0, n).UTC()
	case size >= 1e3*most:
		return time.UnixMicro(n).UTC()
	case size >= most:
		return time.UnixMilli(n).UTC()
	}
	return time.Unix(n, 0).UTC()
}

// index reads the parts of a database that the index needs: of the messages those that meet a
// condition, "" for all, and of the recipients, too. It reads a damaged table up to the damage, and
// returns the error of the first such table.
func (r *tables) index(messages, recipients string, keep bool) error {
	err := cmp.Or(r.readProjects(), r.readAgents(), r.readRecipients(recipients))
	return cmp.Or(r.readMessages(messages, keep), err)
}

func (r *tables) readColumns() (err error) {
	if r.has, err = r.Columns("messages"); err != nil {
		return err
	}
	if !r.has["subject"] || !r.has["body_md"] {
		return fmt.Errorf("%w: the database has no table messages with subject and body_md", ErrNoMail)
	}
	return nil
}

// from returns the rows of a table that meet a condition, and which columns it has: those that it
// lacks are NULL. Without the table there are no rows.
func (r *tables) from(table, where string, columns ...string) (rows iter.Seq[*sqlite3.Stmt], has map[string]bool) {
	if has, r.Err = r.Columns(table); r.Err != nil || len(has) == 0 {
		return func(func(*sqlite3.Stmt) bool) {}, nil
	}
	return r.Rows("SELECT " + columnList(has, columns...) + " FROM " + table + where), has
}

func (r *tables) readProjects() error {
	r.slugs = map[int64]string{}
	rows, _ := r.from("projects", "", "id", "slug")
	for row := range rows {
		r.slugs[row.ColumnInt64(0)] = r.text(row, 1)
	}
	return r.Err
}

func (r *tables) readAgents() error {
	r.agents, r.info.Roster = map[int64]string{}, map[string][]mail.Agent{}
	rows, _ := r.from("agents", "", "id", "project_id", "name", "program", "model")
	for row := range rows {
		slug, agent := r.slugs[row.ColumnInt64(1)], mail.Agent{Name: r.text(row, 2), Program: r.text(row, 3), Model: r.text(row, 4)}
		r.agents[row.ColumnInt64(0)] = agent.Name
		r.info.Roster[slug] = append(r.info.Roster[slug], agent)
	}
	for slug, agents := range r.info.Roster {
		slices.SortFunc(agents, compareAgents) // not by SQLite, which would read all rows before it returns the first
		r.info.Roster[slug] = slices.Compact(agents)
	}
	return r.Err
}

// received is one recipient of a message, in few bytes: each message of the mailbox has
// several.
type received struct {
	message int64
	agent   int32
	kind    int8 // index in recipientKinds
	acked   bool
}

// recipientKinds are the kinds in the order in which recipients are listed: the server
// stores no order.
var recipientKinds = []string{"to", "cc", "bcc", ""}

// readRecipients reads the recipients that meet a condition: few bytes each, and no look-up depends
// on an index.
func (r *tables) readRecipients(where string) error {
	rows, has := r.from("message_recipients", where, "message_id", "agent_id", "kind", "ack_ts")
	r.received, r.hasReceived = nil, has != nil
	r.info.RecordsAcks = has["ack_ts"] && !r.info.AckFlagsCleared
	for row := range rows {
		one := received{message: row.ColumnInt64(0), agent: int32(row.ColumnInt64(1)), kind: int8(len(recipientKinds) - 1)}
		if i := slices.Index(recipientKinds, r.text(row, 2)); i >= 0 {
			one.kind = int8(i)
		}
		if t, ok := brenner.ParseTime(string(r.time(row, 3))); ok {
			one.acked = t.Time.UnixNano() != 0 // 0 is never
		}
		r.received = append(r.received, one)
	}
	slices.SortFunc(r.received, func(a, b received) int {
		return cmp.Or(cmp.Compare(a.message, b.message), cmp.Compare(a.kind, b.kind), cmp.Compare(a.agent, b.agent))
	})
	return r.Err
}

// maxKeptRows is how many messages of a small database are kept: each takes 1 KB beside its texts.
const maxKeptRows = 50_000

// readMessages indexes the messages that meet a condition. It reads a damaged table from both ends, up
// to the damage.
func (r *tables) readMessages(where string, keep bool) (damage error) {
	add := func(row *sqlite3.Stmt) {
		e, m := r.message(row)
		if r.add(e, row.ColumnText(9)); keep && len(r.entries) < maxKeptRows {
			e.kept.Store(m)
		}
	}
	// Rows come in order; in a damaged table some may come again.
	low, high := int64(math.MinInt64), int64(math.MaxInt64)
	query := r.selectMessages(keep) + where
	for row := range r.Rows(query + " ORDER BY rowid") {
		if n := row.ColumnInt64(0); n > low {
			low = n
			add(row)
		}
	}
	if damage = r.Err; !errors.Is(damage, sqlite3.CORRUPT) {
		return damage
	}
	for row := range r.Rows(query + " ORDER BY rowid DESC") { // up to the same damage, from the other side
		if n := row.ColumnInt64(0); n > low && n < high {
			high = n
			add(row)
		}
	}
	return damage
}

// loadRows reads messages by the rows they are in, unless they are kept.
func (m *mailbox) loadRows(entries []*entry, report func(source.Fault)) []*loaded {
	out := make([]*loaded, len(entries))
	query := m.selectMessages(true) + " WHERE rowid = ?"
	for i, e := range entries {
		if out[i] = e.kept.Swap(nil); out[i] != nil {
			continue
		}
		var lost error
		err := m.do(func(conn *database.Conn) error {
			out[i], lost = nil, errGone
			r := &tables{mailbox: m, Conn: conn}
			for row := range r.Rows(query, strconv.FormatInt(e.ref, 10)) {
				// It must be as it was indexed: a row of a damaged file may be on two pages.
				if is, found := r.message(row); is.size == e.size {
					out[i], lost = found, nil
				}
			}
			lost = cmp.Or(r.Err, lost)
			return nil
		})
		if err != nil {
			out[i] = nil
			report(databaseFault(m.info.Path, err))
			break
		}
		if lost != nil && !m.info.Partial { // else the damage has been reported
			f := databaseFault(m.info.Path, lost)
			f.Err = fmt.Errorf("message %d cannot be read: %w", e.ref, f.Err)
			report(f)
		}
	}
	return out
}

var errGone = errors.New("the row changed after the database was indexed")

// repair makes the texts of a message valid UTF-8, and reports the first invalid byte.
func (m *loaded) repair() {
	for _, text := range []**source.Text{&m.Subject, &m.From, &m.Thread, &m.Created, &m.Body} {
		was := *text
		if was == nil || text != &m.Body && utf8.Valid(was.Data) {
			continue
		}
		if *text = was.Normalize(); *text == was {
			continue // nearly all
		}
		if i := source.ValidLen(was.Data); i < len(was.Data) && !m.Garbled {
			at := source.Span{Start: i, End: i + utf8.RuneLen(utf8.RuneError)}
			m.garble(source.Fault{Kind: source.NotUTF8, Path: m.Path(), At: (*text).Place(at), Err: &source.EncodingError{Byte: was.Data[i]}})
		}
	}
}

// addRecipients adds the recipients of a message.
func (m *mailbox) addRecipients(msg *mail.Message, id int64) {
	msg.HasRecipients = m.hasReceived
	at, _ := slices.BinarySearchFunc(m.received, id, func(r received, id int64) int { return cmp.Compare(r.message, id) })
	for ; at < len(m.received) && m.received[at].message == id; at++ {
		r := m.received[at]
		one := mail.Recipient{Name: source.ValidString(m.agents[int64(r.agent)]), Kind: recipientKinds[r.kind], Acknowledged: r.acked}
		if one.Name == "" {
			continue // of an agent that the database does not know
		}
		msg.Recipients = append(msg.Recipients, one)
	}
}
