//go:build !darwin && !linux

package files

import (
	"errors"
	"os"
)

// exchange is only known to Linux and macOS.
func exchange(dir *os.File, a, b string) error { return errors.ErrUnsupported }
