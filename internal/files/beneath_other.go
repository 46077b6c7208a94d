//go:build !linux

package files

import (
	"errors"
	"io/fs"
	"os"
)

// beneath is supported on Linux only: elsewhere os.Root opens one element at a time.
func beneath(*os.File, string) (*os.File, fs.FileMode, int64, error) {
	return nil, 0, 0, errors.ErrUnsupported
}
