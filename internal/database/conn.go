package database

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/ncruces/go-sqlite3"
)

// Conn is a connection to a snapshot.
type Conn struct {
	*sqlite3.Conn
	// Err is the error of the query that was begun last, nil if all its rows were read.
	Err error
	// Text is how many bytes of text its rows may still have, counted by who reads them.
	Text int64

	of    *Snapshot
	kept  map[string]*sqlite3.Stmt
	steps steps
}

// steps counts the steps that SQLite may still take. SQLite checks its error before
// each row, and after every thousand instructions.
type steps struct {
	context.Context
	left int64
}

// Err returns an error once no steps are left, which interrupts SQLite.
func (s *steps) Err() error {
	if s.left--; s.left < 0 {
		return context.Canceled
	}
	return nil
}

// ErrSteps is the error for a database that keeps SQLite busy without end.
var ErrSteps = errors.New("the database is damaged: reading it takes more steps than expected for its size")

// fewSteps is enough for any query of small tables.
const fewSteps = 10_000

// schemaSteps returns how many steps reading the schema may take: a thousand tables take ten.
func (s *Snapshot) schemaSteps() int64 { return 20 + s.bytes/5000 }

// maxStatement is the maximum length of a statement in the schema, in bytes.
const maxStatement = 64 << 10

// maxSteps returns how many steps one use of a connection may take: a few for each row
// that the file may contain, in a few queries.
func (s *Snapshot) maxSteps() int64 { return fewSteps + 16*s.maxRows() }

// smallestRow is less than any row takes in a file, in bytes.
const smallestRow = 6

// mostRows is the maximum number of rows read from a table.
const mostRows = 20_000_000

// maxRows returns how many rows a table may have. Pages that refer to each other in
// cycles, or repeatedly, yield more than the file has room for.
func (s *Snapshot) maxRows() int64 { return min(s.bytes/smallestRow+100, mostRows) }

// maxText returns how many bytes of text the rows may contain. Text may be longer when
// read than when stored: UTF-16, numbers, and columns that were added later.
func (s *Snapshot) maxText() int64 { return 4*s.bytes + 1<<16 }

// maxHeap is what SQLite may allocate for a connection, in bytes: enough for a few
// values of the maximum length.
const maxHeap = 5 * maxValue

// ErrRows is the error for rows that pages of a damaged file hold more than once.
var ErrRows = errors.New("the database is damaged: a table has more rows than the file has room for")

// Rows returns the rows of a query; Err says later why there are no more. They are bounded, because
// pages of a damaged file may refer to each other in cycles, and texts may overlap. The query is
// prepared once for all users of the connection.
func (c *Conn) Rows(query string, parameters ...string) iter.Seq[*sqlite3.Stmt] {
	return func(yield func(*sqlite3.Stmt) bool) {
		stmt := c.kept[query]
		if stmt == nil {
			if stmt, _, c.Err = c.Prepare(query); c.Err != nil {
				return
			}
			c.kept[query] = stmt
		}
		defer func() { _ = stmt.Reset() }() // it returns the error of Step again
		c.Err, c.Text = nil, c.of.maxText()
		for i, p := range parameters {
			c.Err = cmp.Or(c.Err, stmt.BindText(i+1, p))
		}
		for rows := c.of.maxRows(); c.Err == nil && stmt.Step(); rows-- {
			if rows == 0 || c.Text < 0 {
				c.Err = ErrRows
			} else if !yield(stmt) {
				return
			}
		}
		c.Err = cmp.Or(c.Err, stmt.Err())
	}
}

func (c *Conn) close() {
	for _, stmt := range c.kept {
		stmt.Close()
	}
	c.Close()
}

// Do runs f with a connection of its own. It is safe for concurrent use. A damaged file
// can make the translated C code of SQLite trap; such a panic is returned as an error.
func (s *Snapshot) Do(f func(*Conn) error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("read the database: %v", r)
		} else if errors.Is(err, sqlite3.INTERRUPT) {
			err = ErrSteps
		}
	}()
	conn, err := s.acquire()
	if err != nil {
		return err
	}
	conn.steps.left = s.maxSteps()
	err = f(conn) // after a panic the connection is not reused
	s.mu.Lock()
	defer s.mu.Unlock()
	s.idle = append(s.idle, conn)
	return err
}

func (s *Snapshot) acquire() (*Conn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.idle); n > 0 {
		conn := s.idle[n-1]
		s.idle = s.idle[:n-1]
		return conn, nil
	}
	raw, err := sqlite3.OpenFlags("file:"+s.name+"?vfs=reader", sqlite3.OPEN_READONLY|sqlite3.OPEN_URI)
	if err != nil {
		return nil, err
	}
	conn := &Conn{Conn: raw, of: s, kept: map[string]*sqlite3.Stmt{}, steps: steps{context.Background(), s.schemaSteps()}}
	if err := conn.confine(s.bytes); err != nil {
		conn.Close()
		return nil, err
	}
	return conn, nil
}

// confine prevents the connection from running code in the schema, which is untrusted,
// and limits its resources. Then it reads the schema, whose pages may refer to each other without
// end.
func (c *Conn) confine(bytes int64) error {
	c.SetInterrupt(&c.steps)
	c.Limit(sqlite3.LIMIT_LENGTH, int(min(maxValue, 2*bytes+1<<20)))
	c.Limit(sqlite3.LIMIT_SQL_LENGTH, maxStatement)
	for _, o := range []struct {
		option sqlite3.DBConfig
		on     bool
	}{
		{sqlite3.DBCONFIG_TRUSTED_SCHEMA, false},
		{sqlite3.DBCONFIG_ENABLE_VIEW, false},
		{sqlite3.DBCONFIG_DEFENSIVE, true},
	} {
		if _, err := c.Config(o.option, o.on); err != nil {
			return err
		}
	}
	// SQLite must sort in memory: reading a database writes no files.
	if err := c.Exec(fmt.Sprintf("PRAGMA temp_store=MEMORY; PRAGMA hard_heap_limit=%d", maxHeap)); err != nil {
		return err
	}
	schema, _, err := c.Prepare("SELECT 1 FROM sqlite_schema")
	if err != nil {
		return err
	}
	c.Limit(sqlite3.LIMIT_SQL_LENGTH, 1<<20)
	return schema.Close()
}

// Columns returns the columns of a table, by their names in lower case; nil if there is no
// such table. Views and virtual tables do not count, and generated columns are omitted:
// nothing in the schema is run.
func (c *Conn) Columns(table string) (map[string]bool, error) {
	// This statement alone distinguishes tables from views without expanding the view,
	// which may grow without end. It is never run.
	probe, _, err := c.Prepare(fmt.Sprintf("CREATE INDEX brennerlint ON %q((1))", table))
	if errors.Is(err, sqlite3.ERROR) {
		return nil, nil // there is no such table, or it is a view
	} else if err != nil {
		return nil, err
	}
	probe.Close()
	has := map[string]bool{}
	for row := range c.Rows(fmt.Sprintf("PRAGMA table_info(%q)", table)) {
		has[strings.ToLower(row.ColumnText(1))] = true
	}
	return has, c.Err
}
