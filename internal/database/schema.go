package database

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ncruces/go-sqlite3"
)

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
	names, err := c.texts(fmt.Sprintf("PRAGMA table_info(%q)", table), 1)
	has := map[string]bool{}
	for _, name := range names {
		has[strings.ToLower(name)] = true
	}
	return has, err
}

// IsUTF8 reports whether texts are stored as they are read.
func (c *Conn) IsUTF8() (bool, error) {
	encoding, err := c.texts("PRAGMA encoding", 0)
	return slices.Equal(encoding, []string{"UTF-8"}), err
}

// texts returns a column of all rows that a statement returns.
func (c *Conn) texts(query string, column int) (out []string, err error) {
	stmt, _, err := c.Prepare(query)
	if err != nil {
		return nil, err
	}
	for stmt.Step() {
		out = append(out, stmt.ColumnText(column))
	}
	return out, errors.Join(stmt.Err(), stmt.Close())
}
