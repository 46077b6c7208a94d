package files

import (
	"cmp"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
)

// Dir is a folder that a user named, with everything below it. It is open while it is
// held. Later it is opened again for a file in it, if it is still the same folder. It is
// safe for concurrent use.
type Dir struct {
	path string

	mu      sync.Mutex
	holders int
	now     *opened     // nil unless it is open
	was     fs.FileInfo // the information when it was first opened
}

// NewDir makes a Dir of a folder, which need not exist. The path may lead through
// links.
func NewDir(path string) *Dir { return &Dir{path: cmp.Or(path, ".")} }

// Path returns the path of the folder.
func (d *Dir) Path() string { return d.path }

// Hold keeps the folder open from its first use until Release is called as often as Hold.
// Both do nothing for a nil Dir.
func (d *Dir) Hold() {
	if d == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.holders++
}

// Release undoes one Hold.
func (d *Dir) Release() {
	if d == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.holders--; d.holders == 0 && d.now != nil {
		d.now.close()
		d.now = nil
	}
}

// Open opens a regular file below the folder, and returns its size.
func (d *Dir) Open(name string) (*os.File, int64, error) {
	o, err := d.use()
	if err != nil {
		return nil, 0, err
	}
	defer d.Release()
	return o.regular(name)
}

// Stat returns the information on a file below the folder. Links are followed unless they
// lead out of it.
func (d *Dir) Stat(name string) (fs.FileInfo, error) {
	o, err := d.use()
	if err != nil {
		return nil, err
	}
	defer d.Release()
	info, err := o.root.Stat(name)
	return info, o.explain(name, err)
}

// ReadDir lists a folder below the folder, or for the name "." the folder itself, in the
// order of the names.
func (d *Dir) ReadDir(name string) ([]fs.DirEntry, error) {
	o, err := d.use()
	if err != nil {
		return nil, err
	}
	defer d.Release()
	entries, err := o.entries(name)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
}

// use returns the folder, which stays open until Release.
func (d *Dir) use() (*opened, error) {
	d.Hold()
	o, err := d.open()
	if err != nil {
		d.Release()
	}
	return o, err
}

// open returns the opened folder for one more holder.
func (d *Dir) open() (*opened, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.now != nil {
		return d.now, nil
	}
	// The dot prevents waiting for a pipe that replaced the folder.
	root, err := os.OpenRoot(strings.TrimRight(d.path, "/") + "/.")
	if err != nil {
		return nil, err
	}
	o := &opened{root: root}
	if o.dir, err = root.Open("."); err != nil {
		root.Close()
		return nil, err
	}
	info, err := o.dir.Stat()
	if err == nil && d.was != nil && !os.SameFile(d.was, info) {
		err = &fs.PathError{Op: "open", Path: d.path, Err: ErrReplaced}
	}
	if err != nil {
		o.close()
		return nil, err
	}
	d.now, d.was = o, info
	return o, nil
}
