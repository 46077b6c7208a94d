package database

import (
	"fmt"

	"github.com/ncruces/go-sqlite3"
)

// Conn is a connection to a snapshot.
type Conn struct {
	*sqlite3.Conn
	kept map[string]*sqlite3.Stmt
}

// Keep is a statement that is prepared once for all who use the connection one
// after the other: they reset it and do not close it.
func (c *Conn) Keep(query string) (*sqlite3.Stmt, error) {
	if stmt := c.kept[query]; stmt != nil {
		return stmt, nil
	}
	stmt, _, err := c.Prepare(query)
	if err == nil {
		c.kept[query] = stmt
	}
	return stmt, err
}

func (c *Conn) close() {
	for _, stmt := range c.kept {
		stmt.Close()
	}
	c.Close()
}

// Do runs f with a connection of its own. It may be called by several
// goroutines at once. A broken file can make the translated C code of SQLite
// trap; such a panic comes back as an error.
func (s *Snapshot) Do(f func(*Conn) error) (err error) {
	conn, err := s.take()
	if err != nil {
		return err
	}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("read the database: %v", r)
			return // the connection is not to be trusted any more
		}
		s.mu.Lock()
		s.idle = append(s.idle, conn)
		s.mu.Unlock()
	}()
	return f(conn)
}

func (s *Snapshot) take() (*Conn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.idle); n > 0 {
		conn := s.idle[n-1]
		s.idle = s.idle[:n-1]
		return conn, nil
	}
	conn, err := sqlite3.OpenFlags("file:"+s.name+"?vfs=reader", sqlite3.OPEN_READONLY|sqlite3.OPEN_URI)
	if err != nil {
		return nil, err
	}
	// The file may come from anywhere: nothing in its schema is to be run.
	conn.Limit(sqlite3.LIMIT_LENGTH, maxValue)
	for _, c := range []struct {
		option sqlite3.DBConfig
		on     bool
	}{
		{sqlite3.DBCONFIG_TRUSTED_SCHEMA, false},
		{sqlite3.DBCONFIG_ENABLE_VIEW, false},
		{sqlite3.DBCONFIG_DEFENSIVE, true},
	} {
		if _, err := conn.Config(c.option, c.on); err != nil {
			conn.Close()
			return nil, err
		}
	}
	return &Conn{Conn: conn, kept: map[string]*sqlite3.Stmt{}}, nil
}
