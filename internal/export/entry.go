package export

import (
	"cmp"
	"hash/maphash"
	"strconv"
	"strings"
	"unicode/utf8"

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
	garbled           bool // bytes of the thread id were replaced
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

// originList are origins by number.
type originList struct {
	origins []origin
	numbers map[origin]uint32 // nil if it is not needed yet
}

// numberOf returns the number of an origin. Most messages have that of the one before, and most
// exports no other.
func (l *originList) numberOf(o origin) uint32 {
	n := uint32(len(l.origins))
	if n > 0 && l.origins[n-1] == o {
		return n - 1
	}
	if l.numbers == nil && n > 0 {
		l.numbers = make(map[origin]uint32, n)
		for i, known := range l.origins {
			l.numbers[known] = uint32(i)
		}
	}
	if known, ok := l.numbers[o]; ok {
		return known
	}
	o = origin{o.export, l.share(o.project), l.share(o.row), strings.Clone(o.thread)}
	l.origins = append(l.origins, o)
	if n > 0 {
		l.numbers[o] = n
	}
	return n
}

// share returns a copy of a text, that of the last origin if it has the same.
func (l *originList) share(text string) string {
	if n := len(l.origins); n > 0 {
		for _, known := range []string{l.origins[n-1].project, l.origins[n-1].row} {
			if known == text {
				return known
			}
		}
	}
	return strings.Clone(text)
}

// export is one export: its messages, until the store takes them, and the loader of what they say.
type export struct {
	info *mail.ExportInfo
	loader

	originList
	entries  []indexEntry
	otherIDs []string // ids that are not numbers
}

// add adds a message of an input, which has an order.
func (x *export) add(order int, e *rawEntry) {
	garbled := !utf8.ValidString(e.thread)
	e.thread, e.project, e.subject = source.ValidString(e.thread), source.ValidString(e.project), source.ValidString(e.subject)
	t := indexEntry{
		origin: x.numberOf(origin{x, e.project, e.row, e.thread}), ref: e.ref, id: x.keepID(e.id),
		order: int32(order), size: int32(min(e.size, maxSize)),
		hasTime: e.hasTime, body: e.body, copy: e.copy, form: x.info.Form, digest: e.digest, lost: e.lost,
		subject: maphash.String(hashSeed, e.subject), garbled: garbled,
	}
	if e.hasTime {
		t.sec, t.nsec = e.time.Unix(), int32(e.time.Nanosecond())
	}
	t.typed = brenner.ParseSubject(e.subject).Intended != 0
	x.entries = append(x.entries, t)
}

// keepID returns an id in the form of entries.
func (x *export) keepID(id string) messageID {
	if id == "" {
		return noID
	}
	if n, ok := rowNumber(id); ok && n >= 0 {
		return messageID(n)
	}
	x.otherIDs = append(x.otherIDs, strings.Clone(id))
	return noID - messageID(len(x.otherIDs))
}

// clear removes the messages.
func (x *export) clear() { x.originList, x.entries, x.otherIDs = originList{}, nil, nil }

// gather takes the messages of all exports.
func (s *Store) gather() {
	for _, x := range s.exports {
		for i := range x.entries {
			e := &x.entries[i]
			e.origin += uint32(len(s.origins))
			if e.id < noID {
				e.id -= messageID(len(s.otherIDs))
			}
		}
		s.entries, s.origins, s.otherIDs = joined(s.entries, x.entries), joined(s.origins, x.origins), joined(s.otherIDs, x.otherIDs)
		x.clear()
	}
}

// joined returns the elements of both lists. Mostly there is one export, whose lists are taken.
func joined[T any](a, b []T) []T {
	if len(a) == 0 {
		return b
	}
	return append(a, b...)
}

// origin returns the origin of an entry.
func (s *Store) origin(e *indexEntry) *origin { return &s.origins[e.origin] }

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
