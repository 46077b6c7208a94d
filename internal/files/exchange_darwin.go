package files

import (
	"os"

	"golang.org/x/sys/unix"
)

// exchange swaps the names of two files of a folder.
func exchange(dir *os.File, a, b string) error {
	return unix.RenameatxNp(int(dir.Fd()), a, int(dir.Fd()), b, unix.RENAME_SWAP)
}
