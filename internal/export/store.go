package export

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
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

	mu       sync.Mutex
	exports  []*export
	faults   []orderedFault
	closers  []func() error
	archives archives
	rest     lookup // for messages that are not indexed, or nil

	room atomic.Int64 // how many bytes of files may still be kept

	live *liveDatabase // that may grow, or nil

	seal     sync.Once
	entries  []indexEntry
	otherIDs []string // ids that are not numbers
	originList
	threads []ThreadInfo
	notices []string
	earlier map[*indexEntry]*indexEntry // by a message, the one that was given its id before
	counts  Counts
	listIDs sync.Once
	ids     map[string]*idSet // by project
}

// NewStore makes an empty Store.
func NewStore(opts Options) *Store { return &Store{opts: opts} }

// maxHeld is the maximum number of bytes kept of JSON files, and of messages of a database.
const maxHeld = 48 << 20

// KeepTexts keeps small JSON files, and the messages of a small database, in memory from
// indexing until they are loaded, so that they are read once. It is for callers that load all
// threads soon. Call it before Add.
func (s *Store) KeepTexts() { s.room.Store(maxHeld) }

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

// reader finds the messages of an input. The error is ErrNoMail if it has none.
type reader func(*input.Input, *reading) error

// readers are those of all kinds of exports. A new one has its kind in package input, which
// recognises it, and its reader here.
var readers = map[input.Kind]reader{
	input.JSON: readJSONFile, input.Archive: readMessageFile, input.Profile: readProfile,
	input.SQLite: readDatabase, input.Bundle: readFolder, input.Zip: readZip,
}

// reading is an input that is read: what its reader may use, and what it found.
type reading struct {
	opts     *Options
	archives *archives
	room     *atomic.Int64

	exports []*export
	faults  []source.Fault
	closers []func() error // called when the Store is closed
	live    *liveDatabase  // one that may grow, or nil
	rest    lookup         // for messages that are not indexed, or nil
}

func (r *reading) report(f source.Fault) { r.faults = append(r.faults, f) }

func (r *reading) onClose(f func() error) { r.closers = append(r.closers, f) }

// hold reserves room for bytes to be kept; false if there is too little.
func (r *reading) hold(size int64) bool {
	if r.room.Add(-size) >= 0 {
		return true
	}
	r.room.Add(size)
	return false
}

// Add indexes an export. Faults of the export are recorded; the error is ErrNoMail or that
// of ctx.
func (s *Store) Add(ctx context.Context, in *input.Input) error {
	read := readers[in.Kind]
	if read == nil {
		return fmt.Errorf("%w: %s", ErrNoMail, in.Kind)
	}
	return s.add(ctx, in, read)
}

func (s *Store) add(ctx context.Context, in *input.Input, read reader) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	r := &reading{opts: &s.opts, archives: &s.archives, room: &s.room}
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.exports, s.closers = append(s.exports, r.exports...), append(s.closers, r.closers...)
		for _, f := range r.faults {
			s.faults = append(s.faults, orderedFault{in.Order, f})
		}
		s.live, s.rest = cmp.Or(r.live, s.live), r.rest
	}()
	return read(in, r)
}

// loader loads messages of one export. It is safe for concurrent use.
type loader interface {
	// load reads the messages of the entries, in their order. One that can no longer be
	// read is nil, and a fault says why.
	load(entries []*indexEntry, report func(source.Fault)) []*loaded
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

// orderedFault is a fault with the order of the input it is about.
type orderedFault struct {
	order int
	source.Fault
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
