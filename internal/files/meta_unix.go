//go:build unix

package files

import (
	"io/fs"
	"os"
	"syscall"
)

// linkCount returns how many names a file has.
func linkCount(_ *os.File, info fs.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Nlink) //nolint:unconvert // not everywhere
	}
	return 1
}

// keepOwner sets the owner and group of a file to those of another.
func keepOwner(f *os.File, like fs.FileInfo) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	want, ok := like.Sys().(*syscall.Stat_t)
	have, ok2 := info.Sys().(*syscall.Stat_t)
	if !ok || !ok2 || want.Uid == have.Uid && want.Gid == have.Gid {
		return nil
	}
	return f.Chown(int(want.Uid), int(want.Gid))
}

// noWait makes opening a pipe or device return immediately.
const noWait = syscall.O_NONBLOCK
