//go:build unix

package conformance

import (
	"os"
	"syscall"
)

// group is the process group of a command.
type group struct{}

func (g *group) attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

func (g *group) started(*os.Process) {}

// kill kills the command and everything in its group. Its number is the group's: while
// anything of the group lives, nothing else can have it.
func (g *group) kill(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }
