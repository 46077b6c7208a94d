package export

import (
	"errors"
	"hash/maphash"
	"sync/atomic"
	"unicode/utf8"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/source"
)

// A form of export needs three things: a kind of input, which package input recognises, a reader,
// which indexes the messages of an input, and a loader, which reads messages of the index.

// reader finds the messages of an input. It adds exports and faults to the reading. The error is
// ErrNoMail if the input has no mail.
type reader func(*input.Input, *reading) error

// readers has the reader of each kind of export.
var readers = map[input.Kind]reader{
	input.JSON: readJSONFile, input.Archive: readMessageFile, input.Profile: readProfile,
	input.SQLite: readDatabase, input.Bundle: readFolder, input.Zip: readZip,
}

// reading is an input that is read: what its reader may use, and what it found.
type reading struct {
	opts     *Options
	threads  []string // the only ones that are needed; nil if all are
	archives *archives
	room     *atomic.Int64

	exports []*export
	faults  []source.Fault
	closers []func() error // called when the Store is closed
	rest    lookup         // for messages that are not indexed, or nil
	live    *mailbox       // one that may grow, or nil
}

func (r *reading) report(f source.Fault) { r.faults = append(r.faults, f) }

func (r *reading) onClose(f func() error) { r.closers = append(r.closers, f) }

// hold reserves room for bytes that are kept; false if there is too little.
func (r *reading) hold(size int64) bool {
	if r.room.Add(-size) >= 0 {
		return true
	}
	r.room.Add(size)
	return false
}

// ErrNoMail is the error for a file that looked like a mail export but has no mail: nothing
// to report on a walk, a usage error if the file is named.
var ErrNoMail = errors.New("has no mail")

// export is one export: what it says about itself, its messages, and the loader of these.
type export struct {
	info *mail.ExportInfo
	loader
	entries []*entry
	labels  map[label]*label // each once: the messages of a thread share it
}

// loader loads messages of one export. It is safe for concurrent use.
type loader interface {
	// load reads the messages of the entries, in their order. One that can no longer be
	// read is nil, and a fault says why.
	load(entries []*entry, report func(source.Fault)) []*loaded
}

// loaded is a message as a loader reads it.
type loaded struct {
	mail.Message
	faults []source.Fault // of its bytes
}

// entry is a message in the index, with what is known before the message is read. A mailbox has
// very many, so an entry is small.
type entry struct {
	*label
	in      *input.Input // that it was read from
	ref     int64        // for the loader
	id      string       // "" if the export does not say
	time    int64        // in microseconds since 1970
	subject uint32       // its hash
	size    uint32       // bytes that loading reads, roughly
	again   uint16       // which of the messages that were given one id
	hasTime bool
	typed   bool // the subject has an intended type
	lost    bool // it exists, but cannot be read; that is reported
	body    mail.BodyState
	copy    copyKind
}

// label is what the messages of a thread have in common. They share it, so it must not be changed
// for one of them.
type label struct {
	export  *export
	project string // slug, "" if the export does not say
	row     string // the project's number in the server's database, if its slug is unknown
	thread  string // "" for none
	garbled bool   // bytes of the thread id were replaced
	part    bool   // there are other messages of the thread that are no inputs
}

// join moves a message to another thread.
func (e *entry) join(thread string) {
	l := *e.label
	l.thread = thread
	e.label = &l
}

// copyKind distinguishes the copies of the git archive: the canonical one counts.
type copyKind uint8

const (
	canonical copyKind = iota
	outbox
	inbox
)

// add adds a message with a subject, which was read from an input.
func (x *export) add(e *entry, in *input.Input, subject string) {
	e.in, subject = in, source.ValidString(subject)
	e.subject, e.typed = uint32(maphash.String(hashSeed, subject)), brenner.ParseSubject(subject).Intended != 0
	l := label{
		export: x, project: source.ValidString(e.project), row: e.row,
		thread: source.ValidString(e.thread), garbled: !utf8.ValidString(e.thread),
	}
	if x.labels == nil {
		x.labels = map[label]*label{}
	}
	if x.labels[l] == nil {
		shared := l
		x.labels[l] = &shared
	}
	e.label = x.labels[l]
	x.entries = append(x.entries, e)
}

var hashSeed = maphash.MakeSeed()

// lookup answers queries on an export of which only some threads are indexed.
type lookup interface {
	// holds reports whether there is a message of that project with that id.
	holds(project, id string) bool
	// rosters returns the agents of the projects that have mail in scope, of two at most; of
	// the project alone that is given, unless it is "".
	rosters(scope Scope, project string) [][]mail.Agent
}
