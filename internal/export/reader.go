package export

import (
	"cmp"
	"slices"

	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/source"
)

// ThreadReader reads the messages of one thread.
type ThreadReader struct {
	mail.Thread // with no messages
	// Whole reports that the thread can be replayed, up to its Gap if it has one.
	Whole bool

	store   *Store
	entries []indexEntry
	ids     *idSet // set on first use
	groups  []copyGroup
	facts   Facts
}

// Open starts reading a thread.
func (s *Store) Open(t ThreadInfo) *ThreadReader {
	r := &ThreadReader{store: s, entries: t.entries}
	r.groups = s.groupCopies(r.entries)
	r.Whole = s.isWhole(r.entries, r.groups)
	r.Thread = mail.Thread{Project: t.Project, ID: t.ID, Gap: gapOf(r.entries, r.groups)}
	r.Complete = r.Whole && r.Gap == nil
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

// Read reads the messages, in order of time, then id.
func (r *ThreadReader) Read() []*mail.Message {
	l := &threadLoader{store: r.store, entries: r.entries, groups: r.groups, messages: map[int]*mail.Message{}, faults: map[int][]source.Fault{}}
	out := l.load()
	r.facts.Add(l.facts)
	return out
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
