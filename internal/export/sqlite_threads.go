//go:build !js

package export

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/internal/database"
	"github.com/brennerlint/brennerlint/source"
)

// indexThreads indexes the wanted threads, and leaves other queries to lookups, so that neither
// reads nor memory grow with the mailbox. It returns false if the threads cannot be found
// without reading all messages.
func (r *tables) indexThreads(ids []string) (bool, error) {
	if r.snap.Damage != nil || !r.has["thread_id"] || !r.has["id"] {
		return false, nil
	}
	if slices.ContainsFunc(ids, func(id string) bool { return strings.ContainsRune(id, utf8.RuneError) }) {
		return false, nil // invalid bytes are read as U+FFFD
	}
	// Texts in another encoding are ordered otherwise.
	if utf8, err := r.conn.IsUTF8(); err != nil || !utf8 {
		return false, err
	}
	// So are values that are no texts, and texts that begin with white space, which is no part of an id.
	for _, err := range r.rows("SELECT 1 FROM messages WHERE thread_id < '!' OR thread_id >= char(127) LIMIT 1") {
		return false, err
	}
	if err := cmp.Or(r.readProjects(), r.readAgents()); err != nil {
		return false, err
	}
	rows, err := r.rowsOf(ids)
	if err != nil {
		return false, err
	}
	var numbers []int64
	for row, err := range r.rows(r.selectMessages(false) + " WHERE rowid IN (" + inList(rows) + ")") {
		if err != nil {
			return false, err
		}
		r.addMessage(row)
		numbers = append(numbers, row.ColumnInt64(3))
	}
	return true, r.readRecipients(" WHERE message_id IN (" + inList(numbers) + ")")
}

// inList returns numbers as a list in SQL.
func inList(numbers []int64) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(numbers), " ", ","), "[]")
}

// rowsOf returns the rows of the messages of threads, and of those that started them.
func (r *tables) rowsOf(ids []string) (rows []int64, _ error) {
	project := wanted(r.has, "project_id")
	for _, id := range ids {
		if id == "" {
			continue
		}
		projects := map[string]bool{}
		for row, err := range r.rows("SELECT rowid, thread_id, "+project+" FROM messages WHERE thread_id >= ? AND thread_id < ?", id, id+string(utf8.MaxRune)) {
			if err != nil {
				return nil, err
			}
			if strings.TrimSpace(r.text(row, 1)) == id {
				rows = append(rows, row.ColumnInt64(0))
				projects[r.slugs[row.ColumnInt64(2)]] = true
			}
		}
		if !brenner.IsNumber(id) {
			continue
		}
		for row, err := range r.rows("SELECT rowid, id, thread_id, "+project+" FROM messages"+hasID, id) { // replies name it as their thread
			if err != nil {
				return nil, err
			}
			if r.text(row, 1) == id && strings.TrimSpace(r.text(row, 2)) == "" && projects[r.slugs[row.ColumnInt64(3)]] {
				rows = append(rows, row.ColumnInt64(0))
			}
		}
	}
	slices.Sort(rows)
	return slices.Compact(rows), nil
}

// hasID is the condition that a message has an id, written as a number or as text; what it
// finds may also be written otherwise.
const hasID = " WHERE id IN (?1, CAST(?1 AS INTEGER))"

// holds implements lookup.
func (m *mailbox) holds(project, id string) (found bool) {
	err := m.do(func(conn *database.Conn) error {
		found = false
		r := &tables{mailbox: m, conn: conn}
		for row, err := range r.rows("SELECT id, "+wanted(m.has, "project_id")+" FROM messages"+hasID, id) {
			if err != nil {
				return err
			}
			found = found || r.text(row, 0) == id && source.ValidString(m.slugs[row.ColumnInt64(1)]) == project
		}
		return nil
	})
	return found && err == nil
}

// rosters implements lookup. Messages of each project are read until one is in scope.
func (m *mailbox) rosters(scope Scope, only string) (out [][]mail.Agent) {
	err := m.do(func(conn *database.Conn) error {
		out = nil
		r := &tables{mailbox: m, conn: conn}
		column := wanted(m.has, "project_id")
		where := map[string][]string{"": {column + " IS NULL"}} // by the slug
		if len(m.slugs) == 0 {
			where[""] = []string{"true"}
		}
		for number, slug := range m.slugs {
			slug = source.ValidString(slug)
			where[slug] = append(where[slug], fmt.Sprintf("%s = %d", column, number))
		}
		for _, slug := range slices.Sorted(maps.Keys(where)) {
			if only != "" && slug != only || len(out) > 1 {
				continue
			}
			found, err := r.inScope(scope, strings.Join(where[slug], " OR "))
			if err != nil {
				return err
			}
			if found {
				out = append(out, m.info.Roster[slug])
			}
		}
		return nil
	})
	if err != nil {
		return nil
	}
	return out
}

// inScope reports whether a message that meets a condition is in scope.
func (r *tables) inScope(scope Scope, where string) (bool, error) {
	for row, err := range r.rows("SELECT thread_id, subject FROM messages WHERE " + where) {
		if err != nil {
			return false, err
		}
		thread, subject := source.ValidString(strings.TrimSpace(r.text(row, 0))), source.ValidString(r.text(row, 1))
		if scope == AllScope || isOfProtocol(thread) || brenner.ParseSubject(subject).Intended != 0 {
			return true, nil
		}
	}
	return false, nil
}
