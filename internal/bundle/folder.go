package bundle

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// folder is the files in the folder of a bundle. Whoever made the bundle may have
// put links into it that lead elsewhere, or pipes that nobody writes to: neither
// is opened.
type folder struct{ root *os.Root }

var (
	errLink      = errors.New("it is a link that leads out of the folder")
	errIrregular = errors.New("it is no regular file")
)

// Stat is the file behind a name; the error is also that it is none to open.
func (f folder) Stat(name string) (fs.FileInfo, error) {
	info, err := f.root.Stat(name)
	if err == nil && !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errIrregular}
	}
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return info, err
	}
	if link, linkErr := f.root.Lstat(name); linkErr == nil && link.Mode()&fs.ModeSymlink != 0 {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errLink}
	}
	return nil, err
}

// Open opens a file.
func (f folder) Open(name string) (io.ReadCloser, error) {
	if _, err := f.Stat(name); err != nil {
		return nil, err
	}
	return f.root.Open(name)
}
