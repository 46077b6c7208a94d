package files

import (
	"os"

	"golang.org/x/sys/unix"
)

// exchange lets two files of a folder change their names.
func exchange(dir *os.File, a, b string) error {
	return unix.Renameat2(int(dir.Fd()), a, int(dir.Fd()), b, unix.RENAME_EXCHANGE)
}
