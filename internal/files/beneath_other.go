//go:build !linux

package files

import (
	"errors"
	"os"
)

// beneath is supported on Linux only: elsewhere os.Root opens one element at a time.
func beneath(*os.File, string) (*os.File, error) { return nil, errors.ErrUnsupported }

func (*Dir) first(string, int64) ([]byte, int64, error) {
	return nil, 0, errors.ErrUnsupported
}
