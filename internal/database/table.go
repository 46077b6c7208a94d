package database

import (
	"cmp"
	"encoding/binary"
	"errors"
	"maps"
	"math"
	"slices"
)

// Table records where the rows of a table are: on which leaf pages of its tree, and which
// rows continue on other pages (https://sqlite.org/fileformat2.html, section 1.6). From
// the pages that a change wrote, it determines the rows that may have changed.
type Table struct {
	root     uint32
	branches []*branch        // in the order of their rows
	overflow map[uint32]int64 // the row that continues on a page
}

// Rows are the rows that a page may have: those after Above, up to Last.
type Rows struct{ Above, Last int64 }

// branch is a page that refers to leaves. A tree of one leaf is a branch of page 0.
type branch struct {
	Rows
	page      uint32
	leaves    []leaf // in the order of their rows
	low, high uint32 // the range of their page numbers
}

// leaf is a leaf of a tree: its rows are those after the last row of the previous leaf, up
// to last.
type leaf struct {
	last int64
	page uint32
}

// ErrTable is the error for a table whose pages are invalid.
var ErrTable = errors.New("the pages of a table cannot be followed")

// Table finds the pages of a table; nil if there is no such table.
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
	if t.branches, err = p.branches(t.root, nil); err != nil {
		return nil, err
	}
	t.overflow = map[uint32]int64{}
	for _, b := range t.branches {
		for _, l := range b.leaves {
			if _, err := p.rows(l.page, t.overflow); err != nil {
				return nil, err
			}
		}
	}
	return t, nil
}

// usable returns how many bytes of a page are usable.
func (s *Snapshot) usable() int {
	var reserved [1]byte
	_, _ = s.img.ReadAt(reserved[:], 20)
	return int(s.img.page) - int(reserved[0])
}

// Update applies the changes that led to a snapshot. It returns the rows that are now on
// changed pages, and the rows that were on such pages before. They include all rows that
// were changed, added or removed.
func (t *Table) Update(s *Snapshot, changes Changes) (now []int64, before []Rows, err error) {
	p := &pages{img: s.img, usable: s.usable()}
	unchanged := make(map[uint32]*branch, len(t.branches))
	for _, b := range t.branches {
		if b.page != 0 && !changes[b.page] {
			unchanged[b.page] = b
		}
	}
	branches, err := p.branches(t.root, unchanged)
	if err != nil {
		return nil, nil, err
	}
	for page := range changes {
		if row, known := t.overflow[page]; known {
			now = append(now, row) // unnecessary if the page is now used otherwise, but harmless
		}
	}
	was, is := differing(t.branches, branches, changes)
	i, j := 0, 0
	for i < len(was) || j < len(is) {
		hasOld, hasNew := i < len(was), j < len(is)
		if hasOld && hasNew && was[i] == is[j] && !changes[is[j].page] {
			i, j = i+1, j+1
			continue
		}
		old := hasOld && (!hasNew || was[i].Last <= is[j].Last)
		next := hasNew && (!hasOld || is[j].Last <= was[i].Last)
		if old {
			before = append(before, was[i].Rows)
			i++
		}
		if next {
			on, err := p.rows(is[j].page, t.overflow)
			if err != nil {
				return nil, nil, err
			}
			now = append(now, on...)
			j++
		}
	}
	t.branches = branches
	return now, before, nil
}

// placedLeaf is a leaf with its rows.
type placedLeaf struct {
	Rows
	page uint32
}

// differing returns the leaves of two states of a tree, except those of branches that both
// have and that have no changed leaf.
func differing(was, is []*branch, changes Changes) (before, now []placedLeaf) {
	changed := slices.Sorted(maps.Keys(changes))
	same := make(map[*branch]bool, len(was))
	for _, b := range was {
		same[b] = true
	}
	stays := make(map[*branch]bool, len(is))
	for _, b := range is {
		if stays[b] = same[b] && !b.mayHave(changed); !stays[b] {
			now = b.place(now)
		}
	}
	for _, b := range was {
		if !stays[b] {
			before = b.place(before)
		}
	}
	return before, now
}

// mayHave reports whether one of the pages, which are sorted, may be a leaf of the branch.
func (b *branch) mayHave(pages []uint32) bool {
	at, _ := slices.BinarySearch(pages, b.low)
	return at < len(pages) && pages[at] <= b.high
}

// place adds the leaves of the branch to a list.
func (b *branch) place(list []placedLeaf) []placedLeaf {
	above := b.Above
	for _, l := range b.leaves {
		list = append(list, placedLeaf{Rows{above, l.last}, l.page})
		above = l.last
	}
	return list
}

// pages reads pages of an image.
type pages struct {
	img    *image
	usable int
}

// read reads a page, and returns the offset of its header.
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

// branches finds the leaves of a tree by its other pages: all leaves are at the same depth.
// Known branches are not read.
func (p *pages) branches(root uint32, known map[uint32]*branch) ([]*branch, error) {
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
	all := Rows{math.MinInt64, math.MaxInt64}
	if depth == 0 {
		return []*branch{{all, 0, []leaf{{all.Last, root}}, root, root}}, nil
	}
	t := &descent{pages: p, known: known, buffers: make([][]byte, depth)}
	for i := range t.buffers {
		t.buffers[i] = make([]byte, p.img.page)
	}
	err := t.below(root, depth, all)
	return t.branches, err
}

// descent descends a tree to the pages above its leaves.
type descent struct {
	*pages
	known    map[uint32]*branch
	buffers  [][]byte // one per level
	branches []*branch
	leaves   int64
}

// below adds the branches below a page that is not a leaf, and has the given rows.
func (t *descent) below(number uint32, depth int, rows Rows) error {
	if b := t.known[number]; depth == 1 && b != nil && b.Rows == rows {
		t.add(b)
		return nil
	}
	page := t.buffers[depth-1]
	header, err := t.readInto(page, number)
	if err != nil {
		return err
	}
	if page[header] != interiorTable || t.leaves > t.img.size/t.img.page {
		return ErrTable
	}
	be := binary.BigEndian
	cells := int(be.Uint16(page[header+3:]))
	b := &branch{Rows: rows, page: number, low: math.MaxUint32}
	child := func(number uint32, rows Rows) error {
		if depth > 1 {
			return t.below(number, depth-1, rows)
		}
		b.leaves = append(b.leaves, leaf{rows.Last, number})
		b.low, b.high = min(b.low, number), max(b.high, number)
		return nil
	}
	above := rows.Above
	for i := range cells {
		at, ok := cellAt(page, header+12, i)
		if !ok || at+4 >= len(page) {
			return ErrTable
		}
		key, _ := uvarint(page[at+4:])
		last := int64(key)
		if last < above || last > rows.Last {
			return ErrTable
		}
		if err := child(be.Uint32(page[at:]), Rows{above, last}); err != nil {
			return err
		}
		above = last
	}
	if err := child(be.Uint32(page[header+8:]), Rows{above, rows.Last}); err != nil {
		return err
	}
	if depth == 1 {
		t.add(b)
	}
	return nil
}

func (t *descent) add(b *branch) {
	t.branches = append(t.branches, b)
	t.leaves += int64(len(b.leaves))
}

// rows returns the rows of a leaf. The pages on which they continue are added to overflow.
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

// follow finds the pages on which a row continues that begins at an offset in a leaf.
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
