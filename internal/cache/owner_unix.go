//go:build unix

package cache

import (
	"errors"
	"os"
	"syscall"

	"github.com/brennerlint/brennerlint/internal/files"
)

// checkOwner returns an error for a folder that another user owns or can write to: they
// could forge results.
func checkOwner(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return files.Cause(err)
	}
	if !info.IsDir() {
		return errors.New("it is not a folder")
	}
	if st, ok := info.Sys().(*syscall.Stat_t); ok && int(st.Uid) != os.Geteuid() {
		return errors.New("it belongs to another user")
	}
	if info.Mode().Perm()&0o022 != 0 {
		return errors.New("others can write to it (chmod go-w)")
	}
	return nil
}
