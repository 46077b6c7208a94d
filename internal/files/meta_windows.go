package files

import (
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// linkCount returns how many names a file has.
func linkCount(f *os.File, _ fs.FileInfo) uint64 {
	var info windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(windows.Handle(f.Fd()), &info); err != nil {
		return 1
	}
	return uint64(info.NumberOfLinks)
}

// keepOwner leaves the owner as it is: files belong to the owner of the folder.
func keepOwner(*os.File, fs.FileInfo) error { return nil }

// noWait is not needed where folders contain no pipes.
const noWait = 0

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
