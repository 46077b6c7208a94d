package export

import (
	"cmp"
	"hash/maphash"
	"strconv"
	"strings"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/source"
)

// indexEntry is an entry in the index. There is one per message, so it has no pointers,
// which the garbage collector would follow again and again. What it refers to by number is
// in the Store.
type indexEntry struct {
	ref               int64
	id                messageID
	sec               int64  // since 1970
	subject, digest   uint64 // hashes: of the subject, and as in rawEntry
	nsec, order, size int32
	origin            uint32 // its number in Store.origins
	hasTime           bool
	typed             bool // the subject has an intended type
	lost              bool
	again             uint16 // which of the messages that were given one id
	body              mail.BodyState
	form              mail.Form
	copy              copyKind
}

// origin is what the messages of a thread in an export share.
type origin struct {
	export               *export
	project, row, thread string
}

// messageID is the id of a message: a number, as nearly all are, if it is written without
// leading zeros, or less than noID for the others, which are in Store.otherIDs.
type messageID int64

const noID messageID = -1

// newEntry returns a new entry; s.mu is held.
func (s *Store) newEntry(x *export, order int, e *rawEntry) indexEntry {
	e.thread, e.project, e.subject = source.ValidString(e.thread), source.ValidString(e.project), source.ValidString(e.subject)
	t := indexEntry{
		origin: s.numberOf(origin{x, e.project, e.row, e.thread}), ref: e.ref, id: s.keepID(e.id),
		order: int32(order), size: int32(min(e.size, maxSize)),
		hasTime: e.hasTime, body: e.body, copy: e.copy, form: x.info.Form, digest: e.digest, lost: e.lost,
		subject: maphash.String(hashSeed, e.subject),
	}
	if e.hasTime {
		t.sec, t.nsec = e.time.Unix(), int32(e.time.Nanosecond())
	}
	t.typed = brenner.ParseSubject(e.subject).Intended != 0
	return t
}

// numberOf returns the number of an origin; s.mu is held.
func (s *Store) numberOf(o origin) uint32 {
	n, known := s.originNumbers[o]
	if !known {
		n, o = uint32(len(s.origins)), origin{o.export, s.intern(o.project), s.intern(o.row), strings.Clone(o.thread)}
		s.origins, s.originNumbers[o] = append(s.origins, o), n
	}
	return n
}

// origin returns the origin of an entry.
func (s *Store) origin(e *indexEntry) *origin { return &s.origins[e.origin] }

// keepID returns an id in the form of entries; s.mu is held.
func (s *Store) keepID(id string) messageID {
	if id == "" {
		return noID
	}
	if n, ok := rowNumber(id); ok && n >= 0 {
		return messageID(n)
	}
	s.otherIDs = append(s.otherIDs, strings.Clone(id))
	return noID - messageID(len(s.otherIDs))
}

// id returns the id of an entry's message, "" if it has none.
func (s *Store) id(e *indexEntry) string {
	switch {
	case e.id >= 0:
		return strconv.FormatInt(int64(e.id), 10)
	case e.id == noID:
		return ""
	}
	return s.otherIDs[noID-e.id-1]
}

// compareIDs orders entries as brenner.CompareMessageIDs orders their ids.
func (s *Store) compareIDs(a, b *indexEntry) int {
	if a.id >= 0 && b.id >= 0 {
		return cmp.Compare(a.id, b.id)
	}
	return brenner.CompareMessageIDs(s.id(a), s.id(b))
}
