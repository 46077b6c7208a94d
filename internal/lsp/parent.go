package lsp

import (
	"cmp"
	"errors"
	"os"
	"syscall"
	"time"
)

// watchParent ends the session when the process of the client ends. A process that is not
// visible is not watched: it may be outside this container.
func (s *server) watchParent(pid int) {
	if !isRunning(pid) {
		return
	}
	go func() {
		ticker := time.NewTicker(cmp.Or(s.opts.parentEvery, 3*time.Second))
		defer ticker.Stop()
		for {
			select {
			case <-s.ctx.Done():
				return
			case <-ticker.C:
				if !isRunning(pid) {
					s.end()
					return
				}
			}
		}
	}()
}

// isRunning reports whether a process exists, also if it may not be signalled.
func isRunning(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	defer func() { _ = p.Release() }()
	err = p.Signal(syscall.Signal(0))
	return !errors.Is(err, os.ErrProcessDone) && !errors.Is(err, syscall.ESRCH)
}
