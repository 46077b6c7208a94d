package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// beneath opens a file below a folder as os.Root does, but in one system call instead of
// one per path element. If that call is missing or forbidden, as in some containers, the
// error is errors.ErrUnsupported.
func beneath(dir *os.File, name string) (*os.File, fs.FileMode, int64, error) {
	how := unix.OpenHow{
		Flags:   unix.O_RDONLY | unix.O_NONBLOCK | unix.O_CLOEXEC,
		Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_MAGICLINKS,
	}
	fd, err := unix.Openat2(int(dir.Fd()), name, &how)
	for errors.Is(err, unix.EINTR) {
		fd, err = unix.Openat2(int(dir.Fd()), name, &how)
	}
	switch err {
	case nil:
	case unix.ENOSYS, unix.EPERM, unix.EINVAL, unix.EAGAIN:
		return nil, 0, 0, errors.ErrUnsupported
	default:
		return nil, 0, 0, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		unix.Close(fd)
		return nil, 0, 0, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFREG:
		return os.NewFile(uintptr(fd), name), 0, st.Size, nil
	case unix.S_IFDIR:
		// If a file system does not report the types of a folder's entries, package os
		// stats them by the folder's name.
		return os.NewFile(uintptr(fd), filepath.Join(dir.Name(), name)), fs.ModeDir, 0, nil
	default:
		return os.NewFile(uintptr(fd), name), fs.ModeIrregular, 0, nil
	}
}
