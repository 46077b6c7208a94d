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
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"strings"

	"github.com/brennerlint/brennerlint/internal/database"
	"github.com/brennerlint/brennerlint/internal/files"
	"github.com/brennerlint/brennerlint/internal/jsontree"
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
	// Differs is the fault that the database is not the one of the manifest, or nil. It is not one of
	// Faults: where the database is damaged, it is the same fault.
	Differs *source.Fault
	// ChunksDiffer is whether the database consists of chunks of which a fault says that they are
	// damaged: so then is the database.
	ChunksDiffer bool

	closers []func() error
}

// ErrNoMailbox is the error for a zip that is not one of Agent Mail's.
var ErrNoMailbox = errors.New("the zip has no mailbox: expected " + DatabaseName + " or snapshot/" + DatabaseName)

var errOverlap = errors.New("the zip is damaged: its entries overlap")

var errEncrypted = errors.New("the zip is encrypted; expected one without a password")

// OpenFolder opens the bundle in a folder. Reports name the folder as shown.
func OpenFolder(dir files.Ref, shown string, limits Limits) *Bundle {
	limits.setDefaults()
	o := &opener{
		limits: limits,
		// The folder is untrusted: links that lead out of it, and pipes, are not opened.
		files: newBudget(func(name string) (io.ReadCloser, int64, error) { return dir.In(name).Open() }, "the bundle has", limits),
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

// opener opens one bundle, folder or zip.
type opener struct {
	files  *budget
	limits Limits
	show   func(name string) string // the path in reports of a file of the bundle
	// openDatabase opens the database in place; nil in a zip.
	openDatabase func(name string) (*database.Snapshot, error)

	bundle Bundle
}

func (o *opener) inZip() bool { return o.openDatabase == nil }

// open reads the manifest, checks the database and opens it.
func (o *opener) open() {
	manifest := o.json(ManifestName)
	scrub := manifest.root.Get("scrub")
	preset := scrub.Get("preset").StringOr("")
	strict := preset == "strict"
	scrubbed := strict || preset == "standard"
	o.bundle.AckFlagsCleared = scrubbed || positive(scrub.Get("ack_flags_cleared"))
	o.bundle.Scrubbed = scrubbed || positive(scrub.Get("secrets_replaced"))
	o.bundle.BodiesRedacted = strict || positive(scrub.Get("bodies_redacted"))

	f, size, err := o.files.open(DatabaseName)
	if err == nil {
		f.Close()
	}
	whole := !errors.Is(err, fs.ErrNotExist) // opening it reports what is wrong with it
	config := o.json(ConfigName)
	o.bundle.Path = o.show(DatabaseName)
	if !whole && config.text != nil {
		o.bundle.Path = o.show(ConfigName)
	}
	var chunks *spool
	if config.root != nil {
		chunks = o.checkChunks(&config, !whole)
	}
	switch {
	case whole && err != nil:
		o.readFault(DatabaseName, err)
	case whole && !o.inZip():
		o.compare(&manifest, size, func() string {
			o.files.left = o.limits.Expanded // its chunks are not counted again
			sum, err := o.copy(DatabaseName, io.Discard)
			if errors.Is(err, o.files.err) { // other errors are reported when it is opened as a database
				o.readFault(DatabaseName, err)
			}
			return sum
		})
		o.setDatabase(o.openDatabase(DatabaseName))
	case whole:
		unpacked := newSpool()
		if _, err := o.copy(DatabaseName, unpacked); err != nil {
			o.readFault(DatabaseName, err)
			_ = unpacked.remove() // why it is dropped has been reported
			return
		}
		o.openSpool(&manifest, unpacked)
	case config.text == nil:
		o.report(o.show(ManifestName), errors.New("the bundle has no database: expected "+DatabaseName+", or its chunks and "+ConfigName), "")
	default:
		o.openSpool(&manifest, chunks)
	}
}

// positive reports whether a value is a count above 0, or true.
func positive(n *jsontree.Node) bool { return n.Is(jsontree.Number) && n.Text != "0" || n.True() }

// copy copies a file of the bundle, and returns its SHA-256 in the form of manifests.
func (o *opener) copy(name string, to io.Writer) (sum string, err error) {
	f, _, err := o.files.open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	hash := sha256.New()
	if _, err := io.Copy(io.MultiWriter(hash, to), f); err != nil {
		return "", err
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// openSpool compares an unpacked database with the manifest and opens it.
func (o *opener) openSpool(manifest *document, s *spool) {
	if s == nil {
		return // a fault says why
	}
	if o.bundle.ChunksDiffer = s.differs; !s.differs {
		o.compare(manifest, s.size, s.sum)
	}
	if db, err := s.database(&o.bundle); err == nil || !s.differs {
		o.setDatabase(db, err)
	}
}

// setDatabase makes db the database of the bundle. If err is not nil, it reports that there is none.
func (o *opener) setDatabase(db *database.Snapshot, err error) {
	if err == nil {
		o.bundle.Database = db
		return
	}
	var reason *fs.PathError
	if errors.As(err, &reason) {
		o.bundle.Faults = append(o.bundle.Faults, source.UnreadableFault(o.bundle.Path, err))
		return
	}
	o.report(o.bundle.Path, err, "")
}

const hintCopy = "the bundle was changed or damaged after the export: copy or export it again"

// compare reports a database that is not the one of the manifest, by its size or else by its hash, which is
// "" if it could not be read.
func (o *opener) compare(manifest *document, size int64, hash func() string) {
	says := manifest.root.Get("database")
	if says == nil {
		return
	}
	differs := func(want *jsontree.Node, kind jsontree.Kind, got, format string) bool {
		if got == "" || !want.Is(kind) || want.Text == got {
			return false
		}
		f := o.fault(manifest, want.Span(), fmt.Errorf(format, got, want.Text), hintCopy)
		o.bundle.Differs = &f
		return true
	}
	if !differs(says.Get("size_bytes"), jsontree.Number, strconv.FormatInt(size, 10), "the database has %s bytes, the manifest says %.40s") {
		differs(says.Get("sha256"), jsontree.String, hash(), "the database has the SHA-256 %.12s…, the manifest says %.12s…")
	}
}

// document is a small text file of the bundle. Its text is nil if it could not
// be read, its root if it is not JSON.
type document struct {
	name string
	text *source.Text
	root *jsontree.Node
}

// spanOf returns the span of a value, or without one the start of the document.
func (d *document) spanOf(n *jsontree.Node) source.Span {
	if n == nil {
		return source.Span{Start: d.root.Span().Start, End: d.root.Span().Start + 1}
	}
	return n.Span()
}

// maxDocument bounds a manifest, which lists every attachment.
const maxDocument = 64 << 20

// wanted are the members of manifests and of descriptions of chunks that the package uses.
// The parser leaves out all others: a manifest may list thousands of attachments.
var wanted = map[string]bool{
	"chunk_count": true, "pattern": true,
	"database": true, "size_bytes": true, "sha256": true,
	"scrub": true, "preset": true, "ack_flags_cleared": true, "secrets_replaced": true, "bodies_redacted": true,
}

// isWanted returns the name of a member that is wanted, else "".
func isWanted(name []byte) string {
	if wanted[string(name)] {
		return string(name)
	}
	return ""
}

// text reads a file of the bundle, if it exists.
func (o *opener) text(name string) document {
	d := document{name: name}
	f, _, err := o.files.open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return d
	}
	var data []byte
	if err == nil {
		data, err = io.ReadAll(io.LimitReader(f, maxDocument+1))
		f.Close()
	}
	if err == nil && len(data) > maxDocument {
		err = fmt.Errorf("it is larger than %d MiB", maxDocument>>20)
	}
	if err != nil {
		o.readFault(name, err)
		return d
	}
	d.text = source.NewFile(o.show(name), data).Text()
	return d
}

// json reads a JSON file of the bundle, if it exists.
func (o *opener) json(name string) document {
	d := o.text(name)
	if d.text == nil {
		return d
	}
	root, fault := jsontree.Parse(d.text.Data, jsontree.Options{Name: isWanted})
	if fault != nil {
		o.faultAt(&d, fault.Span, fmt.Errorf("the file is not valid JSON: %w", fault), fault.Hint)
		return d
	}
	d.root = root
	return d
}

// report adds a fault of the bundle.
func (o *opener) report(path string, err error, hint string) {
	o.bundle.Faults = append(o.bundle.Faults, source.Fault{Kind: source.Malformed, Path: path, Err: err, Hint: hint})
}

// faultAt reports a fault at a place in a file of the bundle.
func (o *opener) faultAt(d *document, span source.Span, err error, hint string) {
	o.bundle.Faults = append(o.bundle.Faults, o.fault(d, span, err, hint))
}

// fault returns a fault at a place in a file of the bundle. For a zip, which has no such file on
// disk, the error names it instead.
func (o *opener) fault(d *document, span source.Span, err error, hint string) source.Fault {
	f := source.Fault{Kind: source.Malformed, Path: o.show(d.name), Err: err, Hint: hint}
	if o.inZip() {
		f.Err = fmt.Errorf("%s: %w", d.name, err)
	} else {
		f.At = d.text.Place(span)
	}
	return f
}

// readFault reports a file of the bundle that could not be read.
func (o *opener) readFault(name string, err error) {
	if o.inZip() {
		o.report(o.show(name), fmt.Errorf("read %s: %w", name, err), Hint(err))
		return
	}
	o.bundle.Faults = append(o.bundle.Faults, source.UnreadableFault(o.show(name), err))
}
