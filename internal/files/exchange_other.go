//go:build !darwin && !linux

package files

import (
	"errors"
	"os"
)

// exchange is supported on Linux and macOS only.
func exchange(dir *os.File, a, b string) error { return errors.ErrUnsupported }
