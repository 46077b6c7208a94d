package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// beneath opens a file below a folder as os.Root does, but in one system call instead of
// one per path element: without it the files of an archive take twice the time. It returns
// errors.ErrUnsupported if that call is missing or forbidden, as in some containers.
func beneath(dir *os.File, name string) (*os.File, fs.FileMode, int64, error) {
	how := unix.OpenHow{
		Flags:   unix.O_RDONLY | unix.O_NONBLOCK | unix.O_CLOEXEC,
		Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_MAGICLINKS,
	}
	fd, err := unix.Openat2(int(dir.Fd()), name, &how)
	for errors.Is(err, unix.EINTR) {
		fd, err = unix.Openat2(int(dir.Fd()), name, &how)
	}
	var st unix.Stat_t
	switch err {
	case nil:
		if err = unix.Fstat(fd, &st); err != nil {
			unix.Close(fd)
		}
	case unix.ENOSYS, unix.EPERM, unix.EINVAL, unix.EAGAIN:
		return nil, 0, 0, errors.ErrUnsupported
	}
	if err != nil {
		return nil, 0, 0, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFREG:
		return os.NewFile(uintptr(fd), name), 0, st.Size, nil
	case unix.S_IFDIR:
		// If a file system does not report the types of a folder's entries, package os
		// stats them by the folder's name.
		return os.NewFile(uintptr(fd), filepath.Join(dir.Name(), name)), fs.ModeDir, 0, nil
	}
	return os.NewFile(uintptr(fd), name), fs.ModeIrregular, 0, nil
}
