// Command brennerlint-mcp serves brennerlint to agents by the Model Context
// Protocol, on standard input and output, so that an agent can ask before it
// sends.
//
// It is a module of its own: the protocol's library would make the linter's
// binary half as large again for those who never serve. `brennerlint mcp` starts
// it.
package main

import (
	"context"
	"errors"
	"io"
	"log"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("brennerlint-mcp: ")
	if len(os.Args) > 1 {
		log.Fatalf("unknown argument %q; the server takes none and speaks on standard input and output", os.Args[1])
	}
	if err := serve(); err != nil {
		log.Fatal(err)
	}
}

// serve serves until the agent closes the connection or the process is told to
// end.
func serve() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	s, err := newServer(defaultBounds)
	if err != nil {
		return err
	}
	err = s.Run(ctx, &lines{os.Stdin, os.Stdout})
	if errors.Is(err, io.EOF) || errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}
