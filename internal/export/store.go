package export

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/brennerlint/brennerlint/internal/bundle"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/source"
)

// Scope says which threads of a whole mailbox are checked (decisions.md 15: scope).
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

	mu       sync.Mutex
	exports  []*export
	faults   []orderedFault
	closers  []func() error
	archives archives
	rest     lookup   // for messages that are not indexed, or nil
	live     *mailbox // that may grow, or nil

	seal    sync.Once // guards what follows, which is made when all exports are added
	entries []*entry  // by thread, message and copy
	threads []ThreadInfo
	notices []string
	earlier map[*entry]*entry // by a message, the one that was given its id before
	counts  Counts
	listIDs sync.Once
	byID    []*entry // by project and id
}

// maxHeld is how many bytes of JSON files, and of messages of a database, are kept in memory
// from indexing until they are loaded: small ones are read once.
const maxHeld = 48 << 20

// NewStore makes an empty Store.
func NewStore(opts Options) *Store {
	s := &Store{opts: opts, archives: archives{byRoot: map[archiveKey]*archive{}}}
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
	return s.add(ctx, in, readers[in.Kind], threads)
}

func (s *Store) add(ctx context.Context, in *input.Input, read reader, threads []string) error {
	if read == nil {
		return fmt.Errorf("%w: %s", ErrNoMail, in.Kind)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	r := &reading{opts: &s.opts, threads: threads, archives: &s.archives, room: &s.room}
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
