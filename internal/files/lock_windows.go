package files

import (
	"os"

	"golang.org/x/sys/windows"
)

// lock locks a file until it is closed. Without wait it fails if another process has
// locked it.
func lock(f *os.File, wait bool) error {
	flags := uint32(windows.LOCKFILE_EXCLUSIVE_LOCK)
	if !wait {
		flags |= windows.LOCKFILE_FAIL_IMMEDIATELY
	}
	// The lock is on a byte far beyond the end, so the content can be read and written.
	at := &windows.Overlapped{OffsetHigh: 1 << 30}
	return windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, at)
}
