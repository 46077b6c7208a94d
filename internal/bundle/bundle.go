// Package bundle opens what Agent Mail shares: a folder or a zip that holds a
// manifest, a database and perhaps the database in chunks (mail_formats.md
// section 3), and the zip of `archive save`, which holds the same snapshot.
//
// It checks what the bundle says of itself (hashes, sizes, chunks) and opens
// the database. A fault does not stop it where the database can be read all the
// same. It knows nothing of the mail inside.
package bundle

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/brennerlint/brennerlint/internal/database"
	"github.com/brennerlint/brennerlint/internal/input"
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
	// Path is the file that stands for the database in reports: the database
	// itself, the configuration of its chunks, or the zip.
	Path string
	// Database is nil if it could not be read; a problem says why.
	Database *database.Snapshot
	// What the manifest says of the scrubbing (decisions.md 13): whether
	// acknowledgement flags were cleared, secrets in subjects and bodies replaced,
	// bodies redacted.
	AckFlagsCleared, Scrubbed, BodiesRedacted bool

	Problems []input.Problem

	closers []func() error
}

// ErrNoMailbox tells that a zip is not one of Agent Mail's.
var ErrNoMailbox = errors.New("the zip holds no mailbox: neither " + DatabaseName + " nor snapshot/" + DatabaseName)

// OpenFolder opens the bundle in a folder, shown in reports as the path shown.
func OpenFolder(dir, shown string) *Bundle {
	o := &opener{show: func(name string) string {
		if shown == "." {
			return name
		}
		return strings.TrimSuffix(shown, "/") + "/" + name
	}}
	root, err := os.OpenRoot(dir)
	if err != nil {
		o.bundle.Path = o.show(DatabaseName)
		o.bundle.Problems = append(o.bundle.Problems, input.Unreadable(shown, err))
		return &o.bundle
	}
	defer root.Close()
	o.fsys = folder{root}
	o.openDatabase = func(name string) (*database.Snapshot, error) {
		return database.Open(filepath.Join(dir, filepath.FromSlash(name)))
	}
	o.open()
	return &o.bundle
}

// OpenZip opens the bundle in a zip of size bytes, shown in reports as the path
// shown. It reads from r until the bundle is closed. The error is that of the
// zip as a whole, or [ErrNoMailbox].
func OpenZip(r io.ReaderAt, size int64, shown string, limits Limits) (*Bundle, error) {
	limits.setDefaults()
	guard := newGuard(r, limits)
	zr, err := zip.NewReader(guard, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, fmt.Errorf("read the zip: %w", err)
	}
	if len(zr.File) > limits.Entries {
		return nil, limits.entriesError()
	}
	guard.lifted = true

	o := &opener{fsys: newBudget(zr, limits), show: func(string) string { return shown }}
	root, ok := mailboxRoot(zr)
	if !ok {
		return nil, ErrNoMailbox
	}
	if root != "." {
		if o.fsys, err = fs.Sub(o.fsys, root); err != nil {
			return nil, err
		}
	}
	if !o.checkNames(zr) {
		o.bundle.Path = shown
		return &o.bundle, nil
	}
	o.open()
	return &o.bundle, nil
}

// mailboxRoot finds the folder of a zip that holds the mailbox: the top, the
// snapshot of `archive save`, or the same in the one folder around all.
func mailboxRoot(zr *zip.Reader) (string, bool) {
	tops := []string{"."}
	if entries, err := zr.Open("."); err == nil {
		if list, err := entries.(fs.ReadDirFile).ReadDir(2); err == nil && len(list) == 1 && list[0].IsDir() {
			tops = append(tops, list[0].Name())
		}
		entries.Close()
	}
	for _, top := range tops {
		for _, root := range []string{top, path.Join(top, "snapshot")} {
			for _, name := range []string{DatabaseName, ConfigName} {
				if _, err := fs.Stat(zr, path.Join(root, name)); !errors.Is(err, fs.ErrNotExist) {
					return root, true
				}
			}
		}
	}
	return "", false
}

// Close frees the bundle and its database.
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

// checkNames reports entries whose names lead out of the zip: nothing is ever
// unpacked under its own name, but nobody makes such a zip by accident. A zip in
// which a name stands twice is another one to every reader: it is not read.
func (o *opener) checkNames(zr *zip.Reader) bool {
	var first string
	count := 0
	seen := make(map[string]bool, len(zr.File))
	for _, f := range zr.File {
		if seen[f.Name] {
			o.report(input.Problem{Path: o.show(""), Message: fmt.Sprintf("the zip has two entries named %q", f.Name), Hint: "ask who made the zip"})
			return false
		}
		seen[f.Name] = true
		if leadsOut(f.Name) {
			if count++; count == 1 {
				first = f.Name
			}
		}
	}
	if count > 0 {
		o.report(input.Problem{
			Path:    o.show(""),
			Message: fmt.Sprintf("the zip has an entry whose name leads out of it: %q (%d of %d entries)", first, count, len(zr.File)),
			Hint:    "such entries are never read; ask who made the zip",
		})
	}
	return true
}

// leadsOut reports an absolute name, or one with a step upwards.
func leadsOut(name string) bool {
	name = strings.ReplaceAll(name, `\`, "/")
	if path.IsAbs(name) || len(name) > 1 && name[1] == ':' {
		return true
	}
	for step := range strings.SplitSeq(name, "/") {
		if step == ".." {
			return true
		}
	}
	return false
}
