package export

import (
	"cmp"
	"math"
	"slices"

	"github.com/brennerlint/brennerlint/brenner/mail"
	"github.com/brennerlint/brennerlint/source"
)

// Ids that were given again, as after a reset of the server's database (decisions.md 73): two
// canonical messages of one id that differ in time, and in sender or body, are two messages.

// sameSecond reports whether two entries may be of one time: names of files have no fractions.
func sameSecond(a, b *indexEntry) bool { return !a.hasTime || !b.hasTime || a.sec == b.sec }

// separate finds the ids of sorted entries that were given again.
func (s *Store) separate() {
	s.earlier = map[*indexEntry]*indexEntry{}
	for lo := 0; lo < len(s.entries); {
		hi := lo + 1
		several := false
		for hi < len(s.entries) && s.entries[lo].id != noID && s.compareEntryIDs(&s.entries[lo], &s.entries[hi]) == 0 {
			several = several || !sameSecond(&s.entries[lo], &s.entries[hi])
			hi++
		}
		if several {
			s.separateRun(s.entries[lo:hi])
		}
		lo = hi
	}
	s.compareAcrossThreads()
}

// compareEntryIDs orders entries by thread and id.
func (s *Store) compareEntryIDs(a, b *indexEntry) int {
	return cmp.Or(s.compareThreads(a, b), s.compareIDs(a, b))
}

// separateRun separates the messages of one id in a thread: copies belong to the one whose time
// they have.
func (s *Store) separateRun(run []indexEntry) {
	slices.SortFunc(run, func(a, b indexEntry) int { return cmp.Or(cmp.Compare(a.sec, b.sec), s.compareEntries(a, b)) })
	var count uint16
	bySecond, byText := map[int64]uint16{}, map[uint64]uint16{}
	for i := range run {
		e := &run[i]
		if e.copy != canonical || !e.hasTime {
			continue
		}
		n, known := bySecond[e.sec]
		text := s.senderAndBody(e)
		if text == 0 && !e.lost { // its bytes are not as they were written, and prove nothing
			count, bySecond = 0, nil
			break
		}
		if !known && text != 0 {
			n, known = byText[text]
		}
		if !known && count < math.MaxUint16 {
			n = count
			count++
		}
		e.again, bySecond[e.sec], byText[text] = n, n, n
	}
	for i := range run {
		if e := &run[i]; count == 0 || e.copy != canonical {
			e.again = bySecond[e.sec]
		}
	}
	slices.SortFunc(run, s.compareEntries)
	for i := range run {
		if i > 0 && run[i].again != run[i-1].again {
			s.earlier[&run[i]] = &run[0]
		}
	}
}

// senderAndBody returns a hash of what two messages of one id have in common if they are copies in
// spite of their times: the sender and the body or, in an export without bodies, the subject. It is
// 0 if the message cannot be read, or not as it was written.
func (s *Store) senderAndBody(e *indexEntry) uint64 {
	m := s.loadOne(e)
	if m == nil || m.Garbled {
		return 0
	}
	sender := []byte(m.From.String())
	if m.BodyState == mail.BodyPresent {
		return textDigest(sender, withoutCR(m.Body.Data))
	}
	return textDigest(append(sender, '\n'), []byte(m.Subject.String()))
}

// differ reports whether two messages of one id differ in sender or body.
func (s *Store) differ(a, b *indexEntry) bool {
	x, y := s.senderAndBody(a), s.senderAndBody(b)
	return x != 0 && y != 0 && x != y
}

// loadOne reads one message, nil if that is not possible.
func (s *Store) loadOne(e *indexEntry) *mail.Message {
	if e.lost {
		return nil
	}
	from := s.origin(e)
	m := from.export.load([]*indexEntry{e}, func(source.Fault) {})[0]
	if m == nil {
		return nil
	}
	m.ExportInfo = from.export.info
	return &m.Message
}

// compareAcrossThreads finds ids of a project that messages of several threads have.
func (s *Store) compareAcrossThreads() {
	type projectID struct {
		project string
		id      messageID
	}
	if len(s.exports) == 1 && s.exports[0].info.Form == mail.SQLite {
		return // its ids are unique
	}
	first := make(map[projectID]*indexEntry, len(s.entries))
	for i := range s.entries {
		e := &s.entries[i]
		key := projectID{s.origin(e).project, e.id}
		if e.id < 0 || key.project == "" || e.lost || e.copy != canonical || !e.hasTime {
			continue
		}
		switch o := first[key]; {
		case o == nil:
			first[key] = e
		case s.compareThreads(o, e) == 0 || sameSecond(o, e) || !s.differ(o, e):
		case e.sec < o.sec:
			first[key] = e
			s.earlier[o] = e
		default:
			s.earlier[e] = o
		}
	}
}

// reportReuse reports that an earlier message has the id of a message.
func (l *threadLoader) reportReuse(r copyGroup, m *mail.Message) {
	for i := r.lo; i < r.hi; i++ {
		first := l.store.earlier[&l.entries[i]]
		if first == nil {
			continue
		}
		there := mail.CopyText{Path: l.store.fileOf(first)}
		if o := l.store.loadOne(first); o != nil {
			there.Path, there.At, there.Text = pathOf(o), o.Subject.WholePos(), o.Subject.String()
		}
		l.facts.Mismatches = append(l.facts.Mismatches, mail.CopyMismatch{
			Kind: mail.IDGivenTwice, MessageID: m.ID,
			Here: mail.CopyText{Path: pathOf(m), At: m.Subject.WholePos(), Text: m.Subject.String()}, There: there,
		})
		return
	}
}
