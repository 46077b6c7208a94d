package engine

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io/fs"
	"maps"
	"path"
	"runtime"
	"sync"
	"time"

	"github.com/brennerlint/brennerlint/internal/export"
	"github.com/brennerlint/brennerlint/internal/files"
	"github.com/brennerlint/brennerlint/internal/input"
	"github.com/brennerlint/brennerlint/workspace"
)

// Kept is what one check keeps for the next of the same process: results of threads
// and artifact files, as long as they are of use, and the index of the mail. The next
// check reads what has changed only. Files are compared by what the file system says of
// them, and the changes of a live database are followed by its log.
//
// The checks are of the same paths, one after the other. Their reports share findings, which
// therefore must not be changed. The zero Kept is ready for use.
type Kept struct {
	// Version identifies all that the rules depend on in addition to Options, such as the
	// configuration that defines them.
	Version string

	mu    sync.Mutex // guards units, files, digests and use
	units map[unitKey]*keptUnit
	round int // the number of this check
	sweep int // how many units may be there before those of no use are dropped

	files map[string]keptFile // artifact files, by path

	store   *export.Store
	options export.Options   // of the store
	mail    []keptMail       // what the store was made of
	foreign map[string]error // what looked like mail and is none
	digests map[uint64]keptDigest
	threads []keptThread // in the order of the store
	spare   []keptThread // room for those of the next check
	base    []byte       // what their keys begin with
	inputs  *inputs      // of this check
	across  workspace.Workspace

	use CacheUse
}

// keptUnit is a unit with the number of the check that used it last.
type keptUnit struct {
	*unit
	round int
}

// keptFile is an artifact file as it was read last, with the number of the check that
// used it last.
type keptFile struct {
	id     files.Identity
	digest [sha256.Size]byte
	round  int
}

// keptMail is an input of the store.
type keptMail struct {
	path  string
	kind  input.Kind
	named bool
	id    files.Identity
	log   files.Identity // of a database
	known bool           // the identities show whether it was changed
}

// keptDigest is the digest of the mail of a thread, by its stamp.
type keptDigest struct {
	sum [sha256.Size]byte
	ok  bool
}

// Use counts what the last check took over; Whole that it did not index the mail again.
func (k *Kept) Use() CacheUse { return k.use }

// Close closes what is kept open.
func (k *Kept) Close() {
	if k.store != nil {
		k.store.Close()
	}
	k.store, k.mail = nil, nil
}

// Settle prepares the next check, when there is time: it finds out where in a live
// database its mail is, so that a change of it can be followed.
func (k *Kept) Settle() {
	if k.store != nil && len(k.mail) == 1 && k.mail[0].kind == input.SQLite {
		k.store.Track()
	}
}

// next begins a check. Threads are known by their stamps only while all that their keys
// begin with stays the same.
func (k *Kept) next(in *inputs, base []byte) {
	k.inputs, k.use = in, CacheUse{}
	if !bytes.Equal(k.base, base) {
		k.base, k.threads = base, nil
	}
	if k.round++; k.units == nil {
		k.units = map[unitKey]*keptUnit{}
	}
}

// get implements results.
func (k *Kept) get(key unitKey) *unit {
	k.mu.Lock()
	defer k.mu.Unlock()
	u := k.units[key]
	if u == nil {
		k.use.Checked++
		return nil
	}
	k.use.Known++
	u.round = k.round
	return u.unit
}

// put implements results.
func (k *Kept) put(key unitKey, u *unit) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.units[key] = &keptUnit{u, k.round}
}

// digest returns that of the mail of a thread, which is read for it only once it may have
// changed.
func (k *Kept) digest(store *export.Store, info export.ThreadInfo) ([sha256.Size]byte, bool) {
	k.mu.Lock()
	d, known := k.digests[info.Stamp]
	k.mu.Unlock()
	if !known {
		d.sum, d.ok = store.Digest(info)
		k.mu.Lock()
		k.digests[info.Stamp] = d
		k.mu.Unlock()
	}
	return d.sum, d.ok
}

// fileDigest returns a hash of a file, which is read only if it may have been written.
func (k *Kept) fileDigest(in *input.Input) (sum [sha256.Size]byte, ok bool) {
	start := time.Now()
	var id files.Identity
	trusted := false
	if !in.InMemory() {
		id, trusted = identify(in.Ref(), start)
	}
	k.mu.Lock()
	was, known := k.files[in.Path()]
	if known = known && trusted && was.id == id; known {
		was.round = k.round
		k.files[in.Path()] = was
	}
	k.mu.Unlock()
	if known {
		return was.digest, true
	}
	data, err := in.Bytes()
	if err != nil {
		return sum, false
	}
	sum = sha256.Sum256(data)
	k.mu.Lock()
	defer k.mu.Unlock()
	if delete(k.files, in.Path()); trusted {
		if k.files == nil {
			k.files = map[string]keptFile{}
		}
		k.files[in.Path()] = keptFile{id, sum, k.round}
	}
	return sum, true
}

// begin prepares the mail of a check: it reports whether the store is that of the check
// before, as it is or with what has changed. Else mail is added to a new one.
func (k *Kept) begin(in *inputs, set *input.Set) (reused bool) {
	var mail []keptMail
	start := time.Now()
	for _, found := range set.Inputs {
		if found.Kind.IsMail() {
			mail = append(mail, describeMail(found, start))
		}
	}
	options := in.storeOptions()
	if k.store != nil && k.options == options && k.sameMail(mail) {
		k.mail, in.store, k.use.Whole = mail, k.store, true
		return true
	}
	k.Close()
	k.store, k.options, k.mail = in.store, options, mail
	k.digests, k.threads, k.foreign = map[uint64]keptDigest{}, nil, map[string]error{}
	return false
}

// sameMail reports whether the store holds the mail of some inputs: nothing has
// changed, or its only database, which takes over what has.
func (k *Kept) sameMail(mail []keptMail) bool {
	if len(mail) != len(k.mail) {
		return false
	}
	same := true
	for i := range mail {
		is, was := &mail[i], &k.mail[i]
		if is.path != was.path || is.kind != was.kind || is.named != was.named {
			return false
		}
		same = same && was.known && is.id == was.id && is.log == was.log
	}
	return same || len(mail) == 1 && len(k.foreign) == 0 && k.store.Refresh()
}

// describeMail says what the file system does of an input.
func describeMail(in *input.Input, start time.Time) keptMail {
	m := keptMail{path: in.Path(), kind: in.Kind, named: in.Named}
	if in.InMemory() || in.Kind == input.Bundle || in.Kind == input.SQLite && path.Base(in.Path()) == shareDatabase {
		return m
	}
	m.id, m.known = identify(in.Ref(), start)
	if in.Kind == input.SQLite {
		known := true
		if _, err := in.Ref().Beside("-wal").Stat(); err == nil {
			m.log, known = identify(in.Ref().Beside("-wal"), start)
		}
		_, err := in.Ref().Beside("-journal").Stat()
		m.known = m.known && known && errors.Is(err, fs.ErrNotExist)
	}
	return m
}

// identify returns the identity of a file; false if one that is written after start may
// have the same.
func identify(ref files.Ref, start time.Time) (files.Identity, bool) {
	info, err := ref.Stat()
	if err != nil {
		return files.Identity{}, false
	}
	id, ok := files.IdentityOf(info)
	return id, ok && id.Before(start)
}

// end prepares the next check.
func (k *Kept) end(store *export.Store) {
	if k.store != store {
		return
	}
	if runtime.GOOS == "windows" { // a file that is open cannot be replaced
		k.Close()
		return
	}
	infos := store.Threads()
	if len(k.digests) > 2*len(infos)+fewUnits {
		digests := make(map[uint64]keptDigest, len(infos))
		for _, info := range infos {
			if d, ok := k.digests[info.Stamp]; ok {
				digests[info.Stamp] = d
			}
		}
		k.digests = digests
	}
	if len(k.units) > k.sweep {
		k.dropUnused()
	}
}

// fewUnits is how many units are kept whether they are of use or not.
const fewUnits = 1000

// dropUnused drops the units, and what is known of files, that this check did not use.
func (k *Kept) dropUnused() {
	maps.DeleteFunc(k.files, func(_ string, f keptFile) bool { return f.round < k.round })
	used := make(map[*unit]bool, len(k.threads))
	for i := range k.threads {
		used[k.threads[i].unit] = true
	}
	maps.DeleteFunc(k.units, func(_ unitKey, u *keptUnit) bool { return u.round < k.round && !used[u.unit] })
	k.sweep = 2*len(k.units) + fewUnits
}
