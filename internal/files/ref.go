package files

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"math"
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
func (r Ref) Open() (*os.File, int64, error) {
	f, err := r.Dir.openBelow(r.Name)
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: r.Name, Err: ErrIrregular}
	}
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, info.Size(), nil
}

// Read returns the content of the file.
func (r Ref) Read() ([]byte, error) {
	data, _, err := r.First(math.MaxInt64)
	return data, Cause(err)
}

// First returns the first n bytes of the file, or all if there are fewer, and its size.
func (r Ref) First(n int64) (data []byte, size int64, err error) {
	if data, size, err = r.Dir.first(r.Name, n); !errors.Is(err, errors.ErrUnsupported) {
		return data, size, err
	}
	f, size, err := r.Open()
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	var buf bytes.Buffer
	buf.Grow(int(min(n, size)) + bytes.MinRead)
	_, err = buf.ReadFrom(io.LimitReader(f, n))
	return buf.Bytes(), size, err
}

// Stat returns the information on the file. Links are followed unless they lead out of the
// folder.
func (r Ref) Stat() (fs.FileInfo, error) {
	if err := r.Dir.use(); err != nil {
		return nil, err
	}
	defer r.Dir.Release()
	info, err := r.Dir.root.Stat(r.Name)
	return info, r.Dir.explain(r.Name, err)
}

// Beside returns the file with a suffix added to the name.
func (r Ref) Beside(suffix string) Ref { return Ref{r.Dir, r.Name + suffix} }

// In returns a file below r, which is a folder.
func (r Ref) In(name string) Ref { return Ref{r.Dir, path.Join(r.Name, name)} }

// Parent returns the folder of the file.
func (r Ref) Parent() Ref { return Ref{r.Dir, path.Dir(r.Name)} }
