package conformance

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/brennerlint/brennerlint/internal/deadline"
)

const (
	// maxLine is how long an answer may be, in bytes: what is longer is a flood.
	maxLine = 16 << 20
	// maxTail is how much of standard error is kept for a report.
	maxTail = 4 << 10
	// exitGrace is how long a command that closed its output may take to exit.
	exitGrace = time.Second
)

// process is a running command that answers cases. Whatever it does, no more than one
// line of its output is held.
type process struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    io.ReadCloser
	lines  *bufio.Reader // of out
	tail   tail
	wait   sync.Once
	exited chan struct{} // closed when it was waited for
}

// start starts a command. Where the system has groups, what it starts can be killed with it.
func start(command []string) (*process, error) {
	p := &process{cmd: exec.Command(command[0], command[1:]...), exited: make(chan struct{})}
	p.cmd.SysProcAttr = inGroup()
	p.cmd.Stderr = &p.tail
	p.cmd.WaitDelay = exitGrace // what it started may hold its standard error open
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if p.out, err = p.cmd.StdoutPipe(); err != nil {
		return nil, err
	}
	p.lines = bufio.NewReaderSize(p.out, 64<<10)
	return p, p.cmd.Start()
}

// next returns the next line of output. If the context ends first, it returns its cause, and
// no other line can be read.
func (p *process) next(ctx context.Context) ([]byte, error) {
	return deadline.Run(ctx, func(context.Context) ([]byte, error) { return readLine(p.lines) })
}

var errFlood = errors.New("the line is too long")

// readLine reads a line without its end. Of one that is too long the error is
// errFlood; at the end of input it is io.EOF, with what came before.
func readLine(in *bufio.Reader) ([]byte, error) {
	var out []byte
	for {
		part, err := in.ReadSlice('\n')
		if len(out)+len(part) > maxLine {
			return nil, errFlood
		}
		out = append(out, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return bytes.TrimRight(out, "\r\n"), err
		}
	}
}

// ask writes a line and returns the next line of output. The error is a failure, or that of
// the context.
func (p *process) ask(ctx context.Context, line []byte, last bool, timeout time.Duration) ([]byte, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, errTimeout)
	defer cancel()
	go func() {
		// What cannot be written shows in the output: it ends, or nothing comes.
		_, _ = p.in.Write(line)
		if last {
			p.in.Close()
		}
	}()
	data, err := p.next(ctx)
	switch {
	case len(data) > 0 || err == nil:
		return data, nil
	case errors.Is(err, errFlood):
		return nil, &failure{Flood, fmt.Sprintf("a line of output exceeds %d MiB", maxLine>>20)}
	case errors.Is(err, errTimeout):
		return nil, &failure{Timeout, fmt.Sprintf("no answer within %s", timeout)}
	case ctx.Err() != nil:
		return nil, err
	}
	return nil, &failure{Crash, p.crash()}
}

var errTimeout = errors.New("no answer in time")

// failure is why there is no answer.
type failure struct {
	status  Status
	message string
}

func (f *failure) Error() string { return f.message }

// crash says how a command ended that closed its output.
func (p *process) crash() string {
	how := "it closed its output without an answer"
	if p.hasExited(2 * exitGrace) {
		how = "it ended without an answer: " + p.cmd.ProcessState.String()
	}
	if last := p.tail.last(); last != "" {
		how += ": " + last
	}
	return how
}

// hasExited waits for the command to exit, and reports whether it does in time. Its output
// cannot be read after that.
func (p *process) hasExited(grace time.Duration) bool {
	p.wait.Do(func() {
		go func() {
			_ = p.cmd.Wait() // ProcessState has the result
			close(p.exited)
		}()
	})
	select {
	case <-p.exited:
		return true
	case <-time.After(grace):
		return false
	}
}

// finish waits until a command whose input is closed has exited. It returns what is
// wrong with how it does; Pass if nothing is.
func (p *process) finish(grace time.Duration) (Status, string) {
	ctx, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	data, err := p.next(ctx)
	switch {
	case err == nil || len(data) > 0:
		return Garbage, "it wrote more than one line: " + brief(string(data))
	case ctx.Err() != nil || !p.hasExited(grace):
		return Timeout, fmt.Sprintf("it answered, and did not exit within %s", grace)
	case !p.cmd.ProcessState.Success():
		return Crash, "it answered, and failed: " + p.cmd.ProcessState.String()
	}
	return Pass, ""
}

// end ends the command: its input is closed, and after a while it is killed.
func (p *process) end(grace time.Duration) {
	p.in.Close()
	if grace > 0 {
		p.hasExited(grace)
	}
	killGroup(p.cmd.Process)
	p.out.Close() // what left the group may hold it open
	p.hasExited(2 * exitGrace)
}

// tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	data []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.data = append(t.data, p...)
	if n := len(t.data) - maxTail; n > 0 {
		t.data = append(t.data[:0], t.data[n:]...)
	}
	return len(p), nil
}

// last returns the last line that is not blank, cut if it is long.
func (t *tail) last() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := strings.Split(strings.TrimSpace(strings.ToValidUTF8(string(t.data), "\uFFFD")), "\n")
	return fmt.Sprintf("%.300s", strings.TrimSpace(lines[len(lines)-1]))
}
