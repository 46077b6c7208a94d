//go:build unix

package cli

import (
	"os"
	"syscall"
)

// umask is the process's file mode creation mask. Reading it means setting it,
// so it is only called while no other file is being made.
func umask() os.FileMode {
	m := syscall.Umask(0)
	syscall.Umask(m)
	return os.FileMode(m)
}
