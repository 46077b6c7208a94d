//go:build !unix

package conformance

import (
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// ownGroup asks for nothing: there are no process groups.
func ownGroup() *syscall.SysProcAttr { return nil }

// killGroup kills a command that has not exited and, with the tool that Windows has for it, what
// the command started.
func killGroup(p *os.Process, exited bool) {
	if !exited {
		_ = exec.Command("taskkill", "/F", "/T", "/PID", strconv.Itoa(p.Pid)).Run()
		_ = p.Kill()
	}
}
