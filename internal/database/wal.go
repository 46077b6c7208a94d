package database

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
)

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
