//go:build !js

package bundle

import (
	"io"
	"io/fs"

	"github.com/brennerlint/brennerlint/internal/files"
)

// folder is the files in the folder of a bundle. Whoever made the bundle may have
// put links into it that lead elsewhere, or pipes that nobody writes to: neither
// is opened.
type folder struct{ dir files.Ref }

// Stat is the file behind a name; the error is also that it is none to open.
func (f folder) Stat(name string) (fs.FileInfo, error) {
	info, err := f.dir.In(name).Stat()
	if err == nil && !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: files.ErrIrregular}
	}
	return info, err
}

// Open opens a file.
func (f folder) Open(name string) (io.ReadCloser, error) {
	file, _, err := f.dir.In(name).Open()
	if err != nil {
		return nil, err
	}
	return file, nil
}
