package engine

import (
	"errors"
	"io"
	"io/fs"
	"path"
	"time"

	"github.com/brennerlint/brennerlint/internal/files"
	"github.com/brennerlint/brennerlint/internal/input"
)

// shareDatabase is the name of the database of a share.
const shareDatabase = "mailbox.sqlite3"

// whole is what is known of all inputs of a run together, by what the file system
// says of their files: sizes, times and identities, and of databases the headers, too.
// Nothing else is read of them.
type whole struct {
	check *check
	start time.Time
	set   *input.Set
	key   unitKey
	keyed bool // the key shows whether anything has changed
	known *gathered
}

// newWhole prepares a run to be recalled, or kept; nil if the results of a run depend
// on more than its inputs, or show what is only known by reading them.
func (c *check) newWhole() *whole {
	o := &c.opts
	if o.Cache == nil || o.Data.Threads || o.Origins != nil || o.Message != nil || o.Input != nil || o.Kept != nil || c.base == nil {
		return nil
	}
	w := &whole{check: c, start: time.Now()}
	c.in.recall = w.recall
	return w
}

// recall looks for the results of the inputs.
func (w *whole) recall(set *input.Set) bool {
	w.set = set
	if w.key, w.keyed = w.sign(); !w.keyed {
		return false
	}
	g := w.check.opts.Cache.run(w.key)
	if g == nil {
		return false
	}
	w.known = g
	return true
}

// keep keeps the results of a run, unless something changed meanwhile.
func (w *whole) keep(g *gathered) {
	if w == nil || !w.keyed || g.Unreadable || len(g.failures) > 0 || len(w.check.in.notices) > 0 || w.check.in.found.Ignored > 0 && g.Files == 0 {
		return
	}
	if key, ok := w.sign(); ok && key == w.key {
		w.check.opts.Cache.putRun(w.key, g)
	}
}

// sign returns a hash of what the file system says of the inputs; false if that does not
// show whether they are the same.
func (w *whole) sign() (key unitKey, ok bool) {
	if len(w.set.Faults)+len(w.set.Skipped) > 0 {
		return key, false
	}
	k := newKey(w.check.base, "run")
	for _, in := range w.set.Inputs {
		if in.InMemory() || in.Kind == input.Draft || in.Kind == input.Bundle {
			return key, false
		}
		if in.Kind == input.SQLite && path.Base(in.Path()) == shareDatabase {
			return key, false // perhaps of a share
		}
		k.texts(in.Path(), in.RealPath(), in.Kind.String())
		k.flag(in.Named)
		k.flag(in.Malformed)
		if !w.signFile(k, in.Ref()) || in.Kind == input.SQLite && !w.signDatabase(k, in.Ref()) {
			return key, false
		}
	}
	return k.sum(), true
}

// signFile takes in what the file system says of a file; false if it may have been
// changed since it was looked at, within the same tick of the clock.
func (w *whole) signFile(k *keyWriter, ref files.Ref) bool {
	info, err := ref.Stat()
	if err != nil {
		return false
	}
	id, ok := files.IdentityOf(info)
	if !ok || !id.Before(w.start) {
		return false
	}
	k.texts(id.String())
	return true
}

// signDatabase takes in the header of a database, with its change counter, and its log.
func (w *whole) signDatabase(k *keyWriter, ref files.Ref) bool {
	const header = 100
	for _, part := range []struct {
		ref  files.Ref
		must bool
	}{{ref, true}, {ref.Beside("-wal"), false}, {ref.Beside("-journal"), false}} {
		head, err := readHead(part.ref, header)
		switch {
		case errors.Is(err, fs.ErrNotExist) && !part.must:
			k.texts("none")
			continue
		case err != nil || !w.signFile(k, part.ref):
			return false
		}
		k.texts(string(head))
	}
	return true
}

// readHead reads the first bytes of a file.
func readHead(ref files.Ref, n int) ([]byte, error) {
	f, _, err := ref.Open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head := make([]byte, n)
	n, err = io.ReadFull(f, head)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return head[:n], err
}
