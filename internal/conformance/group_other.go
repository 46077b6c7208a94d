//go:build !unix && !windows

package conformance

import (
	"os"
	"syscall"
)

// group is the command alone: this system has no groups that can be killed.
type group struct{}

func (g *group) attributes() *syscall.SysProcAttr { return nil }

func (g *group) started(*os.Process) {}

func (g *group) kill(p *os.Process) { _ = p.Kill() }
