package export

import (
	"cmp"
	"slices"

	"github.com/brennerlint/brennerlint/mail"
	"github.com/brennerlint/brennerlint/source"
)

// LargeThread is the size, in bytes, from which a thread is read in pieces, and pieceSize
// is the size of a piece.
const (
	LargeThread = 8 << 20
	pieceSize   = 1 << 20
)

// ThreadReader reads the messages of one thread in order of time, then id.
//
// Those of a large thread are read in pieces, and the surroundings of their texts in the
// export are read again when a place in them is needed: so a caller that releases each
// message (Message.Evict) before the next piece has little of the thread in memory.
type ThreadReader struct {
	mail.Thread // with no messages
	Large       bool

	store   *Store
	entries []indexEntry
	ids     *idSet      // set on first use
	groups  []copyGroup // not yet read, in order of time
	piece   int64       // of a large thread, in bytes
	facts   Facts
}

// Open starts reading a thread.
func (s *Store) Open(t ThreadInfo) *ThreadReader {
	r := &ThreadReader{store: s, entries: t.entries}
	r.groups = s.groupCopies(r.entries)
	large := cmp.Or(s.opts.LargeThread, LargeThread)
	r.Large, r.piece = t.Size >= large, min(large, pieceSize)
	r.Thread = mail.Thread{Project: t.Project, ID: t.ID, Complete: s.isWhole(r.entries, r.groups)}
	slices.SortStableFunc(r.groups, func(a, b copyGroup) int { return s.compareTimes(&r.entries[a.lo], &r.entries[b.lo]) })
	for _, o := range r.groups {
		if names := s.origin(&r.entries[o.lo]).export.info.Roster[t.Project]; len(names) > 0 {
			r.Roster = names
			break
		}
	}
	return r
}

// compareTimes is compareMessages before they are read.
func (s *Store) compareTimes(a, b *indexEntry) int {
	if a.hasTime != b.hasTime {
		if a.hasTime {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(a.sec, b.sec), cmp.Compare(a.nsec, b.nsec), s.compareIDs(a, b))
}

// Has reports whether the thread has a message with that id.
func (r *ThreadReader) Has(id string) bool {
	if r.ids == nil {
		r.ids = &idSet{}
		for i := range r.entries {
			r.store.addID(r.ids, &r.entries[i])
		}
		r.ids.sort()
	}
	return r.ids.has(id)
}

// Done reports whether there is nothing more for Next to read.
func (r *ThreadReader) Done() bool { return len(r.groups) == 0 }

// Next reads the next messages; it returns nil if there are no more.
func (r *ThreadReader) Next() []*mail.Message {
	for len(r.groups) > 0 {
		n := len(r.groups)
		if r.Large {
			n = 0
			for size := int64(0); n < len(r.groups) && size < r.piece; n++ {
				size += int64(r.entries[r.groups[n].lo].size)
			}
		}
		l := &threadLoader{store: r.store, entries: r.entries, groups: r.groups[:n], detach: r.Large, messages: map[int]*mail.Message{}, faults: map[int][]source.Fault{}}
		r.groups = r.groups[n:]
		if out := l.load(); len(out) > 0 {
			r.facts.Add(l.facts)
			return out
		}
		r.facts.Add(l.facts)
	}
	return nil
}

// load reads the messages of the runs.
func (l *threadLoader) load() []*mail.Message {
	l.read()
	out := make([]*mail.Message, 0, len(l.groups))
	for _, r := range l.groups {
		m := l.merge(r)
		if m == nil {
			continue
		}
		if f := check(m); f != nil {
			l.facts.Incomplete = append(l.facts.Incomplete, *f)
		}
		out = append(out, m)
	}
	Sort(out)
	return out
}

// Facts returns what was found while the thread was read: about its messages, and about
// files that can no longer be read.
func (r *ThreadReader) Facts() Facts {
	for i := range r.facts.Faults {
		r.facts.Faults[i].Thread = r.ID
	}
	for i := range r.facts.Incomplete {
		r.facts.Incomplete[i].Thread = r.ID
	}
	for i := range r.facts.Mismatches {
		r.facts.Mismatches[i].Thread = r.ID
	}
	return r.facts
}

// detach releases the surroundings of a message's texts in its export: they are read again
// when a place in them is needed; see [source.Text.EvictAll].
func detach(m *mail.Message, reload func() []byte, part func(source.Span) []byte) {
	texts := []*source.Text{m.Thread, m.Subject, m.From, m.Created, m.Body}
	for i := range m.Recipients {
		texts = append(texts, m.Recipients[i].Text)
	}
	for _, t := range texts {
		t.Detach()
	}
	m.Header.Text.EvictAll(reload, part)
}
