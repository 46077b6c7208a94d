//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package files

import (
	"errors"
	"os"
)

// lock is not supported here: temporary files that are left behind stay.
func lock(*os.File, bool) error { return errors.ErrUnsupported }
