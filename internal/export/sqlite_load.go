//go:build !js

package export

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sort"
	"time"
	"unicode/utf8"

	"github.com/ncruces/go-sqlite3"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/internal/database"
	"github.com/brennerlint/brennerlint/source"
)

// messageRow is the data of a message in a row of a database. A text is nil for NULL.
type messageRow struct {
	id                             string
	number, sender                 int64 // number is the id as one
	ack                            bool
	thread, subject, created, body []byte
	time                           time.Time // parsed from created
	hasTime                        bool
}

// setTime reads when the message was created.
func (r *messageRow) setTime() {
	if t, ok := brenner.ParseTime(string(bytes.TrimSpace(r.created))); ok {
		r.time, r.hasTime = t.Time, true
	}
}

// timeColumn returns a column that holds a time as a text in the memory of SQLite, nil for NULL, and
// how many bytes are stored. An integer is Unix time (decisions.md 79), also as the digits that a
// column of texts makes of it.
func timeColumn(stmt *sqlite3.Stmt, col int) (text []byte, size int) {
	const leastDigits = 9 // 20251230 is a date
	number := stmt.ColumnType(col) == sqlite3.INTEGER
	text = rawText(stmt, col)
	size = len(text)
	if n, ok := rowNumber(string(text)); ok && (number || size >= leastDigits) {
		text = unixTime(n).AppendFormat(nil, time.RFC3339Nano)
	}
	return text, size
}

// unixTime returns the instant of Unix time in seconds, milliseconds, microseconds or nanoseconds:
// its magnitude tells the unit, as the seconds of the years from 1973 to 5138 have as many digits as
// those units have of no year that mail is from.
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

// load reads messages by the rows they are in.
func (m *mailbox) load(entries []*indexEntry, report func(source.Fault)) []*loaded {
	out := make([]*loaded, len(entries))
	if !m.loadKept(entries, out) {
		m.loadRows(entries, out, report)
	}
	return out
}

// loadKept reads messages that are kept; false if some are not.
func (m *mailbox) loadKept(entries []*indexEntry, out []*loaded) bool {
	for i, s := range entries {
		row := m.keptRow(s.ref)
		if row == nil {
			return false
		}
		out[i] = m.message(row)
	}
	return true
}

// keptRow returns a message that is kept; nil if it is not.
func (m *mailbox) keptRow(ref int64) *messageRow {
	i, found := slices.BinarySearchFunc(m.kept, ref, func(row indexedRow, ref int64) int { return cmp.Compare(row.ref, ref) })
	if !found {
		return nil
	}
	return &m.kept[i].messageRow
}

// loadRows reads messages from the database.
func (m *mailbox) loadRows(entries []*indexEntry, out []*loaded, report func(source.Fault)) {
	var faults []source.Fault
	err := m.do(func(conn *database.Conn) error {
		clear(out)
		faults = faults[:0]
		stmt, err := conn.Keep(m.loadOne)
		if err != nil {
			return err
		}
		for i, s := range entries {
			msg, err := m.loadRow(stmt, s.ref, s.size)
			if err != nil && !m.facts.Partial { // else the damage has been reported
				f := databaseFault(m.facts.Path, err)
				f.Err = fmt.Errorf("message %d cannot be read: %w", s.ref, f.Err)
				faults = append(faults, f)
			}
			if err == nil {
				out[i] = msg
			}
		}
		return nil
	})
	if err != nil {
		clear(out)
		faults = append(faults[:0], databaseFault(m.facts.Path, err))
	}
	for _, f := range faults {
		report(f)
	}
}

var errGone = errors.New("the row changed after the database was indexed")

// loadRow reads one message.
func (m *mailbox) loadRow(stmt *sqlite3.Stmt, ref int64, size int32) (*loaded, error) {
	defer func() { _ = stmt.Reset() }() // it returns the error of Step again
	for i, v := range []int64{ref, maxSize, int64(size)} {
		if err := stmt.BindInt64(i+1, v); err != nil {
			return nil, err
		}
	}
	if !stmt.Step() {
		if err := stmt.Err(); err != nil {
			return nil, err
		}
		return nil, errGone
	}
	created, _ := timeColumn(stmt, 4)
	row := messageRow{
		id: stmt.ColumnText(0), number: stmt.ColumnInt64(0), thread: textColumn(stmt, 1), subject: textColumn(stmt, 2),
		sender: stmt.ColumnInt64(3), created: bytes.Clone(created), ack: stmt.ColumnBool(5), body: textColumn(stmt, 6),
	}
	row.setTime()
	return m.message(&row), stmt.Err()
}

// message returns the message of a row.
func (m *mailbox) message(row *messageRow) *loaded {
	msg := &loaded{}
	text := func(data []byte) *source.Text {
		if data == nil { // NULL
			return nil
		}
		return source.NewText(data)
	}
	msg.Message = mail.Message{
		Form: mail.SQLite, ExportInfo: m.facts, ID: row.id,
		Subject: text(row.subject), Created: text(row.created), Body: text(row.body),
		Time: row.time, HasTime: row.hasTime, AckRequired: row.ack,
	}
	if thread := text(row.thread); !blank(thread) {
		msg.Thread = thread
	}
	if name := m.agents[row.sender]; name != "" {
		msg.From = text([]byte(name))
	}
	if msg.BodyState = m.bodyState(row.body); msg.BodyState == mail.BodyRedacted {
		msg.Body = nil
	}
	m.addRecipients(&msg.Message, row.number)
	msg.repair()
	return msg
}

// bodyState returns what is known of a body as it is stored, nil for NULL.
func (m *mailbox) bodyState(body []byte) mail.BodyState {
	switch {
	case body == nil:
		return mail.BodyNull
	case m.facts.BodiesRedacted && string(body) == redactedBody:
		return mail.BodyRedacted
	}
	return mail.BodyPresent
}

// repair makes the texts of a message valid; the first byte that is not is its
// fault.
func (m *loaded) repair() {
	for _, text := range []**source.Text{&m.Subject, &m.From, &m.Thread, &m.Created, &m.Body} {
		was := *text
		switch {
		case was == nil:
		case text == &m.Body:
			*text = was.Normalize()
		case !utf8.Valid(was.Data):
			*text = was.Normalize()
		}
		if *text == was || m.Garbled { // nearly all are valid
			continue
		}
		if i := source.ValidLen(was.Data); i < len(was.Data) {
			at := source.Span{Start: i, End: i + utf8.RuneLen(utf8.RuneError)}
			m.garble(source.NotUTF8, (*text).Place(at), &source.EncodingError{Byte: was.Data[i]})
		}
	}
}

// textColumn returns a copy of a column as a text, nil for NULL.
func textColumn(stmt *sqlite3.Stmt, col int) []byte { return bytes.Clone(rawText(stmt, col)) }

func (m *mailbox) addRecipients(msg *mail.Message, id int64) {
	msg.HasRecipients = m.hasReceived
	list := m.recipientsOf(id)
	if len(list) > 0 {
		msg.Recipients = make([]mail.Recipient, 0, len(list))
	}
	for _, r := range list {
		one := mail.Recipient{Name: source.ValidString(m.agents[int64(r.agent)]), Kind: recipientKinds[r.kind]}
		if one.Name == "" {
			continue // of an agent that the database does not know
		}
		if r.acked != 0 {
			one.Acknowledged = time.Unix(0, r.acked).UTC()
		}
		msg.Recipients = append(msg.Recipients, one)
	}
}

// recipientsOf returns the recipients of a message.
func (m *mailbox) recipientsOf(id int64) []received {
	i := sort.Search(len(m.received), func(i int) bool { return m.received[i].message >= id })
	n := i
	for n < len(m.received) && m.received[n].message == id {
		n++
	}
	return m.received[i:n]
}
