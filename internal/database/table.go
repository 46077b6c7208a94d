package database

import (
	"cmp"
	"encoding/binary"
	"errors"
	"math"
)

// Table is where the rows of a table are: on which leaf pages of its tree, and which
// rows go on in other pages (https://sqlite.org/fileformat2.html, section 1.6). With
// the pages that a change wrote, it tells the rows that may have changed.
type Table struct {
	root     uint32
	leaves   []leaf           // in the order of their rows
	overflow map[uint32]int64 // the row that goes on in a page
}

// Rows are the rows that a leaf may have: those above Above, up to Last.
type Rows struct{ Above, Last int64 }

// leaf is a leaf of a tree: its rows are those up to last, and above those of the one
// before.
type leaf struct {
	last int64
	page uint32
}

// ErrTable tells of a table whose pages are not as they must be.
var ErrTable = errors.New("the pages of a table cannot be followed")

// Table finds the pages of a table; nil if there is none of rows with numbers.
func (s *Snapshot) Table(name string) (*Table, error) {
	t := &Table{}
	err := s.Do(func(conn *Conn) error {
		stmt, _, err := conn.Prepare("SELECT rootpage FROM sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE")
		if err != nil {
			return err
		}
		defer stmt.Close()
		if err := stmt.BindText(1, name); err != nil {
			return err
		}
		for stmt.Step() {
			t.root = uint32(stmt.ColumnInt64(0))
		}
		return stmt.Err()
	})
	if err != nil || t.root == 0 {
		return nil, err
	}
	p := &pages{img: s.img, usable: s.usable()}
	if t.leaves, err = p.leaves(t.root); err != nil {
		return nil, err
	}
	t.overflow = map[uint32]int64{}
	for _, l := range t.leaves {
		if _, err := p.rows(l.page, t.overflow); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// usable is how many bytes of a page are used.
func (s *Snapshot) usable() int {
	var reserved [1]byte
	_, _ = s.img.ReadAt(reserved[:], 20)
	return int(s.img.page) - int(reserved[0])
}

// Update takes over the changes that led to a snapshot. It tells the rows that are now
// on pages that changed, and the rows that were on such pages before. All rows that
// changed, came or went are among them.
func (t *Table) Update(s *Snapshot, changes Changes) (now []int64, before []Rows, err error) {
	p := &pages{img: s.img, usable: s.usable()}
	leaves, err := p.leaves(t.root)
	if err != nil {
		return nil, nil, err
	}
	for page := range changes {
		if row, known := t.overflow[page]; known {
			now = append(now, row) // the page may have other uses now: that costs nothing but a look
		}
	}
	i, j, was, is := 0, 0, int64(math.MinInt64), int64(math.MinInt64) // the last rows of the leaves before
	for i < len(t.leaves) || j < len(leaves) {
		hasOld, hasNew := i < len(t.leaves), j < len(leaves)
		same := hasOld && hasNew && t.leaves[i] == leaves[j] && was == is
		if same && !changes[leaves[j].page] {
			was, is = leaves[j].last, leaves[j].last
			i, j = i+1, j+1
			continue
		}
		old := hasOld && (!hasNew || t.leaves[i].last <= leaves[j].last)
		next := hasNew && (!hasOld || leaves[j].last <= t.leaves[i].last)
		if old {
			before = append(before, Rows{was, t.leaves[i].last})
			was = t.leaves[i].last
			i++
		}
		if next {
			on, err := p.rows(leaves[j].page, t.overflow)
			if err != nil {
				return nil, nil, err
			}
			now = append(now, on...)
			is = leaves[j].last
			j++
		}
	}
	t.leaves = leaves
	return now, before, nil
}

// pages reads pages of an image.
type pages struct {
	img    *image
	usable int
}

// read reads a page, and tells where its header begins.
func (p *pages) read(number uint32) (page []byte, header int, err error) {
	page = make([]byte, p.img.page)
	header, err = p.readInto(page, number)
	return page, header, err
}

func (p *pages) readInto(page []byte, number uint32) (header int, err error) {
	if number == 0 {
		return 0, ErrTable
	}
	if n, err := p.img.ReadAt(page, int64(number-1)*p.img.page); n < len(page) {
		return 0, cmp.Or(err, ErrTable)
	}
	if number == 1 {
		header = fileHeaderSize
	}
	return header, nil
}

// leaves finds the leaves of a tree by its other pages: all leaves are equally deep.
func (p *pages) leaves(root uint32) ([]leaf, error) {
	depth := 0
	for number := root; ; depth++ {
		page, header, err := p.read(number)
		if err != nil {
			return nil, err
		}
		if page[header] == leafTable {
			break
		}
		const deepest = 20
		if page[header] != interiorTable || depth == deepest {
			return nil, ErrTable
		}
		number = binary.BigEndian.Uint32(page[header+8:])
	}
	t := &descent{pages: p, buffers: make([][]byte, depth)}
	for i := range t.buffers {
		t.buffers[i] = make([]byte, p.img.page)
	}
	err := t.below(root, depth, Rows{math.MinInt64, math.MaxInt64})
	return t.leaves, err
}

// descent goes down a tree to its leaves.
type descent struct {
	*pages
	buffers [][]byte // one for each level
	leaves  []leaf
}

// below adds the leaves below a page, in which some rows are.
func (t *descent) below(number uint32, depth int, rows Rows) error {
	if depth == 0 {
		t.leaves = append(t.leaves, leaf{rows.Last, number})
		return nil
	}
	page := t.buffers[depth-1]
	header, err := t.readInto(page, number)
	if err != nil {
		return err
	}
	if page[header] != interiorTable || int64(len(t.leaves)) > t.img.size/t.img.page {
		return ErrTable
	}
	be := binary.BigEndian
	above := rows.Above
	for i := range int(be.Uint16(page[header+3:])) {
		at, ok := cellAt(page, header+12, i)
		if !ok || at+4 >= len(page) {
			return ErrTable
		}
		key, _ := uvarint(page[at+4:])
		last := int64(key)
		if last < above || last > rows.Last {
			return ErrTable
		}
		if err := t.below(be.Uint32(page[at:]), depth-1, Rows{above, last}); err != nil {
			return err
		}
		above = last
	}
	return t.below(be.Uint32(page[header+8:]), depth-1, Rows{above, rows.Last})
}

// rows are the rows of a leaf. The pages in which they go on are added to overflow.
func (p *pages) rows(number uint32, overflow map[uint32]int64) ([]int64, error) {
	page, header, err := p.read(number)
	if err != nil {
		return nil, err
	}
	if page[header] != leafTable {
		return nil, ErrTable
	}
	cells := int(binary.BigEndian.Uint16(page[header+3:]))
	out := make([]int64, 0, cells)
	for i := range cells {
		at, ok := cellAt(page, header+8, i)
		if !ok {
			return nil, ErrTable
		}
		size, n := uvarint(page[at:])
		row, m := uvarint(page[at+n:])
		out = append(out, int64(row))
		if err := p.follow(page, at+n+m, size, int64(row), overflow); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// follow finds the pages in which a row goes on that begins at a place of a leaf.
func (p *pages) follow(page []byte, at int, size uint64, row int64, overflow map[uint32]int64) error {
	u := uint64(p.usable)
	local := size
	if size > u-35 {
		least := (u-12)*32/255 - 23
		if local = least + (size-least)%(u-4); local > u-35 {
			local = least
		}
	}
	if local == size {
		return nil
	}
	if uint64(at)+local+4 > uint64(len(page)) {
		return ErrTable
	}
	next := binary.BigEndian.Uint32(page[uint64(at)+local:])
	for left := size - local; ; left -= u - 4 {
		if next == 0 || int64(next) > p.img.size/p.img.page {
			return ErrTable
		}
		overflow[next] = row
		if left <= u-4 {
			return nil
		}
		var link [4]byte
		if n, _ := p.img.ReadAt(link[:], int64(next-1)*p.img.page); n < len(link) {
			return ErrTable
		}
		next = binary.BigEndian.Uint32(link[:])
	}
}
