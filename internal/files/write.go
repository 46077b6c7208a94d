package files

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

var (
	// ErrChanged is the error for a file that has changed since it was read.
	ErrChanged = errors.New("it has changed since it was read")
	// ErrHardLinks is the error for a file with several names, of which only one would be
	// replaced.
	ErrHardLinks = errors.New("it has other names (hard links), which would keep the old content")
)

// Write writes a file that a user named, atomically: a reader never sees a partial file, and on a
// full disk the old file stays. A link is kept, and its target is written. An
// existing file keeps its permissions. Something that is not a regular file on a disk,
// such as a pipe, is written to directly.
func Write(name string, data []byte) error {
	return WriteFrom(name, func(to io.Writer) error {
		_, err := to.Write(data)
		return err
	})
}

// WriteFrom is like Write for content that a function writes in pieces.
func WriteFrom(name string, from func(io.Writer) error) error {
	name, err := Target(name)
	if err != nil {
		return Cause(err)
	}
	info, err := os.Stat(name)
	switch {
	case err == nil && info.IsDir():
		return errors.New("it is a folder")
	case err == nil && (!info.Mode().IsRegular() || isSpecial(name)):
		return appendTo(name, from)
	}
	dir, err := os.OpenRoot(filepath.Dir(name) + "/.")
	if err != nil {
		return Cause(err)
	}
	defer dir.Close()
	t, err := newTemp(dir, 0o666)
	if err != nil {
		return err
	}
	if info != nil {
		err = t.file.Chmod(info.Mode().Perm())
	}
	if err == nil {
		err = from(t.file)
	}
	if err == nil {
		err = dir.Rename(t.name, filepath.Base(name))
	}
	if err != nil {
		t.discard()
		return Cause(err)
	}
	return t.file.Close()
}

// appendTo writes to an existing file in place, without replacing it.
func appendTo(name string, from func(io.Writer) error) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return Cause(err)
	}
	return Cause(errors.Join(from(f), f.Close()))
}

// Replace replaces the bytes of a file that was read. It keeps the owner, the permissions
// and the extended attributes. It fails if it cannot keep them, if the file has other
// names, or if the file has changed since it was read.
func Replace(ref Ref, old, data []byte) error {
	if err := ref.Dir.use(); err != nil {
		return Cause(err)
	}
	defer ref.Dir.Release()
	dir, err := ref.Dir.root.OpenRoot(path.Dir(ref.Name) + "/.")
	if err != nil {
		return Cause(ref.Dir.explain(path.Dir(ref.Name), err))
	}
	defer dir.Close()
	r := &replacement{dir: dir, name: path.Base(ref.Name), old: old}
	if err := r.open(); err != nil {
		return Cause(err)
	}
	defer r.file.Close()
	t, err := r.prepare(data)
	if err != nil {
		return Cause(err)
	}
	if err := r.swap(t); err != nil {
		t.discard()
		return Cause(err)
	}
	return nil
}

// replacement is a file that is about to be replaced.
type replacement struct {
	dir  *os.Root
	name string
	old  []byte // its content when it was read

	file *os.File
	info fs.FileInfo
}

// open opens the file for reading and writing, so that a file without write permission is
// not replaced.
func (r *replacement) open() (err error) {
	if r.file, err = r.dir.OpenFile(r.name, os.O_RDWR|noWait, 0); err != nil {
		return err
	}
	if r.info, err = r.file.Stat(); err == nil {
		err = r.check()
	}
	if err != nil {
		r.file.Close()
	}
	return err
}

func (r *replacement) check() error {
	switch {
	case !r.info.Mode().IsRegular():
		return ErrIrregular
	case !r.is(r.name):
		return ErrChanged
	case linkCount(r.file, r.info) > 1:
		return ErrHardLinks
	}
	return r.unchanged()
}

// is reports whether a name in the folder refers to the file.
func (r *replacement) is(name string) bool {
	info, err := r.dir.Lstat(name)
	return err == nil && os.SameFile(info, r.info)
}

// unchanged compares the file with what was read.
func (r *replacement) unchanged() error {
	now := make([]byte, len(r.old)+1)
	n, err := r.file.ReadAt(now, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if !bytes.Equal(now[:n], r.old) {
		return ErrChanged
	}
	return nil
}

// prepare creates the file that replaces the other.
func (r *replacement) prepare(data []byte) (*temp, error) {
	t, err := newTemp(r.dir, 0o600)
	if err != nil {
		return nil, err
	}
	if _, err = t.file.Write(data); err == nil {
		if err = keepOwner(t.file, r.info); err != nil {
			err = fmt.Errorf("its owner or group cannot be kept: %w", Cause(err))
		}
	}
	if err == nil {
		err = keepAttributes(t.file, r.file)
	}
	if err == nil { // last, because writing and a new owner clear some modes
		err = t.file.Chmod(r.info.Mode() & (fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky))
	}
	if err == nil {
		err = t.file.Sync()
	}
	if err != nil {
		t.discard()
		return nil, err
	}
	return t, nil
}

// swap replaces the file by a temporary file, if it has not changed since it was read. If
// the system can exchange two names, swap compares the file once more after the exchange,
// when nobody can open it by its name: so no edit is lost.
func (r *replacement) swap(t *temp) error {
	if r.unchanged() != nil || !r.is(r.name) {
		return ErrChanged
	}
	dir, err := r.dir.Open(".")
	if err != nil {
		return err
	}
	defer dir.Close()
	err = exchange(dir, t.name, r.name)
	switch {
	case err == nil:
		return r.finish(dir, t)
	case errors.Is(err, fs.ErrNotExist):
		return ErrChanged
	}
	if err := r.dir.Rename(t.name, r.name); err != nil { // names cannot be exchanged here
		return err
	}
	return t.file.Close()
}

// finish removes the old file, which now has the temporary name, if it has not changed
// since it was read, and otherwise puts it back.
func (r *replacement) finish(dir *os.File, t *temp) error {
	if r.is(t.name) && r.unchanged() == nil {
		return errors.Join(r.dir.Remove(t.name), t.file.Close())
	}
	if err := exchange(dir, t.name, r.name); err != nil || !t.isThere() {
		return fmt.Errorf("%w; the previous file is now named %s", ErrChanged, t.name)
	}
	return ErrChanged
}
