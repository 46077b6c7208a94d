package database

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

const fileHeaderSize = 100

// header is the information in the first 100 bytes of a database
// (https://sqlite.org/fileformat2.html, section 1.3).
type header struct {
	pageSize int64
	wal      bool
	pages    int64 // 0 if unknown
}

func readHeader(r io.ReaderAt, size int64) (header, error) {
	if size == 0 {
		return header{}, errors.New("the file is empty")
	}
	var b [fileHeaderSize]byte
	if _, err := r.ReadAt(b[:min(size, fileHeaderSize)], 0); err != nil && err != io.EOF {
		return header{}, err
	}
	if string(b[:len(magic)]) != magic {
		return header{}, errors.New("the file is not an SQLite database")
	}
	if size < int64(len(b)) {
		return header{}, fmt.Errorf("the database is truncated: it ends after %d bytes, within the header", size)
	}
	h := header{pageSize: int64(binary.BigEndian.Uint16(b[16:])), wal: b[18] == 2 && b[19] == 2}
	if h.pageSize == 1 {
		h.pageSize = 1 << 16
	}
	if !validPageSize(h.pageSize) {
		return header{}, fmt.Errorf("the header of the database is invalid: page size %d", h.pageSize)
	}
	// The page count is valid only if the last writer updated it.
	if binary.BigEndian.Uint32(b[24:]) == binary.BigEndian.Uint32(b[92:]) {
		h.pages = int64(binary.BigEndian.Uint32(b[28:]))
	}
	return h, nil
}

func validPageSize(n int64) bool { return n >= 512 && n <= 1<<16 && n&(n-1) == 0 }

// image is a database file overlaid with the pages of its log.
type image struct {
	db   io.ReaderAt
	size int64 // in bytes, according to the database: the file may be truncated
	page int64 // in bytes

	log    io.ReaderAt
	end    int64            // of what is committed in the log
	frames map[uint32]int64 // page number, from 1, to the offset of its bytes in the log
}

// Size returns the size of the image in bytes.
func (m *image) Size() (int64, error) { return m.size, nil }

// ReadAt reads bytes of the image, page by page if there is a log.
func (m *image) ReadAt(p []byte, off int64) (int, error) {
	if len(m.frames) == 0 {
		return m.db.ReadAt(p, off)
	}
	done := 0
	for done < len(p) {
		at := off + int64(done)
		if at >= m.size {
			return done, io.EOF
		}
		within := at % m.page
		part := p[done:min(len(p), done+int(m.page-within))]
		src, from := m.db, at
		if frame, ok := m.frames[uint32(at/m.page)+1]; ok {
			src, from = m.log, frame+within
		}
		n, err := src.ReadAt(part, from)
		done += n
		if n < len(part) {
			return done, err
		}
	}
	return done, nil
}
