package database

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ncruces/go-sqlite3"
)

// errSchema is the error for a schema that no program has written.
var errSchema = errors.New("the database is damaged: its schema has more entries than the file has room for")

// checkSchema checks that no page of the schema is referred to twice, and that the size of
// its entries fits the file. SQLite reads and parses the schema before anything else;
// pages that refer to each other repeatedly would keep it busy without end. Other damage
// is left for SQLite to find.
func checkSchema(img *image, bytes int64) error {
	w := schemaWalk{img: img, left: bytes, seen: map[uint32]bool{}}
	w.visit(1)
	if w.left < 0 {
		return errSchema
	}
	return nil
}

type schemaWalk struct {
	img  *image
	left int64 // bytes that the schema may still have
	seen map[uint32]bool
}

// The kinds of pages (https://sqlite.org/fileformat2.html, section 1.6).
const (
	interiorTable = 5
	leafTable     = 13
)

// visit checks a page and those below it.
func (w *schemaWalk) visit(first uint32) {
	pages := []uint32{first} // no recursion: the file determines the depth
	for len(pages) > 0 && w.left >= 0 {
		number := pages[len(pages)-1]
		pages = pages[:len(pages)-1]
		if w.seen[number] {
			w.left = -1
			return
		}
		w.seen[number] = true
		page := make([]byte, w.img.page)
		if n, err := w.img.ReadAt(page, int64(number-1)*w.img.page); number == 0 || err != nil && n < len(page) {
			continue
		}
		header := 0
		if number == 1 {
			header = fileHeaderSize
		}
		be := binary.BigEndian
		cells := int(be.Uint16(page[header+3:]))
		switch page[header] {
		case leafTable:
			for i := range cells {
				if at, ok := cellAt(page, header+8, i); ok {
					size, _ := uvarint(page[at:])
					w.left -= int64(min(size, 1<<40))
				}
			}
		case interiorTable:
			pages = append(pages, be.Uint32(page[header+8:]))
			for i := range cells {
				if at, ok := cellAt(page, header+12, i); ok && at+4 <= len(page) {
					pages = append(pages, be.Uint32(page[at:]))
				}
			}
		}
	}
}

// cellAt returns the offset of a cell; pointers is the offset of the list of cells.
func cellAt(page []byte, pointers, i int) (int, bool) {
	p := pointers + 2*i
	if p+2 > len(page) {
		return 0, false
	}
	at := int(binary.BigEndian.Uint16(page[p:]))
	return at, at < len(page)
}

// uvarint reads a number as SQLite writes it: seven bits per byte, the highest first, and
// all eight bits of a ninth byte.
func uvarint(b []byte) (value uint64, n int) {
	for n < min(len(b), 9) {
		c := b[n]
		if n++; n == 9 {
			return value<<8 | uint64(c), n
		}
		if value = value<<7 | uint64(c&0x7f); c < 0x80 {
			break
		}
	}
	return value, n
}

// Columns returns the columns of a table, by their names in lower case; nil if there is no
// such table. Views and virtual tables do not count, and generated columns are omitted:
// nothing in the schema is run.
func (c *Conn) Columns(table string) (map[string]bool, error) {
	columns, err := c.columns(table)
	if columns == nil {
		return nil, err
	}
	has := make(map[string]bool, len(columns))
	for name := range columns {
		has[name] = true
	}
	return has, err
}

// column is what the schema declares of a column.
type column struct {
	kind string // in upper case
	key  bool   // whether it is part of the primary key
}

func (c *Conn) columns(table string) (map[string]column, error) {
	// This statement alone distinguishes tables from views without expanding the view,
	// which may grow without end. It is never run.
	probe, _, err := c.Prepare(fmt.Sprintf("CREATE INDEX brennerlint ON %q((1))", table))
	if errors.Is(err, sqlite3.ERROR) {
		return nil, nil // there is no such table, or it is a view
	} else if err != nil {
		return nil, err
	}
	probe.Close()
	out := map[string]column{}
	err = c.rows(fmt.Sprintf("PRAGMA table_info(%q)", table), func(row *sqlite3.Stmt) {
		out[strings.ToLower(row.ColumnText(1))] = column{strings.ToUpper(row.ColumnText(2)), row.ColumnInt(5) > 0}
	})
	return out, err
}

// rows calls f for each row that a statement returns.
func (c *Conn) rows(query string, f func(*sqlite3.Stmt)) error {
	stmt, _, err := c.Prepare(query)
	if err != nil {
		return err
	}
	for stmt.Step() {
		f(stmt)
	}
	return errors.Join(stmt.Err(), stmt.Close())
}

// IsUTF8 reports whether texts are stored as they are read.
func (c *Conn) IsUTF8() (is bool, err error) {
	err = c.rows("PRAGMA encoding", func(row *sqlite3.Stmt) { is = row.ColumnText(0) == "UTF-8" })
	return is, err
}

// IsRowNumber reports whether a column of a table is its row number: unique, and rows are
// found by it directly.
func (c *Conn) IsRowNumber(table, name string) (bool, error) {
	columns, err := c.columns(table)
	if err != nil || columns[name] != (column{"INTEGER", true}) {
		return false, err
	}
	keys := 0
	for _, x := range columns {
		if x.key {
			keys++
		}
	}
	// SQLite creates an index for other primary keys.
	indexed := false
	err = c.rows(fmt.Sprintf("PRAGMA index_list(%q)", table), func(row *sqlite3.Stmt) {
		indexed = indexed || row.ColumnText(3) == "pk"
	})
	return keys == 1 && !indexed, err
}

// HasIndex reports whether an index of a table finds rows by a column: it contains every
// row, begins with that column, and compares texts by their bytes.
func (c *Conn) HasIndex(table, name string) (bool, error) {
	var indexes []string
	err := c.rows(fmt.Sprintf("PRAGMA index_list(%q)", table), func(row *sqlite3.Stmt) {
		if partial := row.ColumnBool(4); !partial {
			indexes = append(indexes, row.ColumnText(1))
		}
	})
	found := false
	for _, index := range indexes {
		err = errors.Join(err, c.rows("PRAGMA index_xinfo("+sqlite3.QuoteIdentifier(index)+")", func(row *sqlite3.Stmt) {
			first := row.ColumnInt(0) == 0
			found = found || first && strings.EqualFold(row.ColumnText(2), name) && row.ColumnText(4) == "BINARY"
		}))
	}
	return found, err
}

// OrdersTexts reports whether an index of a column orders texts by their bytes as UTF-8,
// and none of them as numbers (https://sqlite.org/datatype3.html, section 3.1).
func (c *Conn) OrdersTexts(table, name string) (bool, error) {
	columns, err := c.columns(table)
	if err != nil {
		return false, err
	}
	utf8 := false
	err = c.rows("PRAGMA encoding", func(row *sqlite3.Stmt) { utf8 = row.ColumnText(0) == "UTF-8" })
	kind := columns[name].kind
	text := slices.ContainsFunc([]string{"CHAR", "CLOB", "TEXT"}, func(s string) bool { return strings.Contains(kind, s) })
	return utf8 && text && !strings.Contains(kind, "INT"), err
}
