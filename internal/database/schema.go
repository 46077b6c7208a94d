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
					size := uvarint(page[at:])
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
func uvarint(b []byte) (value uint64) {
	for i, c := range b[:min(len(b), 9)] {
		if i == 8 {
			return value<<8 | uint64(c)
		}
		if value = value<<7 | uint64(c&0x7f); c < 0x80 {
			break
		}
	}
	return value
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
