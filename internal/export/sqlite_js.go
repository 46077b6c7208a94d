package export

import (
	"context"
	"errors"

	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/source"
)

// The browser build has no SQLite, which would more than double the download: the page
// checks texts.

var errNoDatabase = errors.New("databases and shares are read by the program only, not in a browser")

func readDatabase(in *input.Input, r *reading) error {
	r.report(source.UnreadableFault(in.Path(), errNoDatabase))
	return nil
}

func readFolder(in *input.Input, r *reading) error { return readDatabase(in, r) }

func readZip(in *input.Input, r *reading) error { return readDatabase(in, r) }

// AddThreads indexes an export whole: only of a database it could read some threads.
func (s *Store) AddThreads(ctx context.Context, in *input.Input, _ ...string) error {
	return s.Add(ctx, in)
}

type liveDatabase struct{}

// Grow returns false: no other program writes a database that a browser has read.
func (s *Store) Grow() bool { return false }
