//go:build unix

package files

import "syscall"

// noWait makes opening a pipe or device return immediately.
const noWait = syscall.O_NONBLOCK
