package database

import (
	"encoding/binary"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/brennerlint/brennerlint/internal/files"
)

// Version identifies the state of a database in a snapshot, and is enough to determine
// later which pages have changed since.
type Version struct {
	info   fs.FileInfo // of the file; nil if no other process can write
	opened time.Time   // before its state was read
	page   int64
	head   [walHeaderSize]byte // of the log
	end    int64               // of what is committed in the log; 0 without a log
}

// Version returns the state that is in the snapshot.
func (s *Snapshot) Version() Version { return s.version }

// Is reports whether two versions are the same state.
func (v Version) Is(w Version) bool { return v.info == w.info }

// versionOf returns the version of an open database, once its log is read.
func versionOf(file *os.File, opened time.Time, st state, img *image) Version {
	v := Version{opened: opened, page: img.page, head: st.log, end: img.end}
	v.info, _ = file.Stat()
	return v
}

// Changes are the pages in which two states of a database may differ.
type Changes map[uint32]bool

// Since returns the pages in which the snapshot may differ from an earlier state; false if
// they are unknown. It reads only the log, which says what was written:
//
//   - the log was appended to: the new frames;
//   - the log was restarted, as after a checkpoint of all of it: all frames, if none of
//     the log before was missed;
//   - there was no log, and the file was not written since: all frames.
//
// In all other cases, such as a file that was replaced or written in another way, they are
// unknown.
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

// isNext reports whether a log is the one that was started after another.
func isNext(was, now [walHeaderSize]byte) bool {
	be := binary.BigEndian
	return be.Uint32(now[12:]) == be.Uint32(was[12:])+1 && be.Uint32(now[16:]) == be.Uint32(was[16:])+1
}

// missedNothing reports whether the log before ended where reading it stopped: what
// followed would still be there, or would be overwritten.
func (s *Snapshot) missedNothing(was *Version) bool {
	var frame [frameHeaderSize]byte
	n, err := s.img.log.ReadAt(frame[:], was.end)
	if err != nil && err != io.EOF {
		return false
	}
	return n < len(frame) || string(frame[8:16]) != string(was.head[16:24])
}

// isUnwritten reports whether the file itself was not written since: then all changes are
// in the log.
func isUnwritten(was, now *Version) bool {
	a, okA := files.IdentityOf(was.info)
	b, okB := files.IdentityOf(now.info)
	return okA && okB && a == b && a.Before(was.opened)
}

// Schema identifies the schema of the database and its text encoding: a change invalidates
// all that is known about its pages.
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
