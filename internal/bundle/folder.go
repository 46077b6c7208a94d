//go:build !js

package bundle

import (
	"io"
	"io/fs"

	"github.com/brennerlint/brennerlint/internal/files"
)

// folder gives access to the files in the folder of a bundle. The folder is untrusted:
// links that lead out of it, and pipes, are not opened.
type folder struct{ dir files.Ref }

// Stat returns the information on a file; it is an error if the file must not be opened.
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
