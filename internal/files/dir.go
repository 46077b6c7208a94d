package files

import (
	"cmp"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
)

// Dir is a folder that a user named, and all below it. It is open while somebody
// holds it, and opened again, as long as it is the same folder, when a file in it
// is wanted later. It may be used by several goroutines at once.
type Dir struct {
	path string

	mu      sync.Mutex
	holders int
	now     *opened     // nil unless it is open
	was     fs.FileInfo // of the first opening
}

// NewDir makes a Dir of a folder, which need not exist. The path may lead through
// links.
func NewDir(path string) *Dir { return &Dir{path: cmp.Or(path, ".")} }

// Path is the path of the folder.
func (d *Dir) Path() string { return d.path }

// Hold keeps the folder open from its first use on until Release is called as
// often. Both do nothing to nil.
func (d *Dir) Hold() {
	if d == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.holders++
}

// Release lets go of the folder.
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

// Open opens a regular file below the folder, and tells its size.
func (d *Dir) Open(name string) (*os.File, int64, error) {
	o, err := d.use()
	if err != nil {
		return nil, 0, err
	}
	defer d.Release()
	return o.regular(name)
}

// Stat looks at what is below the folder. Links are followed unless they lead out
// of it.
func (d *Dir) Stat(name string) (fs.FileInfo, error) {
	o, err := d.use()
	if err != nil {
		return nil, err
	}
	defer d.Release()
	info, err := o.root.Stat(name)
	return info, o.explain(name, err)
}

// ReadDir lists a folder below the folder, or with the name "." itself, in the
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

// Walk walks all below the folder, in the order of the names, as fs.WalkDir does.
func (d *Dir) Walk(visit fs.WalkDirFunc) error {
	d.Hold()
	defer d.Release()
	return fs.WalkDir(dirFS{d}, ".", visit)
}

// dirFS shows a Dir to fs.WalkDir. The one of os.Root would wait for a pipe.
type dirFS struct{ *Dir }

func (d dirFS) Open(name string) (fs.File, error) {
	f, _, err := d.Dir.Open(name)
	return f, err
}

// use is the folder opened, until Release.
func (d *Dir) use() (*opened, error) {
	d.Hold()
	o, err := d.open()
	if err != nil {
		d.Release()
	}
	return o, err
}

// open is the folder opened, for a holder.
func (d *Dir) open() (*opened, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.now != nil {
		return d.now, nil
	}
	// The dot keeps a pipe that was put in the folder's place from being waited for.
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
