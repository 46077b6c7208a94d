package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// beneath opens a file below a folder as os.Root does, but in one system call instead of
// one per path element. It returns errors.ErrUnsupported if that call is missing or
// forbidden, as in some containers.
func beneath(dir *os.File, name string) (*os.File, fs.FileMode, int64, error) {
	fd, mode, size, err := descriptor(dir, name)
	switch {
	case err != nil:
		return nil, 0, 0, err
	case mode.IsDir():
		// If a file system does not report the types of a folder's entries, package os
		// stats them by the folder's name.
		return os.NewFile(uintptr(fd), filepath.Join(dir.Name(), name)), mode, 0, nil
	}
	return os.NewFile(uintptr(fd), name), mode, size, nil
}

// headBeneath is head if beneath is supported. A file that fits into buf never becomes an
// os.File, which takes two more system calls.
func (o *opened) headBeneath(name string, buf []byte) (*os.File, int, int64, error) {
	fd, mode, size, err := descriptor(o.dir, name)
	if err != nil {
		return nil, 0, 0, o.explain(name, err)
	}
	if !mode.IsRegular() {
		unix.Close(fd)
		return nil, 0, 0, &fs.PathError{Op: "open", Path: name, Err: ErrIrregular}
	}
	n, whole, err := readHead(func(b []byte) (int, error) {
		n, err := unix.Read(fd, b)
		for errors.Is(err, unix.EINTR) {
			n, err = unix.Read(fd, b)
		}
		return max(n, 0), err
	}, buf, size)
	switch {
	case err != nil:
		unix.Close(fd)
		return nil, 0, 0, &fs.PathError{Op: "read", Path: name, Err: err}
	case whole:
		unix.Close(fd)
		return nil, n, int64(n), nil
	}
	return os.NewFile(uintptr(fd), name), n, size, nil
}

// descriptor opens a file for beneath. The size is that of a regular file.
func descriptor(dir *os.File, name string) (fd int, mode fs.FileMode, size int64, err error) {
	how := unix.OpenHow{
		Flags:   unix.O_RDONLY | unix.O_NONBLOCK | unix.O_CLOEXEC,
		Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_MAGICLINKS,
	}
	fd, err = unix.Openat2(int(dir.Fd()), name, &how)
	for errors.Is(err, unix.EINTR) {
		fd, err = unix.Openat2(int(dir.Fd()), name, &how)
	}
	switch err {
	case nil:
	case unix.ENOSYS, unix.EPERM, unix.EINVAL, unix.EAGAIN:
		return 0, 0, 0, errors.ErrUnsupported
	default:
		return 0, 0, 0, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		unix.Close(fd)
		return 0, 0, 0, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFREG:
		return fd, 0, st.Size, nil
	case unix.S_IFDIR:
		return fd, fs.ModeDir, 0, nil
	default:
		return fd, fs.ModeIrregular, 0, nil
	}
}
