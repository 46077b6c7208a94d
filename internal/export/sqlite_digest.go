//go:build !js

package export

import (
	"crypto/sha256"
	"slices"

	"github.com/ncruces/go-sqlite3"

	"github.com/brennerlint/brennerlint/internal/database"
)

// digest implements loader.
func (m *mailbox) digest(entries []*indexEntry, h *digest) bool {
	refs := make([]int64, len(entries))
	for i, e := range entries {
		refs[i] = e.ref
	}
	slices.Sort(refs)
	var sum []byte
	err := m.do(func(conn *database.Conn) error {
		rows := &digest{sha256.New()} // started again if the database changes meanwhile
		stmt, err := conn.Keep(m.loadAny)
		if err != nil {
			return err
		}
		for _, ref := range refs {
			if err := m.digestRow(stmt, ref, rows); err != nil {
				return err
			}
		}
		sum = rows.Sum(nil)
		return nil
	})
	h.bytes(sum)
	return err == nil && m.snap.Damage == nil
}

// digestRow adds the message in a row to the hash.
func (m *mailbox) digestRow(stmt *sqlite3.Stmt, ref int64, h *digest) error {
	defer func() { _ = stmt.Reset() }() // it returns the error of Step again
	if err := stmt.BindInt64(1, ref); err != nil {
		return err
	}
	if !stmt.Step() {
		if err := stmt.Err(); err != nil {
			return err
		}
		return errGone
	}
	for i := range stmt.ColumnCount() {
		h.number(int64(stmt.ColumnType(i)))
		h.bytes(stmt.ColumnRawText(i))
	}
	h.texts(m.agents[stmt.ColumnInt64(3)])
	list := m.recipientsOf(stmt.ColumnInt64(0))
	h.number(int64(len(list)))
	for _, r := range list {
		h.texts(m.agents[int64(r.agent)])
		h.number(int64(r.kind))
		h.number(r.acked)
	}
	return stmt.Err()
}
