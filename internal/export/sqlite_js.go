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

func (s *Store) addDatabase(in *input.Input) error {
	s.report(in, source.UnreadableFault(in.Path(), errNoDatabase))
	return nil
}

func (s *Store) addFolder(in *input.Input) error { return s.addDatabase(in) }

func (s *Store) addZip(in *input.Input) error { return s.addDatabase(in) }

// liveDatabase is a database that may grow: there is none.
type liveDatabase struct{}

// Grow does nothing: there is no database.
func (s *Store) Grow() bool { return false }

// AddThreads indexes an export whole: only of a database it could read some threads.
func (s *Store) AddThreads(ctx context.Context, in *input.Input, _ ...string) error {
	return s.Add(ctx, in)
}
