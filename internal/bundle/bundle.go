//go:build !js

// Package bundle opens what Agent Mail shares: a folder or a zip with a manifest, a
// database and optionally the database in chunks (mail_formats.md section 3), and the
// zip of `archive save`, which contains the same snapshot.
//
// It checks what the bundle says about itself (hashes, sizes, chunks) and opens the
// database. It continues after a fault if the database can still be read. It knows
// nothing about the mail inside.
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
	// Path is the file that represents the database in reports: the database itself, the
	// configuration of its chunks, or the zip.
	Path string
	// Database is nil if it could not be read; a fault says why.
	Database *database.Snapshot
	// What the manifest says about the scrubbing (decisions.md 13): whether
	// acknowledgement flags were cleared, secrets in subjects and bodies replaced,
	// bodies redacted.
	AckFlagsCleared, Scrubbed, BodiesRedacted bool

	Faults []source.Fault

	closers []func() error
}

// ErrNoMailbox is the error for a zip that is not one of Agent Mail's.
var ErrNoMailbox = errors.New("the zip has no mailbox: expected " + DatabaseName + " or snapshot/" + DatabaseName)

// OpenFolder opens the bundle in a folder, shown in reports as the path shown.
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
