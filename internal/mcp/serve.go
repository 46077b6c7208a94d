// Package mcp serves brennerlint to agents by the Model Context Protocol, so
// that an agent can ask before it sends.
package mcp

import (
	"context"
	"errors"
	"io"

	"github.com/brennerlint/brennerlint/lint"
)

// Options are what a server depends on.
type Options struct {
	Rules   lint.Catalogue
	Version string // of the program
}

// Serve serves until the client closes the connection or the context ends. Its tools
// read what is in the working folder.
func Serve(ctx context.Context, in io.Reader, out io.Writer, opts Options) error {
	s, err := newServer(opts, defaultBounds)
	if err != nil {
		return err
	}
	err = s.Run(ctx, &lines{in, out})
	if errors.Is(err, io.EOF) || errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}
