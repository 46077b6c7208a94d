package export

import (
	"errors"

	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/source"
)

// The browser build has no SQLite, which would more than double the download; the page checks
// only texts.

var errNoDatabase = errors.New("databases and shares are read by the program only, not in a browser")

func readDatabase(r *reading) error {
	r.report(source.UnreadableFault(r.in.Path(), errNoDatabase))
	return nil
}

func readFolder(r *reading) error { return readDatabase(r) }

func readZip(r *reading) error { return readDatabase(r) }

type mailbox struct{ looksUp bool }

func (*mailbox) holds(string, string) bool { return false }

func (*mailbox) rosters(Scope, string) [][]mail.Agent { return nil }

// Grow returns false: no other program writes a database that a browser has read.
func (s *Store) Grow() bool { return false }
