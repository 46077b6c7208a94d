//go:build !js

package export

import (
	"cmp"
	"context"
	"fmt"
	"math"
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
			x := &export{info: m.facts, loader: m}
			found := false
			err := m.do(func(conn *database.Conn) (err error) {
				x.entries = nil // of an earlier attempt
				found, err = (&tables{mailbox: m, conn: conn}).indexThreads(x, in.Order, ids)
				return err
			})
			if !found || err != nil { // the file is damaged, or of another form
				return index(in, r, m)
			}
			r.exports, r.rest = append(r.exports, x), m
			return nil
		})
	})
}

// indexThreads indexes threads; false if they cannot be told from others without reading all
// messages.
func (r *tables) indexThreads(x *export, order int, ids []string) (bool, error) {
	if err := r.readColumns(); err != nil || r.snap.Damage != nil || !r.has["thread_id"] || !r.has["id"] {
		return false, err
	}
	if slices.ContainsFunc(ids, func(id string) bool { return strings.ContainsRune(id, utf8.RuneError) }) {
		return false, nil // invalid bytes are read as U+FFFD
	}
	// Texts in another encoding are ordered otherwise.
	if utf8, err := r.conn.IsUTF8(); err != nil || !utf8 {
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
		r.addMessage(x, order, row)
		numbers = append(numbers, row.ColumnInt64(1))
	}
	return true, r.readRecipients(" WHERE message_id IN (" + inList(numbers) + ")")
}

// inList returns numbers as a list in SQL.
func inList(numbers []int64) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(numbers), " ", ","), "[]")
}

// rowsOf returns the rows of the messages of threads, and of those that started them.
func (r *tables) rowsOf(ids []string) (rows []int64, _ error) {
	const query = "SELECT rowid, thread_id, %s FROM messages WHERE %s"
	columns := wanted(r.has, "project_id")
	// White space before an id and after it does not belong to it. Ids that begin with white
	// space are below or above the visible characters of ASCII, as is what is no text.
	type condition struct {
		where      string
		parameters []any
	}
	conditions := []condition{{"thread_id < '!'", nil}, {"thread_id >= char(127)", nil}}
	for _, id := range ids {
		if id != "" {
			conditions = append(conditions, condition{"thread_id >= ? AND thread_id < ?", []any{id, id + string(utf8.MaxRune)}})
		}
	}
	started := map[string]map[string]bool{} // by the id of a message that replies name as their thread, their projects
	for _, c := range conditions {
		for row, err := range r.rows(fmt.Sprintf(query, columns, c.where), c.parameters...) {
			if err != nil {
				return nil, err
			}
			id := strings.TrimSpace(r.text(row, 1))
			if id == "" || !slices.Contains(ids, id) {
				continue
			}
			rows = append(rows, row.ColumnInt64(0))
			if brenner.IsNumber(id) {
				if started[id] == nil {
					started[id] = map[string]bool{}
				}
				started[id][r.slugs[row.ColumnInt64(2)]] = true
			}
		}
	}
	for id, projects := range started {
		for row, err := range r.rows("SELECT rowid, id, thread_id, "+columns+" FROM messages"+hasID, id) {
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

func (m *mailbox) roster(project string) []mail.Agent { return m.facts.Roster[project] }

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

// soleProject implements lookup. Messages of each project are read until one is in scope.
func (m *mailbox) soleProject(scope Scope, maybe func(project string) bool) (only string, ok bool) {
	found := map[string]bool{}
	err := m.do(func(conn *database.Conn) error {
		clear(found)
		r := &tables{mailbox: m, conn: conn}
		column := wanted(m.has, "project_id")
		// look looks for mail in scope in one project.
		look := func(where string, parameters ...any) error {
			for row, err := range r.rows("SELECT "+wanted(m.has, "project_id", "thread_id", "subject")+" FROM messages WHERE "+column+where, parameters...) {
				if err != nil {
					return err
				}
				project := source.ValidString(m.slugs[row.ColumnInt64(0)])
				if !maybe(project) {
					return nil
				}
				if inScope(scope, r.text(row, 1), r.text(row, 2)) {
					found[project] = true
					return nil
				}
			}
			return nil
		}
		err := look(" IS NULL")
		for last, more := int64(math.MinInt64), true; more && err == nil && len(found) < 2; {
			for row, e := range r.rows("SELECT min("+column+") FROM messages WHERE "+column+" > ?", last) {
				if e != nil {
					return e
				}
				last, more = row.ColumnInt64(0), row.ColumnType(0) == sqlite3.INTEGER
			}
			if more {
				err = look(" = ?", last)
			}
		}
		return err
	})
	for only = range found { //revive:disable-line:empty-block
	}
	return only, err == nil && len(found) == 1
}

// inScope is Store.inScope for the thread of one message.
func inScope(scope Scope, thread, subject string) bool {
	kind, _ := brenner.ClassifyThreadID(source.ValidString(strings.TrimSpace(thread)))
	return scope == AllScope || kind != brenner.EngineeringThread || brenner.ParseSubject(source.ValidString(subject)).Intended != 0
}
