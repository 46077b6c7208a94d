package export

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/brennerlint/brennerlint/brenner"
	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/source"
)

// Load reads all messages of a thread, in order of time, then id. The facts are those found
// only now: about messages, and about files that can no longer be read.
func (s *Store) Load(t ThreadInfo) (*mail.Thread, Facts) {
	r := s.Open(t)
	out := r.Thread
	out.Messages = r.Read()
	return &out, r.Facts()
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

// threadLoader loads messages of one thread.
type threadLoader struct {
	store    *Store
	entries  []indexEntry
	groups   []copyGroup
	messages map[int]*mail.Message  // by entry; nil for copies that need not be read
	faults   map[int][]source.Fault // of their bytes
	facts    Facts
}

// copyGroup is the copies of one message: the entries from lo to hi, the reported one
// first.
type copyGroup struct{ lo, hi int }

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
func (l *threadLoader) needed(first, copy *indexEntry) bool {
	return !copy.lost && (first == copy || first.form != copy.form && l.store.origin(first).export != l.store.origin(copy).export ||
		first.digest == 0 || first.digest != copy.digest)
}

// read loads what is needed, export by export.
func (l *threadLoader) read() {
	var order []*export
	wanted := map[*export][]int{}
	for _, r := range l.groups {
		for i := r.lo; i < r.hi; i++ {
			if !l.needed(&l.entries[r.lo], &l.entries[i]) {
				continue
			}
			x := l.store.origin(&l.entries[i]).export
			if wanted[x] == nil {
				order = append(order, x)
			}
			wanted[x] = append(wanted[x], i)
		}
	}
	for _, x := range order {
		at := wanted[x]
		slices.SortFunc(at, func(a, b int) int { return cmp.Compare(l.entries[a].ref, l.entries[b].ref) })
		entries := make([]*indexEntry, len(at))
		for i, a := range at {
			entries[i] = &l.entries[a]
		}
		for i, m := range x.load(entries, func(f source.Fault) { l.facts.Faults = append(l.facts.Faults, f) }) {
			if m != nil {
				m.Project, m.ExportInfo = l.store.origin(&l.entries[at[i]]).project, x.info
				l.messages[at[i]] = &m.Message
				if len(m.faults) > 0 {
					l.faults[at[i]] = m.faults
				}
			}
		}
	}
}

// merge makes one message of its copies, and records at the first that they differ.
func (l *threadLoader) merge(r copyGroup) *mail.Message {
	m := l.first(r)
	l.reportBytes(r)
	if m != nil {
		l.reportCopy(r, m)
		l.reportReuse(r, m)
	}
	var reported *mail.Message
	noted := false
	for i := r.lo; i < r.hi; i++ {
		c := l.messages[i]
		if c == nil {
			continue
		}
		if reported == nil {
			reported = c
		} else if f := differ(reported, c); f != nil && !noted {
			l.facts.Mismatches = append(l.facts.Mismatches, *f)
			noted = true
		}
		if c != m {
			adopt(m, c)
		}
	}
	return m
}

// reportBytes reports the bytes of the first copy that cannot be what was written.
func (l *threadLoader) reportBytes(r copyGroup) {
	for i := r.lo; i < r.hi; i++ {
		if l.faults[i] != nil {
			l.facts.Faults = append(l.facts.Faults, l.faults[i]...)
			return
		}
	}
}

// first returns the copy of a message that counts: of those of the lowest form the
// first by what they say, for one id may have been given twice (decisions.md 57).
func (l *threadLoader) first(r copyGroup) (m *mail.Message) {
	at := r.lo
	for i := r.lo; i < r.hi; i++ {
		c := l.messages[i]
		if c == nil || m != nil && compareCopies(&l.entries[at], &l.entries[i]) != 0 {
			continue
		}
		if m == nil || mail.CompareTexts(c, m) < 0 {
			m, at = c, i
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
