package database

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
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
	if n := h.pageSize; n < 512 || n > 1<<16 || n&(n-1) != 0 {
		return header{}, fmt.Errorf("the header of the database is invalid: page size %d", h.pageSize)
	}
	// The page count is valid only if the last writer updated it.
	if binary.BigEndian.Uint32(b[24:]) == binary.BigEndian.Uint32(b[92:]) {
		h.pages = int64(binary.BigEndian.Uint32(b[28:]))
	}
	return h, nil
}

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

// The write-ahead log, https://sqlite.org/fileformat2.html section 4.
const (
	walHeaderSize   = 32
	frameHeaderSize = 24
	walMagic        = 0x377f0682 // the lowest bit gives the byte order of the checksums
)

// overlay overlays the image with the committed pages of a log. Like SQLite, it stops at
// the first frame that is incomplete or belongs to an older run of the log, and omits
// frames without a commit.
func (m *image) overlay(log io.ReaderAt) error {
	var head [walHeaderSize]byte
	if n, err := log.ReadAt(head[:], 0); n < len(head) {
		if err == io.EOF {
			return nil // a log without a header is empty
		}
		return err
	}
	be := binary.BigEndian
	if be.Uint32(head[:])&^1 != walMagic {
		return nil
	}
	sum := checksum{order: binary.LittleEndian}
	if be.Uint32(head[:])&1 == 1 {
		sum.order = be
	}
	sum.add(head[:24])
	if !sum.is(head[24:]) {
		return nil
	}
	if size := int64(be.Uint32(head[8:])); size != m.page {
		return fmt.Errorf("its page size is %d; that of the database is %d", size, m.page)
	}

	frames, pending, off := map[uint32]int64{}, map[uint32]int64{}, int64(walHeaderSize)
	r := bufio.NewReaderSize(io.NewSectionReader(log, off, math.MaxInt64-off), 1<<16)
	frame := make([]byte, frameHeaderSize+m.page)
	for ; ; off += int64(len(frame)) {
		if _, err := io.ReadFull(r, frame); err == io.EOF || err == io.ErrUnexpectedEOF {
			break
		} else if err != nil {
			return err
		}
		if string(frame[8:16]) != string(head[16:24]) { // the salts
			break
		}
		sum.add(frame[:8])
		sum.add(frame[frameHeaderSize:])
		page, pages := be.Uint32(frame), be.Uint32(frame[4:])
		if page == 0 || !sum.is(frame[16:24]) {
			break
		}
		pending[page] = off + frameHeaderSize
		if pages == 0 {
			continue
		}
		for page, at := range pending {
			frames[page] = at
		}
		clear(pending)
		m.end = off + int64(len(frame))
		m.size = int64(pages) * m.page
	}
	m.log, m.frames = log, frames
	return nil
}

// checksum is the running checksum of a log.
type checksum struct {
	order  binary.ByteOrder
	s0, s1 uint32
}

// add adds bytes to the checksum; their number must be a multiple of 8.
func (c *checksum) add(b []byte) {
	for ; len(b) >= 8; b = b[8:] {
		c.s0 += c.order.Uint32(b) + c.s1
		c.s1 += c.order.Uint32(b[4:]) + c.s0
	}
}

func (c *checksum) is(b []byte) bool {
	return c.s0 == binary.BigEndian.Uint32(b) && c.s1 == binary.BigEndian.Uint32(b[4:])
}
