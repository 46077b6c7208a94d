package export

import (
	"errors"

	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/source"
)

// The browser build has no SQLite, which would more than double the download; the page checks
// only texts.

var errNoDatabase = errors.New("databases and shares are read by the program only, not in a browser")

func readDatabase(in *input.Input, r *reading) error {
	r.report(source.UnreadableFault(in.Path(), errNoDatabase))
	return nil
}

func readFolder(in *input.Input, r *reading) error { return readDatabase(in, r) }

func readZip(in *input.Input, r *reading) error { return readDatabase(in, r) }

type mailbox struct{}

// Grow returns false: no other program writes a database that a browser has read.
func (s *Store) Grow() bool { return false }
