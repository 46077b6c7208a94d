package export

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/internal/bundle"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/source"
)

// Scope says which threads of a whole mailbox are checked (decisions.md 15).
type Scope uint8

// The choices of --scope.
const (
	AutoScope     Scope = iota // mailboxes: threads of the protocol; threads and messages alone: all
	ProtocolScope              // threads of the protocol only
	AllScope
)

// Options configure a Store.
type Options struct {
	Scope Scope
	// Grows prepares Store.Grow.
	Grows bool
	// Bundle bounds what a share may make us do; zero limits are the defaults.
	Bundle bundle.Limits
}

// Store indexes the messages of all exports as small entries, from which threads are
// loaded one by one. Its memory does not grow with the length of the mails, and it keeps
// no reference to a loaded thread.
//
// First all exports are added, then threads are listed and loaded; both may be done
// concurrently. Results do not depend on the order in which exports were added, only on
// their Input.Order.
type Store struct {
	opts Options

	mu            sync.Mutex
	interned      map[string]string
	entries       []indexEntry
	origins       []origin // of the entries, by number
	originNumbers map[origin]uint32
	otherIDs      []string // ids that are not numbers
	info          []*mail.ExportInfo
	faults        []orderedFault
	archives      map[archiveKey]*archive
	folders       map[archiveKey]archiveFolder
	closers       []func() error
	rest          lookup // for messages that are not indexed, or nil

	room atomic.Int64 // how many bytes of files may still be kept

	live *liveDatabase // that may grow, or nil

	seal    sync.Once
	threads []ThreadInfo
	notices []string
	earlier map[*indexEntry]*indexEntry // by a message, the one that was given its id before
	counts  Counts
	listIDs sync.Once
	ids     map[string]*idSet // by project
}

// NewStore makes an empty Store.
func NewStore(opts Options) *Store {
	return &Store{
		opts: opts, interned: map[string]string{}, originNumbers: map[origin]uint32{},
		archives: map[archiveKey]*archive{}, folders: map[archiveKey]archiveFolder{},
	}
}

// maxHeld is the maximum number of bytes kept of JSON files, and of messages of a database.
const maxHeld = 48 << 20

// KeepTexts keeps small JSON files, and the messages of a small database, in memory from
// indexing until they are loaded, so that they are read once. It is for callers that load all
// threads soon. Call it before Add.
func (s *Store) KeepTexts() { s.room.Store(maxHeld) }

// hold reserves room for bytes to be kept; false if there is too little.
func (s *Store) hold(size int64) bool {
	if s.room.Add(-size) >= 0 {
		return true
	}
	s.room.Add(size)
	return false
}

// lookup answers queries on an export of which only some threads are indexed.
type lookup interface {
	// holds reports whether there is a message of that project with that id.
	holds(project, id string) bool
	// soleProject returns the only project that has mail in scope among the possible
	// ones; false if there are several, or none.
	soleProject(scope Scope, maybe func(project string) bool) (only string, ok bool)
	// roster returns the agents of a project.
	roster(project string) []mail.Agent
}

// ErrNoMail is the error for a file that looked like a mail export but has no mail: nothing
// to report on a walk, a usage error if the file is named.
var ErrNoMail = errors.New("has no mail")

// readers are how each kind of export is indexed. A new one has its kind in package
// input, which recognises it, and its reader here.
var readers = map[input.Kind]func(*Store, *input.Input) error{
	input.JSON:    (*Store).addJSON,
	input.Archive: (*Store).addArchive,
	input.Profile: (*Store).addProfile,
	input.SQLite:  (*Store).addDatabase,
	input.Bundle:  (*Store).addFolder,
	input.Zip:     (*Store).addZip,
}

// Add indexes an export. Faults of the export are recorded; the error is ErrNoMail or that
// of ctx.
func (s *Store) Add(ctx context.Context, in *input.Input) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if read := readers[in.Kind]; read != nil {
		return read(s, in)
	}
	return fmt.Errorf("%w: %s", ErrNoMail, in.Kind)
}

// loader loads messages of one export. It is safe for concurrent use.
type loader interface {
	// load reads the messages of the entries, in their order. One that can no longer be
	// read is nil, and a fault says why.
	load(entries []*indexEntry, report func(source.Fault)) []*loaded
}

// export is one export and the loader of its messages.
type export struct {
	info *mail.ExportInfo
	loader
}

// copyKind distinguishes the copies of the git archive: the canonical one counts.
type copyKind uint8

const (
	canonical copyKind = iota
	outbox
	inbox
)

// rawEntry is what a reader passes to the index for one message. Strings are interned or
// dropped: a reader may pass parts of large ones.
type rawEntry struct {
	project string // slug, "" if the export does not say
	row     string // the project's number in the server's database, "" if unknown
	thread  string // "" for none
	id      string // "" if the export does not say
	subject string
	time    time.Time
	hasTime bool
	body    mail.BodyState
	copy    copyKind
	digest  uint64 // textDigest of subject and body, 0 if not known
	lost    bool   // it exists, but cannot be read; that is reported
	ref     int64  // for the loader
	size    int    // bytes that loading reads, roughly
}

// maxSize is the maximum size recorded; larger ones count as this.
const maxSize = 1 << 30

var hashSeed = maphash.MakeSeed()

// textDigest returns a hash of subject and body. A body is stripped first: the archive
// strips what other exports leave as it was sent (mail_formats.md, trap 4).
func textDigest(subject, body []byte) uint64 {
	var h maphash.Hash
	h.SetSeed(hashSeed)
	h.Write(subject)
	h.WriteByte(0)
	h.Write(stripped(body))
	return max(h.Sum64(), 1)
}

// commit puts the messages of one input into the index.
func (s *Store) commit(x *export, order int, entries []rawEntry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range entries {
		s.append(x, order, &entries[i])
	}
}

// append puts one message into the index; s.mu is held.
func (s *Store) append(x *export, order int, e *rawEntry) {
	s.entries = append(s.entries, s.newEntry(x, order, e))
}

// intern returns a string that equal strings share; s.mu is held.
func (s *Store) intern(v string) string {
	if v == "" {
		return ""
	}
	if known, ok := s.interned[v]; ok {
		return known
	}
	v = strings.Clone(v)
	s.interned[v] = v
	return v
}

// addFacts records what an export says about itself.
func (s *Store) addFacts(f *mail.ExportInfo) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.info = append(s.info, f)
}

// orderedFault is a fault with the order of the input it is about.
type orderedFault struct {
	order int
	source.Fault
}

func (s *Store) report(in *input.Input, f source.Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, orderedFault{in.Order, f})
}

// Close closes databases; the Store cannot load any more then.
func (s *Store) Close() error {
	var errs []error
	for _, c := range s.closers {
		errs = append(errs, c())
	}
	s.closers = nil
	return errors.Join(errs...)
}
