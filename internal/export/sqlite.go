//go:build !js

package export

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
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

// mailbox is a database of Agent Mail: a live one, or one of a share. It loads its messages.
type mailbox struct {
	export
	in *input.Input

	mu   sync.RWMutex // held for reading while the snapshot is read
	snap *database.Snapshot
	// reopen opens the database again; it is nil if no other process can write.
	reopen func() (*database.Snapshot, error)

	has         map[string]bool  // columns of messages
	slugs       map[int64]string // of projects, by id
	agents      map[int64]string // names, by id
	received    []received       // by message, kind and agent
	hasReceived bool             // the database has a table of recipients

	grown   *grown // nil if it cannot grow
	looksUp bool   // it answers for messages that are not indexed
}

// readDatabase indexes a standalone database: the live one of a server, a copy of it, or one
// piped in.
func readDatabase(r *reading) error {
	in := r.in
	if !in.InMemory() && path.Base(path.Dir(in.Abs())) == "chunks" {
		folder := path.Dir(path.Dir(in.Abs()))
		if isFile(files.Named(path.Join(folder, bundle.ConfigName))) {
			return r.chunk(folder)
		}
	}
	if dir, base := path.Split(in.Path()); base == bundle.DatabaseName && !in.InMemory() {
		if folder := in.Ref().Parent(); isFile(folder.In(bundle.ManifestName)) {
			return r.share(bundle.OpenFolder(folder, cmp.Or(strings.TrimSuffix(dir, "/"), "."), r.store.opts.Bundle))
		}
	}
	m := newMailbox(in, &mail.ExportInfo{Path: in.Path()})
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
		return r.damaged(err, bodyColumn)
	}
	r.closers = append(r.closers, m.close)
	return m.index(r)
}

// chunk indexes the share in a folder, of which the input is the first chunk of the database; not if
// the whole database is there, too.
func (r *reading) chunk(folder string) error {
	if isFile(files.Named(path.Join(folder, bundle.DatabaseName))) {
		return fmt.Errorf("%w: it is a part of %s, which is there too; name that or the folder", ErrNoMail, bundle.DatabaseName)
	}
	return r.share(bundle.OpenFolder(files.Named(folder), path.Join(path.Dir(r.in.Path()), ".."), r.store.opts.Bundle))
}

func newMailbox(in *input.Input, info *mail.ExportInfo) *mailbox {
	info.Form, info.Mailbox = mail.SQLite, true
	m := &mailbox{in: in, export: export{info: info}}
	m.load = m.loadRows
	return m
}

// bodyColumn is in the schema of every mailbox, but not in other programs' databases.
const bodyColumn = "body_md"

// damaged reports an input that cannot be opened, if it was a mailbox.
func (r *reading) damaged(err error, holds string) error {
	if !isMailbox(r.in, holds) {
		return fmt.Errorf("%w: %w", ErrNoMail, err)
	}
	r.report(databaseFault(r.in.Path(), err))
	return nil
}

// isMailbox reports whether a damaged input was a mailbox. On a walk it may be a file of another
// program, so it must have a name of Agent Mail, or contain the text holds.
func isMailbox(in *input.Input, holds string) bool {
	base := path.Base(in.Path())
	return in.Explicit() || base == "storage.sqlite3" || base == bundle.DatabaseName || mentions(in, holds)
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
	data, _ := io.ReadAll(io.LimitReader(c, maxMentioned))
	return bytes.Contains(data, []byte(text))
}

// readFolder indexes the folder of a share.
func readFolder(r *reading) error {
	return r.share(bundle.OpenFolder(r.in.Ref(), r.in.Path(), r.store.opts.Bundle))
}

// readZip indexes a share as zip; ErrNoMail if the zip is not a share.
func readZip(r *reading) error {
	c, err := r.in.Open()
	if err != nil {
		r.report(source.UnreadableFault(r.in.Path(), err))
		return nil
	}
	b, err := bundle.OpenZip(c, c.Size(), r.in.Path(), r.store.opts.Bundle)
	if err != nil {
		c.Close()
		if errors.Is(err, bundle.ErrNoMailbox) {
			return fmt.Errorf("%w: %w", ErrNoMail, err)
		}
		return r.damaged(err, bundle.DatabaseName)
	}
	r.closers = append(r.closers, c.Close)
	return r.share(b)
}

// share indexes an opened share.
func (r *reading) share(b *bundle.Bundle) error {
	r.faults, r.closers = append(r.faults, b.Faults...), append(r.closers, b.Close)
	if b.Database == nil {
		return nil // a fault says why
	}
	m := newMailbox(r.in, &mail.ExportInfo{Path: b.Path, AckFlagsCleared: b.AckFlagsCleared, BodiesRedacted: b.BodiesRedacted, Scrubbed: b.Scrubbed})
	m.snap, m.info.Damaged = b.Database, b.Differs != nil
	known := len(r.faults)
	err := m.index(r)
	if b.ChunksDiffer {
		r.faults = r.faults[:known] // what is wrong with the database follows from that
	} else if len(r.faults) == known && b.Differs != nil {
		r.report(*b.Differs)
	}
	return err
}

// index indexes an opened database.
func (m *mailbox) index(r *reading) error {
	keep := r.reserve(m.snap.Size())
	err := m.do(func(conn *database.Conn) error {
		m.entries, m.grown, m.looksUp = nil, nil, false // of an earlier attempt
		t := &tables{mailbox: m, Conn: conn}
		if err := t.readColumns(); err != nil {
			return err
		}
		if r.threads != nil {
			if found, err := t.indexThreads(r.threads); found && err == nil {
				m.looksUp = true
				return nil
			}
			m.entries = nil // the file is damaged, or of another form
		}
		err := t.index("", "", keep)
		if err == nil && r.store.opts.Grows {
			t.noteGrown()
		}
		return err
	})
	if errors.Is(err, ErrNoMail) {
		return err
	}
	if err != nil && len(m.entries) == 0 && m.in.Kind == input.SQLite && !isMailbox(m.in, bodyColumn) {
		return fmt.Errorf("%w: %w", ErrNoMail, err)
	}
	if err := cmp.Or(m.snap.Damage, err); err != nil {
		f := databaseFault(m.info.Path, err)
		f.Err = fmt.Errorf("%w; %d messages could be read", f.Err, len(m.entries))
		r.report(f)
		m.info.Partial, m.info.Damaged = true, true // there may be more
	}
	r.database, r.exports = m, append(r.exports, &m.export)
	return nil
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

// do reads the database with f. If another program changes it meanwhile, f is called again on
// the new state. That is safe because sent mails never change.
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
	if m.snap != old || m.reopen == nil {
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
