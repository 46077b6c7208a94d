package conformance

import (
	"os"
	"syscall"

	"golang.org/x/sys/windows"
)

// group is the job of a command: what the command starts is in it too.
type group struct{ job windows.Handle }

func (g *group) attributes() *syscall.SysProcAttr { return nil }

// started puts the command in a job. Where that fails, only the command itself can be
// killed.
func (g *group) started(p *os.Process) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return
	}
	process, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(p.Pid))
	if err == nil {
		err = windows.AssignProcessToJobObject(job, process)
		_ = windows.CloseHandle(process)
	}
	if err != nil {
		_ = windows.CloseHandle(job)
		return
	}
	g.job = job
}

// kill kills the command and everything in its job.
func (g *group) kill(p *os.Process) {
	if g.job != 0 {
		_ = windows.TerminateJobObject(g.job, 1)
		_ = windows.CloseHandle(g.job)
		g.job = 0
	}
	_ = p.Kill()
}
