package database

import (
	"io"
	"os"
	"time"
)

// pagesState changes whenever another process changes the pages we read: appending to the
// log does not, a checkpoint or a restarted log does.
type pagesState struct {
	size    int64
	written time.Time
	counter [4]byte // of the changes of the file without a log
	log     [walHeaderSize]byte
}

// stateOf returns the state of the file and of its log's header.
func stateOf(file, log *os.File) (st pagesState, err error) {
	info, err := file.Stat()
	if err != nil {
		return st, err
	}
	st.size, st.written = info.Size(), info.ModTime()
	if _, err := file.ReadAt(st.counter[:], 24); err != nil && err != io.EOF {
		return st, err
	}
	if log != nil {
		if _, err := log.ReadAt(st.log[:], 0); err != nil && err != io.EOF {
			return st, logError(err)
		}
	}
	return st, nil
}
