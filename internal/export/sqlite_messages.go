//go:build !js

package export

import (
	"bytes"
	"cmp"
	"errors"
	"math"
	"slices"

	"github.com/ncruces/go-sqlite3"

	"github.com/brennerlint/brennerlint/brenner/mail"
)

// messageTexts are the texts of a message.
var messageTexts = []string{"id", "thread_id", "subject", "created_ts", "body_md"}

// redactedBody is what a strict share puts in place of a body.
const redactedBody = "[Message body redacted]"

// selectMessages returns the query for what the index has of messages, and for what else is
// kept of them. SQLite computes the size of texts that are not read, or not as they are stored.
func (r *indexReader) selectMessages() (string, error) {
	columns := "rowid, " + r.wanted(r.has, "id", "project_id", "thread_id", "subject", "created_ts")
	size := ", " + r.sizeOf(r.has, messageTexts...)
	if !r.keeps {
		body := "CASE WHEN body_md IS NULL THEN 1 ELSE 0 END"
		if r.facts.BodiesRedacted {
			body = "CASE WHEN body_md IS NULL THEN 1 WHEN octet_length(body_md) < 100 AND body_md = '" + redactedBody + "' THEN 2 ELSE 0 END"
		}
		return "SELECT " + columns + ", " + body + size + " FROM messages", nil
	}
	columns += ", " + r.wanted(r.has, "body_md", "sender_id", "ack_required")
	asStored, err := r.conn.IsUTF8()
	if !asStored {
		columns += size
	}
	return "SELECT " + columns + " FROM messages", err
}

// readMessages indexes the messages. A damaged table is read from both ends up to the damage.
func (r *indexReader) readMessages() error {
	r.kept, r.texts = nil, 0
	query, err := r.selectMessages()
	if err != nil {
		return err
	}
	// Rows come in order; in a damaged table some may come again.
	low, high := int64(math.MinInt64), int64(math.MaxInt64)
	err = r.eachMessage(query+" ORDER BY rowid", func(row *indexedRow) {
		if row.ref > low {
			low = row.ref
			r.add(row)
		}
	})
	if errors.Is(err, sqlite3.CORRUPT) {
		// The second error is the same damage, reached from the other side.
		_ = r.eachMessage(query+" ORDER BY rowid DESC", func(row *indexedRow) {
			if row.ref > low && row.ref < high {
				high = row.ref
				r.add(row)
			}
		})
	}
	if r.texts > maxHeld { // the file is damaged, and shorter
		r.kept = nil
	}
	slices.SortFunc(r.kept, compareRows)
	return err
}

// indexedRow is a message as selectMessages selects it.
type indexedRow struct {
	messageRow
	ref, project int64
	row          string // the number of the project
	state        mail.BodyState
	size         int
}

func compareRows(a, b indexedRow) int { return cmp.Compare(a.ref, b.ref) }

// eachMessage calls f for every row of a query of selectMessages. The texts of the row are in
// the memory of SQLite, valid until f returns.
func (r *indexReader) eachMessage(query string, f func(*indexedRow), parameters ...any) error {
	var row indexedRow
	return r.eachOf(query, func(stmt *sqlite3.Stmt) (size int64) {
		row, size = r.row(stmt)
		return size
	}, func(*sqlite3.Stmt) { f(&row) }, parameters)
}

// row returns a row of selectMessages, and the size of its texts.
func (r *indexReader) row(stmt *sqlite3.Stmt) (row indexedRow, size int64) {
	row.ref = stmt.ColumnInt64(0)
	row.number, row.id = stmt.ColumnInt64(1), stmt.ColumnText(1)
	row.project, row.row = stmt.ColumnInt64(2), stmt.ColumnText(2)
	row.thread, row.subject = rawText(stmt, 3), rawText(stmt, 4)
	created, createdSize := timeColumn(stmt, 5)
	row.created = created
	columns := 8
	if r.keeps {
		row.body, row.sender, row.ack = rawText(stmt, 6), stmt.ColumnInt64(7), stmt.ColumnBool(8)
		row.state = r.bodyState(row.body)
		columns = 10
	} else {
		row.state = [...]mail.BodyState{mail.BodyPresent, mail.BodyNull, mail.BodyRedacted}[stmt.ColumnInt(6)]
	}
	if stmt.ColumnCount() == columns {
		size = stmt.ColumnInt64(columns - 1)
	} else {
		size = int64(len(row.id) + len(row.thread) + len(row.subject) + createdSize + len(row.body))
	}
	row.size = int(min(size, maxSize))
	return row, size
}

// rawText returns a column as a text in the memory of SQLite, nil for NULL.
func rawText(stmt *sqlite3.Stmt, col int) []byte {
	text := stmt.ColumnRawText(col)
	if text == nil && stmt.ColumnType(col) != sqlite3.NULL {
		text = []byte{}
	}
	return text
}

// keep keeps the message in a row, with copies of its texts.
func (r *indexReader) keep(row *indexedRow) {
	if r.texts > maxHeld {
		return
	}
	for _, text := range []*[]byte{&row.thread, &row.subject, &row.created, &row.body} {
		r.texts += len(*text)
		*text = bytes.Clone(*text)
	}
	r.kept = append(r.kept, *row)
}

// add indexes a message.
func (r *indexReader) add(row *indexedRow) {
	row.setTime()
	e := rawEntry{
		ref: row.ref, id: row.id, row: row.row, project: r.slugs[row.project],
		thread: string(bytes.TrimSpace(row.thread)), subject: string(row.subject), size: row.size, body: row.state,
		time: row.time, hasTime: row.hasTime,
	}
	if r.keeps {
		r.keep(row)
	}
	r.count++
	r.export.add(r.order, &e)
}
