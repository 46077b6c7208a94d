//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package files

import (
	"os"

	"golang.org/x/sys/unix"
)

// lock locks a file until it is closed. Without wait it fails if another process has
// locked it.
func lock(f *os.File, wait bool) error {
	how := unix.LOCK_EX
	if !wait {
		how |= unix.LOCK_NB
	}
	for {
		if err := unix.Flock(int(f.Fd()), how); err != unix.EINTR {
			return err
		}
	}
}
