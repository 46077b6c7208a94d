//go:build unix

package files

import "syscall"

// noWait makes the opening of a pipe or device return at once.
const noWait = syscall.O_NONBLOCK
