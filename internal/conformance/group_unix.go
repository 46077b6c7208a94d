//go:build unix

package conformance

import (
	"os"
	"syscall"
)

// inGroup puts a command into a process group of its own.
func inGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// killGroup kills a command and everything in its group. Its number is the group's: while
// anything of the group lives, nothing else can have it.
func killGroup(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }
