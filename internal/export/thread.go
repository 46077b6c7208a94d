package export

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/brennerlint/brennerlint/brenner"
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
	copies  []*loaded // by entry, while the thread is read; nil for those that need not be
	facts   Facts
}

// copyGroup is the copies of one message: the entries from lo to hi, the reported one
// first.
type copyGroup struct{ lo, hi int }

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

// Load reads all messages of a thread, in order of time, then id. The facts are those found
// only now: about messages, and about files that can no longer be read.
func (s *Store) Load(t ThreadInfo) (*mail.Thread, Facts) {
	r := s.Open(t)
	out := r.Thread
	out.Messages = r.Read()
	return &out, r.Facts()
}

// Read reads the messages, in order of time, then id.
func (r *ThreadReader) Read() []*mail.Message {
	r.copies = make([]*loaded, len(r.entries))
	r.readCopies()
	out := make([]*mail.Message, 0, len(r.groups))
	for _, g := range r.groups {
		m := r.merge(g)
		if m == nil {
			continue
		}
		if f := check(m); f != nil {
			r.facts.Incomplete = append(r.facts.Incomplete, *f)
		}
		out = append(out, m)
	}
	r.copies = nil
	r.mend(out)
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

// Sort sorts messages by instant, then numeric id (decisions.md 16).
func Sort(messages []*mail.Message) { slices.SortStableFunc(messages, compareMessages) }

// compareMessages orders messages by instant, then numeric id, and those without an id,
// after the others, by their content; those without a time come last (decisions.md 16
// and 57).
func compareMessages(a, b *mail.Message) int {
	if a.HasTime != b.HasTime {
		if a.HasTime {
			return -1
		}
		return 1
	}
	if c := a.Time.Compare(b.Time); c != 0 {
		return c
	}
	if (a.ID == "") != (b.ID == "") {
		if b.ID == "" {
			return -1
		}
		return 1
	}
	if c := brenner.CompareMessageIDs(a.ID, b.ID); c != 0 {
		return c
	}
	return mail.CompareTexts(a, b)
}

// groupCopies finds the messages of a thread.
func (s *Store) groupCopies(entries []indexEntry) []copyGroup {
	var out []copyGroup
	for lo := 0; lo < len(entries); {
		hi := lo + 1
		for hi < len(entries) && s.sameMessage(&entries[lo], &entries[hi]) {
			hi++
		}
		out = append(out, copyGroup{lo, hi})
		lo = hi
	}
	return out
}

// needed reports whether the copy must be read: it may differ from the reported one, or say
// more about the recipients.
func (r *ThreadReader) needed(first, copy *indexEntry) bool {
	return !copy.lost && (first == copy || first.form != copy.form && r.store.origin(first).export != r.store.origin(copy).export ||
		first.digest == 0 || first.digest != copy.digest)
}

// readCopies loads what is needed, export by export.
func (r *ThreadReader) readCopies() {
	var order []*export
	wanted := map[*export][]int{}
	for _, g := range r.groups {
		for i := g.lo; i < g.hi; i++ {
			if !r.needed(&r.entries[g.lo], &r.entries[i]) {
				continue
			}
			x := r.store.origin(&r.entries[i]).export
			if wanted[x] == nil {
				order = append(order, x)
			}
			wanted[x] = append(wanted[x], i)
		}
	}
	for _, x := range order {
		at := wanted[x]
		slices.SortFunc(at, func(a, b int) int { return cmp.Compare(r.entries[a].ref, r.entries[b].ref) })
		entries := make([]*indexEntry, len(at))
		for i, a := range at {
			entries[i] = &r.entries[a]
		}
		for i, m := range x.load(entries, func(f source.Fault) { r.facts.Faults = append(r.facts.Faults, f) }) {
			if m != nil {
				m.Project, m.ExportInfo = r.store.origin(&r.entries[at[i]]).project, x.info
				r.copies[at[i]] = m
			}
		}
	}
}

// merge makes one message of its copies, and records at the first that they differ.
func (r *ThreadReader) merge(g copyGroup) *mail.Message {
	m := r.first(g)
	r.reportBytes(g)
	if m != nil {
		r.reportCopy(g, m)
		r.reportReuse(g, m)
	}
	var reported *mail.Message
	noted := false
	for _, c := range r.copies[g.lo:g.hi] {
		if c == nil {
			continue
		}
		if reported == nil {
			reported = &c.Message
		} else if f := differ(reported, &c.Message); f != nil && !noted {
			r.facts.Mismatches = append(r.facts.Mismatches, *f)
			noted = true
		}
		if &c.Message != m {
			adopt(m, &c.Message)
		}
	}
	return m
}

// reportBytes reports the bytes of the first copy that cannot be what was written.
func (r *ThreadReader) reportBytes(g copyGroup) {
	for _, c := range r.copies[g.lo:g.hi] {
		if c != nil && len(c.faults) > 0 {
			r.facts.Faults = append(r.facts.Faults, c.faults...)
			return
		}
	}
}

// first returns the copy of a message that counts: of those of the lowest form the
// first by what they say, for one id may have been given twice (decisions.md 57).
func (r *ThreadReader) first(g copyGroup) (m *mail.Message) {
	at := g.lo
	for i := g.lo; i < g.hi; i++ {
		c := r.copies[i]
		if c == nil || m != nil && compareCopies(&r.entries[at], &r.entries[i]) != 0 {
			continue
		}
		if m == nil || mail.CompareTexts(&c.Message, m) < 0 {
			m, at = &c.Message, i
		}
	}
	return m
}

// adopt copies what only another copy says: who the message was sent to, and who
// acknowledged it.
func adopt(m, c *mail.Message) {
	if !m.HasRecipients && c.HasRecipients {
		m.Recipients, m.HasRecipients = c.Recipients, true
	}
	if m.HasRecipients && c.ExportInfo.RecordsAcks && !m.ExportInfo.RecordsAcks && !c.ExportInfo.AckFlagsCleared {
		facts := *m.ExportInfo
		facts.RecordsAcks = true
		m.ExportInfo = &facts
		for i := range m.Recipients {
			for _, o := range c.Recipients {
				if o.Name == m.Recipients[i].Name && !o.Acknowledged.IsZero() {
					m.Recipients[i].Acknowledged = o.Acknowledged
				}
			}
		}
	}
}

// isWhole reports whether nothing shows that messages are missing but those that cannot be read.
func (s *Store) isWhole(entries []indexEntry, groups []copyGroup) bool {
	single := 0
	for _, r := range groups {
		kind := 2 // 0 if from a complete export, 1 if given alone, 2 if of a part
		for i := r.lo; i < r.hi; i++ {
			from := s.origin(&entries[i])
			switch f := from.export.info; {
			case f.Partial, from.isPart():
			case f.Standalone:
				kind = min(kind, 1)
			default:
				kind = 0
			}
		}
		if kind == 0 {
			return true
		}
		if kind == 1 {
			single++
		}
	}
	return single > 1
}

// stripped returns a body as the archive stores it: without surrounding white space.
func stripped(b []byte) []byte { return bytes.TrimSpace(b) }
