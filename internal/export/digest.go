package export

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
)

// Digest identifies a thread by all that reading it depends on: what its exports say about
// themselves, and the bytes of its messages with their places. It does not parse them.
// False if something cannot be read: then the digest must not be used.
func (s *Store) Digest(t ThreadInfo) (sum [sha256.Size]byte, ok bool) {
	h := &digest{sha256.New()}
	h.texts(t.Project, t.ID)
	var order []*export
	at := map[*export]int{}
	entries := map[*export][]*indexEntry{}
	h.number(int64(len(t.entries)))
	for i := range t.entries {
		e := &t.entries[i]
		from := s.origin(e)
		x := from.export
		if _, known := at[x]; !known {
			at[x] = len(order)
			order = append(order, x)
		}
		entries[x] = append(entries[x], e)
		h.number(int64(at[x]))
		h.texts(from.project, from.row, from.thread, s.id(e))
		h.entry(e)
	}
	for _, x := range order {
		i := x.info
		h.texts(i.Path)
		h.texts(i.Roster[t.Project]...)
		fmt.Fprint(h, i.Form, i.AckFlagsCleared, i.BodiesRedacted, i.Scrubbed, i.RecordsAcks, i.Partial, i.Standalone, i.WithoutBodies, i.Mailbox)
		if !x.digest(entries[x], h) {
			return sum, false
		}
	}
	return [sha256.Size]byte(h.Sum(nil)), true
}

// digest is a hash of values with unambiguous boundaries.
type digest struct{ hash.Hash }

func (h *digest) number(n int64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], uint64(n))
	h.Write(b[:])
}

func (h *digest) bytes(b []byte) {
	h.number(int64(len(b)))
	h.Write(b)
}

func (h *digest) texts(list ...string) {
	h.number(int64(len(list)))
	for _, s := range list {
		h.bytes([]byte(s))
	}
}

// entry adds what the index knows about a message itself, except its position: its order
// among the others is that of the calls.
func (h *digest) entry(e *indexEntry) {
	for _, n := range [...]int64{e.sec, int64(e.nsec), int64(e.size), int64(e.body), int64(e.form), int64(e.copy)} {
		h.number(n)
	}
	for _, b := range [...]bool{e.hasTime, e.typed, e.lost} {
		n := int64(0)
		if b {
			n = 1
		}
		h.number(n)
	}
}

// digest implements loader: places and positions of a message depend on its whole file.
func (x *jsonFile) digest(entries []*indexEntry, h *digest) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.sum == nil {
		if data, err := x.in.Bytes(); err == nil {
			sum := sha256.Sum256(data)
			x.sum = sum[:]
		}
	}
	h.texts(x.in.Path())
	h.bytes(x.sum)
	for _, e := range entries {
		h.number(e.ref)
	}
	return x.sum != nil
}

// digest implements loader.
func (a *archive) digest(entries []*indexEntry, h *digest) bool {
	for _, e := range entries {
		a.store.mu.Lock()
		in := a.messages[e.ref]
		a.store.mu.Unlock()
		data, err := in.Bytes()
		if err != nil {
			return false
		}
		h.texts(in.Path())
		h.bytes(data)
	}
	return true
}
