package files

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"regexp"
	"sync"
)

// temp is a file that replaces another once it is complete.
type temp struct {
	dir  *os.Root
	name string
	file *os.File
}

// tempName matches the names of our temporary files only. They do not contain the name of
// the final file, because the result could exceed the limit of a name.
var tempName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\.brennerlint-[0-9a-f]{16}\.tmp$`) })

// TempName returns a new name for a temporary file.
func TempName() string {
	var random [8]byte
	rand.Read(random[:])
	return ".brennerlint-" + hex.EncodeToString(random[:]) + ".tmp"
}

// IsTempName reports whether a name is one that TempName makes.
func IsTempName(name string) bool { return tempName().MatchString(name) }

// newTemp creates a temporary file, locked while it is open.
func newTemp(dir *os.Root, mode fs.FileMode) (*temp, error) {
	for {
		t := &temp{dir: dir, name: TempName()}
		var err error
		t.file, err = dir.OpenFile(t.name, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		switch {
		case errors.Is(err, fs.ErrExist):
			continue
		case err != nil:
			return nil, Cause(err)
		}
		if err := lock(t.file, true); err == nil && !t.isThere() {
			t.file.Close() // removed by a sweep before it was locked
			continue
		}
		return t, nil
	}
}

// isThere reports whether the file still has its name.
func (t *temp) isThere() bool {
	named, err := t.dir.Lstat(t.name)
	if err != nil {
		return false
	}
	open, err := t.file.Stat()
	return err == nil && os.SameFile(named, open)
}

// discard removes the file, unless its name now belongs to another file. If that fails,
// the next run removes it.
func (t *temp) discard() {
	if t.isThere() {
		_ = t.dir.Remove(t.name)
	}
	t.file.Close()
}

// sweep removes the temporary files that earlier runs have left behind: regular files with
// our names that are not locked.
func sweep(dir *os.Root) {
	f, err := dir.Open(".")
	if err != nil {
		return
	}
	defer f.Close()
	names, err := f.Readdirnames(-1)
	if err != nil {
		return
	}
	for _, name := range names {
		if tempName().MatchString(name) {
			sweepFile(dir, name)
		}
	}
}

func sweepFile(dir *os.Root, name string) {
	if info, err := dir.Lstat(name); err != nil || !info.Mode().IsRegular() {
		return
	}
	f, err := dir.OpenFile(name, os.O_RDWR|noWait, 0)
	if err != nil {
		return
	}
	t := &temp{dir, name, f}
	if lock(f, false) == nil && t.isThere() {
		t.discard()
		return
	}
	f.Close()
}

// Cause returns a file system error without the name of the file, which may be that of a
// temporary file. Callers add a better one.
func Cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		return link.Err
	}
	return err
}
