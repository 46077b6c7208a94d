//go:build !js

// Package bundle opens a share of Agent Mail (mail_formats.md section 3): a folder or a zip
// that holds a manifest and a database. The database is one file, or is cut into numbered
// files, its chunks. The zip of `archive save` holds the same files in a folder snapshot.
//
// The manifest gives the size and the hash of the database, and of each chunk. The package
// compares them and opens the database. If they differ, that is a fault, and the database is
// opened anyway. The package does not look at the mail in it.
package bundle

import (
	"errors"
	"strings"

	"github.com/brennerlint/brennerlint/internal/database"
	"github.com/brennerlint/brennerlint/internal/files"
	"github.com/brennerlint/brennerlint/source"
)

// The names in a bundle.
const (
	DatabaseName = "mailbox.sqlite3"
	ConfigName   = "mailbox.sqlite3.config.json"
	ManifestName = "manifest.json"
	checksumName = "chunks.sha256"
)

// Bundle is an opened bundle.
type Bundle struct {
	// Path is the file that reports name for the database: the database itself, the file that
	// describes its chunks, or the zip.
	Path string
	// Database is nil if it could not be read; a fault says why.
	Database *database.Snapshot
	// What the export removed, as the manifest says (decisions.md 13): it cleared the
	// acknowledgement flags, replaced secrets in subjects and bodies, replaced whole bodies.
	AckFlagsCleared, Scrubbed, BodiesRedacted bool

	Faults []source.Fault

	closers []func() error
}

// ErrNoMailbox is the error for a zip that is not one of Agent Mail's.
var ErrNoMailbox = errors.New("the zip has no mailbox: expected " + DatabaseName + " or snapshot/" + DatabaseName)

// OpenFolder opens the bundle in a folder. Reports name the folder as shown.
func OpenFolder(dir files.Ref, shown string, limits Limits) *Bundle {
	limits.setDefaults()
	o := &opener{
		limits: limits,
		tree:   newBudget(folder{dir}, "the bundle has", limits),
		show: func(name string) string {
			if shown == "." {
				return name
			}
			return strings.TrimSuffix(shown, "/") + "/" + name
		},
		openDatabase: func(name string) (*database.Snapshot, error) { return database.Open(dir.In(name)) },
	}
	dir.Dir.Hold()
	defer dir.Dir.Release()
	if _, err := dir.Stat(); err != nil {
		o.bundle.Path = o.show(DatabaseName)
		o.bundle.Faults = append(o.bundle.Faults, source.UnreadableFault(shown, err))
		return &o.bundle
	}
	o.open()
	return &o.bundle
}

// Close releases the bundle and its database.
func (b *Bundle) Close() error {
	var errs []error
	if b.Database != nil {
		errs = append(errs, b.Database.Close())
	}
	for _, c := range b.closers {
		errs = append(errs, c())
	}
	return errors.Join(errs...)
}
