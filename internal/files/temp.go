package files

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
)

// temp is a file that replaces another once it is complete.
type temp struct {
	dir  *os.Root
	name string
	file *os.File
}

// newTemp creates a temporary file. Its name does not contain that of the final file, because the
// result could exceed the limit of a name.
func newTemp(dir *os.Root, mode fs.FileMode) (*temp, error) {
	var random [8]byte
	rand.Read(random[:])
	name := ".brennerlint-" + hex.EncodeToString(random[:]) + ".tmp"
	file, err := dir.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return nil, Cause(err)
	}
	return &temp{dir, name, file}, nil
}

// discard removes the file.
func (t *temp) discard() {
	_ = t.dir.Remove(t.name)
	t.file.Close()
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
