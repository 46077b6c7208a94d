// Package files opens files that others may be changing at the same time.
//
// Between the stat of a file and its opening it may be replaced by a link, a pipe or a
// device. So nothing here is decided by name: a file is opened without waiting and
// without leaving its folder, and then the open file is checked.
//
// The package knows nothing about the contents of files.
package files

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
)

var (
	// ErrIrregular is the error for a folder, pipe, socket or device.
	ErrIrregular = errors.New("it is not a regular file")
	// ErrLink is the error for a link that leads out of the folder.
	ErrLink = errors.New("it is a link that leads out of the folder")
	// ErrReplaced is the error for a folder that was replaced since it was first opened.
	ErrReplaced = errors.New("its folder was replaced while it was being read")
)

// Dir is a folder that a user named, with everything below it. It is open while it is
// held. Later it is opened again for a file in it, if it is still the same folder. It is
// safe for concurrent use.
type Dir struct {
	path string

	mu      sync.Mutex
	holders int
	root    *os.Root    // nil unless it is open
	file    *os.File    // the same folder, for beneath
	was     fs.FileInfo // the information when it was first opened
}

// NewDir makes a Dir of a folder, which need not exist. The path may lead through
// links.
func NewDir(path string) *Dir { return &Dir{path: cmp.Or(path, ".")} }

// Hold keeps the folder open from its first use until Release was called once for each Hold.
func (d *Dir) Hold() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.holders++
}

// Release undoes one Hold.
func (d *Dir) Release() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.holders--; d.holders == 0 && d.root != nil {
		d.root.Close()
		d.file.Close()
		d.root = nil
	}
}

// use opens the folder and holds it until Release.
func (d *Dir) use() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.root == nil {
		if err := d.open(); err != nil {
			return err
		}
	}
	d.holders++
	return nil
}

func (d *Dir) open() error {
	// The dot prevents waiting for a pipe that replaced the folder.
	root, err := os.OpenRoot(strings.TrimRight(d.path, "/") + "/.")
	if err != nil {
		return err
	}
	file, err := root.Open(".")
	if err != nil {
		root.Close()
		return err
	}
	info, err := file.Stat()
	if err == nil && d.was != nil && !os.SameFile(d.was, info) {
		err = &fs.PathError{Op: "open", Path: d.path, Err: ErrReplaced}
	}
	if err != nil {
		root.Close()
		file.Close()
		return err
	}
	d.root, d.file, d.was = root, file, info
	return nil
}

// openBelow opens a file or folder below the folder for reading, by a path without links out
// of it. It does not wait for the other end of a pipe.
func (d *Dir) openBelow(name string) (*os.File, error) {
	if err := d.use(); err != nil {
		return nil, err
	}
	defer d.Release()
	f, err := beneath(d.file, name)
	if errors.Is(err, errors.ErrUnsupported) {
		f, err = d.root.OpenFile(name, os.O_RDONLY|noWait, 0)
	}
	return f, d.explain(name, err)
}

// ReadDir lists a folder below the folder, or for the name "." the folder itself, in the
// order of the names.
func (d *Dir) ReadDir(name string) ([]fs.DirEntry, error) {
	f, err := d.openBelow(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	entries, err := f.ReadDir(-1)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
}

// explain returns ErrLink if the error is due to a link that leads out of the folder.
func (d *Dir) explain(name string, err error) error {
	if err == nil || errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) || errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	if info, lerr := d.root.Lstat(name); errors.Is(err, syscall.EXDEV) || lerr == nil && info.Mode()&fs.ModeSymlink != 0 {
		return &fs.PathError{Op: "open", Path: name, Err: ErrLink}
	}
	return err
}
