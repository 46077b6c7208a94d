package database

import (
	"io"
	"io/fs"
	"os"
	"time"
)

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
