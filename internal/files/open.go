// Package files opens files that others may be changing at the same time.
//
// Between the stat of a file and its opening it may be replaced by a link, a pipe or a
// device. So nothing here is decided by name: a file is opened without waiting and
// without leaving its folder, and then the open file is checked.
//
// The package knows nothing about the contents of files.
package files

import (
	"errors"
	"io/fs"
	"os"
)

var (
	// ErrIrregular is the error for a folder, pipe, socket or device.
	ErrIrregular = errors.New("it is not a regular file")
	// ErrLink is the error for a link that leads out of the folder.
	ErrLink = errors.New("it is a link that leads out of the folder")
	// ErrReplaced is the error for a folder that was replaced since it was first opened.
	ErrReplaced = errors.New("its folder was replaced while it was being read")
)

// opened is a folder while it is open.
type opened struct {
	root *os.Root
	dir  *os.File // the same folder, for beneath
}

func (o *opened) close() {
	o.root.Close()
	o.dir.Close()
}

// open opens a file or folder below the folder for reading, by a path without links out of
// it. It does not wait for the other end of a pipe.
func (o *opened) open(name string) (f *os.File, mode fs.FileMode, size int64, err error) {
	f, mode, size, err = beneath(o.dir, name)
	if !errors.Is(err, errors.ErrUnsupported) {
		return f, mode, size, o.explain(name, err)
	}
	if f, err = o.root.OpenFile(name, os.O_RDONLY|noWait, 0); err != nil {
		return nil, 0, 0, o.explain(name, err)
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, 0, 0, err
	}
	return f, info.Mode(), info.Size(), nil
}

// regular opens a regular file below the folder.
func (o *opened) regular(name string) (*os.File, int64, error) {
	f, mode, size, err := o.open(name)
	if err == nil && !mode.IsRegular() {
		f.Close()
		err = &fs.PathError{Op: "open", Path: name, Err: ErrIrregular}
	}
	if err != nil {
		return nil, 0, err
	}
	return f, size, nil
}

// entries lists a folder below the folder.
func (o *opened) entries(name string) ([]fs.DirEntry, error) {
	f, _, _, err := o.open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.ReadDir(-1)
}

// explain returns ErrLink if the error is due to a link that leads out of the folder.
func (o *opened) explain(name string, err error) error {
	if err == nil || errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) || errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	if info, lerr := o.root.Lstat(name); lerr == nil && info.Mode()&fs.ModeSymlink != 0 {
		return &fs.PathError{Op: "open", Path: name, Err: ErrLink}
	}
	return err
}
