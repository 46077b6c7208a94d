package files

import (
	"bytes"
	"cmp"
	"crypto/rand"
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
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			return Cause(err)
		}
		return Cause(errors.Join(from(f), f.Close()))
	}
	dir, err := os.OpenRoot(filepath.Dir(name) + "/.")
	if err != nil {
		return Cause(err)
	}
	defer dir.Close()
	return replace(dir, filepath.Base(name), 0o666, func(to *os.File) error {
		if info != nil {
			if err := to.Chmod(info.Mode().Perm()); err != nil {
				return err
			}
		}
		return from(to)
	})
}

// replace replaces a file by a new one that fill writes, once that is complete.
func replace(dir *os.Root, name string, mode fs.FileMode, fill func(*os.File) error) error {
	temp := ".brennerlint-" + rand.Text() + ".tmp" // with the name of the file it could be too long
	file, err := dir.OpenFile(temp, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return Cause(err)
	}
	if err = fill(file); err == nil {
		err = dir.Rename(temp, name)
	}
	if err != nil {
		_ = dir.Remove(temp)
	}
	return Cause(cmp.Or(err, file.Close()))
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
	// The file is opened for writing, too, so that one without write permission is not replaced.
	if r.file, err = dir.OpenFile(r.name, os.O_RDWR|noWait, 0); err != nil {
		return Cause(err)
	}
	defer r.file.Close()
	if err := r.check(); err != nil {
		return Cause(err)
	}
	return replace(dir, r.name, 0o600, func(to *os.File) error {
		if err := r.fill(to, data); err != nil {
			return err
		}
		return r.check() // it took a while
	})
}

// replacement is a file that is about to be replaced.
type replacement struct {
	dir  *os.Root
	name string
	old  []byte // its content when it was read

	file *os.File
	info fs.FileInfo
}

// check returns why the file cannot be replaced, as it is now.
func (r *replacement) check() (err error) {
	if r.info, err = r.file.Stat(); err != nil {
		return err
	}
	named, err := r.dir.Lstat(r.name)
	switch {
	case !r.info.Mode().IsRegular():
		return ErrIrregular
	case err != nil || !os.SameFile(named, r.info):
		return ErrChanged
	case linkCount(r.file, r.info) > 1:
		return ErrHardLinks
	}
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

// fill makes another file like this one, with other data.
func (r *replacement) fill(to *os.File, data []byte) error {
	if _, err := to.Write(data); err != nil {
		return err
	}
	if err := keepOwner(to, r.info); err != nil {
		return fmt.Errorf("its owner or group cannot be kept: %w", Cause(err))
	}
	if err := keepAttributes(to, r.file); err != nil {
		return err
	}
	// Last, because writing and a new owner clear some modes.
	if err := to.Chmod(r.info.Mode() & (fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky)); err != nil {
		return err
	}
	return to.Sync()
}

// Cause returns a file system error without the name of the file, which may be that of a
// temporary file. Callers add a better one.
func Cause(err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return path.Err
	}
	if link, ok := errors.AsType[*os.LinkError](err); ok {
		return link.Err
	}
	return err
}
