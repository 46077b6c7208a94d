package watch

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os/exec"
	"time"
)

// Program is run for each event. No shell is involved, and no part of an event is in the
// arguments.
type Program struct {
	path string
	name string
	args []string
	out  io.Writer
}

// FindProgram looks up a program as a shell does. Its output goes to out.
func FindProgram(name string, args []string, out io.Writer) (*Program, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return nil, err
	}
	return &Program{path: path, name: name, args: args, out: out}, nil
}

// lastWords is how long an interrupted program may keep its streams open.
const lastWords = 200 * time.Millisecond

// Run runs the program with an event on its standard input, and waits for it to exit.
func (p *Program) Run(ctx context.Context, event []byte) error {
	cmd := exec.CommandContext(ctx, p.path, p.args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = bytes.NewReader(event), p.out, p.out, lastWords
	if err := cmd.Run(); err != nil && ctx.Err() == nil {
		return fmt.Errorf("%s: %w", p.name, err)
	}
	return nil
}
