//go:build unix

package testenv

import (
	"syscall"
	"time"
)

// CPUTime returns what the process has used of the processors: other programs change it
// less than the time on the wall.
func CPUTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
