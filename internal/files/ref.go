package files

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// Ref is a file that was found: a folder that a user named, and the way from there,
// which leads through no link out of the folder.
type Ref struct {
	Dir  *Dir
	Name string // with slashes
}

// Named is the file that a user named. A link is what it leads to now: whatever
// takes its place later is not followed.
func Named(name string) Ref {
	if info, err := os.Lstat(name); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if target, err := filepath.EvalSymlinks(name); err == nil {
			name = target
		}
	}
	return Ref{NewDir(filepath.Dir(name)), filepath.Base(name)}
}

// Open opens the file, which must be a regular one, and tells its size.
func (r Ref) Open() (*os.File, int64, error) { return r.Dir.Open(r.Name) }

// Read is the content of the file.
func (r Ref) Read() ([]byte, error) {
	f, size, err := r.Open()
	if err != nil {
		return nil, Cause(err)
	}
	defer f.Close()
	data := make([]byte, size)
	n, err := f.ReadAt(data, 0) // what is added meanwhile belongs to another reading
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, Cause(err)
	}
	return data[:n], nil
}

// Stat looks at the file.
func (r Ref) Stat() (fs.FileInfo, error) { return r.Dir.Stat(r.Name) }

// Beside is the file whose name goes on with a suffix.
func (r Ref) Beside(suffix string) Ref { return Ref{r.Dir, r.Name + suffix} }

// In is a file below the folder that r is.
func (r Ref) In(name string) Ref { return Ref{r.Dir, path.Join(r.Name, name)} }

// Parent is the folder that the file lies in.
func (r Ref) Parent() Ref { return Ref{r.Dir, path.Dir(r.Name)} }
