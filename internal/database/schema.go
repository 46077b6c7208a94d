package database

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"github.com/ncruces/go-sqlite3"
)

// errSchema tells of a schema that no program has written.
var errSchema = errors.New("the database is damaged: its schema has more entries than the file has room for")

// checkSchema checks that the pages of the schema lead nowhere twice, and that
// what they say of its size fits the file. SQLite reads and parses the schema
// before anything else; pages that name each other over and over would keep it
// busy without end. Other damage is left for SQLite to find.
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
	left int64 // bytes that the schema may have yet
	seen map[uint32]bool
}

// The kinds of pages (https://sqlite.org/fileformat2.html, section 1.6).
const (
	interiorTable = 5
	leafTable     = 13
)

// visit looks at a page and those below it.
func (w *schemaWalk) visit(first uint32) {
	pages := []uint32{first} // no recursion: the depth is the file's choice
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

// cellAt is where a cell begins; pointers are where the list of cells does.
func cellAt(page []byte, pointers, i int) (int, bool) {
	p := pointers + 2*i
	if p+2 > len(page) {
		return 0, false
	}
	at := int(binary.BigEndian.Uint16(page[p:]))
	return at, at < len(page)
}

// uvarint reads a number as SQLite writes it: seven bits a byte, the highest
// first, of a ninth byte all eight.
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

// Columns are the columns of a table, by their names in lower case; nil if there
// is no such table. Views and virtual tables are none, and generated columns are
// left out: nothing in the schema is run.
func (c *Conn) Columns(table string) (map[string]bool, error) {
	// Of all statements this one tells tables from views without expanding the
	// view, which may grow without end. It is never run.
	probe, _, err := c.Prepare(fmt.Sprintf("CREATE INDEX brennerlint ON %q((1))", table))
	if errors.Is(err, sqlite3.ERROR) {
		return nil, nil // there is none, or it is a view
	} else if err != nil {
		return nil, err
	}
	probe.Close()
	has := map[string]bool{}
	stmt, _, err := c.Prepare(fmt.Sprintf("PRAGMA table_info(%q)", table))
	if err != nil {
		return nil, err
	}
	for stmt.Step() {
		has[strings.ToLower(stmt.ColumnText(1))] = true
	}
	return has, errors.Join(stmt.Err(), stmt.Close())
}
