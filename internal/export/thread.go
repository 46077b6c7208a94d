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
	// Facts are what was found while the thread was read: about its messages, and about
	// files that can no longer be read.
	Facts Facts

	store  *Store
	groups []copies           // one for each message, by id
	loaded map[*entry]*loaded // while the thread is read
}

// copies are the copies of one message, the reported one first.
type copies []*entry

// Open starts reading a thread.
func (s *Store) Open(t ThreadInfo) *ThreadReader {
	r := &ThreadReader{Thread: mail.Thread{Project: t.Project, ID: t.ID}, store: s}
	for g := range runs(t.entries, sameMessage) {
		r.groups = append(r.groups, g)
		if r.Roster == nil {
			r.Roster = g[0].export.info.Roster[t.Project]
		}
	}
	r.Whole, r.Gap = isWhole(r.groups), gapOf(r.groups)
	r.Complete = r.Whole && r.Gap == nil
	return r
}

// Load reads all messages of a thread, in order of time, then id. The facts are those found
// only now: about messages, and about files that can no longer be read.
func (s *Store) Load(t ThreadInfo) (*mail.Thread, Facts) {
	r := s.Open(t)
	out := r.Thread
	out.Messages = r.Read()
	return &out, r.Facts
}

// Read reads the messages, in order of time, then id.
func (r *ThreadReader) Read() []*mail.Message {
	r.readCopies()
	out := make([]*mail.Message, 0, len(r.groups))
	for _, g := range r.groups {
		m := r.merge(g)
		if m == nil {
			continue
		}
		if f := check(m); f != nil {
			f.Thread = r.ID
			r.Facts.Incomplete = append(r.Facts.Incomplete, *f)
		}
		out = append(out, m)
	}
	r.loaded = nil
	r.mend(out)
	Sort(out)
	return out
}

func (r *ThreadReader) report(f source.Fault) {
	f.Thread = r.ID
	r.Facts.Faults = append(r.Facts.Faults, f)
}

// mismatch records that the copies of a message do not agree.
func (r *ThreadReader) mismatch(f mail.CopyMismatch) {
	f.Thread = r.ID
	r.Facts.Mismatches = append(r.Facts.Mismatches, f)
}

// Has reports whether the thread has a message with that id.
func (r *ThreadReader) Has(id string) bool {
	at, found := slices.BinarySearchFunc(r.groups, id, func(g copies, id string) int { return brenner.CompareMessageIDs(g[0].id, id) })
	return found && id != "" && slices.ContainsFunc(r.groups[at], func(e *entry) bool { return e.id == id })
}

// Sort sorts messages by instant, then numeric id (decisions.md 16).
func Sort(messages []*mail.Message) { slices.SortStableFunc(messages, compareMessages) }

// compareMessages orders messages by instant, then numeric id, and those without an id,
// after the others, by their content; those without a time come last (decisions.md 16
// and 57).
func compareMessages(a, b *mail.Message) int {
	last := func(is bool) int {
		if is {
			return 1
		}
		return 0
	}
	if c := cmp.Or(last(!a.HasTime)-last(!b.HasTime), a.Time.Compare(b.Time), last(a.ID == "")-last(b.ID == ""), brenner.CompareMessageIDs(a.ID, b.ID)); c != 0 {
		return c
	}
	return mail.CompareTexts(a, b)
}

// readCopies loads the copies of the messages, export by export.
func (r *ThreadReader) readCopies() {
	var order []*export
	wanted := map[*export][]*entry{}
	for _, g := range r.groups {
		for _, e := range g {
			if e.lost {
				continue
			}
			if wanted[e.export] == nil {
				order = append(order, e.export)
			}
			wanted[e.export] = append(wanted[e.export], e)
		}
	}
	r.loaded = map[*entry]*loaded{}
	for _, x := range order {
		entries := wanted[x]
		slices.SortFunc(entries, func(a, b *entry) int { return cmp.Compare(a.ref, b.ref) })
		for i, m := range x.load(entries, r.report) {
			if m != nil {
				m.Project, m.ExportInfo = entries[i].project, x.info
				r.loaded[entries[i]] = m
			}
		}
	}
}

// merge makes one message from its copies, and records differences at the first copy.
func (r *ThreadReader) merge(g copies) *mail.Message {
	var read []*loaded
	var m *mail.Message // the copy that counts
	var from *entry
	garbled := false
	for _, e := range g {
		c := r.loaded[e]
		if c == nil {
			continue
		}
		read = append(read, c)
		if len(c.faults) > 0 && !garbled { // of the first copy with bytes that cannot be what was written
			garbled = true
			for _, f := range c.faults {
				r.report(f)
			}
		}
		// Of several copies of the lowest form, the first in order of content counts, because one
		// id may have been given twice (decisions.md 57).
		if m == nil || compareCopies(from, e) == 0 && mail.CompareTexts(&c.Message, m) < 0 {
			m, from = &c.Message, e
		}
	}
	if m == nil {
		return nil
	}
	r.reportCopy(g, m)
	r.reportReuse(g, m)
	for _, c := range read[1:] {
		if f := differ(&read[0].Message, &c.Message); f != nil {
			r.mismatch(*f)
			break
		}
	}
	for _, c := range read {
		if &c.Message != m {
			adopt(m, &c.Message)
		}
	}
	return m
}

// adopt copies recipients and acknowledgements that only another copy has.
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
				if o.Name == m.Recipients[i].Name && o.Acknowledged {
					m.Recipients[i].Acknowledged = true
				}
			}
		}
	}
}

// isWhole reports whether there is no sign of missing messages, apart from those that cannot be
// read.
func isWhole(groups []copies) bool {
	single := 0
	for _, g := range groups {
		alone := false
		for _, e := range g {
			switch f := e.export.info; {
			case f.Partial, e.part:
			case f.Standalone:
				alone = true
			default:
				return true // of a complete export
			}
		}
		if alone {
			single++
		}
	}
	return single > 1
}

// stripped returns a body as the archive stores it: without surrounding white space.
func stripped(b []byte) []byte { return bytes.TrimSpace(b) }
