package cli

import (
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// progress is a line on standard error that shows how far a check is, once it
// takes longer than a second. A nil progress shows nothing.
type progress struct {
	w           io.Writer
	done, total atomic.Int64
	end         chan struct{}
	ended       sync.WaitGroup
}

// startProgress shows the progress of a check, if standard error is a terminal.
func startProgress(w io.Writer) *progress {
	if !isTerminal(w) || os.Getenv("TERM") == "dumb" {
		return nil
	}
	p := &progress{w: w, end: make(chan struct{})}
	p.ended.Go(func() { p.run(time.Second, 100*time.Millisecond) })
	return p
}

// update takes over how far the check is.
func (p *progress) update(done, total int) {
	if p != nil {
		p.done.Store(int64(done))
		p.total.Store(int64(total))
	}
}

func (p *progress) run(delay, interval time.Duration) {
	timer := time.NewTimer(delay)
	defer timer.Stop()
	for shown := false; ; shown = true {
		select {
		case <-p.end:
			if shown {
				fmt.Fprint(p.w, "\r\x1b[K")
			}
			return
		case <-timer.C:
			fmt.Fprint(p.w, "\r\x1b[K"+p.line())
			timer.Reset(interval)
		}
	}
}

func (p *progress) line() string {
	if total := p.total.Load(); total > 0 {
		return fmt.Sprintf("checked %d of %d threads", p.done.Load(), total)
	}
	return fmt.Sprintf("reading: %d files done", p.done.Load())
}

// stop ends the line, so that the report begins on a clean one.
func (p *progress) stop() {
	if p != nil {
		close(p.end)
		p.ended.Wait()
	}
}
