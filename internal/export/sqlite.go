//go:build !js

package export

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ncruces/go-sqlite3"

	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/internal/bundle"
	"github.com/brennerlint/brennerlint/internal/database"
	"github.com/brennerlint/brennerlint/internal/files"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/source"
)

// mailbox is a database of Agent Mail: live, or that of a share.
type mailbox struct {
	facts *mail.ExportInfo

	mu   sync.RWMutex // held for reading while the snapshot is read
	snap *database.Snapshot
	// reopen opens the database again; it is nil if no other process can write.
	reopen func() (*database.Snapshot, error)

	// kept are the messages of a small database, in order of their rows, so that nothing is
	// read twice: without them a check takes 14 % more of the time of the floor (.ci/bench).
	kept []indexedRow

	has         map[string]bool  // columns of messages
	loadOne     string           // the query that loads a message
	loadAny     string           // the same, regardless of its size
	slugs       map[int64]string // of projects, by id
	agents      map[int64]string // names, by id
	received    []received       // by message, kind and agent
	hasReceived bool             // the database has a table of recipients
}

// addDatabase indexes a standalone database: the live one of a server, a copy of it, or one
// piped in.
func (s *Store) addDatabase(in *input.Input) error { return s.openDatabase(in, s.index) }

// openDatabase opens a standalone database and calls index.
func (s *Store) openDatabase(in *input.Input, index func(*input.Input, *mailbox) error) error {
	if dir, base := path.Split(in.Path()); base == bundle.DatabaseName && !in.InMemory() {
		if folder := in.Ref().Parent(); isFile(folder.In(bundle.ManifestName)) {
			return s.addBundle(in, bundle.OpenFolder(folder, cmp.Or(strings.TrimSuffix(dir, "/"), "."), s.opts.Bundle))
		}
	}
	m := &mailbox{facts: &mail.ExportInfo{Path: in.Path(), Form: mail.SQLite, Mailbox: true}}
	var err error
	if in.InMemory() {
		var c *input.Content
		if c, err = in.Open(); err == nil {
			m.snap, err = database.New(c, c.Size())
		}
	} else {
		m.reopen = func() (*database.Snapshot, error) { return database.Open(in.Ref()) }
		m.snap, err = m.open()
	}
	if err != nil {
		return s.damaged(in, err, bodyColumn)
	}
	s.onClose(m.close)
	return index(in, m)
}

// bodyColumn is in the schema of every mailbox, but not in other programs' databases.
const bodyColumn = "body_md"

// damaged reports an input that cannot be opened. On a walk only one that contains the text
// holds counts as a mailbox; others may be damaged files of other programs.
func (s *Store) damaged(in *input.Input, err error, holds string) error {
	if !in.Explicit() && !mentions(in, holds) {
		return fmt.Errorf("%w: %w", ErrNoMail, err)
	}
	s.report(in, databaseFault(in.Path(), err))
	return nil
}

// maxMentioned is how much of a damaged file is searched, in bytes.
const maxMentioned = 16 << 20

// mentions reports whether the beginning of an input contains a text.
func mentions(in *input.Input, text string) bool {
	c, err := in.Open()
	if err != nil {
		return false
	}
	defer c.Close()
	data := make([]byte, min(c.Size(), maxMentioned))
	n, _ := c.ReadAt(data, 0)
	return bytes.Contains(data[:n], []byte(text))
}

// addFolder indexes the folder of a share.
func (s *Store) addFolder(in *input.Input) error {
	return s.addBundle(in, bundle.OpenFolder(in.Ref(), in.Path(), s.opts.Bundle))
}

// addZip indexes a share as zip; ErrNoMail if the zip is not a share.
func (s *Store) addZip(in *input.Input) error {
	c, err := in.Open()
	if err != nil {
		s.report(in, source.UnreadableFault(in.Path(), err))
		return nil
	}
	b, err := bundle.OpenZip(c, c.Size(), in.Path(), s.opts.Bundle)
	if err != nil {
		c.Close()
		if errors.Is(err, bundle.ErrNoMailbox) {
			return fmt.Errorf("%w: %w", ErrNoMail, err)
		}
		return s.damaged(in, err, bundle.DatabaseName)
	}
	s.onClose(c.Close)
	return s.addBundle(in, b)
}

// addBundle indexes an opened share.
func (s *Store) addBundle(in *input.Input, b *bundle.Bundle) error {
	for _, f := range b.Faults {
		s.report(in, f)
	}
	s.onClose(b.Close)
	if b.Database == nil {
		return nil // a fault says why
	}
	return s.index(in, &mailbox{snap: b.Database, facts: &mail.ExportInfo{
		Path: b.Path, Form: mail.SQLite, Mailbox: true,
		AckFlagsCleared: b.AckFlagsCleared, BodiesRedacted: b.BodiesRedacted, Scrubbed: b.Scrubbed,
	}})
}

// index reads the index of an opened database.
func (s *Store) index(in *input.Input, m *mailbox) error {
	x := &export{info: m.facts, loader: m}
	count, keeps := 0, s.hold(m.snap.Size())
	var live *liveDatabase
	err := m.do(func(conn *database.Conn) error {
		s.forget(x) // from an earlier attempt
		r := &indexReader{conn: conn, mailbox: m, keeps: keeps, commit: func(e []rawEntry) { s.commit(x, in.Order, e) }}
		err := r.read()
		if count = r.count; err == nil && s.opts.Grows {
			live = r.growing()
		}
		return err
	})
	if errors.Is(err, ErrNoMail) {
		return err
	}
	if err != nil && count == 0 && in.Kind == input.SQLite && !in.Explicit() && !mentions(in, bodyColumn) {
		return fmt.Errorf("%w: %w", ErrNoMail, err)
	}
	if err := cmp.Or(m.snap.Damage, err); err != nil {
		f := databaseFault(m.facts.Path, err)
		f.Err = fmt.Errorf("%w; %d messages could be read", f.Err, count)
		s.report(in, f)
		m.facts.Partial = true // there may be more
	}
	s.addFacts(m.facts)
	if live != nil {
		live.export, live.order = x, in.Order
		s.setLive(live)
	}
	return nil
}

// forget removes what was indexed of an export.
func (s *Store) forget(x *export) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.entries = slices.DeleteFunc(s.entries, func(t indexEntry) bool { return s.origin(&t).export == x })
}

// onClose adds something to close with the Store.
func (s *Store) onClose(f func() error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closers = append(s.closers, f)
}

// Another program may be writing a database: reading it is retried this often, with a
// pause between attempts.
const (
	attempts = 20
	pause    = 50 * time.Millisecond
)

var errBusy = errors.New("another program keeps writing the database")

// open opens the database, once no other program is halfway through a transaction.
func (m *mailbox) open() (*database.Snapshot, error) {
	for i := 1; ; i++ {
		snap, err := m.reopen()
		if !errors.Is(err, database.ErrHotJournal) || i == attempts {
			return snap, err
		}
		time.Sleep(pause)
	}
}

// do reads the database with f. If another program changes it meanwhile, f is called again
// on the new state: mails never change once they are sent.
func (m *mailbox) do(f func(*database.Conn) error) error {
	for i := 1; ; i++ {
		m.mu.RLock()
		snap := m.snap
		err := snap.Do(f)
		changed := snap.Changed()
		m.mu.RUnlock()
		if !changed {
			return err
		}
		if i == attempts {
			return errBusy
		}
		if err := m.renew(snap); err != nil {
			return err
		}
	}
}

// renew replaces old by a new snapshot, unless another goroutine has done so already.
func (m *mailbox) renew(old *database.Snapshot) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.snap != old {
		return nil
	}
	snap, err := m.open()
	if err != nil {
		return err
	}
	old.Close()
	m.snap = snap
	return nil
}

func (m *mailbox) close() error { return m.snap.Close() }

// databaseFault returns the fault of a database that cannot be read, or is invalid.
func databaseFault(path string, err error) source.Fault {
	var cannot *fs.PathError
	if errors.As(err, &cannot) {
		return source.UnreadableFault(path, err)
	}
	f := source.Fault{Kind: source.Malformed, Path: path, Err: err, Hint: bundle.Hint(err)}
	switch {
	case errors.Is(err, errBusy), errors.Is(err, database.ErrHotJournal):
		f.Hint = `check it again when no program is writing to it, or check a copy: sqlite3 FILE ".backup COPY"`
	case errors.Is(err, sqlite3.CORRUPT), errors.Is(err, sqlite3.NOTADB):
		f.Err = errors.New("the database is damaged: " + strings.TrimPrefix(err.Error(), "sqlite3: "))
		f.Hint = `save what can be saved: sqlite3 FILE ".recover" | sqlite3 COPY`
	}
	return f
}

func isFile(ref files.Ref) bool {
	info, err := ref.Stat()
	return err == nil && info.Mode().IsRegular()
}
