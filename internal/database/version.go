package database

import (
	"encoding/binary"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/brennerlint/brennerlint/internal/files"
)

// Version is which state of a database a snapshot shows: enough to tell later which
// pages have changed since.
type Version struct {
	info   fs.FileInfo // of the file; nil where nobody else can write
	opened time.Time   // before it was looked at
	page   int64
	head   [walHeaderSize]byte // of the log
	end    int64               // of what is committed in the log; 0 without one
}

// Version is the state that the snapshot shows.
func (s *Snapshot) Version() Version { return s.version }

// Is reports whether two versions are the same state.
func (v Version) Is(w Version) bool { return v.info == w.info }

// versionOf looks at an open database, once its log is read.
func versionOf(file *os.File, opened time.Time, st state, img *image) Version {
	v := Version{opened: opened, page: img.page, head: st.log, end: img.end}
	v.info, _ = file.Stat()
	return v
}

// Changes are the pages in which two states of a database may differ.
type Changes map[uint32]bool

// Since tells in which pages the snapshot may differ from an earlier state; false if
// that cannot be told. Nothing is read for it but the log, which says what was written:
//
//   - the log was appended to: the frames that came after;
//   - the log was begun again, as it is after a checkpoint of all of it: all frames, if
//     none of the log before was missed;
//   - there was no log, and the file was not written since: all frames.
//
// Anything else, such as a file that was replaced or written in another way, cannot be
// told.
func (s *Snapshot) Since(was Version) (Changes, bool) {
	now := &s.version
	if now.info == nil || was.info == nil || !os.SameFile(now.info, was.info) || now.page != was.page || s.Damage != nil {
		return nil, false
	}
	from := int64(0)
	switch {
	case was.end > 0 && now.end >= was.end && now.head == was.head:
		from = was.end
	case was.end > 0 && now.end <= was.end && isNext(was.head, now.head) && s.missedNothing(&was):
	case was.end == 0 && isUnwritten(&was, now):
	default:
		return nil, false
	}
	out := Changes{}
	for page, at := range s.img.frames {
		if at >= from {
			out[page] = true
		}
	}
	return out, true
}

// isNext reports whether a log is the one that was begun after another.
func isNext(was, now [walHeaderSize]byte) bool {
	be := binary.BigEndian
	return be.Uint32(now[12:]) == be.Uint32(was[12:])+1 && be.Uint32(now[16:]) == be.Uint32(was[16:])+1
}

// missedNothing reports whether the log before ended where it was read to: what
// followed would still be there, or would be written over.
func (s *Snapshot) missedNothing(was *Version) bool {
	var frame [frameHeaderSize]byte
	n, err := s.img.log.ReadAt(frame[:], was.end)
	if err != nil && err != io.EOF {
		return false
	}
	return n < len(frame) || string(frame[8:16]) != string(was.head[16:24])
}

// isUnwritten reports whether the file itself was not written since: then all that has
// changed is in the log.
func isUnwritten(was, now *Version) bool {
	a, okA := files.IdentityOf(was.info)
	b, okB := files.IdentityOf(now.info)
	return okA && okB && a == b && a.Before(was.opened)
}

// Schema identifies the schema of the database, and how texts are encoded: a change of
// it makes all that is known of pages void.
func (s *Snapshot) Schema() [24]byte {
	var head [fileHeaderSize]byte
	var out [24]byte
	if n, _ := s.img.ReadAt(head[:], 0); n < len(head) {
		return out
	}
	copy(out[:4], head[20:]) // reserved bytes of each page
	copy(out[4:], head[40:60])
	return out
}
