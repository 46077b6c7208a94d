package files

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// Ref is a file that was found: a folder that a user named, and the path from there. The
// path leads through no link out of the folder.
type Ref struct {
	Dir  *Dir
	Name string // with slashes
}

// Named returns the file that a user named. A link is resolved now, so replacing it later
// has no effect.
func Named(name string) Ref {
	if info, err := os.Lstat(name); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if target, err := filepath.EvalSymlinks(name); err == nil {
			name = target
		}
	}
	return Ref{NewDir(filepath.Dir(name)), filepath.Base(name)}
}

// Open opens the file, which must be a regular one, and returns its size.
func (r Ref) Open() (*os.File, int64, error) { return r.Dir.Open(r.Name) }

// Read returns the content of the file.
func (r Ref) Read() ([]byte, error) {
	f, size, err := r.Open()
	if err != nil {
		return nil, Cause(err)
	}
	defer f.Close()
	data := make([]byte, size)
	n, err := f.ReadAt(data, 0) // bytes appended meanwhile are left to another read
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, Cause(err)
	}
	return data[:n], nil
}

// Stat returns the information on the file.
func (r Ref) Stat() (fs.FileInfo, error) { return r.Dir.Stat(r.Name) }

// Beside returns the file with a suffix added to the name.
func (r Ref) Beside(suffix string) Ref { return Ref{r.Dir, r.Name + suffix} }

// In returns a file below r, which is a folder.
func (r Ref) In(name string) Ref { return Ref{r.Dir, path.Join(r.Name, name)} }

// Parent returns the folder of the file.
func (r Ref) Parent() Ref { return Ref{r.Dir, path.Dir(r.Name)} }
