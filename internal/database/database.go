// Package database opens SQLite files for reading without modifying them: it
// takes no lock, writes nothing and leaves no file behind.
//
// A live database of Agent Mail is in WAL mode: its newest mails may be only in its
// -wal file (mail_formats.md section 2). Opening it the ordinary way would create -wal
// and -shm files, and the last reader would even checkpoint the log. So SQLite gets an
// [image] instead: the file's pages overlaid with the committed pages of the log,
// declared immutable.
//
// The price is that another process can run a checkpoint while we read;
// [Snapshot.Changed] reports that, and the reader opens the database again.
//
// The package knows nothing about mail.
package database

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ncruces/go-sqlite3/vfs/readervfs"

	"github.com/brennerlint/brennerlint/internal/files"
)

// magic begins every SQLite database.
const magic = "SQLite format 3\x00"

// maxValue is the longest text or blob that is read, in bytes. It is far above
// any mail and far below what SQLite may allocate.
const maxValue = 64 << 20

// Snapshot is a database in the state in which it was opened.
type Snapshot struct {
	// Damage says that part of the database is missing; nil if nothing is. The rest can be read;
	// reading the missing part is an error.
	Damage error

	name  string   // under which the reader VFS knows the image
	size  int64    // of the database, according to its header or log
	bytes int64    // of the file and its log
	file  *os.File // nil if no other process can write
	log   *os.File // nil if there is none
	was   State

	mu   sync.Mutex
	idle []*Conn
}

// ErrHotJournal is the error for a file whose contents are incomplete without its journal.
var ErrHotJournal = errors.New("it has a rollback journal: another program is writing to it, or was interrupted")

var names atomic.Int64

// Open opens the database in a file, with its log if it has one. Errors of the file
// system are [fs.PathError]; all others say what is wrong with the contents.
func Open(ref files.Ref) (*Snapshot, error) {
	if hotJournal(ref.Beside("-journal")) {
		return nil, ErrHotJournal
	}
	file, _, err := ref.Open()
	if err != nil {
		return nil, err
	}
	log, _, err := ref.Beside("-wal").Open()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		file.Close()
		return nil, logError(err)
	}
	s := &Snapshot{file: file, log: log}
	if s.was, err = stateOf(file, log); err == nil {
		err = s.serve(file, s.was.pages.size)
	}
	if err != nil {
		return nil, errors.Join(err, s.closeFiles())
	}
	return s, nil
}

// New opens the database in r, which must not change. Closing the snapshot does not
// close r.
func New(r io.ReaderAt, size int64) (*Snapshot, error) {
	s := &Snapshot{}
	if err := s.serve(r, size); err != nil {
		return nil, err
	}
	return s, nil
}

// serve checks the header and hands the image to SQLite.
func (s *Snapshot) serve(r io.ReaderAt, size int64) error {
	h, err := readHeader(r, size)
	if err != nil {
		return err
	}
	img := &image{db: r, size: size, page: h.pageSize}
	if s.log != nil && h.wal {
		if err := img.overlay(s.log); err != nil {
			return logError(err)
		}
	}
	s.was.end = img.end
	s.bytes = size + int64(len(img.frames))*h.pageSize
	if want := h.pages * h.pageSize; len(img.frames) == 0 && want > size {
		s.Damage = fmt.Errorf("the database is truncated: the header says %d bytes, the file has %d", want, size)
		img.size = want // what is missing reads as zeros, which are not a valid page
	}
	s.size = img.size
	s.name = fmt.Sprintf("snapshot-%d", names.Add(1))
	readervfs.Create(s.name, img)
	return nil
}

// logError returns an error saying that the log cannot be read.
func logError(err error) error {
	var of *fs.PathError
	if errors.As(err, &of) {
		err = of.Err
	}
	return fmt.Errorf("its write-ahead log cannot be read: %w", err)
}

// Size returns the size of the database in bytes.
func (s *Snapshot) Size() int64 { return s.size }

// Changed reports whether another process has changed pages of the snapshot, so that what
// was read last may mix two states.
func (s *Snapshot) Changed() bool {
	if s.file == nil {
		return false
	}
	now, err := stateOf(s.file, s.log)
	return err != nil || now.pages != s.was.pages
}

// Close releases the snapshot. It must no longer be in use.
func (s *Snapshot) Close() error {
	for _, conn := range s.idle {
		conn.close()
	}
	s.idle = nil
	readervfs.Delete(s.name)
	return s.closeFiles()
}

func (s *Snapshot) closeFiles() error {
	var errs []error
	for _, f := range []*os.File{s.file, s.log} {
		if f != nil {
			errs = append(errs, f.Close())
		}
	}
	return errors.Join(errs...)
}

// hotJournal reports whether a file is a rollback journal that still has to be applied.
func hotJournal(journal files.Ref) bool {
	file, _, err := journal.Open()
	if err != nil {
		return false
	}
	defer file.Close()
	var magic [8]byte
	_, err = io.ReadFull(file, magic[:])
	return err == nil && binary.BigEndian.Uint64(magic[:]) == 0xd9d505f920a163d7
}

// State identifies the state of a database in a snapshot.
type State struct {
	file  fs.FileInfo // nil if no other process can write
	pages pagesState
	end   int64 // of what is committed in the log
}

// pagesState changes whenever another process changes the pages we read: appending to the
// log does not, a checkpoint or a restarted log does.
type pagesState struct {
	size    int64
	written time.Time
	counter [4]byte // of the changes of the file without a log
	log     [walHeaderSize]byte
}

// State returns the state that is in the snapshot.
func (s *Snapshot) State() State { return s.was }

// Is reports whether two states are the same.
func (s State) Is(t State) bool { return s.IsOf(t) && s.pages == t.pages && s.end == t.end }

// IsOf reports whether two states are of one file.
func (s State) IsOf(t State) bool {
	return s.file != nil && t.file != nil && os.SameFile(s.file, t.file)
}

// stateOf returns the state of the file and of its log's header.
func stateOf(file, log *os.File) (State, error) {
	info, err := file.Stat()
	if err != nil {
		return State{}, err
	}
	st := State{file: info, pages: pagesState{size: info.Size(), written: info.ModTime()}}
	if _, err := file.ReadAt(st.pages.counter[:], 24); err != nil && err != io.EOF {
		return State{}, err
	}
	if log != nil {
		if _, err := log.ReadAt(st.pages.log[:], 0); err != nil && err != io.EOF {
			return State{}, logError(err)
		}
	}
	return st, nil
}
