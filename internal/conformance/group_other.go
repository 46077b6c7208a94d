//go:build !unix

package conformance

import (
	"os"
	"syscall"
)

// inGroup sets nothing: this system has no groups that can be killed.
func inGroup() *syscall.SysProcAttr { return nil }

// killGroup kills the command alone.
func killGroup(p *os.Process) { _ = p.Kill() }
