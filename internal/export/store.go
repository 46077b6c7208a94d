// Package export reads the exports of MCP Agent Mail into messages and threads:
// thread, inbox and message JSON in all wrappers, the git archive, SQLite
// databases, share bundles and drafts (spec: mail_formats.md).
//
// A [Store] indexes the messages of all exports as small entries, joins the copies of each
// message, and loads thread by thread. [ReadDraft] reads a message that has not been sent.
//
// The package knows how mail is stored. Bodies are bytes here. Of the protocol it uses only
// thread ids, times and the types of subjects, which determine the scope and the order of mail.
// A message that can be read in part is kept, and the [Facts] say what is wrong with the rest.
package export

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/internal/bundle"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/source"
)

// Scope says which threads of a whole mailbox are checked (decisions.md 15: scope).
type Scope string

// The choices of --scope.
const (
	AutoScope     Scope = "auto" // or "". Of mailboxes threads of the protocol; threads and messages alone: all
	ProtocolScope Scope = "protocol"
	AllScope      Scope = "all"
)

// Options configure a Store.
type Options struct {
	Scope Scope
	// Grows prepares Store.Grow.
	Grows bool
	// Bundle bounds the work for a share; a limit of 0 means the default.
	Bundle bundle.Limits
}

// Store is the index of the messages of all exports. It loads thread by thread, so its memory
// does not grow with the length of the mails, apart from small files, which it keeps.
//
// First all exports are added, then threads are listed and loaded; both may be done
// concurrently. Results do not depend on the order in which exports were added, only on
// their Input.Order.
type Store struct {
	opts Options
	room atomic.Int64 // how many bytes of files may still be kept

	inArchive sync.Mutex // guards the archives and their entries
	archives  map[archiveKey]*archive

	mu       sync.Mutex
	readings []*reading
	database *mailbox // the last one, or nil

	seal    sync.Once // guards what follows, which is made when all exports are added
	entries []*entry  // by thread, message and copy
	threads []ThreadInfo
	notices []string
	earlier map[*entry]*entry // by a message, the one that was given its id before
	counts  Counts
	listIDs sync.Once
	ids     map[messageKey]bool
}

// maxHeld is how many bytes of files of mail, and of messages of a database, are kept in memory
// from indexing until they are loaded: small ones are read once.
const maxHeld = 48 << 20

// NewStore makes an empty Store.
func NewStore(opts Options) *Store {
	s := &Store{opts: opts, archives: map[archiveKey]*archive{}}
	s.room.Store(maxHeld)
	return s
}

// Add indexes an export. Faults of the export are recorded; the error is ErrNoMail or that
// of ctx.
//
// Threads are the ids of the only threads that the caller needs, nil for all. For a database with
// some threads only their messages are indexed, and other queries to the Store are looked up:
// neither reads nor memory grow with the mailbox. It must be the only export of the Store: other
// exports could name the project of messages that are not indexed. Exports that do not allow that
// are indexed whole.
func (s *Store) Add(ctx context.Context, in *input.Input, threads []string) error {
	read := readers[in.Kind]
	if read == nil {
		return fmt.Errorf("%w: %s", ErrNoMail, in.Kind)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	r := &reading{store: s, in: in, threads: threads}
	defer s.record(r)
	return read(r)
}

// record takes over what a reader found.
func (s *Store) record(r *reading) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(r.exports)+len(r.faults)+len(r.closers) > 0 {
		s.readings = append(s.readings, r)
	}
	s.database = cmp.Or(r.database, s.database)
}

// Close closes databases; the Store cannot load any more then.
func (s *Store) Close() error {
	var errs []error
	for _, r := range s.readings {
		for _, c := range r.closers {
			errs = append(errs, c())
		}
		r.closers = nil
	}
	return errors.Join(errs...)
}

// A form of export needs three things: a kind of input, which package input recognises, a reader,
// which indexes the messages of an input, and a function that loads messages of the index.

// readers has the reader of each kind of export. It adds what it finds to the reading. The error is
// ErrNoMail if the input has no mail.
var readers = map[input.Kind]func(*reading) error{
	input.JSON: readJSONFile, input.Archive: readMessageFile, input.Profile: readProfile,
	input.SQLite: readDatabase, input.Bundle: readFolder, input.Zip: readZip,
}

// reading is an input that is read, and what was found in it.
type reading struct {
	store   *Store
	in      *input.Input
	threads []string // the only ones that are needed; nil if all are

	exports []*export
	faults  []source.Fault
	closers []func() error // called when the Store is closed

	database *mailbox // or nil
}

func (r *reading) report(f source.Fault) { r.faults = append(r.faults, f) }

// bytes returns the whole input; if it cannot be read, that is a fault.
func (r *reading) bytes() (data []byte, ok bool) {
	data, err := r.in.Bytes()
	if err != nil {
		r.report(source.UnreadableFault(r.in.Path(), err))
	}
	return data, err == nil
}

// reserve keeps room for bytes that are kept; false if there is too little.
func (r *reading) reserve(size int64) bool {
	if r.store.room.Add(-size) >= 0 {
		return true
	}
	r.store.room.Add(size)
	return false
}

// ErrNoMail is the error for a file that looked like a mail export but has no mail: nothing
// to report on a walk, a usage error if the file is named.
var ErrNoMail = errors.New("has no mail")

// export is one export: what it says about itself, and its messages.
type export struct {
	info    *mail.ExportInfo
	entries []*entry
	// load reads the messages of some entries, in their order. One that can no longer be
	// read is nil, and a fault says why. It is safe for concurrent use.
	load func(entries []*entry, report func(source.Fault)) []*loaded
}

// loaded is a message as load reads it.
type loaded struct {
	mail.Message
	faults []source.Fault // of its bytes
}

// entry is a message in the index, with what is known before the message is read. A mailbox has
// very many, so an entry is small.
type entry struct {
	export *export
	in     *input.Input // that it was read from
	file   *keptFile    // what was found there, with its fault if it is lost; nil for a database
	// kept is a message of a small database, until it is loaded: without it a check takes 14 % more of
	// the time of the floor (.ci/bench).
	kept      atomic.Pointer[loaded]
	ref       int64  // for export.load
	project   string // slug, "" if the export does not say
	projectID string // its number in the database of the server, if its slug is unknown
	thread    string // "" for none
	id        string // "" if the export does not say
	time      int64  // in microseconds since 1970
	subject   uint32 // its hash
	size      uint32 // bytes that loading reads, roughly
	nth       uint16 // which of the messages that were given one id
	hasTime   bool
	garbled   bool // bytes of the thread id were replaced
	typed     bool // the subject has an intended type
	lost      bool // it exists, but cannot be read; that is reported
	part      bool // there are other messages of the thread that are no inputs
	body      mail.BodyState
	copy      copyKind
}

// copyKind distinguishes the copies of the git archive: the canonical one counts.
type copyKind uint8

const (
	canonical copyKind = iota
	outbox
	inbox
)

// add adds a message with a subject.
func (x *export) add(e *entry, subject string) {
	subject = source.ValidString(subject)
	e.export, e.garbled = x, !utf8.ValidString(e.thread)
	e.project, e.thread = source.ValidString(e.project), source.ValidString(e.thread)
	e.subject, e.typed = uint32(maphash.String(hashSeed, subject)), brenner.ParseSubject(subject).Intended != ""
	x.entries = append(x.entries, e)
}

var hashSeed = maphash.MakeSeed()

// Facts describe what is wrong with exports.
type Facts struct {
	Faults     []source.Fault
	Incomplete []mail.Incomplete
	Mismatches []mail.CopyMismatch
}

// Count returns how many there are.
func (f *Facts) Count() int { return len(f.Faults) + len(f.Incomplete) + len(f.Mismatches) }

// Add adds the facts of another part of the exports.
func (f *Facts) Add(more Facts) {
	f.Faults = append(f.Faults, more.Faults...)
	f.Incomplete = append(f.Incomplete, more.Incomplete...)
	f.Mismatches = append(f.Mismatches, more.Mismatches...)
}
